"""Places worked out from the rules' text, for the simulator's books. Imports nothing of ours.

TDA 2024 RP-8: who busts in one hand of hand-for-hand at different tables shares the place, from
the announcement on. Common practice: of one table the larger stack at the start of the hand places
higher, equal ones share. Decided by the house, where the rules are silent: an unknown stack makes
all of that table's hand share; in hand-for-hand, one who was beaten by more at the own table ranks
lower; somebody disqualified takes the place of the next one out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter

JUST_BEFORE = timedelta(microseconds=1)
# A hand of hand-for-hand: which announcement, and its number, 0 for the hands running then.
Round = tuple[int, int]
# An instant, and the number of the log entry where two instants are equal.
Moment = tuple[datetime, int]


@dataclass(frozen=True, slots=True)
class Hand:
    """Those who went out in one hand at one table: entry to its stack at the start, if known."""

    at: datetime
    sequence: int
    outs: Mapping[int, int | None]
    table: int = 0
    round: Round | None = None

    @property
    def moment(self) -> Moment:
        return self.at, self.sequence


@dataclass(slots=True)
class Rounds:
    """The hands played hand-for-hand: when each began, and when hand-for-hand ended."""

    began: list[tuple[datetime, Round]] = field(default_factory=list)
    ended: dict[int, datetime] = field(default_factory=dict)
    reports: dict[tuple[Round, int], datetime] = field(default_factory=dict)

    def copy(self) -> Rounds:
        return Rounds(list(self.began), dict(self.ended), dict(self.reports))

    def at(self, instant: datetime) -> Round | None:
        """Return the round that was played at an instant."""
        begun = [row for began, row in self.began if began <= instant]
        if not begun:
            return None
        ended = self.ended.get(begun[-1][0])
        return None if ended is not None and ended <= instant else begun[-1]

    def end_of(self, played: Round) -> datetime | None:
        """Return when a round was over: the next one began, or hand-for-hand ended."""
        after = [began for began, row in self.began if row == (played[0], played[1] + 1)]
        return after[0] if after else self.ended.get(played[0])

    def nearest(self, played: Round, at: datetime, table: int) -> datetime:
        """Return the instant of a round nearest to this one: of a table, not after its report."""
        began, end = next(began for began, row in self.began if row == played), self.end_of(played)
        if at < began or end is None or at < end:
            return max(at, began)
        return min(end - JUST_BEFORE, self.reports.get((played, table), end))


def tiers_of(hands: Iterable[Hand]) -> list[list[int]]:
    """Return everybody who is out, in groups that share a place, the best first.

    >>> from datetime import UTC
    >>> nine = datetime(2026, 1, 1, 21, tzinfo=UTC)
    >>> tiers_of([Hand(nine, 1, {4: None}), Hand(nine, 2, {2: 30, 3: 90}, 1, (1, 1)),
    ...           Hand(nine, 3, {5: 10}, 2, (1, 1))])
    [[3, 5], [2], [4]]
    """
    rounds: dict[object, list[Hand]] = {}
    for hand in hands:
        rounds.setdefault(hand.round or hand.moment, []).append(hand)
    played = sorted(rounds.values(), key=lambda row: max(hand.moment for hand in row), reverse=True)
    return [tier for row in played for tier in _tiers(row)]


def _tiers(played: Sequence[Hand]) -> list[list[int]]:
    """Return the tiers of all who went out in one hand, at one table or at all of them at once."""
    tables: dict[int, dict[int, int | None]] = {}
    for hand in played:
        tables.setdefault(hand.table, {}).update(hand.outs)
    beaten = sorted(
        (by, entry) for there in tables.values() for entry, by in _beaten_by(there).items()
    )
    return [[entry for _by, entry in tier] for _, tier in groupby(beaten, key=itemgetter(0))]


def _beaten_by(stacks: Mapping[int, int | None]) -> dict[int, int]:
    """Return by how many at the own table each was beaten; by nobody while a stack is unknown."""
    known = {entry: stack for entry, stack in stacks.items() if stack is not None}
    if len(known) < len(stacks):
        return dict.fromkeys(stacks, 0)
    return {entry: sum(other > stack for other in known.values()) for entry, stack in known.items()}
