"""Bags at the end of a day: two words for each, and their sum against the chips in play.

The player counts, staff verify, both sign: on the phone or on paper. A bag is sealed once two words
agree and none differs.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class Word(StrEnum):
    """The source of a word about a bag. A slip signed on paper replaces the player's."""

    PLAYER = "player"
    STAFF = "staff"
    PAPER = "paper"


class BagState(StrEnum):
    MISSING = "missing"
    SAID = "said"
    COUNTED = "counted"
    DISPUTED = "disputed"
    SEALED = "sealed"


def bag_state(words: Mapping[Word, int]) -> BagState:
    """Return the state of a bag.

    >>> bag_state({Word.PLAYER: 402500, Word.STAFF: 402000})
    <BagState.DISPUTED: 'disputed'>
    >>> bag_state({Word.STAFF: 88000, Word.PAPER: 88000})
    <BagState.SEALED: 'sealed'>
    """
    if not words:
        return BagState.MISSING
    if len(set(words.values())) > 1:
        return BagState.DISPUTED
    if len(words) > 1:
        return BagState.SEALED
    return BagState.COUNTED if Word.STAFF in words else BagState.SAID


def bag_amount(words: Mapping[Word, int]) -> int | None:
    """Return the amount of a bag as far as it is known; None while missing or disputed.

    >>> bag_amount({Word.STAFF: 88000}), bag_amount({})
    (88000, None)
    """
    amounts = set(words.values())
    return amounts.pop() if len(amounts) == 1 else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reckoning:
    """The bags of a day against the chips in play."""

    in_play: int
    bagged: int
    bags: int
    open: int = 0
    lead: int = 0

    @property
    def difference(self) -> int:
        return self.bagged - self.in_play

    @property
    def sealed(self) -> int:
        return self.bags - self.open

    @property
    def average(self) -> int:
        return self.in_play // self.bags if self.bags else 0

    @property
    def closes(self) -> bool:
        """Tell whether the day may be ended without the director's reason."""
        return not self.open and not self.difference


def reckoned(in_play: int, amounts: Sequence[int], *, still_open: int = 0) -> Reckoning:
    """Return the sum of the bags against the chips in play, and the leader's lead.

    >>> reckoned(1000, [600, 300]).difference, reckoned(1000, [600, 300]).lead
    (-100, 300)
    """
    first, second, *_rest = [*sorted(amounts, reverse=True), 0, 0]
    return Reckoning(
        in_play=in_play,
        bagged=sum(amounts),
        bags=len(amounts) + still_open,
        open=still_open,
        lead=first - second if len(amounts) > 1 else 0,
    )


def numbers_twice(numbers: Iterable[int]) -> list[int]:
    """Return the seal numbers on more than one bag.

    >>> numbers_twice([27, 28, 27])
    [27]
    """
    return sorted(number for number, count in Counter(numbers).items() if count > 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of the list of bags; equal bags share the rank."""

    key: int
    rank: int
    chips: int
    big_blinds: int | None


def bag_list(bags: Mapping[int, int], big_blind: int = 0) -> list[Line]:
    """Return the bags, the largest first, in big blinds of the level of the next day.

    >>> [(line.key, line.rank, line.big_blinds) for line in bag_list({7: 500, 8: 900}, 100)]
    [(8, 1, 9), (7, 2, 5)]
    """
    ordered = sorted(bags.items(), key=lambda bag: (-bag[1], bag[0]))
    found: list[Line] = []
    for position, (key, chips) in enumerate(ordered, start=1):
        shares = found and found[-1].chips == chips
        found.append(
            Line(
                key=key,
                rank=found[-1].rank if shares else position,
                chips=chips,
                big_blinds=chips // big_blind if big_blind else None,
            )
        )
    return found
