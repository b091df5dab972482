"""The house rules. Each is declared once, with all its texts.

A rule is a field of `event.domain.rules.RuleSet`. The settings page, the players' page, the log and
`docs/reference/rules.md` use these declarations.
"""

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.games import LimitKind
from tournaments.event.domain.rules import (
    BreakOrder,
    BustTies,
    ButtonRule,
    ClockCall,
    DisqualifiedPrize,
    LanguageRule,
    MinimumRaise,
    NoShow,
    RaiseCap,
    SameHand,
    SeatDraw,
)
from tournaments.models import Event
from tournaments.rules.selectors.rule import Binds, Choice, Heading, Number, Rule

LONGEST_OWN_TEXT = 2000

# --- House rules on seats and moves


SEATS_AND_TABLES = (
    Rule(
        name="seat_draw",
        label=_("Plätze am Tisch"),
        sentence=_("Wer an welchen Tisch kommt, lost immer das Programm aus."),
        source=_("HOME: mit Karten, vom Ass als niedrigster aufwärts"),
        heading=Heading.SEAT,
        is_after=True,
        binds=Binds.NEVER,
        choices={
            SeatDraw.PROGRAM: Choice(
                _("lost das Programm aus"), _("Mit dem Tisch ist auch der Platz ausgelost.")
            ),
            SeatDraw.CARDS: Choice(
                _("werden mit Karten gezogen"),
                _("Am Tisch ziehst du eine Karte, die deinen Platz bestimmt: Das Ass ist Platz 1, "
                  "die Zwei der nächste im Uhrzeigersinn, und so weiter. Wer später einsteigt oder "
                  "umzieht, bekommt seinen Platz ausgelost."),
            ),
        },
    ),
    Rule(
        name="no_show",
        label=_("Wer nicht kommt"),
        sentence=_("Was nach der Wartezeit geschieht, die in den Einstellungen steht."),
        source=_("KRRU 3.0: kein Platz; TDA 2024: zahlt Blinds, wie allgemein üblich"),
        heading=Heading.ABSENT,
        choices={
            NoShow.NO_SEAT: Choice(
                _("verliert den Startplatz"),
                _("Deinen Platz am Tisch bekommst du vor Ort: Wer nicht eincheckt, hat keinen."),
            ),
            NoShow.BLINDED: Choice(
                _("sein Stapel kommt an den Tisch und zahlt Blinds"),
                _("Wer angemeldet ist und nicht kommt, behält seinen Startplatz."),
            ),
        },
    ),
    Rule(
        name="balancing_tolerance",
        label=_("Unterschied, der bleiben darf"),
        sentence=_("So viele Spieler darf ein Tisch weniger haben als der vollste; darüber wird "
                   "umgesetzt."),
        source=_("TDA 2024 11-C, die Zahl ist unsere"),
        heading=Heading.BALANCE,
        number=Number(
            least=1,
            most=3,
            published=_("Umgesetzt wird, sobald ein Tisch um mehr als %(number)d Spieler kleiner "
                        "ist als der vollste."),
            special={
                1: _("Umgesetzt wird, sobald ein Tisch um mehr als einen Spieler kleiner ist als "
                     "der vollste."),
            },
        ),
    ),
    Rule(
        name="tap_holds_minutes",
        label=_("Ein Tipp gilt, in Minuten"),
        sentence=_("So lange wird geglaubt, was zuletzt am Tisch getippt wurde: wo der Button "
                   "liegt, welche Stufe gilt."),
        source=_("unsere: So lange dauert keine Hand"),
        heading=Heading.BALANCE,
        is_after=True,
        binds=Binds.NEVER,
        number=Number(
            least=3,
            most=60,
            published=_("Wo der Button liegt, gilt %(number)d Minuten lang als bekannt; danach "
                        "wird nachgesehen."),
        ),
    ),
    Rule(
        name="halt_when_short_by",
        label=_("Anhalten ab Unterschied"),
        sentence=_("Ab so vielen Spielern weniger als am vollsten Tisch wird gefragt, ob ein Tisch "
                   "wartet."),
        source=_("TDA 2024 11-D: 3"),
        heading=Heading.HALT,
        number=Number(
            least=2,
            most=9,
            published=_("Ein Tisch mit mindestens %(number)d Spielern weniger als der vollste "
                        "wartet nach seiner Hand, sobald seine Blinds davon betroffen sind. Die "
                        "Turnierleitung kann ihn weiterspielen lassen."),
        ),
    ),
    Rule(
        name="break_order",
        label=_("Reihenfolge beim Auflösen"),
        sentence=_("Welcher Tisch als nächster aufgelöst wird."),
        source=_("TDA 2024 11-C überlässt sie dem Haus"),
        heading=Heading.BREAK,
        choices={
            BreakOrder.HIGHEST_NUMBER: Choice(
                _("die höchste Nummer zuerst"),
                _("Aufgelöst wird immer der Tisch mit der höchsten Nummer."),
            ),
            BreakOrder.LOWEST_NUMBER: Choice(
                _("die niedrigste Nummer zuerst"),
                _("Aufgelöst wird immer der Tisch mit der niedrigsten Nummer."),
            ),
        },
    ),
    Rule(
        name="redraws_final_table",
        label=_("Finaltisch"),
        sentence=_("Ob alle Plätze neu ausgelost werden, sobald alle an einen Tisch passen."),
        source=_("unsere; seine Größe nach TDA 2024 RP-9"),
        heading=Heading.FINAL,
        binds=Binds.FINAL_TABLE,
        choices={
            True: Choice(
                _("wird neu ausgelost"),
                _("Passen alle an den Finaltisch, werden alle Plätze neu ausgelost."),
            ),
            False: Choice(
                _("bleibt, wie er entsteht"),
                _("Zum Finaltisch wird nicht eigens ausgelost: Es werden Tische aufgelöst, bis "
                  "einer bleibt."),
            ),
        },
    ),
)  # fmt: skip


# --- House rules on places and prizes


GOING_OUT = (
    Rule(
        name="same_hand",
        label=_("In derselben Hand, am selben Tisch"),
        sentence=_("Wer besser ist, wenn zwei zugleich ausscheiden."),
        source=_("allgemein üblich"),
        heading=Heading.HAND,
        binds=Binds.FIRST_OUT,
        choices={
            SameHand.BY_STACK: Choice(
                _("wer mehr Chips hatte"),
                _("Scheiden zwei an einem Tisch in derselben Hand aus, ist besser, wer zu ihrem "
                  "Beginn mehr Chips hatte; wer gleich viele hatte, teilt sich den Platz."),
            ),
            SameHand.SHARED: Choice(
                _("sie teilen sich den Platz"),
                _("Wer an einem Tisch in derselben Hand ausscheidet, teilt sich den Platz."),
            ),
        },
    ),
    Rule(
        name="bust_ties",
        label=_("Hand für Hand, an verschiedenen Tischen"),
        sentence=_("Wer besser ist, wenn in derselben Hand an zwei Tischen jemand ausscheidet."),
        source=_("TDA 2024 RP-8 und allgemein üblich"),
        heading=Heading.HAND_FOR_HAND,
        is_after=True,
        binds=Binds.HAND_FOR_HAND,
        choices={
            BustTies.SHARED: Choice(
                _("sie teilen sich den Platz"),
                _("Wer dabei in derselben Hand an verschiedenen Tischen ausscheidet, teilt sich "
                  "den Platz und die Preise."),
            ),
            BustTies.BY_STACK: Choice(
                _("wer mehr Chips hatte"),
                _("Scheiden dabei in derselben Hand an verschiedenen Tischen mehrere aus, ist "
                  "besser, wer zu ihrem Beginn mehr Chips hatte."),
            ),
        },
    ),
    Rule(
        name="hand_for_hand_minutes",
        label=_("Minuten je Hand für Hand"),
        sentence=_("So viel nimmt jede Hand der Stufe, während die Uhr steht."),
        source=_("TDA 2024 RP-8, die Zahl ist unsere"),
        heading=Heading.HAND_FOR_HAND,
        is_after=True,
        binds=Binds.HAND_FOR_HAND,
        number=Number(
            least=0,
            most=10,
            published=_("Die Uhr steht, und jede Hand nimmt der Stufe %(number)d Minuten."),
            special={
                0: _("Die Uhr steht, solange so gespielt wird."),
                1: _("Die Uhr steht, und jede Hand nimmt der Stufe eine Minute."),
            },
        ),
    ),
    Rule(
        name="deals_allowed",
        label=_("Absprachen über Preise"),
        sentence=_("Ob Spieler sich über die Aufteilung der Preise einigen dürfen."),
        source=_("KRRU 3.0: nur mit ausdrücklicher Erlaubnis"),
        heading=Heading.DEALS,
        binds=Binds.NEVER,
        is_obeyed=False,
        choices={
            False: Choice(
                _("nur mit Erlaubnis der Turnierleitung"),
                _("Absprachen über Preise gibt es nur, wenn die Turnierleitung sie erlaubt."),
            ),
            True: Choice(_("erlaubt"), _("Absprachen über Preise sind erlaubt.")),
        },
    ),
    Rule(
        name="disqualified_prize",
        label=_("Preis nach einer Disqualifikation"),
        sentence=_("Ob jemand den Preis seines Platzes behält."),
        source=_("unsere; TDA 2024 71 sagt nichts vom Preis"),
        heading=Heading.DISQUALIFIED,
        choices={
            DisqualifiedPrize.NONE: Choice(
                _("keiner"),
                _("Wer disqualifiziert wird, ist endgültig aus und bekommt keinen Preis."),
            ),
            DisqualifiedPrize.PLACE: Choice(
                _("der des Platzes"),
                _("Wer disqualifiziert wird, ist endgültig aus; der Preis seines Platzes bleibt "
                  "ihm."),
            ),
        },
    ),
)  # fmt: skip


AT_THE_TABLE = (
    Rule(
        name="button_rule",
        label=_("Button"),
        sentence=_("Wohin der Button geht, auch wenn jemand ausgeschieden ist."),
        source=_("KRRU 3.0: zum nächsten; TDA 2024 32: auch auf einen leeren Platz"),
        heading=Heading.BUTTON,
        choices={
            ButtonRule.MOVING: Choice(
                _("zum nächsten, der da ist"),
                _("Der Button geht nach jeder Hand zum nächsten Spieler, der da ist."),
            ),
            ButtonRule.DEAD: Choice(
                _("einen Platz weiter, auch auf einen leeren"),
                _("Der Button geht nach jeder Hand einen Platz weiter, auch auf einen leeren; so "
                  "zahlt jeder jeden Blind."),
            ),
        },
    ),
    Rule(
        name="minimum_raise",
        label=_("Mindesterhöhung"),
        sentence=_("Um wie viel mindestens erhöht wird."),
        source=_("KRRU 3.0, mit zwei Lesarten; HOME: wie zuletzt; TDA 2024 43: um die größte"),
        heading=Heading.RAISE,
        limits=frozenset({LimitKind.NO_LIMIT, LimitKind.POT_LIMIT}),
        choices={
            MinimumRaise.DOUBLE_BET: Choice(
                _("auf das Doppelte des Einsatzes"),
                _("Erhöht wird mindestens auf das Doppelte des Einsatzes."),
            ),
            MinimumRaise.BY_DOUBLE: Choice(
                _("um das Doppelte des Einsatzes"),
                _("Erhöht wird mindestens um das Doppelte des Einsatzes."),
            ),
            MinimumRaise.PREVIOUS_RAISE: Choice(
                _("um so viel wie zuletzt"), _("Erhöht wird mindestens um so viel wie zuletzt.")
            ),
            MinimumRaise.LARGEST_RAISE: Choice(
                _("um die größte Erhöhung der Setzrunde"),
                _("Erhöht wird mindestens um die größte Erhöhung, die es in der Setzrunde gab."),
            ),
        },
    ),
    Rule(
        name="raise_cap",
        label=_("Höchstens drei Erhöhungen"),
        sentence=_("Wann bei festen Einsätzen öfter als dreimal erhöht werden darf."),
        source=_("STEFFEN: nicht zu zweit in der letzten Setzrunde; TDA 2024 48: immer, bis das "
                 "Turnier zu zweit ist"),
        heading=Heading.RAISE,
        limits=frozenset({LimitKind.SPLIT_LIMIT}),
        choices={
            RaiseCap.LAST_ROUND: Choice(
                _("nicht zu zweit in der letzten Setzrunde"),
                _("In einer Setzrunde wird höchstens dreimal erhöht. Sind in der letzten Setzrunde "
                  "nur noch zwei dabei, so oft sie wollen."),
            ),
            RaiseCap.EVENT: Choice(
                _("immer, bis das Turnier zu zweit ist"),
                _("In einer Setzrunde wird höchstens dreimal erhöht, bis nur noch zwei im Turnier "
                  "sind."),
            ),
        },
    ),
    Rule(
        name="clock_after_seconds",
        label=_("„Clock“ erst nach Sekunden"),
        sentence=_("So lange hat man für eine Aktion, bevor „Clock“ gerufen werden darf. "
                   "0: ohne Wartezeit."),
        source=_("KRRU 3.0: 30; TDA 2024 29: ohne Wartezeit"),
        heading=Heading.CLOCK,
        binds=Binds.ON_THE_CLOCK,
        number=Number(
            least=0,
            most=300,
            published=_("Für eine Aktion hast du %(number)d Sekunden. Dann darf jemand „Clock“ "
                        "rufen."),
            special={
                0: _("Überlegt jemand lange, darf „Clock“ gerufen werden."),
                1: _("Für eine Aktion hast du eine Sekunde. Dann darf jemand „Clock“ rufen."),
            },
        ),
    ),
    Rule(
        name="clock_thinking_seconds",
        label=_("Bedenkzeit nach „Clock“, in Sekunden"),
        sentence=_("So lange wird nach dem Ruf gewartet, bevor laut gezählt wird."),
        source=_("KRRU 3.0: keine; TDA 2024 29: 25"),
        heading=Heading.CLOCK,
        binds=Binds.ON_THE_CLOCK,
        number=Number(
            least=0,
            most=120,
            published=_("Nach dem Ruf hast du noch %(number)d Sekunden, bis gezählt wird."),
            special={
                0: _("Nach dem Ruf wird sofort gezählt."),
                1: _("Nach dem Ruf hast du noch eine Sekunde, bis gezählt wird."),
            },
        ),
    ),
    Rule(
        name="clock_countdown_seconds",
        label=_("Heruntergezählt wird von"),
        sentence=_("So viele Sekunden werden laut gezählt."),
        source=_("KRRU 3.0: 10; TDA 2024 29: 5"),
        heading=Heading.CLOCK,
        binds=Binds.ON_THE_CLOCK,
        number=Number(
            least=1, most=60, published=_("Laut heruntergezählt wird von %(number)d auf null.")
        ),
    ),
    Rule(
        name="clock_call",
        label=_("Bei null"),
        sentence=_("Was mit der Hand geschieht, wenn die Zeit um ist."),
        source=_("KRRU 3.0: tot; TDA 2024 29: ohne Einsatz davor Check"),
        heading=Heading.CLOCK,
        binds=Binds.ON_THE_CLOCK,
        choices={
            ClockCall.KRRU: Choice(
                _("die Hand ist tot"), _("Bei null ist deine Hand tot.")
            ),
            ClockCall.TDA: Choice(
                _("die Hand ist tot, ohne Einsatz davor ein Check"),
                _("Bei null ist deine Hand tot; ohne Einsatz vor dir gilt es als Check."),
            ),
        },
    ),
    Rule(
        name="arbiters_may_call_clock",
        label=_("Wer „Clock“ zählt"),
        sentence=_("Wer auf seinem Gerät jemanden auf die Uhr setzen kann."),
        source=_("KRRU 3.0: die Turnierleitung"),
        heading=Heading.CLOCK,
        binds=Binds.NEVER,
        choices={
            False: Choice(_("nur die Turnierleitung"), _("Es zählt die Turnierleitung.")),
            True: Choice(
                _("auch Schiedsrichter"), _("Es zählt die Turnierleitung oder ein Schiedsrichter.")
            ),
        },
    ),
    Rule(
        name="phones_at_table",
        label=_("Handy am Tisch"),
        sentence=_("Bleibt es in der Tasche, melden sich die Seiten der Spieler im Spiel nicht mit "
                   "Ton und Vibration."),
        source=_("KRRU 3.0: keine Geräte am Tisch; TDA 2024 5-B und 5-C"),
        heading=Heading.PHONE,
        binds=Binds.NEVER,
        choices={
            False: Choice(
                _("bleibt in der Tasche"), _("Am Tisch bleibt das Handy in der Tasche.")
            ),
            True: Choice(
                _("darf an den Tisch, aber nicht auf ihn"),
                _("Das Handy darf mit an den Tisch, aber nicht auf ihn gelegt werden. Solange du "
                  "Karten hast, bleibt es unbenutzt."),
            ),
        },
    ),
    Rule(
        name="language_rule",
        label=_("Sprache am Tisch"),
        sentence=_("Was am Tisch gesprochen wird."),
        source=_("KRRU 3.0: Deutsch; sonst, wie das Haus es ansagt"),
        heading=Heading.LANGUAGE,
        binds=Binds.NEVER,
        is_obeyed=False,
        choices={
            LanguageRule.GERMAN: Choice(
                _("Deutsch"),
                _("Am Tisch wird Deutsch gesprochen; Ausnahmen sagt die Turnierleitung an."),
            ),
            LanguageRule.HOUSE: Choice(
                _("wie das Haus es ansagt"),
                _("Welche Sprachen am Tisch gesprochen werden, sagt das Haus an."),
            ),
        },
    ),
)  # fmt: skip

RULES: tuple[Rule, ...] = (*AT_THE_TABLE, *SEATS_AND_TABLES, *GOING_OUT)
_BY_NAME = {rule.name: rule for rule in RULES}


def rule_of(name: str) -> Rule | None:
    """Return the rule of this name, or None."""
    return _BY_NAME.get(name)


def rules_for(event: Event) -> list[Rule]:
    """Return the rules that matter for this event: for example no raise rules in fixed limit."""
    return [rule for rule in RULES if rule.limits is None or event.limit in rule.limits]
