"""The undo of clock changes: a compensating action, for the latest one only."""

from django.utils.translation import gettext as _

from clock.domain import instant_of
from clock.models import ClockAction
from clock.services import action_undo as clock_action_undo
from tournaments.changes.audit import Change, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.event.services import clock, clock_hands
from tournaments.event.services.lifecycle import fixed_after_start
from tournaments.models import Action, Elimination


@undoes(
    clock.CLOCK_STARTED,
    clock.CLOCK_PAUSED,
    clock.CLOCK_ADJUSTED,
    clock.CLOCK_SET,
    clock.CLOCK_PUT_BACK,
    clock.CLOCK_LEVEL_ADVANCED,
    clock.CLOCK_LEVEL_REVERTED,
    clock.CLOCK_JUMPED,
    clock_hands.CLOCK_LAST_HANDS_SET,
    clock_hands.CLOCK_HAND_COUNTED,
    clock.CLOCK_BREAK_STOP_SET,
)
def undo_clock(change: Change, action: Action) -> None:
    """Compensate the latest clock action; earlier ones cannot be undone."""
    event = change.event
    if not is_latest_of_clock(action):
        raise clock.operated_since()
    row = ClockAction.objects.get(pk=action.payload["clock_action"])
    made = clock_action_undo(clock=event.clock, action=row, at=change.at)
    change.record(clock_action=made.pk)
    if action.payload.get("begins_event"):
        if Elimination.objects.live().filter(event=event).exists():
            raise Refused(
                _("Es ist schon jemand ausgeschieden. Die Uhr lässt sich anhalten."), code="needed"
            )
        change.set(started_by=None)


def is_latest_of_clock(action: Action) -> bool:
    """Tell whether this is the latest action on the clock."""
    row = ClockAction.objects.get(pk=action.payload["clock_action"])
    return not ClockAction.objects.filter(clock=row.clock_id, sequence__gt=row.sequence).exists()


@undoes(clock.CLOCK_START_PLANNED)
def _undo_planned_start(change: Change, action: Action) -> None:
    if change.event.has_started:
        raise fixed_after_start("starts_at")
    before = action.payload["before"]
    clock = change.event.clock
    clock.starts_at = None if before is None else instant_of(before)
    clock.save(update_fields=["starts_at"])


@undoes(clock_hands.CLOCK_COUNTING_TABLE_SET)
def _undo_counting_table(change: Change, action: Action) -> None:
    clock = change.event.clock
    clock.counting_table = action.payload["before"]
    clock.save(update_fields=["counting_table"])
