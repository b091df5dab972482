"""Check a schedule, find the next level, insert breaks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from clock.domain.values import ZERO, Anchor, Level, LevelKind, LimitKind


@dataclass(frozen=True, slots=True, kw_only=True)
class LevelProblem:
    """A problem of a schedule, as a code to be worded at the edges.

    `index` is the row, from 0, or None for the whole schedule. A warning can be overruled.
    """

    code: str
    index: int | None = None
    is_warning: bool = False


def validate_levels(levels: Sequence[Level], chips: Collection[int] = ()) -> list[LevelProblem]:
    """Return all problems of the schedule, by row.

    Codes: no_levels, no_play, no_length (neither minutes nor hands), two_lengths (both),
    length_not_positive, break_in_hands, amount_negative, no_blinds, small_above_big,
    big_bet_below_big, big_bet_below_small_bet, bring_in_above_small_bet, ante_without_big_blind (a
    big-blind ante at a level without one), blinds_fall (below an earlier level of the same game);
    as warnings ends_with_break and, with the values of the `chips` in play, unpayable and
    no_such_chip.

    >>> steep = Level(id=1, duration=timedelta(minutes=20), small_blind=4, big_blind=2)
    >>> [problem.code for problem in validate_levels([steep])]
    ['small_above_big']
    """
    if not levels:
        return [LevelProblem(code="no_levels")]
    problems = []
    if all(level.is_break for level in levels):
        problems.append(LevelProblem(code="no_play"))
    before: dict[str, int] = {}
    for index, level in enumerate(levels):
        problems += [LevelProblem(code=code, index=index) for code in _faults(level)]
        if not level.is_break:
            if level.unit < before.get(level.game, 0):
                problems.append(LevelProblem(code="blinds_fall", index=index))
            before[level.game] = level.unit
    last = len(levels) - 1
    if levels[last].is_break:
        problems.append(LevelProblem(code="ends_with_break", index=last, is_warning=True))
    return [*problems, *_chip_problems(levels, set(chips))]


def smallest_chips(levels: Sequence[Level], chips: Collection[int]) -> list[int | None]:
    """Return the smallest chip in play at each level; None if there is none.

    A chip marked at a level is out of play from that level on.

    >>> levels = [Level(id=1), Level(id=2, kind=LevelKind.BREAK, colour_up=(1,)), Level(id=3)]
    >>> smallest_chips(levels, [1, 5, 25])
    [1, 5, 5]
    """
    left, found = set(chips), []
    for level in levels:
        left -= set(level.colour_up)
        found.append(min(left, default=None))
    return found


def _chip_problems(levels: Sequence[Level], chips: set[int]) -> Iterator[LevelProblem]:
    """Yield the warnings about chips: unpayable amounts, colour-ups of unknown chips."""
    if not chips:
        return
    for index, (level, smallest) in enumerate(
        zip(levels, smallest_chips(levels, chips), strict=True)
    ):
        if not chips.issuperset(level.colour_up):
            yield LevelProblem(code="no_such_chip", index=index, is_warning=True)
        if level.is_break:
            continue
        if smallest is None or any(amount % smallest for amount in level.amounts):
            yield LevelProblem(code="unpayable", index=index, is_warning=True)


def _faults(level: Level) -> Iterator[str]:
    """Yield the codes of one level's own problems."""
    if level.duration is None and level.hands is None:
        yield "no_length"
    elif level.duration is not None and level.hands is not None:
        yield "two_lengths"
    if (level.duration is not None and level.duration <= ZERO) or (
        level.hands is not None and level.hands <= 0
    ):
        yield "length_not_positive"
    if level.is_break:
        if level.hands is not None:
            yield "break_in_hands"
        return
    yield from _faults_of_amounts(level)


def _faults_of_amounts(level: Level) -> Iterator[str]:
    if min(level.amounts) < 0:
        yield "amount_negative"
    if max(level.amounts) <= 0:
        yield "no_blinds"
    if level.small_blind > level.big_blind:
        yield "small_above_big"
    has_bets = level.limit in ("", LimitKind.SPLIT_LIMIT)
    if has_bets and 0 < level.big_bet < level.big_blind:
        yield "big_bet_below_big"
    if 0 < level.big_bet < level.small_bet:
        yield "big_bet_below_small_bet"
    if 0 < level.small_bet < level.bring_in:
        yield "bring_in_above_small_bet"
    if level.is_big_blind_ante and not level.big_blind:
        yield "ante_without_big_blind"


def with_breaks(levels: Sequence[Level], breaks: Mapping[int, int]) -> list[Level]:
    """Return the schedule with breaks inserted: minutes by the number of the level before.

    Breaks have id 0 until saved. No break is inserted before another break.

    >>> [level.kind.value for level in with_breaks([Level(id=1), Level(id=2)], {1: 10})]
    ['play', 'break', 'play']
    >>> len(with_breaks([Level(id=1), Level(id=2, kind=LevelKind.BREAK), Level(id=3)], {1: 10}))
    3
    """
    result: list[Level] = []
    rows = numbered(levels)
    for level, following in zip(rows, [*rows[1:], None], strict=True):
        result.append(level)
        minutes = None if level.number is None else breaks.get(level.number)
        if minutes is not None and not (following and following.is_break):
            duration = timedelta(minutes=minutes)
            result.append(Level(id=0, kind=LevelKind.BREAK, duration=duration))
    return result


def as_planned(
    levels: Sequence[Level], whole: Mapping[int, Level], *, with_pressed: bool = False
) -> list[Level]:
    """Return the schedule for another evening: without unplanned breaks, with whole levels.

    :param whole: The levels that were cut, by their ids.
    :param with_pressed: Whether a break that cut a level follows it, as a planned one.

    >>> long, short = timedelta(minutes=20), timedelta(minutes=6)
    >>> rows = [Level(id=2, kind=LevelKind.BREAK, is_unplanned=True),
    ...         Level(id=3, duration=short, rest_of=1)]
    >>> [level.duration for level in as_planned(rows, {1: Level(id=1, duration=long)})]
    [datetime.timedelta(seconds=1200)]
    >>> whole = {1: Level(id=1, duration=long)}
    >>> [level.kind.value for level in as_planned(rows, whole, with_pressed=True)]
    ['play', 'break']
    """
    found: list[Level] = []
    pressed: list[Level] = []
    for index, level in enumerate(levels):
        like = whole[level.rest_of] if level.rest_of is not None else level
        plain = replace(level, id=0, added_at=None, is_unplanned=False, rest_of=None)
        if cut_by(levels, index) is None:
            found += [replace(plain, duration=like.duration, hands=like.hands), *pressed]
            pressed = []
        elif with_pressed:
            pressed.append(plain)
    return numbered(found)


def cut_by(levels: Sequence[Level], index: int) -> Level | None:
    """Return the rest of a level cut by a break; None for any other row.

    >>> rows = [Level(id=2, kind=LevelKind.BREAK, is_unplanned=True), Level(id=3, rest_of=1)]
    >>> [cut_by(rows, index) and cut_by(rows, index).id for index in (0, 1)]
    [3, None]
    """
    if not levels[index].is_unplanned:
        return None
    after = next((level for level in levels[index:] if not level.is_unplanned), None)
    return after if after is not None and after.rest_of is not None else None


def breaks_every(every: int, levels: int) -> list[int]:
    """Return the levels with a break after them, of so many; the last has none.

    >>> breaks_every(4, 15), breaks_every(5, 15)
    ([4, 8, 12], [5, 10])
    """
    return list(range(every, levels, every))


def spelled_out(levels: Sequence[Level], *, game: str, limit: str) -> list[Level]:
    """Fill in the event's game and limit if only some levels name theirs.

    Otherwise the return to the event's own game would not be announced.

    >>> rows = [Level(id=1), Level(id=2, game="Razz")]
    >>> [level.game for level in spelled_out(rows, game="Omaha", limit=LimitKind.NO_LIMIT)]
    ['Omaha', 'Razz']
    """
    names_game = any(level.game for level in levels)
    names_limit = any(level.limit for level in levels)

    def spelled(level: Level) -> Level:
        if level.is_break:
            return level
        return replace(
            level,
            game=level.game or (game if names_game else ""),
            limit=level.limit or (limit if names_limit else ""),
        )

    return [spelled(level) for level in levels]


def numbered(levels: Sequence[Level]) -> list[Level]:
    """Return the levels with numbers: play counts from 1, a break has none.

    >>> [level.number for level in numbered([Level(id=1), Level(id=2, kind=LevelKind.BREAK)])]
    [1, None]
    """
    result, number = [], 0
    for level in levels:
        number += not level.is_break
        result.append(replace(level, number=None if level.is_break else number))
    return result


# --- Advance from one level to the next: shared by folding and by `state`


def position_of(levels: Sequence[Level], level_id: int) -> int:
    """Return the index of the level in the schedule.

    :raises ValueError: If the schedule does not hold it.
    """
    for index, level in enumerate(levels):
        if level.id == level_id:
            return index
    raise ValueError(f"The schedule has no level {level_id}.")


def ends_at(
    level: Level, since: datetime, elapsed: timedelta, hands: int, *, is_running: bool
) -> datetime | None:
    """Return the end of the level, None if it does not end by itself.

    `since` is the instant of the elapsed time and the hands.
    """
    if level.duration is None:
        is_full = level.hands is not None and hands >= level.hands
        return since if is_full else None
    if is_running:
        return since + (level.duration - elapsed if elapsed else level.duration)
    return since if elapsed >= level.duration else None


def settled(
    anchor: Anchor, levels: Sequence[Level], index: int, at: datetime
) -> tuple[Anchor, int]:
    """Return the anchor advanced to `at`, and the index of its level.

    A level ends at its deadline and not at `at`, so that delays never add up. A boundary belongs to
    the level that begins there. Without a next level the last one holds at its end, until a level
    is added. Before the anchor no time passes. The level stays during last hands, and at the end of
    a break if the clock stops there.
    """
    since = anchor.running_since
    is_running = since is not None
    if since is None:
        since = at
    at = max(at, since)
    reached, since = _reached(anchor, levels, index, since, at)
    if not is_running and reached == index:
        return anchor, index
    level, has_moved = levels[reached], reached != index
    elapsed = ZERO if has_moved else anchor.elapsed
    stands = not is_running
    if is_running:
        elapsed += at - since
        if level.duration is not None and elapsed >= level.duration:
            elapsed = level.duration
            stops = anchor.stops_after_break and level.is_break
            stands = stops and exists(levels, reached + 1, at)
    # Written out: `replace` would take most of the time, and screens ask often.
    return Anchor(
        level_id=level.id,
        elapsed=elapsed,
        running_since=None if stands else at,
        hands=0 if has_moved else anchor.hands,
        has_started=anchor.has_started,
        began_at=(since if is_running else None) if has_moved else anchor.began_at,
        last_hands=anchor.last_hands,
        stops_after_break=anchor.stops_after_break,
        starts_at=anchor.starts_at,
    ), reached


def _reached(
    anchor: Anchor, levels: Sequence[Level], index: int, since: datetime, at: datetime
) -> tuple[int, datetime]:
    """Return the index of the level at `at`, and the start of its time.

    Plain values instead of an anchor for each level passed.
    """
    if anchor.last_hands is not None:
        return index, since
    elapsed, hands, stops = anchor.elapsed, anchor.hands, anchor.stops_after_break
    is_running = anchor.running_since is not None
    level = levels[index]
    for following in levels[index + 1 :]:
        if stops and level.is_break:
            break
        end = ends_at(level, since, elapsed, hands, is_running=is_running)
        if end is None:
            break
        begins = end if following.added_at is None else max(end, following.added_at)
        if begins > at:
            break
        index, since, elapsed, hands, level = index + 1, begins, ZERO, 0, following
    return index, since


def is_over(level: Level, elapsed: timedelta) -> bool:
    """Tell whether the level is a finished break."""
    return level.is_break and level.duration is not None and elapsed >= level.duration


def exists(levels: Sequence[Level], index: int, at: datetime) -> bool:
    """Tell whether there is a level at this index that existed at `at`."""
    if index >= len(levels):
        return False
    added_at = levels[index].added_at
    return added_at is None or added_at <= at


def left_in(level: Level, anchor: Anchor) -> timedelta | None:
    """Return the time left in the level; None without a duration."""
    return None if level.duration is None else max(level.duration - anchor.elapsed, ZERO)
