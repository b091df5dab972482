"""The place of a table, on cards, slips and sheets."""

from django import template
from django.utils.translation import gettext

from tournaments.contests.selectors.contests import stage_of
from tournaments.event.domain import cards, hall, promise
from tournaments.models import Event

register = template.Library()


@register.simple_tag
def way_to(event: Event, table: int) -> str:
    """Return the way to a table in the director's words, or nothing. No query."""
    return hall.way_to(event.areas, table)


@register.simple_tag
def table_label(number: int) -> str:
    return gettext("Tisch %(number)s") % {"number": number}


@register.filter
def contest_of(event: object) -> int:
    """Return the contest of a flight or a day; 0 for any other event."""
    stage = stage_of(event) if isinstance(event, Event) else None
    return stage.contest_id if stage else 0


@register.filter
def seat_card(seat: int) -> str:
    """Return the print on a seat's card."""
    return cards.seat_card(seat).label


@register.filter
def in_fours(digest: str) -> str:
    """Return the beginning of a hash for reading aloud."""
    return promise.in_fours(digest)
