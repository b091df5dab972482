"""Who is moved from one table to another, to which seat, and why, by rule.

Flop and mixed games by the big blind, stud by position (TDA 2024 11-A). That a table should give a
player at all is decided in `seating`.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.seating.domain.button import TableView, next_big_blind, next_hand_of, players_after
from tournaments.seating.domain.draws import entry_item, seat_item

Tie = Callable[[tuple[str, ...]], tuple[str, ...]]
NEWCOMER = 0  # no entry has this number


class MoverReason(StrEnum):
    """Why it is this player."""

    NEXT_BIG_BLIND = "next_big_blind"
    DRAWN = "drawn"


class SeatReason(StrEnum):
    """Why it is this seat."""

    WORST = "worst_seat"
    WAITS = "waits"  # only seats between button and small blind are free
    SMALL_BLIND = "small_blind"  # only the seat of a dead small blind is free
    DRAWN = "drawn"


class StudReason(StrEnum):
    """Why it is this player and this seat, in stud."""

    LAST_OPENED = "position.last_opened"
    DRAWN = "position.drawn"  # no seat has opened yet, or several at once


class Deviation(StrEnum):
    """In what a move by hand differs from the one that the procedure asks for next."""

    NOBODY_DUE = "nobody_due"
    PLAYER = "player"
    TABLE = "table"
    SEAT = "seat"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One move with its reason.

    `reason_code` is "mover.seat" of `MoverReason` and `SeatReason`, or one of
    `StudReason`. `facts` are numbers
    to show with it: `button_from` and `button_to` (None if unknown) and `big_blind_in`, the hands
    until the mover posts the big blind at the new table, 0 being the next one (None if unknown).
    `lots` are what chance decided among, named as in `draws`; empty where rules alone decided.
    `asks` are the tables whose button staff is to tell first: chance then has no part in it.
    """

    entry: int
    from_table: int
    from_seat: int
    to_table: int
    to_seat: int
    reason_code: str
    facts: Mapping[str, int | None]
    lots: tuple[str, ...] = ()
    asks: tuple[int, ...] = ()


def mover_and_seat(
    source: TableView, target: TableView, *, tie: Tie, drawable: Collection[int] = ()
) -> Suggestion:
    """Return who moves from `source`, and to which free seat of `target` (TDA 2024 11-A).

    The player due to post the big blind next goes to the worst free seat: the one that posts the
    big blind soonest, at once if it can be, even if that is twice in a row, but never to the small
    blind. While a button is not known, the mover (or the seat) is drawn: `tie` puts names, as in
    `draws`, in drawn order, and is not called otherwise. The mover is drawn among the entries of
    `drawable`, or among all.

    >>> source = TableView(4, 9, {1: 41, 2: 42, 3: 43, 5: 45, 9: 49}, button=9)
    >>> target = TableView(7, 9, {1: 71, 2: 72, 4: 74, 8: 78}, button=8)
    >>> move = mover_and_seat(source, target, tie=lambda names: names)
    >>> (move.entry, move.to_seat, move.reason_code, move.facts["big_blind_in"])
    (43, 3, 'next_big_blind.worst_seat', 0)

    :raises ValueError: If nobody sits at the source, the target has no free seat, or they are one
        table.
    """
    _require(source, target)
    movers: dict[str, int] = {}
    if source.button is None:
        movers = {
            entry_item(entry): seat
            for seat, entry in sorted(source.players.items())
            if not drawable or entry in drawable
        }
        from_seat, mover = movers[tie(tuple(movers))[0]], MoverReason.DRAWN
    else:
        from_seat, mover = next_big_blind(source), MoverReason.NEXT_BIG_BLIND
    to_seat, reason, big_blind_in = _seat_at(target, tie)
    facts = {
        "button_from": source.button,
        "button_to": target.button,
        "big_blind_in": big_blind_in,
    }
    seats = _seat_items(target, target.free) if reason is SeatReason.DRAWN else {}
    return Suggestion(
        entry=source.players[from_seat],
        from_table=source.number,
        from_seat=from_seat,
        to_table=target.number,
        to_seat=to_seat,
        reason_code=f"{mover}.{reason}",
        facts=facts,
        lots=(*movers, *seats),
        asks=tuple(
            view.number for view in (source, target) if view.is_asked_for and len(view.players) > 1
        ),
    )


def stud_move(
    source: TableView, target: TableView, *, opened: Sequence[int], tie: Tie
) -> Suggestion:
    """Return who moves in stud: by position, to the seat that opened last (TDA 2024 11-A).

    `opened` are the seats of the target that were given up last: several when it was in one hand.
    Of several, or of all free ones when none of these is free, one is drawn by `tie`. Who sits on
    the seat of that number at the source moves; nobody there, the next one clockwise (ours).

    >>> source = TableView(4, 8, {1: 41, 2: 42, 4: 44, 6: 46})
    >>> target = TableView(7, 8, {1: 71, 2: 72})
    >>> move = stud_move(source, target, opened=[5], tie=lambda names: names)
    >>> (move.entry, move.to_seat, move.reason_code)
    (46, 5, 'position.last_opened')

    :raises ValueError: If nobody sits at the source, the target has no free seat, or they are one
        table.
    """
    _require(source, target)
    choice = [seat for seat in opened if seat in target.free] or list(target.free)
    is_last = len(choice) == 1 and choice[0] in opened
    seats = {} if is_last else _seat_items(target, choice)
    to_seat = seats[tie(tuple(seats))[0]] if seats else choice[0]
    before = (to_seat - 2) % source.seats + 1
    from_seat = players_after(source, before)[0]
    return Suggestion(
        entry=source.players[from_seat],
        from_table=source.number,
        from_seat=from_seat,
        to_table=target.number,
        to_seat=to_seat,
        reason_code=(StudReason.LAST_OPENED if is_last else StudReason.DRAWN).value,
        facts={},
        lots=tuple(seats),
    )


def drawable_movers(
    source: TableView, moved: Mapping[int, int], barred: Collection[int] = ()
) -> tuple[int, ...]:
    """Return among whom a mover is drawn while the button is not known (ours).

    Without those who are to be kept apart from somebody at the table in want, unless that leaves
    nobody; of the others those who were moved least, so that nobody is moved twice while someone
    else could have been. A mover that a rule names is not affected.

    >>> source = TableView(4, 9, {1: 41, 2: 42, 3: 43})
    >>> drawable_movers(source, {41: 1}), drawable_movers(source, {41: 1}, barred=[42, 43])
    ((42, 43), (41,))
    """
    able = [entry for entry in source.players.values() if entry not in barred]
    able = able or list(source.players.values())
    fewest = min((moved.get(entry, 0) for entry in able), default=0)
    return tuple(sorted(entry for entry in able if moved.get(entry, 0) == fewest))


def movers_in_order(source: TableView) -> tuple[int, ...]:
    """Return the seats in the order in which their players would leave a table (TDA 2024 11-A).

    First who posts the big blind next, then who posts it after that, as they sit now. Empty
    while the button is not known: then the mover is drawn.

    >>> movers_in_order(TableView(4, 9, {1: 41, 2: 42, 3: 43, 5: 45, 9: 49}, button=9))
    (3, 5, 9, 1, 2)
    >>> movers_in_order(TableView(4, 9, {1: 41, 2: 42}))
    ()
    """
    if source.button is None or not source.players:
        return ()
    return players_after(source, (next_big_blind(source) - 2) % source.seats + 1)


def deviation(
    entry: int, to_table: int, to_seat: int, suggested: Suggestion | None
) -> Deviation | None:
    """Return in what a move by hand differs from the procedure's next move, None if in nothing.

    >>> deviation(17, 2, 5, None)
    <Deviation.NOBODY_DUE: 'nobody_due'>
    """
    if suggested is None:
        return Deviation.NOBODY_DUE
    if entry != suggested.entry:
        return Deviation.PLAYER
    if to_table != suggested.to_table:
        return Deviation.TABLE
    return None if to_seat == suggested.to_seat else Deviation.SEAT


def _require(source: TableView, target: TableView) -> None:
    if source.number == target.number or not source.players or not target.free:
        raise ValueError(f"Nobody can move from table {source.number} to {target.number}.")


def _seat_items(target: TableView, seats: Collection[int]) -> dict[str, int]:
    return {seat_item(target.number, seat): seat for seat in seats}


def _seat_at(target: TableView, tie: Tie) -> tuple[int, SeatReason, int | None]:
    """Return a seat, why, and after how many hands it posts the big blind.

    Each free seat is tried with a newcomer on it. Worst is the one that posts the big blind
    soonest; of several, the first after the small blind. One between button and small blind comes
    after these, as who has to take it waits until the button has passed (TDA 2024 10); that of a
    dead small blind comes last, as it is never the worst.
    """
    if target.button is None or not target.players:
        seats = _seat_items(target, target.free)
        return seats[tie(tuple(seats))[0]], SeatReason.DRAWN, None
    *_rank, seat, reason, big_blind_in = min(_tried(target, seat) for seat in target.free)
    return seat, reason, big_blind_in


def _tried(target: TableView, seat: int) -> tuple[int, int, int, int, SeatReason, int | None]:
    """Return what a free seat is worth to a newcomer, the worst being the least."""
    joined = target.joined_by(NEWCOMER, seat)
    hand = next_hand_of(joined)
    assert hand is not None
    if seat in hand.waits:
        return 1, 0, (seat - hand.button) % target.seats, seat, SeatReason.WAITS, None
    if seat == hand.small_blind != hand.button:
        return 2, 0, 0, seat, SeatReason.SMALL_BLIND, None
    before_big_blind = (hand.big_blind - 2) % target.seats + 1
    passed = players_after(joined, before_big_blind).index(seat)
    start = hand.big_blind if seat == hand.small_blind else hand.small_blind
    distance = (seat - start) % target.seats
    return 0, passed, distance, seat, SeatReason.WORST, passed
