"""Procedures that are fixed, or follow from other settings of the event.

With the rules they form the procedures to be published by TDA 2024 11-C. Each sentence describes
the program: if the code changes, the sentence must change too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.event.domain.betting import Game
from tournaments.event.domain.rules import NoShow
from tournaments.event.selectors.event import final_seats
from tournaments.event.selectors.labels import late_until
from tournaments.models import Event
from tournaments.rules.selectors.rule import Heading

# By heading, after its rules; some rules have sentences of their own.
SENTENCES: Mapping[str, Any] = {
    "level": _("Eine neue Stufe gilt ab der nächsten Hand, nie mitten in einer."),
    "heads_up": _("Zu zweit hat den Button, wer den Small Blind setzt."),
    "drawn_at_once": _("Dein Tisch wird ausgelost, sobald du eincheckst."),
    "drawn_together": _("Alle Tische werden auf einmal ausgelost, bevor das Spiel beginnt."),
    "draws_checked": _("Jede Auslosung kannst du auf der Seite des Turniers nachrechnen."),
    "absent_free": _("Wer %(number)d Minuten nach dem Start nicht da ist, verliert seinen "
                     "Startplatz."),
    "absent_blinded": _("Wer %(number)d Minuten nach dem Start nicht da ist, dessen Stapel kommt "
                        "an den Tisch und zahlt Blinds und Antes, bis er kommt."),
    "absent_no_time": _("Eine Frist dafür ist nicht gesetzt: Blinds zahlt nur, wer eingecheckt "
                        "ist."),
    "away": _("Wer eingecheckt hat und nicht am Platz ist, zahlt seine Blinds und Antes weiter."),
    "late": _("Einsteigen kannst du %(until)s; dein Platz wird zu den anderen dazugelost."),
    "not_late": _("Nach dem Start steigt niemand mehr ein."),
    "gives": _("Es gibt der vollste Tisch ab, und zwar an den kleinsten mit einem freien Platz; "
               "sind mehrere gleich voll, der mit der niedrigsten Nummer."),
    "moves": _("Es zieht um, wer als Nächstes den Big Blind setzt, auf den freien Platz, der ihn "
               "am frühesten setzt; nie auf den des Small Blind."),
    "moves_drawn": _("Weiß niemand, wo der Button liegt, wird gelost, wer umzieht."),
    "moves_stud": _("Es zieht um, wer auf der Nummer des Platzes sitzt, der gefüllt wird, oder der "
                    "Nächste im Uhrzeigersinn; gefüllt wird der Platz, der zuletzt frei wurde."),
    "breaks": _("Aufgelöst wird er, sobald alle an den anderen Tischen Platz haben, auch wer noch "
                "erwartet wird."),
    "breaks_drawn": _("Ausgelost werden die Reihenfolge der Spieler und die der freien Plätze; wer "
                      "zwischen Small Blind und Button landet, wartet, bis der Button vorbei ist."),
    "redraw": _("Alle Plätze werden neu ausgelost, wenn nur noch so viele im Spiel sind: "
                "%(numbers)s."),
    "final_size": _("Am Finaltisch sitzen höchstens %(number)d Spieler."),
    "hand_for_hand": _("Vor dem Geld kann Hand für Hand gespielt werden: Kein Tisch beginnt eine "
                       "neue Hand, bevor alle mit der letzten fertig sind. Es beginnt mit der "
                       "Ansage und gilt schon für die Hand, die gerade läuft."),
    "paid": _("Bezahlte Plätze: %(number)d."),
    "not_paid": _("Wie viele Plätze bezahlt werden, sagt die Turnierleitung an."),
    "disqualified": _("Seine Chips kommen aus dem Spiel."),
}  # fmt: skip


def procedures(event: Event, paid: int) -> Iterator[tuple[Heading, str]]:
    """Yield the event's sentences with their headings, in reading order."""
    for heading, name, figures in _named(event, paid):
        yield heading, str(SENTENCES[name]) % figures


def _named(event: Event, paid: int) -> Iterator[tuple[Heading, str, dict[str, Any]]]:
    is_stud = event.game == Game.STUD
    yield Heading.LEVEL, "level", {}
    if not is_stud:
        yield Heading.BUTTON, "heads_up", {}
    is_field = event.draw_mode == Event.DrawMode.FIELD
    yield Heading.SEAT, "drawn_together" if is_field else "drawn_at_once", {}
    yield Heading.SEAT, "draws_checked", {}
    yield from _absent(event)
    until = late_until(event)
    yield Heading.LATE, "late" if until else "not_late", {"until": until}
    yield Heading.BALANCE, "gives", {}
    yield Heading.BALANCE, "moves_stud" if is_stud else "moves", {}
    if not is_stud:
        yield Heading.BALANCE, "moves_drawn", {}
    yield Heading.BREAK, "breaks", {}
    yield Heading.BREAK, "breaks_drawn", {}
    if event.redraw_at:
        yield Heading.REDRAW, "redraw", {"numbers": ", ".join(map(str, event.redraw_at))}
    if event.rule_set.redraws_final_table:
        yield Heading.FINAL, "final_size", {"number": final_seats(event)}
    yield Heading.HAND_FOR_HAND, "hand_for_hand", {}
    yield Heading.MONEY, "paid" if paid else "not_paid", {"number": paid}
    yield Heading.DISQUALIFIED, "disqualified", {}


def _absent(event: Event) -> Iterator[tuple[Heading, str, dict[str, Any]]]:
    """Yield the treatment of no-shows; empty without a deadline."""
    minutes = {"number": event.no_show_minutes}
    is_blinded = event.rule_set.no_show == NoShow.BLINDED
    if event.no_show_minutes:
        yield Heading.ABSENT, "absent_blinded" if is_blinded else "absent_free", minutes
    elif is_blinded:
        yield Heading.ABSENT, "absent_no_time", {}
    yield Heading.ABSENT, "away", {}
