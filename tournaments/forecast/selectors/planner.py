"""A planned evening for display, beside the schedules shipped with the program."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from math import log
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clock.domain import Level
from clock.models import ScheduleTemplate
from clock.selectors import clock_plan, template_levels
from tournaments.event.domain.chips import pieces_from
from tournaments.event.domain.planning import blind_steps
from tournaments.event.domain.planning.planner import MINUTE, CannotBeHad, Evening, Wish
from tournaments.event.selectors.chips import pieces_shown
from tournaments.event.selectors.plans import breaks_after, level_minutes_of, usual_breaks
from tournaments.event.selectors.schedule import lines_foreseen
from tournaments.forecast.domain.end import Foreseen, end_foreseen, evening_foreseen, plain_length
from tournaments.forecast.selectors.forecast import club_past
from tournaments.models import Event

STEP = timedelta(minutes=30)
SHIPPED_SHOWN = 3
USUAL_MINUTES, USUAL_PERCENT, USUAL_DEPTH, USUAL_EVENING = 20, 170, 100, timedelta(hours=4)
REASONS: Mapping[str, Any] = {
    "no_chips": gettext_lazy("Für dieses Turnier sind keine Chips gewählt."),
    "no_play": gettext_lazy("Zu einem Turnier gehören zwei Spieler und Zeit zum Spielen."),
    "no_stack": gettext_lazy(
        "Aus diesen Chips lässt sich kein Stapel von %(stack)s legen, der für alle gleich ist."
    ),
    "too_shallow": gettext_lazy(
        "Der kleinste Chip ist zu groß: So viele Big Blinds am Anfang gibt der Stapel nicht her."
    ),
    "too_short": gettext_lazy("In dieser Zeit haben keine zwei Stufen Platz."),
    "too_many_levels": gettext_lazy("Das wären mehr als 60 Stufen."),
    "too_steep": gettext_lazy(
        "So schnell lassen sich die Blinds nicht steigern: Der größte Sprung reicht dafür nicht."
    ),
    "too_slow": gettext_lazy("So langsam lassen sich die Blinds mit diesen Chips nicht steigern."),
    "too_coarse": gettext_lazy(
        "Mit diesen Chips ist der kleinste Schritt größer als der größte erlaubte Sprung."
    ),
    "no_meeting": gettext_lazy(
        "Ein Plan wäre zehn Minuten zu früh aus, der nächste zehn Minuten zu spät."
    ),
}


def wish_begun(event: Event, players: int) -> dict[str, Any]:
    """Return the form's initial values: the tournament as it is.

    :param players: The number registered.
    """
    breaks = breaks_after(clock_plan(event.clock))
    ends_at = localtime(event.starts_at + USUAL_EVENING).time()
    return {
        "players": players if players > 1 else event.capacity,
        "stack": event.starting_stack,
        "ends_at": ends_at.replace(second=0, microsecond=0),
        "level_minutes": level_minutes_of(clock_plan(event.clock)) or USUAL_MINUTES,
        "break_every": min(breaks, default=0) or None,
        "break_minutes": next(iter(breaks.values()), 10),
        "percent": USUAL_PERCENT,
        "depth": USUAL_DEPTH,
    }


def planned_for(event: Event, wish: Wish) -> dict[str, Any]:
    """Return the planned evening for a wish, with the tournament's chips, or the `reason` for none.

    `odd` is a note on amounts that are not round, `begins` one on other big blinds than wished.
    """
    if event.chip_set is None:
        return {"reason": str(REASONS["no_chips"])}
    have, usual = pieces_from(event.chip_set.pieces), club_past(event).pace
    try:
        found = evening_foreseen(wish, have, usual)
    except CannotBeHad as problem:
        sentence = str(REASONS[problem.code]) % {"stack": wish.stack}
        way = _("Mit Stufen zu %(minutes)s Minuten geht es.")
        return {"reason": _with_way(sentence, way, wish, have, usual)}
    evening, end, odd = found.evening, found.end, ""
    if not evening.is_plain:
        odd = _("Mit runden Blinds allein reicht es nicht, darum sind auch krumme dabei.")
        way = _("Mit Stufen zu %(minutes)s Minuten wären alle rund.")
        odd = _with_way(odd, way, wish, have, usual)
    return {
        "evening": evening,
        "odd": odd,
        "begins": _begins(wish, evening),
        "lines": lines_foreseen(evening.levels, event.starts_at),
        "pieces": pieces_shown(event.chip_set, evening.dealt.pieces),
        "curves": _curves(wish, found, usual),
        "ends_at": event.starts_at + end.minutes * MINUTE,
        "early_at": event.starts_at + end.low * MINUTE,
        "late_at": event.starts_at + end.high * MINUTE,
    }


def _with_way(sentence: str, way: str, wish: Wish, have: Mapping[int, int], usual: float) -> str:
    """Return the sentence, with the length of levels by which it would be otherwise."""
    minutes = plain_length(wish, have, usual)
    return sentence if minutes is None else f"{sentence} {way % {'minutes': minutes}}"


def _begins(wish: Wish, evening: Evening) -> str:
    big_blind = next(row.big_blind for row in evening.levels if not row.is_break)
    if wish.begins_as_wished(big_blind):
        return ""
    return _(
        "Am Anfang sind es %(got)s Big Blinds statt %(wished)s: Mit diesen Chips, dieser Dauer und "
        "diesem Sprung geht es nicht anders."
    ) % {"got": round(wish.stack / big_blind), "wished": wish.depth}


def _curves(wish: Wish, found: Foreseen, usual: float) -> dict[str, Any]:
    """Return the planned curve beside the shipped schedules, played the same way.

    The rows are the picture's data, every half hour; the key of a curve is its style.
    """

    def through(levels: Sequence[Level], stack: int) -> list[blind_steps.Depth]:
        end = end_foreseen(levels, replace(wish, stack=stack), usual)
        lasts = None if end is None else end.minutes * MINUTE
        return blind_steps.depths(levels, players=wish.players, stack=stack, lasts=lasts)

    drawn = [("own", _("Dieser Plan"), through(found.evening.levels, wish.stack))]
    shipped = ScheduleTemplate.objects.exclude(revision=None).order_by("starting_stack", "name")
    nearest = sorted(shipped, key=lambda row: abs(log(row.starting_stack / wish.stack)))
    for number, row in enumerate(nearest[:SHIPPED_SHOWN], start=1):
        breaks = usual_breaks(row, wish.break_every, wish.break_minutes)
        levels = template_levels(row, wish.level_minutes, breaks)
        drawn.append((f"shipped-{number}", row.name, through(levels, row.starting_stack)))
    longest = max(points[-1].at for _key, _name, points in drawn if points)
    steps = [STEP * n for n in range(1, int(longest / STEP) + 1)]
    hour = blind_steps.HOUR / longest * blind_steps.WIDTH
    return {
        "curves": [
            {"key": key, "name": name, "path": blind_steps.path_of(points, longest)}
            for key, name, points in drawn
        ],
        "rows": [(_clock(at), [blind_steps.depth_at(row[2], at) for row in drawn]) for at in steps],
        "marks": [(mark, blind_steps.height_of(mark)) for mark in blind_steps.MARKS],
        "hours": [(n, round(n * hour)) for n in range(1, int(longest / blind_steps.HOUR) + 1)],
        "width": blind_steps.WIDTH,
        "height": blind_steps.HEIGHT,
    }


def _clock(at: timedelta) -> str:
    hours, minutes = divmod(int(at / timedelta(minutes=1)), 60)
    return f"{hours}:{minutes:02}"
