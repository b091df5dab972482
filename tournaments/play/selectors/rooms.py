"""Hand-for-hand over several rooms: the events of one day of a contest that play it together."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from django.utils.translation import gettext as _

from clock.snapshot import read_once
from tournaments.event.selectors.event import is_stage, players_left
from tournaments.models import Elimination, Event, HandReport, HandRound, Stage
from tournaments.play.domain.bubble import CommonRound, Room
from tournaments.play.selectors.bubble import (
    round_current,
    tables_awaited,
    tables_named,
    waits_for_break,
)

ROOMS = "rooms"  # log field of the begin: the rounds are those of all rooms


@dataclass(frozen=True, kw_only=True)
class RoomNow:
    """A room of a common hand-for-hand with its round."""

    label: str
    event: Event
    round: HandRound

    @cached_property
    def awaited(self) -> list[int]:
        return [row.number for row in tables_awaited(self.event, self.round)]

    @cached_property
    def reported(self) -> int:
        return HandReport.objects.live().filter(round=self.round).count()

    @cached_property
    def outs(self) -> int:
        return Elimination.objects.live().filter(round=self.round).count()

    @property
    def tables(self) -> int:
        return self.reported + len(self.awaited)

    @property
    def tables_in_words(self) -> str:
        """Return the tables still playing."""
        return tables_named(self.awaited)


def running_rooms(stage: Stage) -> list[Stage]:
    """Return the running events of this day of the contest, this one too, by label."""
    rows = Stage.objects.live().filter(contest=stage.contest_id, order=stage.order)
    running = rows.exclude(event__head__started_by=None).filter(
        event__head__ended_by=None, event__head__cancelled_by=None
    )
    return list(running.select_related("event__head", "event__clock").order_by("label", "pk"))


def other_rooms(event: Event) -> list[Stage]:
    """Return the other running events of the same day of its contest; most events have none."""
    if not is_stage(event):
        return []
    own = Stage.objects.live().get(event=event)
    return [row for row in running_rooms(own) if row.event_id != event.pk]


@read_once
def rooms_together(event: Event) -> list[RoomNow]:
    """Return all rooms that play hand-for-hand together with this one; empty if it plays alone."""
    if not is_stage(event):
        return []
    own = Stage.objects.live().get(event=event)
    found = rooms_playing(running_rooms(own))
    return found if any(room.event.pk == event.pk for room in found) else []


def rounds_in_common(rooms: Collection[Event]) -> dict[int, int]:
    """Return by round of a common hand-for-hand the first room's round: one for all of them."""
    rows = HandRound.objects.filter(
        hand_for_hand__event__in=rooms, hand_for_hand__made_by__payload__has_key=ROOMS
    ).order_by("pk")
    begun: dict[int, list[int]] = {}
    first: dict[tuple[int, int], int] = {}
    found = {}
    for pk, number, row, event in rows.values_list(
        "pk", "number", "hand_for_hand", "hand_for_hand__event"
    ):
        own = begun.setdefault(event, [])
        if row not in own:
            own.append(row)
        found[pk] = first.setdefault((own.index(row), number), pk)
    return found


def rooms_playing(rooms: list[Stage]) -> list[RoomNow]:
    """Return those of these rooms that are in a common hand-for-hand."""
    rounds = ((row, round_current(row.event)) for row in rooms)
    return [
        RoomNow(label=row.label, event=row.event, round=current)
        for row, current in rounds
        if current is not None and current.hand_for_hand.made_by.payload.get(ROOMS)
    ]


def common_round(rooms: list[RoomNow]) -> CommonRound:
    """Return the round of all these rooms as one."""
    return CommonRound(
        rooms={
            room.label: Room(
                left=players_left(room.event) + room.outs,
                tables=room.tables,
                reported=room.reported,
                outs=room.outs,
            )
            for room in rooms
        }
    )


def rooms_behind(event: Event) -> list[RoomNow]:
    """Return the other rooms with a table that still plays this hand, or one before it."""
    rooms = rooms_together(event)
    own = next((room.round.number for room in rooms if room.event.pk == event.pk), 0)
    others = (room for room in rooms if room.event.pk != event.pk)
    return [
        room
        for room in others
        if room.round.number < own or (room.round.number == own and room.awaited)
    ]


def awaited_elsewhere(event: Event, at: datetime) -> str:
    """Return the reason to wait for other rooms before the next hand; empty without one."""
    behind = rooms_behind(event)
    if behind:
        named = "; ".join(
            f"{room.label}: {room.tables_in_words}" if room.awaited else room.label
            for room in behind
        )
        return _("In einem anderen Raum läuft die Hand noch. %(rooms)s.") % {"rooms": named}
    others = (room for room in rooms_together(event) if room.event.pk != event.pk)
    return next(filter(None, (waits_for_break(room.event, at) for room in others)), "")
