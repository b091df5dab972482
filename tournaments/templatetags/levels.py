"""The levels of a schedule on pages."""

from collections.abc import Sequence

from django import template

from tournaments.event.selectors import level_words
from tournaments.event.selectors.level_words import Columns
from tournaments.event.selectors.schedule import LevelLine
from tournaments.models import Event

register = template.Library()
register.filter("in_words", level_words.level_in_words)
register.filter("schedule_title", level_words.schedule_title)


@register.filter
def breaks_in_words(lines: Sequence[LevelLine]) -> str:
    """Return the breaks of a schedule in a few words."""
    return level_words.breaks_in_words(line.level for line in lines)


@register.simple_tag
def columns_of(lines: Sequence[LevelLine], event: Event) -> Columns:
    """Return the columns of the schedule."""
    return level_words.columns_of((line.level for line in lines), event)
