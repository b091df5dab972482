"""Who is moved from one table to another, to which seat, and why, by rule.

Only flop games: in stud the last seat opened moves (TDA 2024 11-A), which is not computed here.
That a table should give a player at all is decided in `seating`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile

from tournaments.domain.button import TableView, clockwise, next_big_blind, players_after
from tournaments.domain.draws import entry_item, seat_item

Tie = Callable[[tuple[str, ...]], tuple[str, ...]]


class MoverReason(StrEnum):
    """Why it is this player."""

    NEXT_BIG_BLIND = "next_big_blind"
    DRAWN = "drawn"


class SeatReason(StrEnum):
    """Why it is this seat."""

    WORST = "worst_seat"
    WAITS = "waits"  # only seats between button and small blind are free
    DRAWN = "drawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One move with its reason.

    `reason_code` is "mover.seat" of `MoverReason` and `SeatReason`, one of six. `facts` are numbers
    to show with it: `button_from` and `button_to` (None if unknown) and `big_blind_in`, the hands
    until the mover posts the big blind at the new table, 0 being the next one (None if unknown).
    """

    entry: int
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int
    reason_code: str
    facts: Mapping[str, int | None]


def mover_and_seat(source: TableView, target: TableView, *, tie: Tie) -> Suggestion:
    """Return who moves from `source`, and to which free seat of `target` (TDA 2024 11-A).

    The player due to post the big blind next goes to the worst free seat: the one that posts the
    big blind soonest, at once if it can be, even if that is twice in a row, but never to the small
    blind. While a button is not known, the mover (or the seat) is drawn: `tie` puts names, as in
    `draws`, in drawn order, and is not called otherwise.

    >>> source = TableView(4, 9, {1: 41, 2: 42, 3: 43, 5: 45, 9: 49}, button=9)
    >>> target = TableView(7, 9, {1: 71, 2: 72, 4: 74, 8: 78}, button=8)
    >>> move = mover_and_seat(source, target, tie=lambda names: names)
    >>> (move.entry, move.to_seat, move.reason_code, move.facts["big_blind_in"])
    (43, 3, 'next_big_blind.worst_seat', 0)

    :raises ValueError: If nobody sits at the source, the target has no free seat, or they are one
        table.
    """
    if source.number == target.number or not source.players or not target.free:
        raise ValueError(f"Nobody can move from table {source.number} to {target.number}.")
    if source.button is None:
        seats = {entry_item(entry): seat for seat, entry in sorted(source.players.items())}
        from_seat, mover = seats[tie(tuple(seats))[0]], MoverReason.DRAWN
    else:
        from_seat, mover = next_big_blind(source), MoverReason.NEXT_BIG_BLIND
    to_seat, reason, big_blind_in = _seat_at(target, tie)
    return Suggestion(
        entry=source.players[from_seat],
        from_table=source.number,
        from_seat=from_seat,
        to_table=target.number,
        to_seat=to_seat,
        reason_code=f"{mover}.{reason}",
        facts={
            "button_from": source.button,
            "button_to": target.button,
            "big_blind_in": big_blind_in,
        },
    )


def _seat_at(target: TableView, tie: Tie) -> tuple[int, SeatReason, int | None]:
    """Return a seat, why, and after how many hands it posts the big blind.

    In the next hand the button goes to the first player after it, a newcomer aside, and the small
    blind would be the next. Clockwise from there up to the new button the seats get better: a free
    one just after the small blind makes its player the big blind at once. Between the new button
    and the small blind a newcomer would be the small blind himself, so that these seats come last,
    and who has to take one waits until the button has passed (TDA 2024 10).
    """
    if target.button is None or not target.players:
        seats = {seat_item(target.number, seat): seat for seat in target.free}
        return seats[tie(tuple(seats))[0]], SeatReason.DRAWN, None
    order = players_after(target, target.button)
    button, small_blind = order[0], order[1 % len(order)]
    good = takewhile(lambda seat: seat != button, clockwise(target, small_blind))
    for passed, seat in enumerate(good):
        if seat not in target.players:
            return seat, SeatReason.WORST, passed  # the seats passed all hold a player
    first = next(seat for seat in clockwise(target, button) if seat not in target.players)
    return first, SeatReason.WAITS, None
