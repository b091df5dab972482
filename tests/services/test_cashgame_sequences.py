"""Cash evenings in any order, taken back and put in force again: the books are right at each step.

The oracle keeps its own books: it adds up what the log says of every action that holds, and knows
nothing of postings.
"""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import factories as f
from tests.services.cashgames import assert_balanced, on
from tests.services.presses_cashgame import PRESSES_CASHGAME, Gambler
from tests.services.test_sequences import assert_nothing_hangs, unhurried
from tournaments.cashgame.selectors.books import balances_noted, bought_by
from tournaments.changes.domain.errors import Refused
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.log.selectors.log_search import log_fault
from tournaments.models import CashClosing, CashSeat, CashTable, Posting
from tournaments.undo.services.undo import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

OFTEN = {
    "action.undone": 8,
    "cash_table.opened": 3,
    "cash_seat.taken": 8,
    "cash_chips.bought": 4,
    "cash_seat.left": 4,
    "cash_hand.begun": 2,
    "cash_hand.ended": 4,
    "cash_seat.offered": 2,
    "cash_wait.asked": 2,
    "cash_table.closed": 2,
    "cash_player.back": 2,
}
PRESSES = {"action.undone": Gambler.take_back} | PRESSES_CASHGAME
PRESSED = sorted(kind for kind in PRESSES for _often in range(OFTEN.get(kind, 1)))
STEPS = st.lists(
    st.tuples(st.sampled_from(PRESSED), st.integers(0, 2**20)), min_size=40, max_size=60
)


class Books:
    """What lies on tables and what people bought, by the actions that hold."""

    def __init__(self):
        self.done, self.holds = {}, {}

    def note(self, action):
        if action.undoes_id is not None:
            self.toggle(action.undoes_id)
        self.done[action.pk], self.holds[action.pk] = action, True

    def toggle(self, pk):
        self.holds[pk] = not self.holds[pk]
        again = self.done[pk].undoes_id
        if again is not None:
            self.toggle(again)

    def chips(self):
        """Return chips by the number of the table, and what was bought and cashed by people."""
        tables, bought, cashed = Counter(), Counter(), Counter()
        for pk, action in self.done.items():
            if not self.holds[pk]:
                continue
            told = action.payload
            cents, table = told.get("amount_cents", 0), told.get("table")
            if action.kind in {"cash_seat.taken", "cash_chips.bought"}:
                tables[table] += cents
                bought[told["registration"]] += cents
            elif action.kind == "cash_seat.left":
                tables[table] -= cents
                cashed[told["registration"]] += cents
            elif action.kind == "cash_seat.changed":
                tables[told["from_table"]] -= cents
                tables[table] += cents
            elif action.kind == "cash_tip.noted":
                tables[table] -= cents
            elif action.kind == "cash_hand.ended":
                tables[table] -= told["fee_cents"]
            elif action.kind == "cash_table.counted":
                tables[table] += told["difference_cents"]
        return tables, bought, cashed


def assert_books(event, books):
    tables, bought, cashed = books.chips()
    for table in CashTable.objects.live().filter(event=event):
        assert on(table) == tables[table.number] >= 0, table
    found = bought_by(event)
    assert {row: one.bought_cents for row, one in found.items() if one.bought_cents} == +bought
    assert {row: one.cashed_cents for row, one in found.items() if one.cashed_cents} == +cashed
    assert_balanced(event)
    seats = CashSeat.objects.live().filter(event=event)
    assert len(set(seats.values_list("table", "seat"))) == len(seats)
    assert len(set(seats.values_list("registration"))) == len(seats)
    closed = CashClosing.objects.live().filter(table__event=event).values_list("table", flat=True)
    assert not seats.filter(table__in=closed).exists()
    sitting = set(seats.values_list("registration", flat=True))
    assert all(found[row].bought_cents for row in sitting), "who sits has bought"
    noted = Posting.objects.live().filter(event=event, account="owed")
    assert sum(balances_noted(event).values()) == -sum(row.amount_cents for row in noted)


def play(steps, done):
    gambler, books = Gambler(Random(steps[0][1])), Books()
    # There is something to play at from the beginning.
    for _table in range(2):
        books.note(PRESSES["cash_table.opened"](gambler))
    for kind, seed in steps:
        gambler.rng = Random(seed)
        try:
            made = PRESSES[kind](gambler)
        except Refused:
            continue
        if made is not None:
            done[made.kind] += 1
            if made.undoes_id is None or made.undoes_id in books.done:
                books.note(made)
            assert_books(gambler.event, books)
    assert_nothing_hangs(gambler.event)
    event = f.fresh(gambler.event)
    assert log_fault(event) is None
    assert facts_checked(event).differences == []


def played(evenings):
    done = Counter()

    @unhurried(evenings)
    @given(STEPS)
    def some(steps):
        with rolled_back():
            play(steps, done)

    some()
    return done


@pytest.mark.evening
def test_cash_evenings_in_any_order_balance_at_every_step():
    done = played(f.evenings(4))
    assert done["action.undone"] > f.evenings(4) / 2
    assert done["cash_seat.taken"] > f.evenings(4) / 2


@pytest.mark.long
@pytest.mark.sqlite_only  # nothing here happens at once; the short one runs on both
def test_cash_evenings_in_any_order_for_long():
    done = played(120)
    assert len(done) > len(PRESSES) * 0.9
