"""Take numbers of the club's hall: no two live tables in it bear one number."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from krru.data.sql import wait_for_turn
from tournaments.changes.audit import (
    Change,
    all_of,
    any_of,
    follows_change,
    revives,
    takes_back,
    touches,
)
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.hall import (
    held_words,
    numbers_allowed,
    numbers_free,
    tables_in_hall,
)
from tournaments.models import Event, Table

TURN = "hall"


def numbers_to_open(event: Event, count: int, *, at_least: int) -> list[int]:
    """Return up to so many numbers free in the hall; until commit no other event gets one.

    :raises Refused: Fewer are free than are needed at least; it says who holds the others.
    """
    wait_for_turn(TURN, event.club_id)
    free, held = numbers_free(event, count)
    if len(free) < at_least:
        used = held_words(held, numbers_allowed(event))
        raise Refused(_too_few(event, at_least - len(free), used), code="hall_full")
    return free


def _too_few(event: Event, missing: int, held: str) -> str:
    text = ngettext(
        "Im Saal fehlt ein freier Tisch.", "Im Saal fehlen %(missing)d freie Tische.", missing
    ) % {"missing": missing}
    used = _("Vergeben: %(held)s.") % {"held": held} if held else ""
    where = (
        _("Mehr erlauben die Einstellungen unter „Tische dieses Turniers“.")
        if event.hall_tables
        else _("Mehr kennt der Saalplan des Vereins nicht.")
    )
    return " ".join(filter(None, (text, used, where)))


_REOPENS = all_of(takes_back, touches(frozenset({"ended_by", "cancelled_by"})))


@follows_change(any_of(revives(Table), _REOPENS))
def numbers_come_back(change: Change) -> None:
    """Refuse an undo that brings back a number another event holds by now."""
    if change.event.is_over or change.event.is_sample:
        return
    wait_for_turn(TURN, change.event.club_id)
    live = tables_in_hall(change.event)
    own = live.filter(event=change.event).values("number")
    again = live.filter(number__in=own).exclude(event=change.event)
    held = dict(again.values_list("number", "event__name"))
    if held:
        raise Refused(
            _("Inzwischen vergeben: %(held)s. Erst dort auflösen oder beenden.")
            % {"held": held_words(held)},
            code="number_held",
        )
