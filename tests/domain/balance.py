"""What balanced tables are, and how few moves lead there: what the program's moves are held to."""

from collections.abc import Sequence
from itertools import product

from tournaments.seating.domain.seating import TableCount


def is_balanced(counts: Sequence[TableCount], tolerance: int = 1) -> bool:
    """Tell whether no table is more than `tolerance` short of the largest (TDA 2024 11-C).

    A table without a free seat is never short: nobody can be moved there.
    """
    most = max((count.players for count in counts), default=0)
    return all(count.is_full or most - count.players <= tolerance for count in counts)


def fewest_moves(counts: Sequence[TableCount], tolerance: int = 1) -> int:
    """Return the smallest number of moves after which the tables are balanced: a closed form.

    Balanced means that for some level every table holds at least that many, and at most `tolerance`
    more, or as many of these as its seats allow. For one level each move mends at most one player
    too many and one too few, and some move always mends both while both exist; so it takes the
    larger of the two sums. The answer is the smallest over all levels that can hold the field.
    """
    field = sum(count.players for count in counts)
    answers = []
    for level in range(max((count.seats for count in counts), default=0) + 1):
        too_many = too_few = least = most = 0
        for count in counts:
            low, high = min(level, count.seats), min(level + tolerance, count.seats)
            least, most = least + low, most + high
            too_many += max(0, count.players - high)
            too_few += max(0, low - count.players)
        if least <= field <= most:
            answers.append(max(too_many, too_few))
    return min(answers)


def fewest_by_trying(counts: Sequence[TableCount], tolerance: int) -> int:
    """Look at every way the field can sit and count who must move for it."""
    field, answers = sum(count.players for count in counts), []
    for sizes in product(*(range(count.seats + 1) for count in counts)):
        sat = [
            TableCount(count.number, size, count.seats)
            for count, size in zip(counts, sizes, strict=True)
        ]
        if sum(sizes) == field and is_balanced(sat, tolerance):
            pairs = zip(counts, sizes, strict=True)
            answers.append(sum(max(0, count.players - size) for count, size in pairs))
    return min(answers)
