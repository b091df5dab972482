"""The problems of a blind schedule in words: one sentence for each code of the domain."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clock.domain import Level, LevelProblem, cut_by, numbered, smallest_chips, validate_levels
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.betting import Game, seat_limit
from tournaments.event.domain.games import deals_stud
from tournaments.models import Event

OF_THE_SCHEDULE: Mapping[str, Any] = {
    "no_levels": gettext_lazy("Ein Blindplan braucht mindestens eine Stufe."),
    "no_play": gettext_lazy("Ein Blindplan braucht mindestens eine Stufe, in der gespielt wird."),
}
OF_A_ROW: Mapping[str, Any] = {
    "no_length": gettext_lazy("%(row)s: Es fehlen die Minuten oder die Hände."),
    "two_lengths": gettext_lazy("%(row)s: Entweder Minuten oder Hände, nicht beides."),
    "length_not_positive": gettext_lazy("%(row)s: Die Dauer muss größer als null sein."),
    "break_in_hands": gettext_lazy("%(row)s: Eine Pause dauert Minuten, keine Hände."),
    "amount_negative": gettext_lazy("%(row)s: Kein Einsatz kann unter null sein."),
    "no_blinds": gettext_lazy("%(row)s: Es fehlen die Blinds oder die Ante."),
    "small_above_big": gettext_lazy("%(row)s: Der Small Blind ist größer als der Big Blind."),
    "big_bet_below_big": gettext_lazy("%(row)s: Die Big Bet ist kleiner als der Big Blind."),
    "big_bet_below_small_bet": gettext_lazy("%(row)s: Die Big Bet ist kleiner als die Small Bet."),
    "bring_in_above_small_bet": gettext_lazy("%(row)s: Das Bring-in ist größer als die Small Bet."),
    "ante_without_big_blind": gettext_lazy("%(row)s: Eine Big-Blind-Ante braucht einen Big Blind."),
    "blinds_fall": gettext_lazy("%(row)s: Die Blinds fallen gegenüber der Stufe davor."),
    "ends_with_break": gettext_lazy("%(row)s: Nach der Pause kommt keine Stufe mehr."),
    "no_such_chip": gettext_lazy(
        "%(row)s: Es sollen Chips eingetauscht werden, die es nicht gibt."
    ),
    "unpayable": gettext_lazy(
        "%(row)s: Mit den Chips im Spiel lassen sich die Einsätze nicht genau bezahlen; "
        "der kleinste ist %(chip)s."
    ),
    "unpayable_no_chips": gettext_lazy("%(row)s: Es sind keine Chips mehr im Spiel."),
}


def obstacle_to_stud(levels: Sequence[Level], seats: int) -> Refused | None:
    """Return why stud cannot be played at tables of this size; None if possible or not played."""
    most = seat_limit(Game.STUD)
    if seats <= most or not any(deals_stud(level.game) for level in levels):
        return None
    return Refused(
        _("Stud braucht Tische mit höchstens %(most)d Plätzen, hier sind es %(seats)d.")
        % {"most": most, "seats": seats},
        code="too_many_seats",
    )


def schedule_warnings(event: Event, levels: Sequence[Level]) -> list[str]:
    """Return the schedule's warnings, with the chips of the event."""
    chips = chip_values(event)
    found = [item for item in validate_levels(levels, chips) if item.is_warning]
    return [problem_text(item, levels, chips) for item in found]


def schedule_faults(levels: Sequence[Level]) -> tuple[list[str], dict[int, str]]:
    """Return the schedule's errors in words: of the whole, and by row from 0."""
    whole: list[str] = []
    rows: dict[int, str] = {}
    for item in validate_levels(levels):
        text = problem_text(item, levels)
        if item.index is None:
            whole.append(text)
        elif not item.is_warning:
            rows[item.index] = f"{rows[item.index]} {text}" if item.index in rows else text
    return whole, rows


def chip_values(event: Event) -> list[int]:
    """Return the values of the event's chips, smallest first; empty if unknown."""
    pieces = event.chip_set.pieces if event.chip_set else []
    return sorted(piece["value"] for piece in pieces)


def problem_text(problem: LevelProblem, levels: Sequence[Level], chips: Sequence[int] = ()) -> str:
    """Return a problem as a sentence with its level."""
    if problem.index is None or problem.code in OF_THE_SCHEDULE:
        return str(OF_THE_SCHEDULE[problem.code])
    chip = smallest_chips(levels, chips)[problem.index]
    code = problem.code
    if code == "unpayable" and chip is None:
        code = "unpayable_no_chips"
    return str(OF_A_ROW[code]) % {"row": row_name(levels, problem.index), "chip": chip}


def row_name(levels: Sequence[Level], index: int) -> str:
    """Return the name of a row in the schedule."""
    rows = numbered(levels)
    number = rows[index].number
    if number is not None:
        return _("Stufe %(number)s") % {"number": number}
    if (cut := cut_by(rows, index)) is not None:
        return _("Pause in Stufe %(number)s") % {"number": cut.number}
    before = next((row.number for row in reversed(rows[:index]) if row.number), None)
    if before is None:
        return _("Pause vor der ersten Stufe")
    return _("Pause nach Stufe %(number)s") % {"number": before}
