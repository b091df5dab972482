"""The edition of a rule book, as printed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any


def edition_of(version: str) -> tuple[str, date | None]:
    """Return an edition as printed, split from its date if it ends with one.

    >>> edition_of("3.0, 22.02.2025")
    ('3.0', datetime.date(2025, 2, 22))
    >>> edition_of("2024"), edition_of("2, 31.02.2025")
    (('2024', None), ('2, 31.02.2025', None))
    """
    edition, _comma, printed = version.rpartition(", ")
    day, _dot, rest = printed.partition(".")
    month, _dot, year = rest.partition(".")
    try:
        return edition, date(int(year), int(month), int(day))
    except ValueError:
        return version, None


# --- The rules of an event after each change


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleChange:
    """One change of the rules.

    :param number: The number of its log entry.
    :param changed: By name the value before and after; empty for an undo.
    :param undoes: The number of the entry it undoes, else None.
    """

    number: int
    changed: Mapping[str, tuple[Any, Any]] = field(default_factory=dict)
    undoes: int | None = None


def rules_through(now: Mapping[str, Any], changes: Sequence[RuleChange]) -> list[dict[str, Any]]:
    """Return the rules before the first change and after each change, in order.

    An undo restores the values its change had replaced; the rest stays.

    :param now: The rules after all changes, by name.
    :param changes: All changes, earliest first.

    >>> made = RuleChange(number=4, changed={"tolerance": (1, 2)})
    >>> back = RuleChange(number=9, undoes=4)
    >>> [rules["tolerance"] for rules in rules_through({"tolerance": 1}, [made, back])]
    [1, 2, 1]
    """
    first = dict(now)
    for change in reversed(changes):
        first |= {name: before for name, (before, _after) in change.changed.items()}
    by_number = {change.number: change for change in changes}
    found = [first]
    for change in changes:
        taken_back = by_number.get(change.undoes) if change.undoes is not None else None
        then = (
            {name: after for name, (_before, after) in change.changed.items()}
            if taken_back is None
            else {name: before for name, (before, _after) in taken_back.changed.items()}
        )
        found.append({**found[-1], **then})
    return found
