"""The parts of `bench cost`, `bench growth` and `bench floor` inside Django."""

import secrets
import time
from datetime import timedelta
from random import Random
from typing import Any

from django.conf import settings
from django.utils import timezone

from bench._harness import percentile, timed_ms
from tests.costs import Prepare, Room, statements
from tests.rooms import NOON, running_room
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.dashboard.selectors.tables import why_move
from tournaments.models import Entry
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.domain.seating import balancing_moves
from tournaments.seating.selectors.balancing import suggestions_for
from tournaments.seating.selectors.tables import table_counts

SEATS, AT_A_TABLE, WARM, PARTS = 9, 8, 2, 20
# 1,124 tables of ten with 10,112 players.
SIZES = [4] * 100 + [9] * 528 + [10] * 496
LATER = NOON + timedelta(minutes=6)  # after the start, while the tapped hands are still valid


def costs(tables: int, rounds: int) -> dict[str, Any]:
    settings.ALLOWED_HOSTS.append("testserver")
    room = Room.laid_out(f"{tables} Tische", [AT_A_TABLE] * tables, at=timezone.now())
    return {name: _cost(one, rounds) for name, one in (room.actions() | room.taps()).items()}


def _cost(prepare: Prepare, rounds: int) -> dict[str, float]:
    for _ in range(WARM):
        prepare()()
    do = prepare()
    with statements() as asked:
        do()
    times = [timed_ms(prepare(), time.process_time) for _ in range(rounds)]
    found = {f"p{percent}_ms": percentile(times, percent) for percent in (50, 99)}
    return found | {"statements": len(asked)}


def outs(small: int, large: int, most: int) -> dict[int, Any]:
    """Eliminate `most` of a large field, in turns with small ones; return times of both clocks."""
    hall, found = _Outs(large), {small: ([], []), large: ([], [])}
    for part in range(PARTS):
        hall.go(most * (part + 1) // PARTS - most * part // PARTS, *found[large])
        _Outs(small).go(small - 1, *found[small])
    return found


class _Outs:
    """A field eliminated one by one, in random order."""

    def __init__(self, size: int) -> None:
        full, rest = divmod(size, SEATS)
        sizes = [SEATS] * full + [rest] * bool(rest)
        self._event = running_room(f"{size} {secrets.token_hex(2)}", sizes, seats=SEATS)
        self._entries = list(Entry.objects.filter(event=self._event).order_by("pk"))
        Random(size).shuffle(self._entries)
        self._at = NOON + timedelta(minutes=30)

    def go(self, count: int, wall: list[float], processor: list[float]) -> None:
        for _ in range(count):
            self._at += timedelta(seconds=1)
            command = Command(event=self._event, by=SYSTEM, at=self._at)
            entry, began = self._entries.pop(), time.process_time()
            wall.append(timed_ms(lambda e=entry, c=command: entries_eliminate(c, entries=[e])))
            processor.append((time.process_time() - began) * 1000)


def balance(rounds: int) -> dict[str, Any]:
    """Return each time of computing all suggestions."""
    hall = running_room("Halle", Random(3).sample(SIZES, len(SIZES)), seats=max(SIZES))

    def suggest() -> list[list[str]]:
        transfers = balancing_moves(table_counts(hall), hall.rule_set.balancing_tolerance)
        moves = suggestions_for(hall, transfers, LATER)
        return [why_move(*pair) for pair in zip(moves, transfers, strict=True)]

    suggest()  # so that imports and compilation are not timed
    return {
        "wall_ms": [timed_ms(suggest) for _ in range(rounds)],
        "processor_ms": [timed_ms(suggest, time.process_time) for _ in range(rounds)],
    }
