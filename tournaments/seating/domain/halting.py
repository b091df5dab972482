"""Tables to halt because they are far short (TDA 2024 11-D)."""

from collections.abc import Collection, Sequence

from tournaments.seating.domain.button import TableView, clockwise, next_big_blind
from tournaments.seating.domain.seating import TableCount


def far_short(counts: Sequence[TableCount], short_by: int) -> dict[int, int]:
    """Return the tables at least `short_by` players below the fullest, with their shortage.

    A full or empty table is never short (TDA 2024 11-D).

    >>> far_short([TableCount(1, 9, 9), TableCount(2, 6, 9), TableCount(3, 7, 9)], 3)
    {2: 3}
    """
    most = max((count.players for count in counts), default=0)
    return {
        count.number: most - count.players
        for count in counts
        if count.players and not count.is_full and most - count.players >= short_by
    }


def blinds_affected(view: TableView, emptied: Collection[int]) -> bool | None:
    """Return whether the next hand's blinds pass over a seat emptied by an elimination.

    `emptied` are those seats; with none, the result is False. None while the button is unknown:
    then staff has to look (TDA 2024 11-D; halting a table once its blinds are affected is our
    reading).

    >>> view = TableView(4, 9, {1: 11, 2: 12, 5: 15, 6: 16}, button=1)
    >>> blinds_affected(view, [3]), blinds_affected(view, [8])
    (True, False)
    """
    if not any(seat not in view.players for seat in emptied):
        return False
    if view.button is None or not view.players:
        return None
    way = clockwise(view, view.button)
    passed = way[: way.index(next_big_blind(view))]
    return any(seat in emptied and seat not in view.players for seat in passed)
