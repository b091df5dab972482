"""Penalties in hands: how many to miss, and how many are left.

A penalty follows the player to a new table. Tapped hands count it down automatically; without taps,
staff counts each missed hand. Reasons and permissions are decided elsewhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class HandsPenalty:
    """A penalty of `hands`, given at an instant; `served` is counted by hand."""

    given_at: datetime
    hands: int
    served: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """Progress of a penalty: hands left, and whether one is being missed now."""

    left: int
    is_in_hand: bool = False

    @property
    def sits_out(self) -> bool:
        """Tell whether the player sits out now."""
        return self.left > 0 or self.is_in_hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Stay:
    """A stay of an entry at a table from `since` until before `until` (None: still there)."""

    table: int
    since: datetime
    until: datetime | None = None


def hands_of_rounds(rounds: int, players: int) -> int:
    """Return the hands of a penalty in rounds: one for each player at the table (TDA 2024 71).

    `players` counts all players there when the penalty is given, the offender included.

    >>> hands_of_rounds(2, 9)
    18

    :raises ValueError: If there is no round, or nobody at the table.
    """
    if rounds < 1 or players < 1:
        raise ValueError("A penalty in rounds needs a round and somebody at the table.")
    return rounds * players


def hands_during(stays: Iterable[Stay], hands: Iterable[tuple[int, datetime]]) -> list[datetime]:
    """Return the starts of the hands dealt at the entry's tables, earliest first.

    `hands` are (table, instant of the first riffle or dealer push; TDA 2024 23).

    >>> from datetime import UTC
    >>> at = lambda minute: datetime(2026, 1, 1, 20, minute, tzinfo=UTC)
    >>> stays = [Stay(table=4, since=at(0), until=at(10)), Stay(table=2, since=at(10))]
    >>> [when.minute for when in hands_during(stays, [(4, at(8)), (4, at(12)), (2, at(11))])]
    [8, 11]
    """
    places = list(stays)
    return sorted(
        began
        for table, began in hands
        if any(
            stay.table == table
            and stay.since <= began
            and (stay.until is None or began < stay.until)
            for stay in places
        )
    )


def penalties_served(
    penalties: Sequence[HandsPenalty], begun: Iterable[datetime]
) -> tuple[Served, ...]:
    """Return the progress of each penalty of one entry, in the given order.

    In sequence: each hand counts for the earliest unserved penalty. The hand in progress when a
    penalty is given does not count. The last missed hand lasts until the next one begins (TDA 2024
    71; the sequence is ours).

    >>> from datetime import UTC
    >>> at = lambda minute: datetime(2026, 1, 1, 20, minute, tzinfo=UTC)
    >>> two = HandsPenalty(given_at=at(1), hands=2)
    >>> for begun in ([], [at(0)], [at(2)], [at(2), at(4)], [at(2), at(4), at(6)]):
    ...     found = penalties_served([two], begun)[0]
    ...     print(found.left, found.sits_out)
    2 True
    2 True
    1 True
    0 True
    0 False

    :raises ValueError: If a penalty has less than no hands.
    """
    if any(penalty.hands < 0 or penalty.served < 0 for penalty in penalties):
        raise ValueError("Nobody misses less than no hands.")
    left = [max(0, penalty.hands - penalty.served) for penalty in penalties]
    order = sorted(range(len(penalties)), key=lambda index: penalties[index].given_at)
    missed: int | None = None
    for began in sorted(begun):
        due = (index for index in order if left[index] and penalties[index].given_at < began)
        missed = next(due, None)
        if missed is not None:
            left[missed] -= 1
    return tuple(Served(left=hands, is_in_hand=index == missed) for index, hands in enumerate(left))
