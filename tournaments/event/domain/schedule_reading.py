"""Blind schedules as others write them: tables, lines, JSON of other clocks, .tdt files.

All become the program's own form, and what has no place in it becomes a note.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tournaments.event.domain import schedule_files
from tournaments.event.domain.schedule_amounts import (
    amount_of,
    ante_of,
    is_number,
    minutes_of,
    taken_out,
)
from tournaments.event.domain.tdt import KIND, NotATournament, all_of_kind, looks_like_tdt, tdt_read

USUAL_MINUTES = 20
BIG_BLINDS = 100  # of a starting stack that is not told
LONGEST_LEVEL = 240

_PAUSE = re.compile(r"pause|break|unterbrechung|essen|dinner", re.IGNORECASE)
_OF_LEVEL = re.compile(r"(?:level|stufe|lvl|runde|round|l)\.?\s*#?\d+\s*[.:)]?", re.IGNORECASE)
_BLINDS = re.compile(
    r"(\d[\d.,'’]*[kKmM]?)\s*/\s*(\d[\d.,'’]*[kKmM]?)(?:\s*[/(]\s*(\d[\d.,'’]*[kKmM]?)\)?)?"
)
_ANTE = re.compile(r"ante\D{0,4}(\d[\d.,'’]*[kKmM]?)", re.IGNORECASE)
_OF_BIG_BLIND = re.compile(r"\bbba\b|\bbb[- ]?ante|big[- ]?blind[- ]?ante", re.IGNORECASE)
_THEN = re.compile(r"[,;+(]?\s*\b(?:danach|dann|anschließend|then|followed by)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.,])\d[\d.,'’]*[kKmM]?(?![\w:])")
_ADDON = re.compile(r"add[- ]?on|re-?buy", re.IGNORECASE)

HEADINGS = {
    "number": "stufe level lvl nr nr. # runde round",
    "small_blind": "small|small blind|sb|kleiner blind|smallblind|small_blind",
    "big_blind": "big|big blind|bb|großer blind|grosser blind|bigblind|big_blind",
    "blinds": "blinds|blind|sb/bb",
    "ante": "ante|antes|bba|bb ante|bb-ante|big blind ante",
    "minutes": "minuten|min|min.|dauer|minutes|duration|länge|zeit|time|length|minuten je stufe",
    "seconds": "seconds|sekunden|sec|duration seconds",
    "note": "bemerkung|anmerkung|kommentar|comment|name|note|hinweis|beschreibung|typ|type|art|kind"
    "|description",
    "colour_up": "aus dem spiel|color up|colour up|chip up|colour_up",
}
NAMES = {
    word: name
    for name, words in HEADINGS.items()
    for word in (words.split("|") if "|" in words else words.split())
}
STACKS = ("startingstack", "startstapel", "startingchips", "stack", "startstack", "chips")
TITLES = ("name", "title", "titel")
LENGTHS = ("levelminutes", "roundlength", "levellength", "levelduration", "minutes", "duration")


@dataclass(slots=True)
class Found:
    """A schedule on its way: rows in the program's form, and what else is known."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    name: str = ""
    stack: int = 0
    minutes: int = 0


@dataclass(frozen=True, slots=True)
class Reading:
    """A schedule that was read, with texts of the file that have no place in it."""

    schedule: schedule_files.ScheduleFile
    notes: tuple[str, ...] = ()


def schedule_from(text: str, *, name: str = "", stack: int = 0, usual: str = "?") -> Reading:
    """Read a schedule in any known form; a name or a stack that is told counts.

    :param usual: Its name if neither told nor in the text.

    >>> read = schedule_from("Stufe;SB;BB;Min\\n1;25;50;20\\nPause;;;10\\n2;50;100;20", name="A")
    >>> [(row["kind"], row["big_blind"], row["minutes"]) for row in read.schedule.levels]
    [('play', 50, 20), ('break', 0, 10), ('play', 100, 20)]
    >>> read.schedule.starting_stack
    5000

    :raises NotASchedule: With what is wrong.
    """
    data = _json_of(text)
    if isinstance(data, dict) and data.get("format") == schedule_files.FORMAT:
        own: dict[str, Any] = {"name": name} if name else {}
        own |= {"starting_stack": stack} if stack else {}
        return Reading(schedule_files.schedule_read(json.dumps(data | own)))
    found = _of_tdt(text) if looks_like_tdt(text) else None
    if found is None:
        found = _of_table(text) if data is None else _of_json(data)
    if not any(row["kind"] == "play" for row in found.rows):
        raise schedule_files.NotASchedule("other_format" if data is None else "no_json")
    _mark_big_blind_antes(found.rows)
    play = [row for row in found.rows if row["kind"] == "play"]
    minutes = [row["minutes"] for row in play if row["minutes"]]
    usual_minutes = max(minutes, key=minutes.count, default=USUAL_MINUTES)
    made = {
        "format": schedule_files.FORMAT,
        "version": schedule_files.VERSION,
        "name": name or found.name or usual,
        "starting_stack": stack or found.stack or BIG_BLINDS * play[0]["big_blind"],
        "level_minutes": found.minutes or usual_minutes,
        "levels": found.rows,
    }
    return Reading(schedule_files.schedule_read(json.dumps(made)), tuple(found.notes))


def _mark_big_blind_antes(rows: Sequence[dict[str, Any]]) -> None:
    """Take antes that are always as large as the big blind for those of the big blind."""
    with_ante = [row for row in rows if row.get("ante")]
    if with_ante and all(row["ante"] == row["big_blind"] for row in with_ante):
        for row in with_ante:
            row["ante_kind"] = "big_blind"


def _play(small: int, big: int, ante: int = 0, minutes: int | None = None) -> dict[str, Any]:
    return {
        "kind": "play", "small_blind": small, "big_blind": big, "ante": ante, "minutes": minutes,
    }  # fmt: skip


def _break(minutes: int | None, taken_out: Sequence[int] = ()) -> dict[str, Any]:
    return {"kind": "break", "minutes": minutes, "colour_up": list(taken_out)}


# --- Tables and lines


def _of_table(text: str) -> Found:
    cells = [[cell.strip() for cell in row] for row in _cells(text)]
    rows = [row for row in cells if any(row)]
    for at, row in enumerate(rows[:10]):
        names = [NAMES.get(cell.casefold().strip(" :*"), "") for cell in row]
        if {"big_blind", "blinds"} & set(names):
            told = (minutes_of(cell) for cell in row if "min" in cell)
            found = Found(minutes=next(filter(None, told), 0))
            for line in rows[at + 1 :]:
                _take_named(found, dict(zip(names, line, strict=False)), " ".join(line))
            return found
    return _of_lines([" ".join(filter(None, row)) for row in rows])


def _cells(text: str) -> Iterator[list[str]]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("sep=")]
    delimiter = max(";\t|,", key=lambda one: sum(one in line for line in lines))
    if sum(delimiter in line for line in lines) * 2 < len(lines):
        return iter([line] for line in lines)
    return csv.reader(io.StringIO("\n".join(lines)), delimiter=delimiter)


def _take_named(found: Found, cells: Mapping[str, str], line: str) -> None:
    minutes = minutes_of(cells.get("minutes", ""))
    if minutes is None and cells.get("seconds", "").isdecimal():
        minutes = round(int(cells["seconds"]) / 60)
    blinds = _BLINDS.search(cells.get("blinds", ""))
    small, big = amount_of(cells.get("small_blind", "")), amount_of(cells.get("big_blind", ""))
    ante = amount_of(cells.get("ante", "")) or cells.get("ante", "")
    if blinds is not None:
        small, big = amount_of(blinds[1]), amount_of(blinds[2])
        ante = ante or amount_of(blinds[3] or "")
    minutes = minutes_of(line) if minutes is None and not big else minutes
    if not big and (_PAUSE.search(line) or minutes):
        named = cells.get("colour_up", "")
        _take_break(found, line, minutes, [amount_of(named)] if amount_of(named) else None)
    elif big:
        found.rows.append(_play(small, big, ante_of(ante, big), minutes))
        for cell in filter(_PAUSE.search, cells.values()):
            _take_break(found, cell, minutes_of(cell))


def _take_break(
    found: Found, line: str, minutes: int | None, chips: Sequence[int] | None = None
) -> None:
    found.rows.append(_break(minutes, taken_out(line) if chips is None else chips))
    if _ADDON.search(line):
        found.notes.append(" ".join(line.split()))


def _of_lines(lines: Sequence[str]) -> Found:
    """Read lines of blinds "25/50", or of numbers whose columns are told by their course."""
    found, plain = Found(), []
    lines = [part for line in lines for part in _THEN.split(line) if part.strip()]
    for line in lines:
        bare = _OF_LEVEL.sub(" ", line)
        if not _PAUSE.search(line) and _BLINDS.search(bare) is None:
            numbers = [amount_of(number) for number in _NUMBER.findall(_leading(bare))]
            if len(numbers) > 1:
                plain.append(numbers)
    columns = _columns_of(plain)
    for line in lines:
        bare = _OF_LEVEL.sub(" ", line)
        blinds = _BLINDS.search(bare)
        numbers = [amount_of(number) for number in _NUMBER.findall(_leading(bare))]
        if _PAUSE.search(line):
            told = minutes_of(line) or next((n for n in numbers if n <= LONGEST_LEVEL), None)
            first = re.match(r"\s*(\d+)\b", bare)
            _take_break(found, line, int(first[1]) if first else told)
        elif blinds is not None:
            found.rows.append(_of_blinds(bare, blinds))
        elif columns and len(numbers) > max(columns.values()):
            picked = {name: numbers[at] for name, at in columns.items()}
            minutes = picked.get("minutes") or minutes_of(line)
            row = (picked["small"], picked["big"], picked.get("ante", 0), minutes)
            found.rows.append(_play(*row))
    return found


def _leading(line: str) -> str:
    """Return the numbers of a line before a word; units of time are no words."""
    bare = re.sub(
        r"\b(?:min(?:uten|utes)?|sb|bb|ante|blinds?)\b\.?:?", " ", line, flags=re.IGNORECASE
    )
    word = re.search(r"[^\W\d_]{2,}", bare)
    head = bare[: word.start()] if word else bare
    return head if _NUMBER.search(head) else bare


def _of_blinds(line: str, blinds: re.Match[str]) -> dict[str, Any]:
    ante = _ANTE.search(line)
    rest = line[: blinds.start()] + " " + line[blinds.end() :]
    if ante is not None:
        rest = rest.replace(ante[0], " ")
    told = minutes_of(rest)
    if told is None:
        numbers = [amount_of(number) for number in _NUMBER.findall(rest)]
        told = next((n for n in reversed(numbers) if 1 < n <= LONGEST_LEVEL), None)
    small, big = amount_of(blinds[1]), amount_of(blinds[2])
    own = amount_of(ante[1]) if ante else amount_of(blinds[3] or "")
    if ante is None and _OF_BIG_BLIND.search(line):
        own = big
    return _play(small, big, own, told)


def _columns_of(rows: Sequence[Sequence[int]]) -> dict[str, int]:
    """Return which column of numbers is which: blinds are a pair, minutes hardly change.

    >>> _columns_of([[30, 3, 6, 0], [30, 5, 10, 0], [30, 10, 20, 5]])
    {'small': 1, 'big': 2, 'ante': 3, 'minutes': 0}
    >>> _columns_of([[1, 25, 50, 20], [2, 50, 100, 20]])
    {'small': 1, 'big': 2, 'minutes': 3}
    """
    if not rows:
        return {}
    width = min(map(len, rows))
    columns = [[row[at] for row in rows] for at in range(width)]
    small = next((at for at in range(width - 1) if _are_blinds(columns[at], columns[at + 1])), None)
    if small is None:
        return {}
    found = {"small": small, "big": small + 1}
    others = [at for at in range(width) if at not in found.values()]
    others = [at for at in others if at > small or not _counts(columns[at])]
    steady = [at for at in others if _is_steady(columns[at])]
    antes = [at for at in others if at > small and at not in steady[-1:]]
    if antes:
        found["ante"] = antes[0]
    minutes = [at for at in steady if at != found.get("ante")]
    if minutes:
        found["minutes"] = minutes[-1]
    return found


def _are_blinds(small: Sequence[int], big: Sequence[int]) -> bool:
    pairs = zip(small, big, strict=True)
    return all(0 < one < other <= 4 * one for one, other in pairs) and list(big) == sorted(big)


def _counts(column: Sequence[int]) -> bool:
    return list(column) == list(range(column[0], column[0] + len(column))) and column[0] < 2


def _is_steady(column: Sequence[int]) -> bool:
    return min(column) > 0 and max(column) <= min(LONGEST_LEVEL, 4 * min(column))


# --- JSON of other clocks


def _json_of(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _plain(name: Any) -> str:
    return re.sub(r"[^a-zäöü]", "", str(name).casefold())


def _of_json(data: Any) -> Found:
    """Read the first list of levels anywhere in the data."""
    found = Found()
    waiting: list[tuple[Any, dict[str, Any]]] = [(data, {})]
    while waiting:
        one, around = waiting.pop(0)
        if isinstance(one, dict):
            about = around | {_plain(key): value for key, value in one.items()}
            waiting += [(value, about) for value in one.values()]
        elif isinstance(one, list):
            rows = [_row_of_json(item) for item in one]
            if sum(row is not None and row["kind"] == "play" for row in rows) * 2 > len(one):
                found.rows = [row for row in rows if row is not None]
                _whole_minutes(found.rows)
                found.name = _first(around, TITLES, str) or ""
                found.stack = _first(around, STACKS, int) or 0
                found.minutes = _first(around, LENGTHS, int) or 0
                return found
            waiting += [(item, around) for item in one]
    return found


def _first(about: Mapping[str, Any], names: Iterable[str], kind: type) -> Any:
    return next((about[name] for name in names if isinstance(about.get(name), kind)), None)


_SMALL, _BIG = ("smallblind", "small", "sb"), ("bigblind", "big", "bb")
_ANTES = ("ante", "bbante", "bigblindante", "bba")
_LENGTHS = ("minutes", "durationminutes", "mins", "minuten", "duration", "dauer", "length", "time")


def _row_of_json(item: Any) -> dict[str, Any] | None:
    if isinstance(item, list):
        numbers = [int(n) for n in item[:4] if isinstance(n, int | float)]
        is_row = len(numbers) == len(item[:4]) and len(numbers) >= 2
        is_row = is_row and 0 < numbers[0] < numbers[1] <= 4 * numbers[0]
        return _play(numbers[0], numbers[1], *numbers[2:4]) if is_row else None
    if not isinstance(item, dict):
        return None
    named = {_plain(key): value for key, value in item.items()}
    length = next((told for name in _LENGTHS if (told := _length_of(named.get(name)))), None)
    seconds = next((v for k, v in named.items() if "sec" in k and is_number(v)), None)
    minutes = round(seconds / 60) if seconds and length is None else length
    kind = str(named.get("type", named.get("kind", "")))
    pause = next(
        (named[name] for name in ("isbreak", "break", "ispause", "pause") if name in named), 0
    )
    small, big = (next(filter(None, (_chips_of(named.get(n)) for n in names)), 0)
                  for names in (_SMALL, _BIG))  # fmt: skip
    blinds = _BLINDS.search(str(named.get("blinds", "")))
    if blinds is not None and not big:
        small, big = amount_of(blinds[1]), amount_of(blinds[2])
    if not big and (pause or _PAUSE.search(kind) or _PAUSE.search(str(named.get("name", "")))):
        told = pause if is_number(pause) and pause else minutes
        return _break(told, taken_out(json.dumps(item, ensure_ascii=False)))
    ante = next((named[name] for name in _ANTES if named.get(name)), 0)
    return _play(small, big, ante_of(ante, big), minutes) if big else None


def _length_of(told: Any) -> Any:
    return minutes_of(told) if isinstance(told, str) else told if is_number(told) else None


def _chips_of(told: Any) -> int:
    if isinstance(told, str):
        return amount_of(told)
    return told if isinstance(told, int) and is_number(told) else 0


def _whole_minutes(rows: Sequence[dict[str, Any]]) -> None:
    """Make minutes of seconds or milliseconds, as large as they are, in whole numbers."""
    told = [row["minutes"] for row in rows if row["minutes"]]
    least = min(told, default=0)
    by = 60_000 if least >= 60_000 else 60 if least >= LONGEST_LEVEL else 1
    for row in rows:
        if row["minutes"]:
            row["minutes"] = int(row["minutes"] / by + 0.5)


# --- The Tournament Director


def _of_tdt(text: str) -> Found | None:
    try:
        data = tdt_read(text)
    except NotATournament:
        return None
    found = Found()
    for levels in all_of_kind(data, "GameLevels")[:1]:
        for level in levels.get("Levels") or ():
            minutes = int(level.get("Minutes") or 0) or None
            if level.get(KIND) == "GameBreak":
                found.rows.append(_break(minutes))
            else:
                small, big, ante = (
                    int(level.get(name) or 0) for name in ("SmallBlind", "BigBlind", "Ante")
                )
                found.rows.append(_play(small, big, ante, minutes))
    for tournament in all_of_kind(data, "Tournament")[:1]:
        found.name = str(tournament.get("Title") or "")
    chips = [int(one.get("Chips") or 0) for one in all_of_kind(data, "GameBuyin")]
    found.stack = max(chips, key=chips.count, default=0)
    return found
