"""Take over the computer's clock, after it went wrong and was put right.

Until then the program's time stays ahead, because time never runs backwards while somebody plays.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import SYSTEM, Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.clock import evening_held, evenings_later
from tournaments.models import Action

TIME_TAKEN = Kind(
    "clock.time_taken",
    lazy("Ab jetzt gilt die Uhr des Rechners"),
    Group.CLOCK,
    is_final=True,
    sets_time=True,
)


@service(TIME_TAKEN, Permission.DRIVE_CLOCK, Topic.CLOCK)
def time_take(change: Change) -> None:
    """Go on from the computer's time, though the log has a later one."""
    held = evening_held(change.at)
    if held is not None:
        raise Refused(
            _("Bei %(event)s steht schon etwas mit der späteren Zeit. Nach dem Ende geht es.")
            % {"event": held.name},
            code="later_time",
        )


def time_take_everywhere(command: Command) -> Action:
    """Do so with every open event that has a later time in its log: all, or none.

    :raises Refused: One of them is played by that time.
    """
    with transaction.atomic():
        action = time_take(command)
        for event in evenings_later(command.at):
            time_take(Command(event=event, by=SYSTEM, at=command.at))
        return action
