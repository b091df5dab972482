"""A stack count begun in a break: missing tables, and its sum."""

from __future__ import annotations

from datetime import datetime

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_levels, clock_state
from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Event
from tournaments.play.selectors.stacks import Counting, counting_of


def stack_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the rest of a count, during its break and the level after it."""
    if not _is_time_to_count(event, now):
        return []
    counting = counting_of(event, now)
    if not counting.counted:
        return []
    if not counting.is_complete:
        return [_missing(counting)]
    return [_differs(counting)] if counting.over else []


def _is_time_to_count(event: Event, now: datetime) -> bool:
    levels, index = clock_levels(event.clock), clock_state(event.clock, now).index
    return any(level.is_break for level in levels[max(0, index - 1) : index + 1])


def _missing(counting: Counting) -> DueItem:
    tables = [str(table.number) for table in counting.tables if not table.is_done]
    note = _("Gezählt: %(done)s von %(all)s. Es fehlt an: %(tables)s.")
    return DueItem(
        kind=DueKind.STACKS,
        urgency=Urgency.LATER,
        title=_("Stapel fertig zählen"),
        note=note
        % {"done": counting.counted, "all": counting.players, "tables": ", ".join(tables)},
    )


def _differs(counting: Counting) -> DueItem:
    over = counting.over
    title = (
        ngettext("Ein Chip zu viel gezählt", "%(chips)s Chips zu viel gezählt", over)
        if over > 0
        else ngettext("Ein Chip zu wenig gezählt", "%(chips)s Chips zu wenig gezählt", -over)
    )
    note = _("Gezählt sind %(total)s, im Spiel %(chips)s. Bitte nachzählen.")
    return DueItem(
        kind=DueKind.STACKS,
        urgency=Urgency.SOON,
        title=title % {"chips": intcomma(abs(over))},
        note=note % {"total": intcomma(counting.total), "chips": intcomma(counting.chips)},
    )
