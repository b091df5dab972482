"""Bounds of a bet or raise, by limit and house rule.

It knows one moment: the highest bet, its basis, the pot. `betting_round` leads up to that moment.
"""

from dataclasses import dataclass
from enum import StrEnum

from clock.domain import LimitKind
from tournaments.event.domain.games import Game
from tournaments.event.domain.rules import MinimumRaise, RaiseCap
from tournaments.rulings.domain.pots import Unruled

MOST_RAISES = 3  # STEFFEN: raise, reraise, cap
LAST_ROUND = {Game.HOLDEM: 4, Game.OMAHA: 4, Game.STUD: 5}
SMALL_BET_ROUNDS = 2  # STEFFEN; in stud the third and the fourth card
TIMES = {MinimumRaise.DOUBLE_BET: 2, MinimumRaise.BY_DOUBLE: 3}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stakes:
    """The stakes: game, limit, the level's amounts, house rules.

    In stud the big blind is the small bet, as in schedules. `spread` are the bounds of spread
    limit. A dead small blind is not posted. A `straddle` is posted by the first player of the first
    round. `is_event_heads_up`: two players are left in the
    tournament.
    """

    game: Game = Game.HOLDEM
    limit: LimitKind = LimitKind.NO_LIMIT
    rule: MinimumRaise = MinimumRaise.DOUBLE_BET
    cap: RaiseCap = RaiseCap.LAST_ROUND
    small_blind: int = 0
    big_blind: int = 0
    big_bet: int = 0
    bring_in: int = 0
    spread: tuple[int, int] = (0, 0)
    is_event_heads_up: bool = False
    is_small_dead: bool = False
    straddle: int = 0

    @property
    def full_blinds(self) -> int:
        """Return the sum of both blinds; a small blind of 0 counts as half of the big one."""
        return self.big_blind + (self.small_blind or self.big_blind // 2)

    def check(self) -> None:
        """Refuse incomplete or impossible stakes.

        :raises Unruled: Naming the missing or wrong amount.
        """
        if self.limit is LimitKind.SPREAD_LIMIT:
            low, high = self.spread
            if not 0 < low <= high:
                raise Unruled("no_spread")
        if self.big_blind <= 0:
            raise Unruled("no_blinds")
        if not 0 <= self.small_blind <= self.big_blind or self.bring_in < 0:
            raise Unruled("small_above_big")
        if self.limit is LimitKind.SPLIT_LIMIT and self.big_bet < self.big_blind:
            raise Unruled("no_big_bet")
        if self.game is Game.STUD and self.bring_in > self.big_blind:
            raise Unruled("bring_in_above_bet")
        if self.straddle and self.game is Game.STUD:
            raise Unruled("no_straddle")
        if self.straddle and self.straddle < 2 * self.big_blind:
            raise Unruled("small_straddle", least=2 * self.big_blind)

    def bet_size(self, number: int) -> int:
        """Return the fixed bet of a betting round in split limit, the lower bound in spread.

        The big bet is as the schedule has it, not always double (T200 level 4: 8 and 15).

        >>> stakes = Stakes(limit=LimitKind.SPLIT_LIMIT, big_blind=8, big_bet=15)
        >>> [stakes.bet_size(number) for number in (1, 2, 3, 4)]
        [8, 8, 15, 15]
        """
        if self.limit is LimitKind.SPREAD_LIMIT:
            return self.spread[0]
        is_big = self.limit is LimitKind.SPLIT_LIMIT and number > SMALL_BET_ROUNDS
        return self.big_bet if is_big else self.big_blind


class Verdict(StrEnum):
    """The verdict on chips put in for more than a call and less than a raise."""

    UNDER_CALL = "under_call"
    CALL = "call"
    MUST_COMPLETE = "must_complete"  # TDA 2024 43: half of it, or "raise" was said
    INCOMPLETE = "incomplete"  # the rule does not say
    SHORT_ALL_IN = "short_all_in"
    FULL = "full"
    TOO_MUCH = "too_much"


def least_raise_to(stakes: Stakes, level: int, largest: int, size: int) -> int:
    """Return the least raise of a bet of `level`, in no limit and pot limit.

    `largest` is the largest bet or raise of the round, `size` the least bet.

    HOME: 10, raised to 24, so next to 38. KRRU 3.0: to double the bet, or in its second reading by
    double the bet. TDA 2024 43: by the largest bet or raise of the round.

    >>> home, krru = MinimumRaise.PREVIOUS_RAISE, MinimumRaise.DOUBLE_BET
    >>> [least_raise_to(Stakes(rule=rule), 24, 14, 10) for rule in (home, krru)]
    [38, 48]
    >>> least_raise_to(Stakes(rule=MinimumRaise.BY_DOUBLE), 24, 14, 10)
    72
    """
    if level < size:
        # No bet, a forced bet or a short all-in: the first full bet is still to come.
        return size if level == 0 or stakes.game is Game.STUD else level + size
    times = TIMES.get(stakes.rule)
    return level * times if times else level + max(largest, size)


def most_raise_to(stakes: Stakes, level: int, pot: int, own: int) -> int | None:
    """Return the most to raise to, None if only the stack bounds it.

    Pot limit counts the caller's own call (STUD): the pot with all bets, and the call.

    >>> most_raise_to(Stakes(limit=LimitKind.POT_LIMIT), 30, 60, 0)
    120
    """
    if stakes.limit is LimitKind.POT_LIMIT:
        return level + pot + (level - own)
    if stakes.limit is LimitKind.SPREAD_LIMIT:
        return level + stakes.spread[1]
    return None


def is_capped(stakes: Stakes, *, number: int, raises: int, live: int) -> bool:
    """Return whether raising is capped: after three raises in split limit (STEFFEN).

    The cap is lifted in the last betting round between two players; by TDA 2024 48 only with no
    more than two left in the tournament.

    >>> split = Stakes(limit=LimitKind.SPLIT_LIMIT, big_blind=10, big_bet=20)
    >>> is_capped(split, number=4, raises=3, live=3), is_capped(split, number=4, raises=3, live=2)
    (True, False)
    """
    if stakes.limit is not LimitKind.SPLIT_LIMIT or raises < MOST_RAISES:
        return False
    if stakes.cap is RaiseCap.EVENT:
        return not stakes.is_event_heads_up
    return not (live == 2 and number == LAST_ROUND[stakes.game])


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """Chips put in: the total, and whether "raise" was said before.

    `chips` are the single chips, empty if unknown.
    """

    to: int
    is_declared: bool = False
    chips: tuple[int, ...] = ()

    def is_silent_call(self, level: int) -> bool:
        """Tell whether silent chips are a call: a single one, or each is needed for the call.

        >>> Put(to=5000, chips=(5000,)).is_silent_call(1200)
        True
        >>> [Put(to=2000, chips=chips).is_silent_call(1200) for chips in ((1000,) * 2, (500,) * 4)]
        [True, False]
        """
        if self.is_declared or not self.chips:
            return False
        return len(self.chips) == 1 or self.to - min(self.chips) < level


def verdict_of(
    put: Put,
    *,
    level: int,
    least: int,
    most: int,
    total: int | None,
    rule: MinimumRaise,
    own: int = 0,
) -> Verdict:
    """Return the verdict on chips put in facing a bet of `level`; `own` was there before.

    TDA 2024 44, 45: silent chips may be a call, whatever their worth.

    TDA 2024 43: less than a raise is made up to one if it is half of it, or "raise" was said;
    otherwise it is a call. The other rules do not say. TDA's own case: a bet of 1,000.

    >>> tda = {"level": 1000, "least": 2000, "most": 9000, "total": None,
    ...        "rule": MinimumRaise.LARGEST_RAISE}
    >>> [verdict_of(Put(to=to), **tda).value for to in (1400, 1500, 2000)]
    ['call', 'must_complete', 'full']
    >>> verdict_of(Put(to=1400, is_declared=True), **tda).value
    'must_complete'

    :raises Unruled: If it is more than the player has.
    """
    if total is not None and put.to > total:
        raise Unruled("above_own", to=put.to, most=total)
    if put.to <= level:
        return Verdict.CALL if put.to in {level, total} else Verdict.UNDER_CALL
    if own < level and put.is_silent_call(level):
        return Verdict.CALL
    if put.to >= least:
        return Verdict.TOO_MUCH if put.to > most else Verdict.FULL
    return _short(put, level=level, least=least, total=total, rule=rule)


def _short(put: Put, *, level: int, least: int, total: int | None, rule: MinimumRaise) -> Verdict:
    """Return the verdict for more than a call and less than a raise."""
    if put.to == total:
        return Verdict.SHORT_ALL_IN
    if rule is not MinimumRaise.LARGEST_RAISE:
        return Verdict.INCOMPLETE
    # Without a bet before, it is an opening bet, made up to the least (TDA 2024 52).
    is_raise = level == 0 or put.is_declared or 2 * (put.to - level) >= least - level
    return Verdict.MUST_COMPLETE if is_raise else Verdict.CALL
