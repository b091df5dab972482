"""A cash evening for points, with a feeder table.

Its books are kept stack by stack. Nobody pays: what a player won or lost is what was taken away
less what was brought, and all of it together is nothing.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.evenings.side import MINUTE, register, side_evening
from tournaments.cashgame.selectors.books import balances_noted, chips_on_table
from tournaments.cashgame.selectors.line import moves_due
from tournaments.cashgame.selectors.settling import settling_of
from tournaments.cashgame.services.hands import cash_hand_begin, cash_hand_end
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit
from tournaments.cashgame.services.tables import cash_table_close, cash_table_open
from tournaments.models import CashTable, Event, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents
from tournaments.practice.simulation.evening import ARBITER, DESK, Evening

POINT = 100
LEAST, MOST = 20 * POINT, 100 * POINT
HANDS = 8
TERMS: dict[str, Any] = {
    "game": "holdem", "limit": "no_limit", "small_blind_cents": POINT,
    "big_blind_cents": POINT, "minimum": 20, "maximum": 100,
}  # fmt: skip


@dataclass(slots=True)
class PointBooks:
    """Whose chips lie where, and what everybody came and went with, in hundredths of a point."""

    stacks: dict[int, dict[int, int]] = field(default_factory=dict)
    won: dict[int, int] = field(default_factory=dict)

    def come(self, table: int, player: int, cents: int) -> None:
        self.stacks[table][player] = cents
        self.won[player] = self.won.get(player, 0) - cents

    def go(self, table: int, player: int) -> int:
        cents = self.stacks[table].pop(player)
        self.won[player] += cents
        return cents


def play_points_evening(seed: int) -> Evening:
    """Play a main table and its feeder until everybody has gone, and compare who won how much."""
    side = side_evening(
        seed, "Punkteabend", kind=Event.Kind.CASH_GAME, cash_unit=Event.CashUnit.POINTS
    )
    main, feeder = _open(side)
    books = PointBooks(stacks={main.pk: {}, feeder.pk: {}})
    people = [register(side, f"Simulant Punkt {number}") for number in range(1, 7)]
    for number, guest in enumerate(people[:3]):
        _sit(side, books, main, number + 1, guest)
    # Who sits down first has the highest seat: it is not the seat that counts.
    for number, guest in enumerate(people[3:]):
        _sit(side, books, feeder, 3 - number, guest)
    for _ in range(HANDS):
        _hand(side, books, side.rng.choice([main, feeder]))
    _go(side, books, main, people[0])
    _must_move(side, books, main, feeder)
    _all_go(side, books, (main, feeder))
    return side


def _open(side: Evening) -> tuple[CashTable, CashTable]:
    main = _table(side.do(cash_table_open, **TERMS, seats=3).payload)
    return main, _table(side.do(cash_table_open, **TERMS, seats=3, feeds=main).payload)


def _table(payload: dict[str, Any]) -> CashTable:
    return CashTable.objects.get(pk=payload["cash_table"])


def _sit(
    side: Evening, books: PointBooks, table: CashTable, seat: int, guest: Registration
) -> None:
    cents = side.rng.randrange(LEAST, MOST + 1, POINT)
    side.do(cash_sit, by=DESK, registration=guest, table=table, seat=seat, cents=cents)
    books.come(table.pk, guest.pk, cents)
    _compare(side, books)


def _hand(side: Evening, books: PointBooks, table: CashTable) -> None:
    side.do(cash_hand_begin, by=ARBITER, table=table)
    stacks = books.stacks[table.pk]
    loser, winner = side.rng.sample(sorted(stacks), 2)
    lost = side.rng.randrange(0, stacks[loser] + 1, POINT)
    stacks[loser] -= lost
    stacks[winner] += lost
    side.now += 2 * MINUTE
    side.do(cash_hand_end, by=ARBITER, table=table)
    _compare(side, books)


def _go(side: Evening, books: PointBooks, table: CashTable, guest: Registration) -> None:
    stack = books.stacks[table.pk][guest.pk]
    side.do(cash_out, by=DESK, registration=guest, cents=stack)
    books.go(table.pk, guest.pk)
    _compare(side, books)


def _must_move(side: Evening, books: PointBooks, main: CashTable, feeder: CashTable) -> None:
    """Who sat down first at the feeder moves to the seat that is free, with all chips."""
    (due,) = moves_due([main], side.now)[main.pk]
    first = next(iter(books.stacks[feeder.pk]))
    side.expect(due.registration_id == first, "who moves first", due, first)
    stack = books.stacks[feeder.pk].pop(first)
    own = {"registration": due.registration, "table": main, "seat": 1, "stack_cents": stack}
    side.do(cash_move, by=DESK, **own)
    books.stacks[main.pk][first] = stack
    side.expect(moves_due([main], side.now) == {}, "nobody moves to a full table")
    _compare(side, books)


def _all_go(side: Evening, books: PointBooks, tables: tuple[CashTable, CashTable]) -> None:
    """The feeder breaks first; then who pays whom is what everybody won and lost."""
    for table in reversed(tables):
        for player in sorted(books.stacks[table.pk]):
            _go(side, books, table, Registration.objects.get(pk=player))
        side.do(cash_table_close, table=table)
    paid = settling_of(side.event)
    even = {player: cents for player, cents in books.won.items() if cents}
    side.expect(sum(even.values()) == 0, "who won and who lost", even)
    gets = sum(one.cents for one in paid.payments)
    side.expect(gets == sum(max(0, cents) for cents in even.values()), "who pays whom", gets, even)


def _compare(side: Evening, books: PointBooks) -> None:
    """What lies on the tables is what the stacks are; nothing is in a drawer."""
    for table, stacks in books.stacks.items():
        found, own = chips_on_table(CashTable(pk=table)), sum(stacks.values())
        side.expect(found == own, "points on a table", found, own)
    won = {player: cents for player, cents in balances_noted(side.event).items() if cents}
    own_won = {player: cents for player, cents in books.won.items() if cents}
    side.expect(won == own_won, "points won", won, own_won)
    cash = account_cents(side.event, Account.CASH)
    side.expect(cash == 0, "no drawer for points", cash)
