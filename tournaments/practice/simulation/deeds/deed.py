"""What people do on an evening: each deed says at its definition which kinds of entries it makes.

A deed is a function of the evening that returns whether there was occasion for it. Nothing else
lists kinds: what no deed makes is found by comparing with the registry of kinds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from tournaments.practice.simulation.evening import Evening

Act = Callable[["Evening"], bool]
P = ParamSpec("P")
R = TypeVar("R")


class When(StrEnum):
    """In which part of an evening there may be occasion for a deed."""

    BEFORE = "before"  # registered, and nobody has a seat yet
    SEATED = "seated"  # seats are drawn, and play has not begun
    PLAYING = "playing"
    COURSE = "course"  # it belongs to the course of the evening, and is not drawn
    ENDED = "ended"
    ELSEWHERE = "elsewhere"  # at another event, or in the club's own room


@dataclass(frozen=True, slots=True)
class Deed:
    """`often` is how often it is drawn beside the others of its part of the evening."""

    act: Act
    kinds: tuple[str, ...]
    when: When
    often: int


_DEEDS: list[Deed] = []


def deed(
    *services: Any, when: When = When.PLAYING, often: int = 1
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register what people do, with the services that it calls.

    What belongs to the course of an evening, or happens elsewhere, is never drawn: it may take
    what it likes.
    """

    def register(act: Callable[P, R]) -> Callable[P, R]:
        kinds = tuple(service.kind.name for service in services)
        _DEEDS.append(Deed(cast("Act", act), kinds, when, often))
        return act

    return register


def deeds(when: When | None = None) -> Iterator[Deed]:
    """Return what people do, of one part of the evening or of all."""
    return (row for row in _DEEDS if when is None or row.when is when)
