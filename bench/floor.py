"""What the floor costs in the largest hall there was: balancing it, one out, a look at an undo.

1,124 tables and 10,112 players (the largest World Series Main Event) against events of 100, in new
data folders. The rooms are laid out row by row; what is timed goes through selectors and services.
"""

import json
import sys
import time
from datetime import timedelta
from random import Random
from typing import Any

from bench import _undo
from bench._child import in_child, set_up
from bench._report import Report, percentile
from tournaments.changes.commands import Command

TABLES, PLAYERS, SEATS = 1124, 10_112, 10
BALANCE_GOAL_MS, OUT_GOAL = 250.0, 3.0
ROUNDS, OUTS, SMALL, SMALL_EVENTS = 9, 400, 100, 10
LATER = timedelta(minutes=6)  # the room has settled, and what was tapped still holds
MEASURE, UNDO = "--measure", "--undo"


def main(arguments: list[str]) -> int:
    """Measure in children of their own, and show the figures."""
    if MEASURE in arguments:
        set_up()
        print(json.dumps(_undo.measure() if UNDO in arguments else _measure()))
        return 0
    report = Report("floor")
    found = in_child("bench.floor", MEASURE)
    report.add("balance_ms", percentile(found["balance"], 50), "ms", goal=BALANCE_GOAL_MS)
    report.add("balance_best_ms", min(found["balance"]), "ms", goal=None)
    report.add("balance_cpu_ms", found["balance_cpu"], "ms", goal=None)
    report.add("balance_moves", found["moves"], "moves", goal=None)
    report.add("advice_ms", percentile(found["advice"], 50), "ms", goal=None)
    small, large = (percentile(found[name], 99) for name in ("outs_small", "outs_large"))
    report.add("elimination_p99_ratio", large / small, "times", goal=OUT_GOAL)
    report.add(f"elimination_p99_{SMALL}", small, "ms", goal=None)
    report.add(f"elimination_p99_{PLAYERS}", large, "ms", goal=None)
    _undo.add(report, "", in_child("bench.floor", MEASURE, UNDO))
    return report.show()


def uneven(rng: Random) -> list[int]:
    """Return how many sit at each table: all the players, from four to ten at a table."""
    sizes = [SEATS - 1] * TABLES
    for _ in range(3 * TABLES):
        one, other = rng.sample(range(TABLES), 2)
        if sizes[one] > 4 and sizes[other] < SEATS:
            sizes[one], sizes[other] = sizes[one] - 1, sizes[other] + 1
    while sum(sizes) > PLAYERS:
        sizes[max(range(TABLES), key=sizes.__getitem__)] -= 1
    return sizes


def _measure() -> dict[str, Any]:
    """Return every single time, in milliseconds."""
    from bench._rooms import NOON, running_room
    from tournaments.seating.selectors.balancing import floor_advice

    hall = running_room("Halle", uneven(Random(3)), seats=SEATS)
    _balance(hall)  # so that nothing is imported or compiled while it is timed
    began = time.process_time()
    balance = [_balance(hall) for _ in range(ROUNDS)]
    cpu = (time.process_time() - began) * 1000 / ROUNDS
    later = NOON + LATER
    advice = [_timed(lambda: floor_advice(hall, later)) for _ in range(ROUNDS)]
    small = []
    for number in range(SMALL_EVENTS):
        room = running_room(f"Klein {number}", [SEATS] * (SMALL // SEATS), seats=SEATS)
        small += _outs(room, OUTS // SMALL_EVENTS)
    return {
        "balance": [took for took, _moves in balance],
        "balance_cpu": cpu,
        "moves": balance[0][1],
        "advice": [took for took, _nothing in advice],
        "outs_small": small,
        "outs_large": _outs(hall, OUTS),
    }


def _balance(event: Any) -> tuple[float, int]:
    """Return how long all suggestions took with their reasons, and how many there are."""
    from bench._rooms import NOON
    from tournaments.dashboard.selectors.tables import why_move
    from tournaments.seating.domain.seating import balancing_moves
    from tournaments.seating.selectors.balancing import suggestions_for
    from tournaments.seating.selectors.tables import table_counts

    def suggest() -> list[list[str]]:
        transfers = balancing_moves(table_counts(event), event.rule_set.balancing_tolerance)
        moves = suggestions_for(event, transfers, NOON + LATER)
        return [why_move(*pair) for pair in zip(moves, transfers, strict=True)]

    took, reasons = _timed(suggest)
    return took, len(reasons)


def _outs(event: Any, count: int) -> list[float]:
    """Put so many out, one by one, and return how long each took."""
    from bench._rooms import NOON
    from tournaments.changes.access import SYSTEM
    from tournaments.models import Entry
    from tournaments.play.services.eliminations import entries_eliminate

    entries = list(Entry.objects.filter(event=event).order_by("?")[:count])
    at = NOON + timedelta(minutes=30)
    return [
        _timed(
            lambda e=entry: entries_eliminate(Command(event=event, by=SYSTEM, at=at), entries=[e])
        )[0]  # type: ignore[misc]
        for entry in entries
    ]


def _timed(what: Any) -> tuple[float, Any]:
    began = time.perf_counter()
    found = what()
    return (time.perf_counter() - began) * 1000, found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
