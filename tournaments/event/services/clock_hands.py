"""The clock in hands: last hands, levels of hands, the counting table."""

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ActionKind
from clock.selectors import clock_state
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.clock import counts_hands
from tournaments.event.services.clock import clock_append
from tournaments.models import Table

MOST_LAST_HANDS = 20


CLOCK_LAST_HANDS_SET = Kind(
    "clock.last_hands_set", lazy("Noch %(hands)s Hände angesagt"), Group.CLOCK
)


@service(CLOCK_LAST_HANDS_SET, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_last_hands(change: Change, *, hands: int) -> None:
    """Stop the clock for so many last hands; the level stays. A start ends them."""
    last_hands_begin(change, hands)


def last_hands_begin(change: Change, hands: int) -> None:
    """Begin the last hands as part of a change."""
    if not 1 <= hands <= MOST_LAST_HANDS:
        reason = _("Möglich sind 1 bis %(most)d Hände.") % {"most": MOST_LAST_HANDS}
        raise Refused(reason, code="bad_hands")
    if not change.event.has_started:
        raise Refused(_("Das Turnier hat noch nicht begonnen."), code="not_started")
    clock_append(change, ActionKind.LAST_HANDS_SET, last_hands=hands)
    change.record(hands=hands)


CLOCK_HAND_COUNTED = Kind("clock.hand_counted", lazy("Hand gezählt"), Group.CLOCK)


@service(CLOCK_HAND_COUNTED, Permission.RUN_HANDS, Topic.CLOCK)
def clock_hand(change: Change) -> None:
    """Count a hand: one of the last hands, or one of a level of hands."""
    if not clock_count_hand(change):
        reason = _("Hände werden gerade nicht gezählt: Diese Stufe geht nach Zeit.")
        raise Refused(reason, code="not_counting")


CLOCK_COUNTING_TABLE_SET = Kind(
    "clock.counting_table_set", lazy("Zählender Tisch umgestellt"), Group.CLOCK
)


@service(CLOCK_COUNTING_TABLE_SET, Permission.DRIVE_CLOCK, Topic.CLOCK)
def clock_counting_table(change: Change, *, table: int | None) -> None:
    """Set the table that counts hands for the clock, or none."""
    event, clock = change.event, change.event.clock
    if table is not None and not Table.objects.live().filter(event=event, number=table).exists():
        raise Refused(_("Diesen Tisch gibt es nicht."), code="no_such_table")
    if clock.counting_table == table:
        raise Refused(_("Das ist schon so eingestellt."), code="nothing_changed")
    change.record(table=table, before=clock.counting_table)
    clock.counting_table = table
    clock.save(update_fields=["counting_table"])


def clock_count_tap(change: Change, *, table: int, before: datetime | None) -> None:
    """Count a hand ended by the next one's tap, if the table is the counting one.

    `before` is the start of the ended hand. A hand begun before the level, or before the last hands
    were called, does not count.
    """
    clock = change.event.clock
    if clock.counting_table != table or before is None:
        return
    state = clock_state(clock, change.at)
    if state.last_hands is not None:
        called = clock.actions.filter(kind=ActionKind.LAST_HANDS_SET.value).latest("sequence").at
        is_counted = before >= called
    else:
        # Not by the level's start: an undo that restores a level restarts it.
        is_counted = clock_state(clock, before).level.id == state.level.id
    if is_counted:
        clock_count_hand(change)


def clock_count_hand(change: Change) -> bool:
    """Count a hand as part of a change, if hands are counted. Return whether they are."""
    if not counts_hands(clock_state(change.event.clock, change.at)):
        return False
    clock_append(change, ActionKind.HAND_COUNTED)
    change.announce(Topic.CLOCK)
    return True
