"""Rehearsals: invented names, and a scene for each hand at a table.

A scene tells the trainee what would be visible in a hall: a player busted, left the seat, needs a
warning, took too long. It follows from the event's secret, the table and the number of the hand: it
is not stored, and everybody sees the same.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate


class SceneKind(StrEnum):
    """What an arbiter has to do about a scene."""

    QUIET = "quiet"
    OUT = "out"
    LEAVES = "leaves"
    WARNING = "warning"
    CLOCK = "clock"


# Percentage of hands with each scene; the rest are quiet.
SHARES: Mapping[SceneKind, int] = {
    SceneKind.OUT: 22,
    SceneKind.LEAVES: 8,
    SceneKind.WARNING: 6,
    SceneKind.CLOCK: 8,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The scene of a hand: about the entry on `seat`; `by` is the seat that won its chips."""

    kind: SceneKind
    seat: int | None = None
    by: int | None = None


def scene(secret: str, *, table: int, hand: int, players: Mapping[int, int]) -> Scene:
    """Return the scene of a hand at a table; `players` are those dealt in, by seat.

    >>> players = {1: 11, 4: 14, 7: 17}
    >>> [scene("00ff", table=2, hand=hand, players=players).kind.value for hand in range(1, 7)]
    ['quiet', 'quiet', 'out', 'quiet', 'out', 'out']
    >>> scene("00ff", table=2, hand=3, players=players)
    Scene(kind=<SceneKind.OUT: 'out'>, seat=1, by=7)
    >>> scene("00ff", table=2, hand=3, players={4: 14}).kind.value
    'quiet'
    """
    if len(players) < 2:
        return Scene(kind=SceneKind.QUIET)
    lot = hashlib.sha256(f"{secret}|scene|{table}|{hand}".encode()).digest()
    percent = lot[0] * 100 // 256
    bounds = zip(SHARES, accumulate(SHARES.values()), strict=True)
    kind = next((kind for kind, bound in bounds if percent < bound), SceneKind.QUIET)
    if kind is SceneKind.QUIET:
        return Scene(kind=kind)
    seats = sorted(players)
    whom = seats.pop(int.from_bytes(lot[1:5]) % len(seats))
    by = seats[int.from_bytes(lot[5:9]) % len(seats)] if kind is SceneKind.OUT else None
    return Scene(kind=kind, seat=whom, by=by)


def invented_names(
    first_names: Sequence[str], last_names: Sequence[str], *, count: int
) -> list[str]:
    """Return different names; neighbours differ in both parts as far as possible.

    >>> invented_names(["Anna", "Bert"], ["Huber", "Maier", "Pichler"], count=6)
    ['Anna Huber', 'Bert Maier', 'Anna Pichler', 'Bert Huber', 'Anna Maier', 'Bert Pichler']
    >>> invented_names(["Anna", "Bert"], ["Huber", "Maier"], count=4)
    ['Anna Huber', 'Bert Maier', 'Anna Maier', 'Bert Huber']

    :raises ValueError: If there are too few names.
    """
    if count > len(first_names) * len(last_names):
        raise ValueError("There are not so many names.")
    names: dict[str, None] = {}
    shift = 0
    while len(names) < count:
        for at in range(len(first_names) * len(last_names)):
            first = first_names[at % len(first_names)]
            names.setdefault(f"{first} {last_names[(at + shift) % len(last_names)]}")
            if len(names) == count:
                break
        shift += 1
    return list(names)


# --- The pace of an invented event: the length of a hand, the time to an elimination


HAND_SECONDS = 120
SPEEDS = (1, 5, 20, 60)
USUAL_SPEED = 20
# The risk of an elimination in a hand, for each big blind of an average stack.
RISK = 8
MOST_RISK = 0.6


def seconds_to_next_out(*, left: int, tables: int, chips: int, big_blind: int) -> float:
    """Return the average time until the next elimination.

    >>> seconds_to_next_out(left=27, tables=3, chips=5400, big_blind=2)
    500.0
    >>> round(seconds_to_next_out(left=27, tables=3, chips=5400, big_blind=100))
    67
    """
    risk = min(MOST_RISK, RISK * max(big_blind, 1) * left / max(chips, 1))
    return HAND_SECONDS / (risk * max(tables, 1))
