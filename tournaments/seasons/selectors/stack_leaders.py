"""The chip leaders during an event, from counted stacks. Reads only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from tournaments.models import Event
from tournaments.play.selectors.ranking import Standing
from tournaments.play.selectors.stacks import stack_rounds
from tournaments.seasons.domain.review import StackLine, StackLines, stack_lines

MINUTE = timedelta(minutes=1)
MOST_TOLD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """One count: time, break, number counted, and the leaders with their chips."""

    name: str
    at: datetime
    counted: int
    first: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaders:
    """The counts of an event, and the picture of the leaders if there are two or more.

    :param lines: Each line of the picture with its name.
    """

    counts: Sequence[Count]
    picture: StackLines | None
    lines: Sequence[tuple[StackLine, str]]
    marks: Sequence[tuple[int, datetime]]


def leaders_of_evening(
    event: Event,
    every: Sequence[Standing],
    names: Mapping[int, str],
    *,
    began: datetime,
    end: float,
    first_mark: int,
) -> Leaders | None:
    """Return the chip leaders by time; None without counts.

    :param names: Names for this page, by person.
    :param end: The event's duration in minutes.
    """
    person = {line.entry: line.person for line in every}
    rounds = [
        (one, {entry: chips for entry, chips in one.stacks.items() if entry in person})
        for one in stack_rounds(event)
    ]
    rounds = [(one, stacks) for one, stacks in rounds if stacks]
    if not rounds:
        return None
    counts = [
        Count(
            name=one.name,
            at=one.at,
            counted=len(stacks),
            first=[(names[person[entry]], stacks[entry]) for entry in _first(stacks)],
        )
        for one, stacks in rounds
    ]
    by_minute = [
        (float(min(max((one.at - began) / MINUTE, 0), end)), stacks) for one, stacks in rounds
    ]
    picture = stack_lines(by_minute, end, first_mark)
    return Leaders(
        counts=counts,
        picture=picture,
        lines=[(line, names[person[line.key]]) for line in picture.lines] if picture else [],
        marks=[(x, began + at * MINUTE) for x, at in picture.marks] if picture else [],
    )


def _first(stacks: Mapping[int, int]) -> list[int]:
    return sorted(stacks, key=lambda entry: (-stacks[entry], entry))[:MOST_TOLD]
