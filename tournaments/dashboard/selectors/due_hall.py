"""Due in the club's hall: an event waits for a table, or one is free for it."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.event.domain.hall_plan import numbers_text
from tournaments.event.selectors.event import event_alive_entry_ids
from tournaments.event.selectors.hall import held_words, numbers_allowed, numbers_free
from tournaments.models import Entry, Event, OnSite
from tournaments.seating.domain.seating import TableCount


def hall_items(event: Event, counts: Sequence[TableCount]) -> list[DueItem]:
    """Return that players wait for a table; nothing where the club has no plan of its hall."""
    if not event.club.hall and not event.hall_tables:
        return []
    seats = sum(count.seats - count.players for count in counts)
    waiting = _unseated(event, counts) - seats
    if waiting <= 0:
        return []
    tables = -(-waiting // event.seats_per_table)
    free, held = numbers_free(event, tables)
    if free:
        title = ngettext("Tisch %(numbers)s ist frei", "Tische %(numbers)s sind frei", len(free))
        return [
            DueItem(
                kind=DueKind.HALL_FREE,
                urgency=Urgency.NOW,
                title=title % {"numbers": numbers_text(free)},
                note=_wait(waiting),
                number=len(free),
            )
        ]
    used = held_words(held, numbers_allowed(event))
    return [
        DueItem(
            kind=DueKind.HALL_FULL,
            urgency=Urgency.SOON,
            title=ngettext("Ein Tisch fehlt", "%(tables)s Tische fehlen", tables)
            % {"tables": tables},
            note=f"{_wait(waiting)} {used and _('Vergeben: %(held)s.') % {'held': used}}".strip(),
        )
    ]


def _unseated(event: Event, counts: Sequence[TableCount]) -> int:
    """Return how many are here without a seat: arrived, or checked in before the draw."""
    entered = Entry.objects.live().filter(event=event).values("registration")
    arrived = OnSite.objects.live().filter(registration__event=event, registration__voided_by=None)
    arrived = arrived.exclude(registration__in=entered)
    seated = sum(count.players for count in counts)
    return arrived.count() + max(0, len(event_alive_entry_ids(event)) - seated)


def _wait(waiting: int) -> str:
    text = ngettext("Jemand wartet auf einen Platz.", "%(count)s warten auf einen Platz.", waiting)
    return text % {"count": waiting}
