"""One act for all rooms of a day: what one room took over from another is taken back in each."""

from __future__ import annotations

from django.db.models import Q

from tournaments.changes.kinds import LED_BY, kind_of
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.event.selectors.event import day_rooms
from tournaments.models import Action


def in_the_other_rooms(action: Action) -> list[Action]:
    """Return the entries in force by which the other rooms of the day did the same.

    Most kinds are of one room, which is known without a query.
    """
    kind = kind_of((action.undoes or action).kind)
    if kind is None or not kind.is_of_rooms or action.event is None:
        return []
    root = action.payload.get(LED_BY, action.pk)
    others = [room.pk for room in day_rooms(action.event) if room.pk != action.event_id]
    same = Q(pk=root) | Q(**{f"payload__{LED_BY}": root})
    rows = Action.objects.filter(same, event__in=others, kind=action.kind)
    found = rows.select_related("event").order_by("event")
    return [row for row in found if action_is_in_force(row)]
