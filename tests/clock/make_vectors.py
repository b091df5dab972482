"""Makes fixtures/cases/clock.json anew: `python -m tests.clock.make_vectors`.

The answers are the Python reference's: they hold other languages to it. Whether the reference is
right is another question, which the cases worked out by hand answer.
"""

import json
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from clock.domain import (
    ActionKind,
    ClockAction,
    Level,
    LevelKind,
    anchor_as_json,
    anchor_of,
    anchor_settled,
    edited,
    level_as_json,
    state_from,
)
from tests.clock.vectors import CASES, answer_of, iso

KINDS = [
    *(kind for kind in ActionKind if kind is not ActionKind.EDITED),
    ActionKind.STARTED,
    ActionKind.STARTED,
    ActionKind.HAND_COUNTED,
]
SEED = 20260307
HISTORIES = 150
EVENINGS = 100
# A summer evening, and the nights in which the clocks of Vienna go back and forward.
BEGINNINGS = [
    datetime(2026, 7, 4, 18, tzinfo=UTC),
    datetime(2026, 10, 24, 23, 30, tzinfo=UTC),
    datetime(2026, 3, 29, 0, 10, tzinfo=UTC),
]


def schedule(rng, begins_at):
    levels = []
    for position in range(rng.randint(1, 9)):
        kind = LevelKind.BREAK if position and rng.random() < 0.2 else LevelKind.PLAY
        in_hands = kind == LevelKind.PLAY and rng.random() < 0.15
        is_open = not in_hands and rng.random() < 0.04
        levels.append(
            Level(
                id=100 + position,
                kind=kind,
                duration=None if in_hands or is_open else timedelta(minutes=rng.randint(1, 30)),
                hands=rng.randint(1, 4) if in_hands else None,
                small_blind=2**position,
                big_blind=2 ** (position + 1),
            )
        )
    if rng.random() < 0.3:
        added_at = begins_at + timedelta(minutes=rng.randint(5, 240))
        levels.append(
            Level(id=199, duration=timedelta(minutes=15), big_blind=9999, added_at=added_at)
        )
    return levels


def history(rng, levels, begins_at, done=()):
    actions, at = list(done), begins_at
    for _ in range(rng.randint(0, 12)):
        kind = rng.choice(KINDS)
        if rng.random() < 0.8:
            at += timedelta(milliseconds=rng.randint(1, 25 * 60_000))
        actions.append(
            ClockAction(
                kind=kind,
                at=at,
                shift=timedelta(seconds=rng.randint(-600, 600)),
                level_id=rng.choice(levels).id,
                elapsed=timedelta(seconds=rng.choice([0, 0, 30, 600])),
                is_running=rng.random() < 0.7,
                last_hands=rng.choice([None, None, 1, 3]),
                stops_after_break=rng.random() < 0.7,
                hands=rng.randint(0, 3),
            )
        )
    return actions, at


def evening(rng, levels, begins_at):
    """Return a history with all there is: last hands, stops after breaks, edits on the way.

    The edit gives every level another length, and leaves alone the one the clock is in.
    """
    stops = ClockAction(
        kind=ActionKind.BREAK_STOP_SET, at=begins_at, stops_after_break=rng.random() < 0.7
    )
    actions, at = history(rng, levels, begins_at, [stops])
    if rng.random() < 0.4:
        at += timedelta(seconds=rng.randint(0, 900))
        anchor = anchor_settled(anchor_of(actions, levels), levels, at)
        levels = [
            level
            if level.id == anchor.level_id or level.duration is None
            else replace(level, duration=level.duration + timedelta(seconds=rng.randint(1, 600)))
            for level in levels
        ]
        actions.append(edited(anchor, at, anchor.level_id))
        actions, at = history(rng, levels, at, actions)
    return actions, at, levels


def instants(rng, anchor, levels, last_at):
    """Return instants to ask about: at random, exactly at a change, and a millisecond before."""
    chosen = [last_at + timedelta(milliseconds=rng.randint(0, 4 * 3_600_000)), last_at]
    change = state_from(anchor, levels, last_at).next_change_at
    if change is not None:
        chosen += [change, change - timedelta(milliseconds=1)]
    return chosen


def main():
    rng = random.Random(SEED)
    schedules, cases = {}, []
    for number in range(HISTORIES + EVENINGS):
        begins_at = BEGINNINGS[number % len(BEGINNINGS)]
        levels = schedule(rng, begins_at)
        if number < HISTORIES:
            actions, last_at = history(rng, levels, begins_at)
        else:
            actions, last_at, levels = evening(rng, levels, begins_at)
        schedules[f"s{number}"] = [
            level_as_json(level) | {"added": iso(level.added_at)} for level in levels
        ]
        anchor = anchor_of(actions, levels)
        if not anchor.has_started and rng.random() < 0.5:
            last_at += timedelta(minutes=rng.randint(0, 30))
            anchor = replace(anchor, starts_at=last_at)
        for now in instants(rng, anchor, levels, last_at):
            cases.append(
                {
                    "name": f"generated {len(cases)}",
                    "schedule": f"s{number}",
                    "anchor": anchor_as_json(anchor)
                    | {
                        "since": iso(anchor.running_since),
                        "began": iso(anchor.began_at),
                        "starts": iso(anchor.starts_at),
                    },
                    "now": iso(now),
                    "expect": answer_of(state_from(anchor, levels, now)),
                }
            )
    file = CASES / "clock.json"
    file.write_text(written(schedules, cases), encoding="utf-8")
    print(f"{len(cases)} cases in {file}")


def written(schedules, cases):
    """Return the file with one schedule or case a line."""
    about = "Generated by tests/clock/make_vectors.py with the Python reference."
    rows = [f'    "{name}": {json.dumps(levels)}' for name, levels in schedules.items()]
    lines = [f"    {json.dumps(case)}" for case in cases]
    return "\n".join(
        [
            "{",
            f'  "about": "{about}",',
            '  "schedules": {',
            ",\n".join(rows),
            "  },",
            '  "cases": [',
            ",\n".join(lines),
            "  ]",
            "}\n",
        ]
    )


if __name__ == "__main__":
    main()
