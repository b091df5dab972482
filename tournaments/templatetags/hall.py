"""The hall and its levels on pages: the way to a table, seat cards, contests, schedules."""

from collections.abc import Sequence
from typing import Any

from django import template
from django.utils.translation import gettext

from tournaments.contests.selectors.contests import stage_of, through_in, through_words
from tournaments.event.domain import cards, promise
from tournaments.event.domain.hall_plan import plan_drawn
from tournaments.event.selectors import event as events
from tournaments.event.selectors import level_words
from tournaments.event.selectors.hall import hall_of, way_at
from tournaments.event.selectors.level_words import Columns
from tournaments.event.selectors.schedule import LevelLine
from tournaments.models import Event, Registration

register = template.Library()
register.filter(events.takes_bags_only)
register.filter(events.ends_in_bags)
register.filter(promise.in_fours)
register.simple_tag(way_at, name="way_to")


@register.inclusion_tag("parts/hall_plan.html")
def hall_at(event: Event, table: int) -> dict[str, Any]:
    """Draw the area of the hall where a table stands, with this table marked; nothing without."""
    plan = hall_of(event.club)
    area = next((spot.area for spot in plan if spot.number == table), None)
    shown = [spot for spot in plan if spot.area == area]
    return {"areas": plan_drawn(shown, {table: "own"})}


@register.simple_tag
def table_label(number: int) -> str:
    return gettext("Tisch %(number)s") % {"number": number}


@register.filter
def contest_of(event: object) -> int:
    """Return the contest of a flight or a day; 0 for any other event."""
    stage = stage_of(event) if isinstance(event, Event) else None
    return stage.contest_id if stage else 0


@register.filter
def through(registration: Registration) -> str:
    """Return in which other flights a person is through already, as a sentence or nothing."""
    stage = stage_of(registration.event)
    return through_words(through_in(stage, registration.person_id)) if stage else ""


@register.filter
def seat_card(seat: int) -> str:
    """Return the print on a seat's card."""
    return cards.seat_card(seat).label


# --- The levels of a schedule on pages


register.filter("in_words", level_words.level_in_words)
register.filter("schedule_title", level_words.schedule_title)


@register.filter
def breaks_in_words(lines: Sequence[LevelLine]) -> str:
    """Return the breaks of a schedule in a few words."""
    return level_words.breaks_in_words(line.level for line in lines)


@register.simple_tag
def columns_of(lines: Sequence[LevelLine], event: Event) -> Columns:
    return level_words.columns_of((line.level for line in lines), event)
