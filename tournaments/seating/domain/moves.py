"""Choose the player and the seat of a balancing move, with the reason.

Flop and mixed games by the big blind, stud by position (TDA 2024 11-A). `seating` decides which
tables give and take a player.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.seating.domain.button import TableView, next_big_blind, next_hand_of, ring
from tournaments.seating.domain.draws import entry_item, seat_item

Tie = Callable[[tuple[str, ...]], tuple[str, ...]]
NEWCOMER = 0  # not the number of an entry


class MoverReason(StrEnum):
    NEXT_BIG_BLIND = "next_big_blind"
    DRAWN = "drawn"


class SeatReason(StrEnum):
    WORST = "worst_seat"
    WAITS = "waits"  # only seats between button and small blind are free
    SMALL_BLIND = "small_blind"  # only the seat of a dead small blind is free
    DRAWN = "drawn"


class StudReason(StrEnum):
    """Why this player and this seat, in stud."""

    LAST_OPENED = "position.last_opened"
    DRAWN = "position.drawn"  # no last opened seat, or several at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One move with its reason.

    `reason_code` is "mover.seat" of `MoverReason` and `SeatReason`, or one of `StudReason`. `facts`
    are numbers to show: `button_from`, `button_to`, `big_blind_in` hands at the new table (each
    None if unknown), and `passed`, the locked seats of players due before. `lots` are the drawn
    candidates, named as in `draws`. `asks` are tables whose button staff has to tell first.
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
    """Return the move from `source` to a free seat of `target` (TDA 2024 11-A).

    The mover is due to post the big blind next; a player on a locked seat stays, unless all are
    locked. The seat is the worst free one: it posts the big blind soonest, even twice in a row, but
    never the small blind. Where a button is unknown, the mover (among `drawable`, or all) or the
    seat is drawn: `tie` puts names, as in `draws`, in drawn order.

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
    seats: dict[str, int] = {}
    passed = 0
    if source.button is None:
        movers = {
            entry_item(entry): seat
            for seat, entry in sorted(source.playing.items())
            if not drawable or entry in drawable
        }
        from_seat, mover = movers[tie(tuple(movers))[0]], MoverReason.DRAWN
    else:
        from_seat, mover = movers_in_order(source)[0], MoverReason.NEXT_BIG_BLIND
        passed = _from_big_blind(source).index(from_seat)
    if target.button is None or not target.playing:
        seats = _seat_items(target, target.free)
        to_seat, reason, big_blind_in = seats[tie(tuple(seats))[0]], SeatReason.DRAWN, None
    else:
        tried = min(_tried(target, seat) for seat in target.free)
        *_rank, to_seat, reason, big_blind_in = tried
    buttons = {"button_from": source.button, "button_to": target.button}
    facts = {**buttons, "big_blind_in": big_blind_in}
    if passed:
        facts["passed"] = passed
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
    """Return the move in stud: by position, to the seat opened last (TDA 2024 11-A).

    `opened` are the target's seats given up last: several if in one hand. Among several, or among
    all free seats if none of these is free, `tie` draws one. The mover sits on the same seat number
    at the source; if that is empty or locked, the next player clockwise (ours).

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
    from_seat = _movable(source, ring(source.seats, source.playing, to_seat - 1))[0]
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
    """Return the candidates for a drawn mover while the button is unknown (ours).

    Those moved least often; players to keep apart from someone at the target (`barred`) only if no
    other remains.

    >>> source = TableView(4, 9, {1: 41, 2: 42, 3: 43})
    >>> drawable_movers(source, {41: 1}), drawable_movers(source, {41: 1}, barred=[42, 43])
    ((42, 43), (41,))
    """
    movable = [source.playing[seat] for seat in _movable(source, tuple(source.playing))]
    able = [entry for entry in movable if entry not in barred] or movable
    fewest = min((moved.get(entry, 0) for entry in able), default=0)
    return tuple(sorted(entry for entry in able if moved.get(entry, 0) == fewest))


def movers_in_order(source: TableView) -> tuple[int, ...]:
    """Return the seats in the order in which their players would leave (TDA 2024 11-A).

    First the player due to post the big blind next, then the one after. Players on locked seats
    stay. Empty while the button is unknown: then the mover is drawn.

    >>> movers_in_order(TableView(4, 9, {1: 41, 2: 42, 3: 43, 5: 45, 9: 49}, button=9))
    (3, 5, 9, 1, 2)
    >>> movers_in_order(TableView(4, 9, {1: 41, 2: 42}))
    ()
    """
    if source.button is None or not source.playing:
        return ()
    return _movable(source, _from_big_blind(source))


def _from_big_blind(source: TableView) -> tuple[int, ...]:
    return ring(source.seats, source.playing, next_big_blind(source) - 1)


def _movable(source: TableView, seats: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(seat for seat in seats if seat not in source.locked) or seats


def _require(source: TableView, target: TableView) -> None:
    if source.number == target.number or not source.playing or not target.free:
        raise ValueError(f"Nobody can move from table {source.number} to {target.number}.")


def _seat_items(target: TableView, seats: Collection[int]) -> dict[str, int]:
    return {seat_item(target.number, seat): seat for seat in seats}


def _tried(target: TableView, seat: int) -> tuple[int, int, int, int, SeatReason, int | None]:
    """Return the rank of a free seat for a newcomer, the worst seat lowest; last what is told.

    Worst is the seat that posts the big blind soonest; among several, the first after the small
    blind. Seats between button and small blind rank after these, as they wait until the button has
    passed (TDA 2024 10). The seat of a dead small blind ranks last: it is never the worst.
    """
    joined = target.joined_by(NEWCOMER, seat)
    hand = next_hand_of(joined)
    assert hand is not None
    if seat in hand.waits:
        return 1, 0, (seat - hand.button) % target.seats, seat, SeatReason.WAITS, None
    if seat == hand.small_blind != hand.button:
        return 2, 0, 0, seat, SeatReason.SMALL_BLIND, None
    passed = ring(target.seats, joined.playing, hand.big_blind - 1).index(seat)
    start = hand.big_blind if seat == hand.small_blind else hand.small_blind
    distance = (seat - start) % target.seats
    return 0, passed, distance, seat, SeatReason.WORST, passed
