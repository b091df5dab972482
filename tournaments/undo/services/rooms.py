"""One act for all rooms of a day: what one room took over from another is taken back in each."""

from tournaments.changes.kinds import LED_BY
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.event.selectors.event import day_rooms
from tournaments.models import Action


def rooms_of_action(action: Action) -> list[int]:
    """Return the events of the day of an action."""
    return [room.pk for room in day_rooms(action.event)] if action.event else []


def in_the_other_rooms(action: Action) -> list[Action]:
    """Return the entries in force by which the other rooms of the day did the same."""
    others = [room for room in rooms_of_action(action) if room != action.event_id]
    same = {f"payload__{LED_BY}": action.payload[LED_BY]}
    rows = Action.objects.filter(**same, event__in=others, kind=action.kind)
    found = rows.select_related("event").order_by("event")
    return [row for row in found if action_is_in_force(row)]
