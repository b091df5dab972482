"""House rules on seats and moves."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.rules import BreakOrder, NoShow, SeatDraw
from tournaments.rules.selectors.rule import Binds, Choice, Heading, Number, Rule

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
                _("lost das Programm aus"),
                _("Mit dem Tisch ist auch der Platz ausgelost."),
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
