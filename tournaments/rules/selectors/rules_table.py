"""House rules on the play of a hand."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.betting import LimitKind
from tournaments.event.domain.rules import (
    ButtonRule,
    ClockCall,
    LanguageRule,
    MinimumRaise,
    RaiseCap,
)
from tournaments.rules.selectors.rule import Binds, Choice, Heading, Number, Rule

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
                _("um so viel wie zuletzt"),
                _("Erhöht wird mindestens um so viel wie zuletzt."),
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
                _("auch Schiedsrichter"),
                _("Es zählt die Turnierleitung oder ein Schiedsrichter."),
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
