"""A cash evening, and one for points. Their books are kept by the rules' text alone.

Nobody's chips are known to the program while hands are played; here they are, stack by stack.
"""

from dataclasses import dataclass, field
from typing import Any

from tests.evenings.side import HOUR, MINUTE, register, side_evening
from tournaments.cashgame.selectors.books import (
    balances_noted,
    bought_by,
    chips_on_table,
    fees_open,
)
from tournaments.cashgame.selectors.line import moves_due
from tournaments.cashgame.selectors.settling import settling_of
from tournaments.cashgame.services.hands import (
    cash_away,
    cash_back,
    cash_end_set,
    cash_fee_pay,
    cash_hand_begin,
    cash_hand_end,
    cash_last_hands,
    cash_tip,
)
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit, cash_top_up
from tournaments.cashgame.services.tables import cash_table_close, cash_table_count, cash_table_open
from tournaments.models import CashSeat, CashTable, Event, Registration
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents
from tournaments.practice.simulation.evening import ARBITER, DESK, SECOND, Evening

TERMS: dict[str, Any] = {"game": "holdem", "limit": "no_limit", "minimum": 20, "maximum": 100}
LEAST, MOST = 2_000, 10_000  # 20 and 100 big blinds
FEE, FEE_MINUTES, TIP = 100, 30, 50
SEATS = 4
HANDS = 12
POINT = 100


@dataclass(slots=True)
class CashBooks:
    """Keep stacks, purchases and cash-outs by player, in cents or hundredths of a point.

    For points nobody pays: no more is in the drawer than before.
    """

    stacks: dict[int, dict[int, int]]
    is_for_points: bool = False
    bought: dict[int, int] = field(default_factory=dict)
    cashed: dict[int, int] = field(default_factory=dict)
    fees: int = 0

    def table_of(self, player: int) -> int:
        return next(table for table, stacks in self.stacks.items() if player in stacks)

    def buy(self, table: int, player: int, cents: int) -> None:
        self.stacks[table][player] = self.stacks[table].get(player, 0) + cents
        self.bought[player] = self.bought.get(player, 0) + cents

    def drawer(self) -> int:
        """Return what must lie in the drawer."""
        paid = sum(self.bought.values()) - sum(self.cashed.values()) + self.fees
        return 0 if self.is_for_points else paid

    def won(self) -> dict[int, int]:
        """Return the win or loss of each player, without even ones."""
        won = {player: self.cashed.get(player, 0) - cents for player, cents in self.bought.items()}
        return {player: cents for player, cents in won.items() if cents}

    def cash(self, table: int, player: int) -> int:
        """Take a player's chips from a table; return what is paid for them."""
        cents = self.stacks[table].pop(player)
        self.cashed[player] = self.cashed.get(player, 0) + cents
        return cents


def play_cash_evening(seed: int) -> Evening:
    """Play two tables from the first chip to the last, with a move and the house's fee."""
    side = side_evening(seed, "Cash Game", kind=Event.Kind.CASH_GAME)
    side.do(cash_end_set, ends_at=side.now + 20 * HOUR)
    blinds = {"small_blind_cents": 50, "big_blind_cents": 100}
    fee = {"fee_way": "time", "fee_cents": FEE, "fee_minutes": FEE_MINUTES}
    tables = [_open(side, seats=SEATS, **blinds, **fee) for _ in range(2)]
    books = CashBooks({table.pk: {} for table in tables})
    people = [register(side, f"Simulantin Spielerin {number}") for number in range(1, 7)]
    for number, guest in enumerate(people):
        _sit(side, books, tables[number // SEATS], number % SEATS + 1, guest)
    _come_back(side, books, tables[0])
    for _ in range(HANDS):
        _hand(side, books, side.rng.choice(tables))
        _between(side, books, side.rng.choice(people))
    _move_over(side, books, tables, people[0])
    _end(side, books, tables)
    return side


def play_points_evening(seed: int) -> Evening:
    """Play a main table and its feeder until all have gone, and compare who won how much."""
    points = {"kind": Event.Kind.CASH_GAME, "cash_unit": Event.CashUnit.POINTS}
    side = side_evening(seed, "Punkteabend", **points)
    terms = {"seats": 3, "small_blind_cents": POINT, "big_blind_cents": POINT}
    main = _open(side, **terms)
    feeder = _open(side, **terms, feeds=main)
    books = CashBooks({main.pk: {}, feeder.pk: {}}, is_for_points=True)
    people = [register(side, f"Simulant Punkt {number}") for number in range(1, 7)]
    # The first to sit down has the highest seat: it is not the seat that counts.
    for number, guest in enumerate(people):
        _sit(side, books, (main, feeder)[number // 3], 3 - number % 3, guest)
    for _ in range(HANDS):
        _hand(side, books, side.rng.choice([main, feeder]))
    _leave(side, books, main, people[0])
    _must_move(side, books, main, feeder)
    # The feeder breaks first.
    for table in (feeder, main):
        _close(side, books, table)
    won, paid = books.won(), settling_of(side.event)
    side.expect(sum(won.values()) == 0, "who won and who lost", won)
    gets = sum(one.cents for one in paid.payments)
    side.expect(gets == sum(max(0, cents) for cents in won.values()), "who pays whom", gets, won)
    return side


def _open(side: Evening, **own: Any) -> CashTable:
    action = side.do(cash_table_open, **TERMS, **own)
    return CashTable.objects.get(pk=action.payload["cash_table"])


def _must_move(side: Evening, books: CashBooks, main: CashTable, feeder: CashTable) -> None:
    """The first to sit down at the feeder moves to the free seat, with all chips."""
    (due,) = moves_due([main], side.now)[main.pk]
    first = next(iter(books.stacks[feeder.pk]))
    side.expect(due.registration_id == first, "who moves first", due, first)
    _move(side, books, main, 3, due.registration)
    side.expect(moves_due([main], side.now) == {}, "nobody moves to a full table")


def _move(side: Evening, books: CashBooks, there: CashTable, seat: int, guest: Any) -> None:
    stack = books.stacks[books.table_of(guest.pk)].pop(guest.pk)
    own = {"registration": guest, "table": there, "seat": seat, "stack_cents": stack}
    side.do(cash_move, by=DESK, **own)
    books.stacks[there.pk][guest.pk] = stack
    _compare(side, books)


def _sit(side: Evening, books: CashBooks, table: CashTable, seat: int, guest: Registration) -> None:
    """Take a seat with chips between the least and the most."""
    own = {"registration": guest, "table": table, "seat": seat}
    cents = side.rng.randrange(LEAST, MOST + 1, 100)
    side.do(cash_sit, by=DESK, **own, cents=cents)
    books.buy(table.pk, guest.pk, cents)
    _compare(side, books)


def _come_back(side: Evening, books: CashBooks, table: CashTable) -> None:
    """Somebody leaves, and is back with all that was taken away."""
    leaver = _row(max(books.stacks[table.pk]))
    cents = _leave(side, books, table, leaver)
    own = {"registration": leaver, "table": table, "seat": SEATS, "cents": cents}
    side.do(cash_sit, by=DESK, **own)
    books.buy(table.pk, leaver.pk, cents)
    _compare(side, books)


def _hand(side: Evening, books: CashBooks, table: CashTable) -> None:
    """Play a hand: some chips go from one stack to another, and none leaves the table."""
    stacks = books.stacks[table.pk]
    side.do(cash_hand_begin, by=ARBITER, table=table)
    loser, winner = side.rng.sample(sorted(stacks), 2)
    least = POINT if books.is_for_points else 1
    lost = side.rng.randrange(0, stacks[loser] // 2 + 1, least)
    stacks[loser] -= lost
    stacks[winner] += lost
    side.now += 3 * MINUTE
    side.do(cash_hand_end, by=ARBITER, table=table)
    _compare(side, books)


def _between(side: Evening, books: CashBooks, guest: Registration) -> None:
    """Between two hands somebody buys more, pays for the time, tips, goes out and comes back."""
    table = books.table_of(guest.pk)
    stack = books.stacks[table][guest.pk]
    if stack < MOST // 2:
        more = max(MOST // 2 - stack, LEAST)
        side.do(cash_top_up, by=DESK, registration=guest, cents=more, stack_cents=stack)
        books.buy(table, guest.pk, more)
    _pay_for_time(side, books, guest)
    if stack >= TIP and side.rng.random() < 0.3:
        side.do(cash_tip, by=DESK, table=CashTable(pk=table), cents=TIP)
        books.stacks[table][guest.pk] -= TIP
    if side.rng.random() < 0.5:
        side.do(cash_away, by=ARBITER, registration=guest, minutes=20)
        side.now += 5 * MINUTE
        side.do(cash_back, by=ARBITER, registration=guest)
    _compare(side, books)


def _pay_for_time(side: Evening, books: CashBooks, guest: Registration) -> None:
    side.now += FEE_MINUTES * MINUTE
    paid = side.do(cash_fee_pay, by=DESK, registration=guest).payload["amount_cents"]
    side.expect(paid > 0 and paid % FEE == 0, "a fee by time", paid)
    books.fees += paid


def _move_over(
    side: Evening, books: CashBooks, tables: list[CashTable], guest: Registration
) -> None:
    """Go to the other table with all chips."""
    if _owes(side, guest):
        _pay_what_is_open(side, books, guest)
    _move(side, books, tables[1], SEATS, guest)
    # Both tables take the same for the time: what was paid is not paid again.
    side.expect(not _owes(side, guest), "a period that was paid goes along", guest)


def _end(side: Evening, books: CashBooks, tables: list[CashTable]) -> None:
    """One last hand at each table; then everybody is paid out, and nothing lies on a table."""
    side.do(cash_last_hands, hands=1)
    for table in tables:
        _hand(side, books, table)
        there = sum(books.stacks[table.pk].values())
        counted = side.do(cash_table_count, by=ARBITER, table=table, counted_cents=there)
        found = counted.payload["difference_cents"]
        side.expect(found == 0, "the count of a table", found)
        _close(side, books, table)


def _close(side: Evening, books: CashBooks, table: CashTable) -> None:
    for player in sorted(books.stacks[table.pk]):
        _leave(side, books, table, _row(player))
    side.do(cash_table_close, table=table)


def _leave(side: Evening, books: CashBooks, table: CashTable, guest: Registration) -> int:
    """Pay what is open for the time, then go with all chips; return what they were worth."""
    stack = books.stacks[table.pk][guest.pk]
    if _owes(side, guest):
        _pay_what_is_open(side, books, guest)
    side.do(cash_out, by=DESK, registration=guest, cents=stack)
    cents = books.cash(table.pk, guest.pk)
    _compare(side, books)
    return cents


def _owes(side: Evening, guest: Registration) -> bool:
    seat = CashSeat.objects.live().select_related("table").get(registration=guest)
    return bool(fees_open([seat], side.now + 2 * SECOND))


def _pay_what_is_open(side: Evening, books: CashBooks, guest: Registration) -> None:
    books.fees += side.do(cash_fee_pay, by=DESK, registration=guest).payload["amount_cents"]


def _row(registration: int) -> Registration:
    return Registration.objects.select_related("person").get(pk=registration)


def _compare(side: Evening, books: CashBooks) -> None:
    """What lies on the tables and in the drawer is what was bought, cashed and paid."""
    for table, stacks in books.stacks.items():
        found, own = chips_on_table(CashTable(pk=table)), sum(stacks.values())
        side.expect(found == own, "chips on a cash table", found, own)
    cash = account_cents(side.event, Account.CASH)
    side.expect(cash == books.drawer(), "the drawer", cash, books.drawer())
    bought = {player: one.bought_cents for player, one in bought_by(side.event).items()}
    side.expect(bought == books.bought, "bought", bought, books.bought)
    if books.is_for_points:
        noted = {player: cents for player, cents in balances_noted(side.event).items() if cents}
        side.expect(noted == books.won(), "points won", noted, books.won())
