"""Money in any order: payments, refunds, drawers, undos. After every step the books are right.

The oracle keeps its own books: by person, by drawer, by receipt; it adds up what was done and reads
nothing of the program but what it compares.
"""

from collections import Counter
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from django.db.models import Sum
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests import factories as f
from tests.buying import numbers_missing
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.changes.domain.errors import Refused
from tournaments.event.services.lifecycle import event_update
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Action, Drawer, Posting, Receipt
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.selectors.journal import payments, standing_of
from tournaments.money.services.drawers import (
    club_means_set,
    drawer_close,
    drawer_fill,
    drawer_hand,
    drawer_move,
    drawer_open,
)
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.undo.services.undo import action_undo, rolled_back

pytestmark = pytest.mark.django_db

DEEDS = ("pay", "pay", "part", "card", "refund", "open", "fill", "move", "hand", "close", "price",
         "undo", "undo")  # fmt: skip
STEPS = st.lists(st.tuples(st.sampled_from(DEEDS), st.integers(0, 2**20)), min_size=4, max_size=14)
FEE = 1_000


class Till:
    """Somebody who presses whatever there is, at whatever device, and keeps the books.

    What was done is added to what each paid and to what lies in each drawer, and its receipts.
    """

    def __init__(self, event, people, devices) -> None:
        self.event, self.people, self.devices = event, people, devices
        self.sums, self.done, self.rng, self.fee = Counter(), [], Random(0), FEE

    def of(self, what: str) -> Counter:
        """Return what each paid, or what lies in each drawer; None is what lies in none."""
        return Counter({one: cents for (name, one), cents in self.sums.items() if name == what})

    def call(self, service, by=SYSTEM, **own: Any) -> Action:
        return call_service(service, event=self.event, by=by, at=f.ARRIVAL, **own)

    def actor(self) -> Actor:
        return self.rng.choice(self.devices)

    def drawer_of(self, actor: Actor) -> int | None:
        rows = Drawer.objects.live().filter(event=self.event)
        rows = rows.filter(holdings__device=actor.device, holdings__voided_by=None)
        return rows.values_list("pk", flat=True).first()

    def note(self, action: Action, moves: dict, receipts: int = 0, fee: int | None = None) -> None:
        """Write down what an action moved; `fee` is what an entry cost before it changed that."""
        self.sums.update(moves | {("receipts", None): receipts})
        self.done.append((action, moves, receipts, fee))

    def pay(self, cents: int | None = None, means: Means = Means.CASH) -> None:
        actor, person = self.actor(), self.rng.choice(self.people)
        where, owed = self.drawer_of(actor), self.fee - self.sums["paid", person.pk]
        action = self.call(fee_pay, actor, registration=person, amount_cents=cents, means=means)
        paid = owed if cents is None else cents
        cash = paid if means == Means.CASH else 0
        self.note(action, {("paid", person.pk): paid, ("cash", where): cash}, receipts=1)

    def part(self) -> None:
        self.pay(self.rng.choice([1, 300, 999, 1_700]))

    def card(self) -> None:
        self.pay(self.rng.choice([200, 1_000]), Means.CARD)

    def refund(self) -> None:
        actor, person = self.actor(), self.rng.choice(self.people)
        where, paid = self.drawer_of(actor), self.sums["paid", person.pk]
        action = self.call(fee_refund, actor, registration=person)
        self.note(action, {("paid", person.pk): -paid, ("cash", where): -paid}, receipts=1)

    def open(self) -> None:
        cents = self.rng.choice([0, 2_000])
        action = self.call(drawer_open, self.actor(), float_cents=cents)
        self.note(action, {("cash", action.payload["drawer"]): cents})

    def some_drawer(self) -> Drawer:
        rows = list(Drawer.objects.filter(event=self.event).order_by("pk"))
        if not rows:
            raise Refused("Keine Kasse.", code="none")
        return self.rng.choice(rows)

    def move(self) -> None:
        drawer, cents = self.some_drawer(), self.rng.choice([500, -300, -5_000])
        action = self.call(drawer_move, drawer=drawer, amount_cents=cents, reason="Test")
        self.note(action, {("cash", drawer.pk): cents})

    def fill(self) -> None:
        drawer, cents = self.some_drawer(), self.sums["cash", None]
        action = self.call(drawer_fill, drawer=drawer, amount_cents=cents)
        self.note(action, {("cash", drawer.pk): cents, ("cash", None): -cents})

    def hand(self) -> None:
        action = self.call(drawer_hand, drawer=self.some_drawer(), device=self.actor().device)
        self.note(action, {})

    def close(self) -> None:
        drawer = self.some_drawer()
        there = self.sums["cash", drawer.pk]
        counted = max(0, there + self.rng.choice([0, 10, -20]))
        action = self.call(drawer_close, drawer=drawer, counted_cents=counted)
        self.note(action, {("cash", drawer.pk): counted - there})

    def price(self) -> None:
        fee, before = self.rng.choice([300, 1_000, 1_700]), self.fee
        action = self.call(event_update, settings={"fee_cents": fee})
        self.fee = fee
        self.note(action, {}, fee=before)

    def undo(self) -> None:
        if not self.done:
            return
        action, moves, receipts, fee = self.rng.choice(self.done[-4:])
        undoing = self.call(action_undo, action=action)
        self.fee = self.fee if fee is None else fee
        self.note(undoing, {what: -cents for what, cents in moves.items()}, receipts)


def assert_right(till: Till) -> None:
    event, paid_by = till.event, till.of("paid")
    by_action = Posting.objects.filter(event=event).values("made_by")
    sums = by_action.annotate(sum=Sum("amount_cents")).order_by()
    assert not sums.exclude(sum=0).exists()
    assert +Counter(payments(event)) == +paid_by
    assert all(cents >= 0 for cents in payments(event).values())
    for person in till.people:
        paid = paid_by[person.pk]
        covered = {"pool": min(paid, till.fee), "credit": max(0, paid - till.fee)}
        stands = {
            str(account): -cents for (account, _), cents in standing_of(person).booked.items()
        }
        assert stands == {account: cents for account, cents in covered.items() if cents}
    found = {state.drawer and state.drawer.pk: state.cash_cents for state in drawers_of(event)}
    assert Counter(found) == till.of("cash")
    assert all(cents >= 0 for pk, cents in found.items() if pk is not None)
    receipts = list(Receipt.objects.filter(event=event).order_by("number"))
    assert len(receipts) == till.sums["receipts", None]
    assert numbers_missing(row.number for row in receipts) == []
    told: Counter = Counter()
    for row in receipts:
        told[row.registration_id] += row.cents
    assert +told == +paid_by


def play(till: Till, steps) -> None:
    """Do one after the other, as far as it is not refused."""
    with rolled_back():
        for deed, seed in steps:
            till.rng = Random(seed)
            with suppress(Refused):
                getattr(till, deed)()
            assert_right(till)
        assert facts_checked(f.fresh(till.event)).differences == []


@pytest.fixture
def till():
    event = f.make_event(fee_cents=FEE)
    call_service(club_means_set, club=event.club, by=SYSTEM, at=f.ARRIVAL, names={"card": "Karte"})
    people = [f.register(event, f"Person {number}") for number in range(3)]
    devices = [f.sign_in(f"Gerät {number}", Role.DESK, event).actor for number in range(3)]
    return lambda: Till(f.fresh(event), people, devices)


def examples(number: int):
    return settings(
        max_examples=number,
        deadline=None,
        suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    )


@pytest.mark.evening
@examples(25)
@given(steps=STEPS)
def test_the_books_are_right_after_every_step(till, steps):
    play(till(), steps)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("share", range(10))
@examples(1_000)
@given(data=st.data())
def test_the_books_are_right_after_every_step_of_ten_thousand_evenings(till, share, data):
    # Each share is drawn with other first steps, so that they are other sequences.
    first = (DEEDS[share], data.draw(st.integers(0, 2**20)))
    play(till(), [first, *data.draw(STEPS)])
