"""Self-play of a rehearsal: start, stop, and one tick each second.

Each deed is a real service, in the system's name. To speed the event up, time is taken off the
clock.
"""

from datetime import datetime, timedelta
from random import Random

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain import ActionKind
from clock.selectors import clock_state
from tournaments.changes.access import SYSTEM, Permission, require
from tournaments.changes.audit import Change, service
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.services.clock import clock_append, clock_go_on, clock_stop
from tournaments.models import Action, Event, SelfPlay
from tournaments.play.selectors.eliminations import round_at
from tournaments.practice.domain.rehearsal import SPEEDS
from tournaments.practice.selectors.rehearsal import self_play_of
from tournaments.practice.services.engine import next_deed

TICK = timedelta(seconds=1)
MOST_DEEDS = 6  # limit for one tick; the rest comes in the next


EVENING_PLAYED = Kind(
    "rehearsal.played", lazy("Abend abspielen, Tempo ×%(speed)s"), Group.EVENT, is_final=True
)


@service(EVENING_PLAYED, Permission.MANAGE, Topic.SETTINGS)
def evening_play(change: Change, *, speed: int) -> None:
    """Start the self-play of a rehearsal, or change its speed."""
    event = change.event
    _refuse_in_earnest(event)
    if speed not in SPEEDS:
        raise Refused(_("Dieses Tempo gibt es nicht."), code="bad_speed")
    if self_play_of(event) == speed:
        raise Refused(_("Der Abend spielt schon so."), code="nothing_changed")
    SelfPlay.objects.update_or_create(event=event, defaults={"speed": speed, "is_playing": True})
    if event.has_started and round_at(event, change.at) is None:
        clock_go_on(change)
    change.record(speed=speed)


EVENING_HALTED = Kind("rehearsal.halted", lazy("Abspielen angehalten"), Group.EVENT, is_final=True)


@service(EVENING_HALTED, Permission.MANAGE, Topic.SETTINGS, Topic.CLOCK)
def evening_halt(change: Change) -> None:
    """Stop the self-play of a rehearsal, and its clock."""
    _refuse_in_earnest(change.event)
    if self_play_of(change.event) is None:
        raise Refused(_("Der Abend wird gerade nicht abgespielt."), code="not_playing")
    SelfPlay.objects.filter(event=change.event).update(is_playing=False)
    clock_stop(change)


TIME_PASSED = Kind(
    "rehearsal.time_passed",
    lazy("Probe: %(seconds)s Sekunden vergangen"),
    Group.CLOCK,
    is_quiet=True,
    is_final=True,
)


@service(TIME_PASSED, Permission.MANAGE, Topic.CLOCK)
def time_pass(change: Change, *, seconds: int) -> None:
    """Skip time of a rehearsal: it comes off the level."""
    _refuse_in_earnest(change.event)
    if not 0 < seconds < max(SPEEDS):
        raise Refused(_("So viel Zeit vergeht nicht auf einmal."), code="bad_shift")
    if not clock_state(change.event.clock, change.at).is_running:
        raise Refused(_("Die Uhr steht."), code="not_running")
    clock_append(change, ActionKind.ADJUSTED, shift=TICK * seconds)
    change.record(seconds=seconds)


def _refuse_in_earnest(event: Event) -> None:
    if not event.is_sample:
        raise Refused(_("Abgespielt werden nur Proben und Beispiele."), code="not_sample")


def evening_step(command: Command) -> Action:
    """Do the next deed of a rehearsal, in the name of the requesting device.

    :raises Refused: There is no next deed, or it is no rehearsal.
    """
    require(command.by, Permission.MANAGE)
    _refuse_in_earnest(command.event)
    deed = next_deed(command.event, command.at, _lot(command.event, command.at))
    if deed is None:
        raise Refused(_("Gerade steht nichts an. Vielleicht steht die Uhr."), code="nothing_due")
    return deed.carry_out(command)


def evening_play_on(event: Event, *, at: datetime, speed: int) -> list[Action]:
    """Play one tick of a rehearsal, and return its actions.

    A deed that takes longer than the rest of the tick is done with matching probability.
    """
    done: list[Action] = []
    seconds: float = speed
    if clock_state(event.clock, at).is_running and speed > 1:
        done.append(time_pass(Command(event=event, by=SYSTEM, at=at), seconds=speed - 1))
    lot = _lot(event, at)
    for _turn in range(MOST_DEEDS):
        deed = next_deed(event, at, lot)
        if deed is None or lot.random() * deed.takes >= seconds:
            break
        done.append(deed.carry_out(Command(event=event, by=SYSTEM, at=at)))
        seconds -= deed.takes
        event = Event.objects.select_related("clock", "club").get(pk=event.pk)
    return done


def _lot(event: Event, at: datetime) -> Random:
    # Invented data: need not be unguessable.
    return Random(f"{event.pk}/{event.version}/{at.timestamp()}")  # noqa: S311
