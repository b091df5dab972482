"""Reads the cases of fixtures/cases/clock*.json, and writes what Python answers in their form."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from clock.domain import ActionKind, Anchor, ClockAction, ClockState, Level, LevelKind, span_ms

CASES = Path(__file__).parents[2] / "fixtures" / "cases"
FILES = [CASES / "clock_by_hand.json", CASES / "clock.json"]


def ms(value):
    return None if value is None else timedelta(milliseconds=value)


def instant(text):
    return None if text is None else datetime.fromisoformat(text)


def level_of(row):
    return Level(
        id=row["id"],
        kind=LevelKind(row["kind"]),
        duration=ms(row["duration"]),
        hands=row["hands"],
        number=row["number"],
        small_blind=row["small_blind"],
        big_blind=row["big_blind"],
        added_at=instant(row["added"]),
    )


def anchor_of_case(row):
    return Anchor(
        level_id=row["level"],
        elapsed=ms(row["elapsed"]),
        running_since=instant(row["since"]),
        hands=row["hands"],
        has_started=row["started"],
        began_at=instant(row["began"]),
        last_hands=row.get("last_hands"),
        stops_after_break=row.get("stops", False),
        starts_at=instant(row.get("starts")),
    )


def action_of(row):
    return ClockAction(
        kind=ActionKind(row["kind"]),
        at=instant(row["at"]),
        shift=ms(row.get("shift", 0)),
        level_id=row.get("level"),
        elapsed=ms(row.get("elapsed", 0)),
        is_running=row.get("running", False),
        hands=row.get("hands", 0),
        has_started=row.get("started", True),
        began_at=instant(row.get("began")),
        last_hands=row.get("last_hands"),
        stops_after_break=row.get("stops", False),
    )


def iso(at):
    return None if at is None else at.astimezone(UTC).isoformat(timespec="milliseconds")


def span(value):
    return None if value is None else span_ms(value)


def answer_of(state: ClockState):
    return {
        "level": state.level.id,
        "elapsed": span(state.elapsed),
        "remaining": span(state.remaining),
        "hands": state.hands,
        "running": state.is_running,
        "started": state.has_started,
        "began": iso(state.level_began_at),
        "next": state.next_level and state.next_level.id,
        "change": iso(state.next_change_at),
        "break": state.next_break and state.next_break.id,
        "to_break": span(state.time_to_break),
        "last_hands": state.last_hands,
        "waiting": state.is_waiting,
    }


def in_utc(answer):
    """Return an expected answer with its instants in the form `answer_of` writes."""
    return (
        {"last_hands": None, "waiting": False}
        | answer
        | {name: iso(instant(answer[name])) for name in ("began", "change")}
    )


def files():
    return [json.loads(file.read_text(encoding="utf-8")) for file in FILES]


def cases():
    """Yield (name, levels, case) of every case there is."""
    for file in files():
        schedules = {
            name: [level_of(row) for row in rows] for name, rows in file["schedules"].items()
        }
        for case in file["cases"]:
            yield case["name"], schedules[case["schedule"]], case
