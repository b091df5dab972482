"""A betting round computed from the players' deeds: turn and options."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from enum import StrEnum

from clock.domain import LimitKind
from tournaments.event.domain.games import Game
from tournaments.rulings.domain.pots import Unruled
from tournaments.rulings.domain.raises import (
    LAST_ROUND,
    Stakes,
    is_capped,
    least_raise_to,
    most_raise_to,
)


@dataclass(slots=True)
class Round:
    """A betting round in progress.

    Players are in the order of acting. In the first round of hold'em and Omaha the last two have
    posted the blinds; with two players the first has the small blind. The first may have posted a
    straddle, and acts last. In stud the first has made the forced bet.

    :param number: The number of the betting round in the hand, from 1.
    :param pot: The pot from before, with the bets of players not listed.
    :param stacks: Stacks at the start of the round, None if unknown.
    """

    stakes: Stakes
    number: int
    pot: int
    stacks: Sequence[int | None]
    players: list[Player] = field(default_factory=list)
    level: int = 0
    base: int = 0
    largest: int = 0
    wagers: int = 0
    raises: int = 0
    unposted: int = 0
    has_cap: bool = False
    last_raiser: int | None = None
    turn: int | None = 0

    def __post_init__(self) -> None:
        self.stakes.check()
        self._check()
        self.players = [Player(total) for total in self.stacks]
        if self.number == 1:
            self._post()
        self.turn = self._next(0 if self._has_forced or self._has_straddle else -1)

    @property
    def _has_forced(self) -> bool:
        return self.number == 1 and self.stakes.game is Game.STUD and self.stakes.bring_in > 0

    @property
    def _has_straddle(self) -> bool:
        return self.number == 1 and self.stakes.straddle > 0

    def _check(self) -> None:
        if not 1 <= self.number <= LAST_ROUND[self.stakes.game]:
            raise Unruled("no_round", most=LAST_ROUND[self.stakes.game])
        if len(self.stacks) < 2:
            raise Unruled("few_players")
        if self._has_straddle and len(self.stacks) == 2:
            raise Unruled("no_straddle")
        if self.pot < 0 or any(stack is not None and stack <= 0 for stack in self.stacks):
            raise Unruled("negative")

    def _post(self) -> None:
        if self.stakes.game is Game.STUD:
            posts = {0: self.stakes.bring_in}
            self.level = self.stakes.bring_in
        else:
            count = len(self.players)
            small = 0 if self.stakes.is_small_dead else self.stakes.small_blind
            posts = {count - 2: small, count - 1: self.stakes.big_blind}
            if self._has_straddle:
                posts[0] = self.stakes.straddle
            # A straddle is the opening bet, like a larger big blind (RRoP 4).
            self.level = self.base = self.largest = self.stakes.straddle or self.stakes.big_blind
            self.wagers = 1
        for place, amount in posts.items():
            player = self.players[place]
            player.bet = amount if player.total is None else min(amount, player.total)
        if self._has_forced:
            self.players[0].seen = self.level
        elif self.stakes.game is not Game.STUD:
            posted = sum(player.bet for player in self.players)
            self.unposted = max(0, self.stakes.full_blinds + self.stakes.straddle - posted)

    def _next(self, after: int) -> int | None:
        """Return the player in turn after another, None when the round is over."""
        count = len(self.players)
        if self.live < 2:
            return None
        for step in range(1, count + 1):
            place = (after + step) % count
            player = self.players[place]
            owes = player.bet < self.asked_of(place)
            has_others = any(other.may_act for other in self._others(place))
            if player.may_act and (owes or (player.seen is None and has_others)):
                return place
        return None

    def _others(self, place: int) -> list[Player]:
        """Return the other players still in the hand."""
        return [one for at, one in enumerate(self.players) if at != place and not one.has_folded]

    def asked_of(self, place: int) -> int:
        """Return the bet a player must match: at most the amount the others can contest."""
        others = self._others(place)
        if any(other.may_act for other in others):
            return self.level
        return min(self.level, max((other.bet for other in others), default=0))

    def options(self) -> Options:
        """Return the options of the player in turn.

        :raises Unruled: If the round is over.
        """
        if self.turn is None:
            raise Unruled("round_over")
        player = self.players[self.turn]
        call = max(0, self.asked_of(self.turn) - player.bet)
        if player.total is not None:
            call = min(call, player.total - player.bet)
        bar = self.bar_for(self.turn)
        least, most = (None, None) if bar else self._bounds(player)
        may_check, is_bet = call == 0, self.level == 0
        return Options(call, may_check, is_bet, least, most, bar)

    def bar_for(self, place: int) -> Bar | None:
        """Return why a player may not raise the present bet, or None."""
        player = self.players[place]
        if player.total is not None and player.total <= self.level:
            return Bar.NO_CHIPS
        others = self._others(place)
        if all(other.total is not None and other.total <= self.level for other in others):
            return Bar.NOBODY_LEFT
        if self.has_cap:
            return Bar.CAPPED
        if player.seen is not None and not self._is_full(self.level, over=player.seen):
            return Bar.NOT_REOPENED
        return None

    def _is_full(self, level: int, *, over: int) -> bool:
        """Tell whether a bet is a full one over another, and so reopens the betting.

        In split limit half of one is enough (TDA 2024 47).
        """
        if self._is_fixed:
            return 2 * (level - over) >= self.size
        return level >= self.least_over(over)

    def least_over(self, level: int) -> int:
        """Return the least full raise of a bet of `level`, whatever the stacks."""
        if self._is_fixed:
            return self.base + self.size
        if self.stakes.limit is LimitKind.SPREAD_LIMIT:
            is_forced = self._has_forced and level < self.size
            return self.size if is_forced else level + max(self.largest, self.size)
        return least_raise_to(self.stakes, level, self.largest, self.size)

    @property
    def size(self) -> int:
        """Return the least bet of the round."""
        return self.stakes.bet_size(self.number)

    @property
    def _is_fixed(self) -> bool:
        return self.stakes.limit is LimitKind.SPLIT_LIMIT

    def _bounds(self, player: Player) -> tuple[int, int | None]:
        least, most = self.least_over(self.level), self.most_for(player)
        if player.total is not None:
            least = min(least, player.total)
            most = player.total if most is None else min(most, player.total)
        return least, most

    def most_for(self, player: Player) -> int | None:
        """Return the most a player may raise to, whatever the stack; None without a bound.

        In the first round the pot counts full blinds, even if short or dead (TDA 2024 54).
        """
        least = self.least_over(self.level)
        if self._is_fixed:
            return least
        pot = self.pot + self.unposted + sum(other.bet for other in self.players)
        most = most_raise_to(self.stakes, self.level, pot, player.bet)
        return None if most is None else max(most, least)

    def take(self, step: Step) -> None:
        """Let the player in turn act.

        :raises Unruled: The deed is not allowed. It names the player and the allowed range.
        """
        options, at = self.options(), self.turn
        assert at is not None
        player, number = self.players[at], at + 1
        if step.deed is Deed.CHECK and not options.may_check:
            raise Unruled("no_check", player=number, call=options.call)
        if step.deed is Deed.CALL and options.may_check:
            raise Unruled("no_call", player=number)
        if step.deed is Deed.FOLD:
            player.has_folded = True
        elif step.deed is Deed.BET:
            self._raise(at, options, step.to)
        else:
            player.bet += options.call
        player.seen = self.level
        self.turn = self._next(at)

    def _raise(self, at: int, options: Options, to: int) -> None:
        player, number = self.players[at], at + 1
        if player.total is not None and to > player.total:
            raise Unruled("above_stack", player=number, put=to, stack=player.total)
        if options.bar:
            raise Unruled(f"barred_{options.bar}", player=number)
        if options.least is None or to < options.least:
            raise Unruled("too_little", player=number, to=to, least=options.least or 0)
        if options.most is not None and to > options.most:
            raise Unruled("too_much", player=number, to=to, most=options.most)
        self._count(to)
        player.bet = to
        self.last_raiser = at

    def _count(self, to: int) -> None:
        """Count a bet or raise; a short all-in does not change the measure."""
        self.wagers += 1
        over = self.base if self._is_fixed else self.level
        if self._is_full(to, over=over):
            self.raises += over > 0
            self.largest = max(self.largest, to - self.level)
            self.base = to
            # A fold that leaves two players does not lift a cap (RRoP 3).
            self.has_cap = self.has_cap or is_capped(
                self.stakes, number=self.number, raises=self.raises, live=self.live
            )
        self.level = max(self.level, to)

    @property
    def live(self) -> int:
        """Return how many players are still in the hand."""
        return sum(not player.has_folded for player in self.players)

    def raisers_after(self, step: Step) -> tuple[list[int], list[int]]:
        """Split the players who have acted by whether they may raise after a step."""
        after = deepcopy(self)
        after.take(step)
        acted = [
            place
            for place, player in enumerate(after.players)
            if place != self.turn and player.seen is not None and player.may_act
        ]
        able = [place for place in acted if after.bar_for(place) is None]
        return able, [place for place in acted if place not in able]


def round_after(
    stakes: Stakes,
    steps: Sequence[Step],
    *,
    number: int = 1,
    pot: int = 0,
    stacks: Sequence[int | None],
) -> Round:
    """Return a betting round after the players' deeds.

    The blinds are 5 and 10; the first raises to 24, so the next to at least 38 (HOME), or 48 (KRRU
    3.0); the big blind may raise if all others have only called.

    >>> stakes = Stakes(small_blind=5, big_blind=10)
    >>> after = round_after(stakes, [Step(Deed.BET, 24)], stacks=[None] * 3)
    >>> after.turn, after.options()
    (1, Options(call=19, may_check=False, is_bet=False, least=48, most=None, bar=None))
    >>> calls = [Step(Deed.CALL), Step(Deed.CALL)]
    >>> round_after(stakes, calls, stacks=[None] * 3).options().may_check
    True

    :raises Unruled: At the first step that is not possible.
    """
    found = Round(stakes, number, pot, stacks)
    for step in steps:
        found.take(step)
    return found


# --- The terms of a betting round: players, deeds, options, and bars to raising


class Deed(StrEnum):
    """A deed of the player in turn."""

    CHECK = "check"
    CALL = "call"
    BET = "bet"  # or raise: the total
    FOLD = "fold"


@dataclass(frozen=True, slots=True)
class Step:
    """One deed; for a bet or raise, `to` is the player's total afterwards."""

    deed: Deed
    to: int = 0


class Bar(StrEnum):
    """Why a player may not raise."""

    CAPPED = "capped"  # three raises: STEFFEN, TDA 2024 48
    NOT_REOPENED = "not_reopened"  # acted before, without a full raise since: TDA 2024 47
    NO_CHIPS = "no_chips"  # calling takes the whole stack
    NOBODY_LEFT = "nobody_left"  # all others are all-in or out
    FORCED = "forced"  # in stud the forced bet is no check and no pass


@dataclass(slots=True)
class Player:
    """One player in the round. `seen` is the bet faced at the last action."""

    total: int | None
    bet: int = 0
    has_folded: bool = False
    seen: int | None = None

    @property
    def is_all_in(self) -> bool:
        return self.total is not None and self.bet >= self.total and not self.has_folded

    @property
    def may_act(self) -> bool:
        return not self.has_folded and not self.is_all_in


@dataclass(frozen=True, slots=True)
class Options:
    """The options of the player in turn. Amounts are totals afterwards; `call` is what is added."""

    call: int
    may_check: bool
    is_bet: bool
    least: int | None
    most: int | None
    bar: Bar | None
