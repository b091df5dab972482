"""A blind schedule as a JSON file, with a row for each level and break.

Whether the rows make a valid schedule is checked elsewhere.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import timedelta
from typing import Any

from clock.domain import AnteKind, Level, LevelKind, LimitKind
from tournaments.event.domain.chips import MOST_CHIPS

FORMAT = "krru-schedule"
VERSION = 1
MOST_BYTES = 5_000_000  # an evening of another program is large
MOST_ROWS = 100
MOST_MINUTES, MOST_HANDS = 24 * 60, 200
LONGEST_NAME, LONGEST_GAME = 80, 40
AMOUNTS = ("small_blind", "big_blind", "small_bet", "big_bet", "ante", "bring_in")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleFile:
    """The content of a file. A row without minutes and hands lasts `level_minutes`.

    :param levels: Rows as templates hold them: kind, minutes, hands, amounts, colour_up.
    """

    name: str
    starting_stack: int
    level_minutes: int
    levels: Sequence[Mapping[str, Any]]


class NotASchedule(Exception):
    """The file is no schedule.

    :ivar code: no_json, other_format, newer (a version not known here), bad_head (name, stack or
        minutes), no_rows, too_many_rows, bad_row.
    :ivar row: With bad_row, its number, from 1.
    """

    def __init__(self, code: str, row: int = 0) -> None:
        super().__init__(code)
        self.code, self.row = code, row


def schedule_as_text(schedule: ScheduleFile) -> str:
    """Return the file of a schedule.

    >>> one = ScheduleFile(name="Kurz", starting_stack=100, level_minutes=20,
    ...                    levels=[{"kind": "play", "small_blind": 1, "big_blind": 2}])
    >>> schedule_read(schedule_as_text(one)).levels[0]["big_blind"]
    2
    """
    data = {"format": FORMAT, "version": VERSION, **asdict(schedule)}
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


TABLE = ("Stufe", "Small Blind", "Big Blind", "Ante", "Minuten", "Aus dem Spiel")


def schedule_as_table(schedule: ScheduleFile) -> list[list[object]]:
    """Return blinds, antes and breaks as a table; what has no column stays in the JSON.

    >>> one = ScheduleFile(name="", starting_stack=1, level_minutes=20, levels=[
    ...     {"kind": "play", "small_blind": 1, "big_blind": 2}, {"kind": "break", "minutes": 5}])
    >>> schedule_as_table(one)[1:]
    [[1, 1, 2, 0, 20, ''], ['Pause', '', '', '', 5, '']]
    """
    rows: list[list[object]] = [list(TABLE)]
    number = 0
    for row in schedule.levels:
        is_play = row["kind"] == LevelKind.PLAY
        number += is_play
        blinds = [row.get(name, 0) if is_play else "" for name in ("small_blind", "big_blind")]
        minutes = row.get("minutes") or (schedule.level_minutes if is_play else "")
        out = ", ".join(map(str, row.get("colour_up", ())))
        ante = row.get("ante", 0) if is_play else ""
        rows.append([number if is_play else "Pause", *blinds, ante, minutes, out])
    return rows


def schedule_read(text: str) -> ScheduleFile:
    """Read a schedule file.

    :raises NotASchedule: With what is wrong.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise NotASchedule("no_json") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise NotASchedule("other_format")
    if data.get("version") != VERSION:
        raise NotASchedule("newer")
    name, rows = data.get("name"), data.get("levels")
    stack, minutes = data.get("starting_stack", 0), data.get("level_minutes", 0)
    if not isinstance(name, str) or not 0 < len(name.strip()) <= LONGEST_NAME:
        raise NotASchedule("bad_head")
    if not (_is(stack, 1, MOST_CHIPS) and _is(minutes, 1, MOST_MINUTES)):
        raise NotASchedule("bad_head")
    if not isinstance(rows, list) or not rows:
        raise NotASchedule("no_rows")
    if len(rows) > MOST_ROWS:
        raise NotASchedule("too_many_rows")
    return ScheduleFile(
        name=name.strip(),
        starting_stack=stack,
        level_minutes=minutes,
        levels=[_row(row, number) for number, row in enumerate(rows, start=1)],
    )


def levels_of(schedule: ScheduleFile) -> list[Level]:
    """Return the rows as levels with the ids 1, 2, …, for checking.

    >>> one = ScheduleFile(name="", starting_stack=1, level_minutes=20, levels=[{"kind": "play"}])
    >>> levels_of(one)[0].duration
    datetime.timedelta(seconds=1200)
    """
    found = []
    for number, row in enumerate(schedule.levels, start=1):
        minutes, hands = row.get("minutes"), row.get("hands")
        if minutes is None and hands is None:
            minutes = schedule.level_minutes
        found.append(
            Level(
                id=number,
                kind=LevelKind(row["kind"]),
                duration=None if minutes is None else timedelta(minutes=minutes),
                hands=hands,
                ante_kind=AnteKind(row.get("ante_kind", AnteKind.EACH)),
                game=row.get("game", ""),
                limit=row.get("limit", ""),
                colour_up=tuple(row.get("colour_up", ())),
                **{name: row.get(name, 0) for name in AMOUNTS},
            )
        )
    return found


def _row(row: Any, number: int) -> dict[str, Any]:
    """Return a row's known fields; drop the others."""
    if not isinstance(row, dict):
        raise NotASchedule("bad_row", number)
    values = row.get("colour_up", [])
    known = {
        "kind": row.get("kind", LevelKind.PLAY.value),
        "minutes": row.get("minutes"),
        "hands": row.get("hands"),
        "ante_kind": row.get("ante_kind", AnteKind.EACH.value),
        "game": row.get("game", ""),
        "limit": row.get("limit", ""),
        "colour_up": values,
        **{name: row.get(name, 0) for name in AMOUNTS},
    }
    is_good = (
        known["kind"] in [kind.value for kind in LevelKind]
        and (known["minutes"] is None or _is(known["minutes"], 1, MOST_MINUTES))
        and (known["hands"] is None or _is(known["hands"], 1, MOST_HANDS))
        and known["ante_kind"] in [kind.value for kind in AnteKind]
        and isinstance(known["game"], str)
        and len(known["game"]) <= LONGEST_GAME
        and known["limit"] in ["", *(kind.value for kind in LimitKind)]
        and isinstance(values, list)
        and len(values) <= MOST_ROWS
        and all(_is(value, 1, MOST_CHIPS) for value in values)
        and all(_is(known[name], 0, MOST_CHIPS) for name in AMOUNTS)
    )
    if not is_good:
        raise NotASchedule("bad_row", number)
    return known


def _is(number: Any, least: int, most: int) -> bool:
    is_whole = isinstance(number, int) and not isinstance(number, bool)
    return is_whole and least <= number <= most
