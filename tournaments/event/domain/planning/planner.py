"""Make a blind schedule from wishes: number of players, chips, time of the end.

Every bet is payable with the chips in play, the growth between levels is limited, breaks are where
wanted, and by the model of `evening_end` the evening ends on time. An impossible wish is refused
with the reason.
"""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from fractions import Fraction
from math import gcd, log

from clock.domain import AnteKind, Level, breaks_every, numbered, validate_levels, with_breaks
from tournaments.event.domain.chips import colour_up_plan
from tournaments.event.domain.dealing import Dealt, Need, dealt_to, pieces_needed
from tournaments.event.domain.planning.blind_steps import (
    END_BIG_BLINDS,
    SPREAD,
    Climb,
    End,
    Step,
    between,
    climb,
    climbed_on,
    end_of,
    steps_payable,
)

MINUTE = timedelta(minutes=1)
TOLERANCE = 10 * MINUTE
"""The allowed difference between the end by the model and the wish."""
AS_WISHED = 0.1
"""The first big blind differs from the wish by at most this part of it."""
FARTHEST = 3
"""Where no schedule begins as wished, the first big blind is within this factor of the wish."""
MOST_LEVELS = 60
MISSED, BEGUN_OTHERWISE = 0.5, 0.6
"""Weights of ten minutes off the wish, and of other blinds at the start (squared)."""
FINE_TRIES = 2
"""The number of smallest chips tried with unusual amounts, as each try takes time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The wishes for an evening.

    :param minutes: From the first hand to the end, breaks included.
    :param depth: The big blinds of a starting stack: within ten percent, or at least a third of it.
    :param percent: The largest growth of the big blind from level to level: 150 is by half.
    :param break_every: After so many levels of play there is a break; 0: never.
    :param ante_from: From this level on the big blind posts an ante as large; 0: nobody does.
    :param end_big_blinds: The chips of all, in big blinds, with which it ends.
    """

    players: int
    stack: int
    minutes: int
    level_minutes: int = 20
    depth: int = 100
    percent: int = 170
    break_every: int = 0
    break_minutes: int = 10
    ante_from: int = 0
    end_big_blinds: int | Fraction = END_BIG_BLINDS

    @property
    def chips(self) -> int:
        return self.players * self.stack

    def begins_as_wished(self, big_blind: int) -> bool:
        """Tell whether a first big blind gives the depth.

        >>> wish = Wish(players=8, stack=10_000, minutes=240)
        >>> [wish.begins_as_wished(big_blind) for big_blind in (100, 110, 120, 150)]
        [True, True, False, False]
        """
        return abs(big_blind * self.depth - self.stack) <= AS_WISHED * self.stack


@dataclass(frozen=True, slots=True, kw_only=True)
class Evening:
    """A schedule, everyone's stack for it, and its end.

    :param is_plain: Whether it is of amounts that people would choose; other ones would not do.
    """

    levels: tuple[Level, ...]
    dealt: Dealt
    end: End
    is_plain: bool = True


class CannotBeHad(Exception):
    """No schedule meets the wish.

    :ivar code: no_play (no players, chips or minutes), no_stack (these chips do not make it),
        too_shallow (the smallest chip is too large for so many big blinds), too_short (not two
        levels long), too_many_levels, too_steep (more growth would be needed),
        too_slow (no schedule so slow), too_coarse (the chips allow no step as small), no_meeting
        (schedules end before and after, none near enough).
    :ivar highest: With too_steep, the largest big blind that is reached in time.
    """

    def __init__(self, code: str, highest: int = 0) -> None:
        super().__init__(code)
        self.code, self.highest = code, highest


def evening_planned(
    wish: Wish, have: Mapping[int, int], *, is_fine: bool = False, begins_free: bool | None = None
) -> Evening:
    """Return the schedule for a wish, with usual amounts.

    :param have: How many pieces there are of each value; as many sets are taken as it needs.
    :param is_fine: Whether other amounts may be among them.
    :param begins_free: Whether the first big blind may differ from the wish; None: where it must.

    >>> steffen = {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}
    >>> wish = Wish(players=10, stack=100, minutes=180, percent=200, depth=50)
    >>> [(row.small_blind, row.big_blind) for row in evening_planned(wish, steffen).levels][:9]
    [(1, 2), (2, 3), (2, 4), (3, 6), (4, 8), (6, 12), (10, 20), (20, 30), (20, 40)]

    :raises CannotBeHad: With the reason.
    """
    _refuse_nonsense(wish)
    if begins_free is None:
        with suppress(CannotBeHad):
            return evening_planned(wish, have, is_fine=is_fine, begins_free=False)
    worst: CannotBeHad | None = None
    wanted = max(1, wish.stack // (2 * wish.depth))
    fitting = [value for value in have if value <= max(wanted, min(have)) and have[value]]
    # The best for the small blind first.
    for smallest in sorted(fitting, reverse=True)[: FINE_TRIES if is_fine else None]:
        values = sorted(value for value in have if value >= smallest)
        try:
            return _with_smallest(
                wish, have, values, is_fine=is_fine, begins_free=begins_free is not False
            )
        except CannotBeHad as reason:
            worst = worst if worst and worst.code != "no_stack" else reason
    raise worst or CannotBeHad("no_stack")


def _refuse_nonsense(wish: Wish) -> None:
    if wish.players < 2 or wish.stack < 1 or wish.level_minutes < 1 or wish.percent <= 100:
        raise CannotBeHad("no_play")
    if wish.minutes < 2 * wish.level_minutes:
        raise CannotBeHad("too_short")
    if wish.minutes > MOST_LEVELS * wish.level_minutes:
        raise CannotBeHad("too_many_levels")


def _with_smallest(
    wish: Wish, have: Mapping[int, int], values: list[int], *, is_fine: bool, begins_free: bool
) -> Evening:
    """Return the schedule with bets in multiples of the smallest of these values.

    :param begins_free: Whether the first big blind may differ from the wish.
    """
    steps = _steps(wish, values, is_fine=is_fine, begins_free=begins_free)
    first = steps[0]
    need = Need(stack=wish.stack, small_blind=first.small_blind, big_blind=first.big_blind)
    bets = [bet for step in steps for bet in (step.small_blind, step.big_blind)]
    dealt = dealt_to(pieces_needed(have, wish.players, need, bets), wish.players, need)
    if dealt is None:
        raise CannotBeHad("no_stack")
    in_play = sorted(value for value in have if value >= min(dealt.pieces))
    levels = _levels(wish, steps)
    leaving = leaving_by_set(levels, have, in_play, chips=wish.chips, sets=dealt.sets)
    rows = tuple(replace(row, colour_up=leaving.get(index, ())) for index, row in enumerate(levels))
    if not any(problem.code == "unpayable" for problem in validate_levels(rows, in_play)):
        end = end_of(rows, wish.chips, wish.end_big_blinds)
        return Evening(levels=rows, dealt=dealt, end=end, is_plain=not is_fine)
    if in_play[0] <= values[0]:
        raise CannotBeHad("no_stack")
    # Smaller ones are not dealt.
    return _with_smallest(wish, have, in_play, is_fine=is_fine, begins_free=begins_free)


def _steps(wish: Wish, values: list[int], *, is_fine: bool, begins_free: bool) -> list[Step]:
    """Return the blinds of all levels, up to a late end of the evening."""
    goal = Fraction(wish.chips, wish.end_big_blinds)
    late = -(-goal * SPREAD // 1)
    least = max(values[0], wish.stack // (FARTHEST * wish.depth))
    most = max(least, late * wish.percent // 100)
    steps = steps_payable(values, least, most, is_fine=is_fine)
    missed = set[str]()
    found = _climb(wish, steps, goal, missed, begins_free=begins_free)
    if not found.steps:
        raise CannotBeHad(_reason(wish, steps, found, missed), found.highest)
    first, last = found.steps[0].big_blind, found.steps[-1].big_blind
    growth = (last / first) ** (1 / (len(found.steps) - 1))
    return [
        *found.steps,
        *climbed_on(steps, found.steps[-1], percent=wish.percent, growth=growth, until=late),
    ]


def leaving_by_set(
    levels: list[Level], have: Mapping[int, int], values: list[int], *, chips: int, sets: int
) -> dict[int, tuple[int, ...]]:
    """Return the colour-ups of a schedule, as far as larger chips of the sets suffice.

    >>> rows = [Level(id=1, big_blind=5), Level(id=2, big_blind=100)]
    >>> leaving_by_set(rows, {5: 100, 100: 4}, [5, 100], chips=500, sets=1)
    {}
    """
    found = {}
    for index, leave in colour_up_plan(levels, values).items():
        able = [
            value
            for value in leave
            if sets * sum(other * have[other] for other in values if other > value) >= chips
        ]
        if able:
            found[index] = tuple(able)
    return found


def _climb(
    wish: Wish, steps: list[Step], goal: Fraction, missed: set[str], *, begins_free: bool
) -> Climb:
    """Return the way up; `missed` collects whether ways end too early or too late."""
    ends = _middles(wish)
    asked = wish.minutes * MINUTE

    def first(step: Step) -> float | None:
        if not (_is_deep(wish, step) if begins_free else wish.begins_as_wished(step.big_blind)):
            return None
        return BEGUN_OTHERWISE * log(step.big_blind * wish.depth / wish.stack) ** 2

    def crossing(done: int, before: int, after: int) -> float | None:
        at = between((ends[done - 1], before), (ends[done], after), goal)
        if abs(at - asked) > TOLERANCE:
            missed.add("early" if at < asked else "late")
            return None
        return MISSED * ((at - asked) / TOLERANCE) ** 2

    return climb(
        steps, wish.percent, goal=-(-goal // 1), levels=len(ends), first=first, crossing=crossing
    )


def _middles(wish: Wish) -> list[timedelta]:
    """Return the middle of each level, breaks included, until after the wished end."""
    found: list[timedelta] = []
    asked = wish.minutes * MINUTE + TOLERANCE
    while not found or found[-1] <= asked:
        done = len(found)
        breaks = done // wish.break_every if wish.break_every else 0
        played = (2 * done + 1) * wish.level_minutes * MINUTE / 2
        found.append(played + breaks * wish.break_minutes * MINUTE)
    return found


def _is_deep(wish: Wish, first: Step) -> bool:
    return first.big_blind * wish.depth <= FARTHEST * wish.stack


def _reason(wish: Wish, steps: list[Step], found: Climb, missed: set[str]) -> str:
    if not any(_is_deep(wish, step) for step in steps):
        return "too_shallow"
    if not missed and found.is_stuck:
        return "too_coarse"
    if "early" in missed:
        return "no_meeting" if "late" in missed else "too_slow"
    return "too_steep"


def _levels(wish: Wish, steps: list[Step]) -> list[Level]:
    rows = []
    for number, step in enumerate(steps, start=1):
        has_ante = 0 < wish.ante_from <= number
        rows.append(
            Level(
                id=-number,
                duration=wish.level_minutes * MINUTE,
                small_blind=step.small_blind,
                big_blind=step.big_blind,
                big_bet=2 * step.big_blind,
                ante=step.big_blind if has_ante else 0,
                ante_kind=AnteKind.BIG_BLIND if has_ante else AnteKind.EACH,
            )
        )
    every = breaks_every(wish.break_every, len(rows)) if wish.break_every else []
    with_them = with_breaks(rows, dict.fromkeys(every, wish.break_minutes))
    return numbered(
        [replace(row, id=-1000 - at) if row.is_break else row for at, row in enumerate(with_them)]
    )


# --- Raise the levels that a corrected one has overtaken, in amounts that chips can pay


LEAST_GROWTH, MOST_GROWTH, PERCENT = 1.2, 1.7, 200


def raised(
    levels: Sequence[Level], index: int, chips: Sequence[int], begun: Collection[int] = ()
) -> list[Level]:
    """Return the schedule with later levels of the same game raised above the one at `index`.

    They grow half as fast as the schedule, until it is reached again. Begun ones stay.

    >>> rows = [Level(id=n, small_blind=n * 25, big_blind=n * 50) for n in (8, 4, 6, 40)]
    >>> [(row.small_blind, row.big_blind) for row in raised(rows, 0, [25, 100])]
    [(200, 400), (400, 700), (600, 1200), (1000, 2000)]
    """
    level, rows = levels[index], list(levels)
    chip = gcd(min(chips, default=0), *level.amounts)
    following = [
        (at, row)
        for at, row in enumerate(rows)
        if at > index and not row.is_break and row.game == level.game and row.id not in begun
    ]
    highest = level.unit
    steps = _steps_above(level, [row.unit for _at, row in following], {chip, *chips})
    for (at, row), step in zip(following, steps, strict=False):
        if row.unit > highest:
            break
        rows[at] = _at_step(row, step, chip)
        highest = step.big_blind
    return rows


def overtaken_by(levels: Sequence[Level], index: int) -> int | None:
    """Return the row before of the same game that is higher than the one at `index`, or None.

    >>> rows = [Level(id=n, small_blind=n, big_blind=2 * n) for n in (2, 9, 4, 6)]
    >>> [overtaken_by(rows, index) for index in range(4)]
    [None, None, 1, None]
    """
    level = levels[index]
    earlier = [
        at for at, row in enumerate(levels[:index]) if not row.is_break and row.game == level.game
    ]
    if level.is_break or not earlier or levels[earlier[-1]].unit <= level.unit:
        return None
    return earlier[-1]


def _steps_above(level: Level, units: list[int], chips: Collection[int]) -> list[Step]:
    """Return as many steps as levels follow, growing half as fast as these."""
    growth = LEAST_GROWTH
    if len(units) > 1:
        halved = (units[-1] / units[0]) ** (1 / (2 * len(units) - 2))
        growth = min(max(halved, LEAST_GROWTH), MOST_GROWTH)
    chip, most = min(chips), int(level.unit * MOST_GROWTH ** len(units))
    values = {chip * 10**zeros for zeros in range(len(str(most // chip)))}
    steps = steps_payable(sorted(values.union(chips)), chip, most)
    first = Step(small_blind=level.small_blind, big_blind=level.unit, price=0)
    return climbed_on(steps, first, percent=PERCENT, growth=growth, until=most)


def _at_step(row: Level, step: Step, chip: int) -> Level:
    """Return a level with the step's blinds, or bets, and its other amounts in proportion."""

    def scaled(amount: int) -> int:
        return max(round(amount * step.big_blind / row.unit / chip), 1) * chip if amount else 0

    if not row.big_blind:
        bet, ante, bring_in = step.big_blind, scaled(row.ante), scaled(row.bring_in)
        return replace(row, small_bet=bet, big_bet=2 * bet, ante=ante, bring_in=bring_in)
    return replace(
        row,
        small_blind=step.small_blind,
        big_blind=step.big_blind,
        big_bet=2 * step.big_blind if row.big_bet else 0,
        ante=scaled(row.ante),
    )
