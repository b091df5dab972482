"""Consequences of settings shown before saving; packages above add theirs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """A consequence shown before saving.

    :param template: Shows `found`.
    :param seen: The same for two that say the same: sent back by who has read it.
    """

    template: str
    found: Any
    seen: str


Step = Callable[[Event, Mapping[str, Any]], Consequence | None]
_STEPS: list[Step] = []


def tells_before_saving(step: Step) -> Step:
    """Register a function that returns the consequence of changed settings, or None."""
    _STEPS.append(step)
    return step


def consequence_unseen(event: Event, changed: Mapping[str, Any], seen: str) -> Consequence | None:
    """Return a consequence the director has not yet seen, or None."""
    for step in _STEPS:
        found = step(event, changed)
        if found is not None and found.seen != seen:
            return found
    return None
