"""The rule book's texts on the games and on betting, in our words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import Promise

    # By anchor: the heading and its text.
    Words = Mapping[str, tuple[Promise | str, tuple[Promise, ...]]]

GOAL: Words = {
    "goal": (
        _("Worum es geht"),
        (
            _("In jeder Hand wird um die Chips in der Mitte gespielt, den Pot. Du gewinnst ihn mit "
              "der besten Hand, oder weil alle anderen passen."),
            _("Wer keine Chips mehr hat, ist aus. Wer zuletzt noch welche hat, gewinnt das "
              "Turnier."),
        ),
    ),
}  # fmt: skip

GAMES: Words = {
    "holdem": (
        _("Texas Hold’em"),
        (
            _("Du bekommst zwei Karten, die nur du siehst. In die Mitte kommen offen drei Karten "
              "(Flop), dann eine (Turn), dann noch eine (River)."),
            _("Gesetzt wird viermal: vor dem Flop und nach jedem Mal, dass Karten in die Mitte "
              "kommen. Es zählen die besten fünf aus deinen zwei und den fünf der Mitte, gleich "
              "wie viele davon deine sind."),
        ),
    ),
    "omaha": (
        _("Omaha"),
        (
            _("Wie Texas Hold’em, aber du bekommst vier Karten. Es zählen genau zwei von deinen "
              "und genau drei aus der Mitte, nie mehr und nie weniger."),
        ),
    ),
    "omaha_hilo": (
        "Omaha Hi-Lo",
        (
            _("Wie Omaha, aber die höchste und die niedrigste Hand teilen den Pot. Für die "
              "niedrige zählen fünf verschiedene Werte, keiner über acht; das Ass ist dabei "
              "niedrig, Straßen und Flushes stören nicht. Du darfst für sie zwei andere eigene "
              "Karten nehmen."),
            _("Hat niemand eine niedrige Hand, bekommt die höchste alles."),
        ),
    ),
    "stud": (
        _("Seven Card Stud"),
        (
            _("Es gibt keine Karten in der Mitte und keine Blinds. Jeder setzt eine Ante und "
              "bekommt zwei Karten verdeckt und eine offen, dann drei offen, die letzte "
              "verdeckt; nach jeder wird gesetzt, also fünfmal. Es zählen die besten fünf aus "
              "deinen sieben."),
        ),
    ),
    "stud_hilo": (
        "Stud Hi-Lo",
        (
            _("Wie Seven Card Stud, aber die höchste und die niedrigste Hand teilen den Pot. Für "
              "die niedrige zählen fünf verschiedene Werte, keiner über acht."),
        ),
    ),
    "razz": (
        "Razz",
        (
            _("Ausgeteilt wie Seven Card Stud, aber die niedrigste Hand gewinnt. Das Ass ist "
              "niedrig, Straßen und Flushes zählen nicht: 5-4-3-2-A ist die beste."),
            _("Hier eröffnet die höchste offene Karte, und danach beginnt, wer offen das "
              "niedrigste Blatt zeigt."),
        ),
    ),
    "triple_draw": (
        "2-7 Triple Draw",
        (
            _("Du bekommst fünf Karten verdeckt und darfst dreimal beliebig viele tauschen. "
              "Gesetzt wird vor dem ersten und nach jedem Tausch."),
            _("Die niedrigste Hand gewinnt. Das Ass ist hoch, Straßen und Flushes zählen gegen "
              "dich: 7-5-4-3-2 in verschiedenen Farben ist die beste."),
        ),
    ),
}  # fmt: skip

DEALERS_CHOICE: Words = {
    "dealers_choice": (
        "Dealer’s Choice",
        (
            _("Wer den Button hat, sagt das Spiel der Hand an, eines von denen, die das Haus "
              "erlaubt. Es gilt, bis der Button einmal herum ist oder wie das Haus es ansagt."),
        ),
    ),
}  # fmt: skip

SHOWDOWN: Words = {
    "opener": (
        _("Stud: wer eröffnet"),
        (
            _("Die erste Setzrunde eröffnet, wer die niedrigste offene Karte hat, mit dem "
              "Bring-in; in Pot Limit und No Limit die höchste. Zeigen zwei denselben Wert, gilt "
              "die Farbe: Pik vor Herz, Karo und Kreuz."),
            _("In Razz eröffnet in jedem Limit die höchste offene Karte; das Ass ist niedrig."),
        ),
    ),
    "first": (
        _("Stud: wer danach beginnt"),
        (
            _("In jeder weiteren Setzrunde beginnt, wer offen das höchste Blatt zeigt. Zeigen "
              "mehrere dasselbe, entscheidet die höchste Karte nach Farbe; in Razz der Platz, "
              "zuerst links vom Geber."),
        ),
    ),
    "show": (
        _("Wer zuerst zeigt"),
        (
            _("Am Ende zeigt zuerst, wer in der letzten Setzrunde zuletzt gesetzt oder erhöht hat. "
              "Hat niemand gesetzt, der Erste links vom Button; in Stud, wer offen das höchste "
              "Blatt hat, in Razz das niedrigste. Dann im Uhrzeigersinn."),
            _("Wer schon geschlagen ist, darf seine Karten verdeckt weglegen. Wer den Pot will, "
              "zeigt alle. Ist jemand all-in, zeigen alle Spieler, die noch dabei sind."),
        ),
    ),
    "tied": (
        _("Gleiche Hände"),
        (
            _("Haben zwei dieselbe Hand bis zur fünften Karte, teilen sie. Pik, Herz, Karo und "
              "Kreuz sind dabei gleich viel wert."),
        ),
    ),
}  # fmt: skip

BETTING: Words = {
    "round": (
        _("Eine Setzrunde"),
        (
            _("Gespielt wird im Uhrzeigersinn. Bist du dran, kannst du passen, mitgehen oder "
              "erhöhen; hat noch niemand gesetzt, schieben oder setzen. Sie ist zu Ende, wenn "
              "alle, die noch dabei sind, gleich viel gesetzt haben oder all-in sind."),
            _("In der ersten Setzrunde beginnt, wer links vom Big Blind sitzt; der Big Blind darf "
              "noch erhöhen, auch wenn alle nur mitgegangen sind. Danach beginnt der Erste links "
              "vom Button. In Stud sagen die offenen Karten, wer beginnt."),
            _("Niemand erhöht sich selbst: Wer gesetzt hat, darf erst wieder erhöhen, wenn nach "
              "ihm jemand voll erhöht hat."),
        ),
    ),
    "raising": (
        _("Um wie viel erhöht wird"),
        (
            _("Gesetzt wird mindestens der Big Blind. Wie viel eine Erhöhung mindestens ist, sagt "
              "das Haus."),
            _("Wer dafür zu wenig Chips hat, darf trotzdem all-in gehen. Warst du schon dran, "
              "darfst du erst wieder erhöhen, wenn zum Mitgehen mindestens eine volle Erhöhung "
              "fehlt, in Split Limit eine halbe."),
        ),
    ),
    "no_limit": (
        _("No Limit"),
        (_("Du darfst jederzeit alles setzen, was vor dir liegt."),),
    ),
    "pot_limit": (
        _("Pot Limit"),
        (
            _("Du darfst höchstens um den Pot erhöhen. Dein eigener Call zählt mit: Liegen 30 im "
              "Pot und kostet Mitgehen 10, darfst du auf 10 + 40, also 50, gehen."),
            _("Vor dem Flop zählen beide Blinds voll, auch wenn einer fehlt oder zu klein ist."),
        ),
    ),
    "split_limit": (
        _("Split Limit"),
        (
            _("Alle Einsätze sind fest: in den ersten Setzrunden der kleine, dann der große. Jede "
              "Erhöhung ist genau so hoch, und in einer Setzrunde wird höchstens dreimal erhöht."),
        ),
    ),
    "spread_limit": (
        _("Spread Limit"),
        (
            _("Jeder Einsatz und jede Erhöhung liegt zwischen zwei Grenzen, die das Haus ansagt."),
        ),
    ),
    "pots": (
        _("All-in und Side Pots"),
        (
            _("Wer all-in ist, bleibt in der Hand und gewinnt von jedem höchstens so viel, wie er "
              "selbst gesetzt hat. Was darüber hinausgeht, kommt in einen Side Pot für die "
              "anderen."),
            _("Ein Beispiel: Du bist mit 70 all-in, zwei andere setzen je 140. Im Hauptpot liegen "
              "dreimal 70, also 210; im Side Pot zweimal 70, also 140, und den gewinnt einer der "
              "beiden anderen."),
            _("Hat jemand mehr gesetzt, als ein anderer halten konnte, bekommt er den Rest zurück. "
              "Kann niemand mehr setzen, werden die Hände geöffnet, bevor weitere Karten kommen."),
        ),
    ),
    "odd": (
        _("Ein Chip zu viel"),
        (
            _("Lässt sich ein geteilter Pot nicht gleich teilen, gehen die überzähligen Chips "
              "einzeln an die Gewinner, zuerst links vom Button; in Stud zuerst an die höchste "
              "Karte nach Farbe."),
            _("Teilen eine hohe und eine niedrige Hand, bekommt die hohe den überzähligen Chip."),
        ),
    ),
}  # fmt: skip
