"""What asking the clock costs: the state from an anchor, and folding a long evening's actions."""

import random
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from bench._report import Report, percentile
from clock.domain import (
    ActionKind,
    ClockAction,
    Level,
    LevelKind,
    anchor_of,
    state_from,
)

LEVELS = 60
ASKED = 5_000
FEW, MANY = 500, 5_000
ROUNDS = 9
STATE_GOAL_US = 20.0
FOLD_GOAL = 12.0
BEGAN = datetime(2026, 11, 21, 18, tzinfo=UTC)


def main(arguments: list[str]) -> int:
    """Measure both; the two sizes of the fold alternate, so that noise meets both."""
    report = Report("clockstate")
    levels = _levels()
    report.add("state_of_60_levels_us", _state_us(levels), "us", goal=STATE_GOAL_US)
    few, many = _actions(levels, FEW), _actions(levels, MANY)
    times: dict[int, list[float]] = {FEW: [], MANY: []}
    for _ in range(ROUNDS):
        for actions in (few, many):
            times[len(actions)].append(_seconds(lambda a=actions: anchor_of(a, levels)))  # type: ignore[misc]
    small, large = (percentile(times[count], 50) for count in (FEW, MANY))
    report.add("fold_500_ms", small * 1000, "ms", goal=None)
    report.add("fold_5000_ms", large * 1000, "ms", goal=None)
    report.add("fold_5000_to_500", large / small, "ratio", goal=FOLD_GOAL)
    return report.show()


def _levels() -> list[Level]:
    """Return sixty levels of twenty minutes, every fifth a break."""
    return [
        Level(id=number, kind=LevelKind.BREAK, duration=timedelta(minutes=20))
        if number % 5 == 0
        else Level(
            id=number,
            kind=LevelKind.PLAY,
            duration=timedelta(minutes=20),
            number=number - number // 5,
            small_blind=number,
            big_blind=2 * number,
        )
        for number in range(1, LEVELS + 1)
    ]


def _state_us(levels: list[Level]) -> float:
    """Return the median time of one state, at instants all over the evening, in microseconds."""
    anchor = anchor_of([ClockAction(at=BEGAN, kind=ActionKind.STARTED)], levels)
    rng = random.Random(7)
    moments = [BEGAN + timedelta(seconds=rng.uniform(0, 72_000)) for _ in range(ASKED)]
    runs = [
        _seconds(lambda: [state_from(anchor, levels, now) for now in moments])
        for _ in range(ROUNDS)
    ]
    return percentile(runs, 50) / ASKED * 1e6


def _actions(levels: list[Level], count: int) -> list[ClockAction]:
    """Return pauses, resumes, shifts and jumps, a few seconds apart."""
    rng = random.Random(count)
    at, running = BEGAN, False
    actions: list[ClockAction] = []
    while len(actions) < count:
        at += timedelta(seconds=rng.uniform(1, 30))
        draw = rng.random()
        if draw < 0.15:
            shift = timedelta(seconds=rng.randint(-60, 60))
            actions.append(ClockAction(at=at, kind=ActionKind.ADJUSTED, shift=shift))
        elif draw < 0.2:
            level = rng.choice(levels)
            actions.append(ClockAction(at=at, kind=ActionKind.JUMPED, level_id=level.id))
        else:
            kind = ActionKind.PAUSED if running else ActionKind.STARTED
            actions.append(ClockAction(at=at, kind=kind))
            running = not running
    return actions


def _seconds(what: Callable[[], object]) -> float:
    """Return the processor time it takes: what other programs take meanwhile is not its cost."""
    began = time.thread_time()
    what()
    return time.thread_time() - began


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
