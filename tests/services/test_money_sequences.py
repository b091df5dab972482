"""Entries, purchases, bounties, prizes, payments and undos in any order: own books agree.

Hypothesis makes the order, so that it can shrink what fails. The books are kept by `teller`;
here they are compared with what the program says, after each step.
"""

from collections import Counter

import pytest
from django.db.models import Sum
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from tests import factories as f
from tests.buying import numbers_missing
from tests.evenings import cash
from tests.evenings.cash import play_cash_evening, play_points_evening
from tests.evenings.cash_deeds import play_corrected_evening
from tests.evenings.side import play_bounties, play_deals
from tests.services.teller import HEADS, LONG, SHORT, Teller, evening
from tournaments.event.selectors.event import chips_in_play, event_alive_entry_ids, players_left
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Posting, Receipt, Registration
from tournaments.money.domain.accounts import Account, allotted
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.selectors.journal import (
    PAID_FOR,
    account_cents,
    open_by_registration,
    payments,
    prices_owed,
    standing_of,
)
from tournaments.payouts.domain import bounties
from tournaments.payouts.selectors.bounties import (
    bounties_due,
    bounties_of,
    bounties_paid,
    heads_waiting,
)
from tournaments.payouts.selectors.prizes import paid_out_cents
from tournaments.practice.simulation import InvariantBroken
from tournaments.prizes.selectors.plans import prize_pool
from tournaments.undo.services.undo import rolled_back

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
SEEN = {
    "entry.eliminated", "knockout.set", "rebuy.bought", "addon.bought", "entry.reentered",
    "rebuy.declined", "fee.paid", "fee.refunded", "drawer.moved", "prizes.frozen", "payout.paid",
    "action.undone",
}  # fmt: skip


def of(sums, what):
    return {key[1]: value for key, value in sums.items() if isinstance(key, tuple)
            and key[0] == what and value}  # fmt: skip


def compare(teller):
    event, sums = f.fresh(teller.event), teller.sums
    people = [key[1] for key in sums if isinstance(key, tuple) and key[0] == "owed"]
    assert chips_in_play(event) == (sums["chips"], True)
    assert players_left(event) == sums["left"]
    compare_people(event, sums, people)
    compare_pool(event, sums, people)
    compare_heads(event, sums)
    compare_paid_out(event, sums)
    compare_drawer(event, sums)
    balance = Posting.objects.live().filter(event=event).values("made_by")
    assert not balance.annotate(sum=Sum("amount_cents")).exclude(sum=0).exists()


def compare_people(event, sums, people):
    """What each owes, has paid and still has to pay."""
    owed = {
        pk: sum(share.cents for price in prices for share in price)
        for pk, prices in prices_owed(event, people).items()
    }
    assert {pk: cents for pk, cents in owed.items() if cents} == of(sums, "owed")
    paid = payments(event)
    assert {pk: cents for pk, cents in paid.items() if cents} == of(sums, "paid")
    assert open_by_registration(event, people) == {
        pk: max(0, owed[pk] - sums["paid", pk]) for pk in people
    }
    assert -account_cents(event, *PAID_FOR) == sum(paid.values())


def compare_pool(event, sums, people):
    """What each has paid is booked to what he owes, in its order, and so the pool is right."""
    rows = {row.pk: row for row in Registration.objects.filter(pk__in=people)}
    owed = prices_owed(event, people)
    for pk in people:
        covered = allotted(owed[pk], sums["paid", pk])
        assert standing_of(rows[pk]).booked == {side: -cents for side, cents in covered.items()}
        if sums["paid", pk] >= sums["owed", pk]:
            assert covered.get((Account.POOL, ""), 0) == sums["pool", pk]
    in_pool = -account_cents(event, Account.POOL, Account.FEES)
    assert prize_pool(event).paid == in_pool


def compare_heads(event, sums):
    """What was paid for heads is won, on heads, or open: never more nor less."""
    stands = bounties_of(event)
    assert stands.total() == sums["heads"]
    parts = (stands.won, stands.heads, stands.open)
    assert all(cents >= 0 for part in parts for cents in (*part.values(), stands.left_over))
    waits = heads_waiting(event)
    assert sum(cents for _stack, cents in waits) == sum(stands.open.values())
    if event.bounty_kind != "mystery":
        assert set(stands.heads) <= set(event_alive_entry_ids(event))


def compare_paid_out(event, sums):
    assert paid_out_cents(event) == of(sums, "prize")
    assert {pk: cents for pk, cents in bounties_paid(event).items() if cents} == of(sums, "bounty")
    due = {one.registration: one for one in bounties_due(event)}
    assert sum(one.won for one in due.values()) == sum(bounties_of(event).won.values())
    assert {pk: one.paid for pk, one in due.items() if one.paid} == of(sums, "bounty")


def compare_drawer(event, sums):
    (drawer,) = drawers_of(event)
    assert drawer.cash_cents == sums["drawer"]
    rows = Receipt.objects.filter(event=event)
    assert rows.count() == sums["receipts"]
    assert numbers_missing(rows.values_list("number", flat=True)) == []
    told = rows.values("registration").annotate(sum=Sum("cents")).order_by()
    booked_by = Counter(of(sums, "paid"))
    for what in ("prize", "bounty", "kept"):
        booked_by.subtract(of(sums, what))
    assert {pk: cents for pk, cents in told.values_list("registration", "sum") if cents} == {
        pk: cents for pk, cents in booked_by.items() if cents
    }


def an_evening(least: int):
    """Return whether it is short, and what is done on it, each with a number for what is chosen."""

    def deeds(of):
        one = st.tuples(st.sampled_from(of), st.integers(0, 2**20))
        return st.lists(one, min_size=least, max_size=2 * least)

    return st.one_of(
        st.tuples(st.just(True), deeds(SHORT)), st.tuples(st.just(False), deeds(LONG))
    )  # fmt: skip


@pytest.fixture
def table():
    """An evening on which everything is for sale, who leads it, and what was done in it so far."""
    return *evening(), Counter()


def play(table, is_short: bool, deeds) -> None:
    event, by, done = table
    with rolled_back():
        teller = Teller.at(event, by, is_short)
        for deed, number in deeds:
            if teller.has_done(deed, number):
                compare(teller)
        assert facts_checked(f.fresh(teller.event)).differences == []
        done.update(teller.done)


def made_by_hypothesis(number: int, strategy, seed_of: int, play) -> None:
    """Let Hypothesis make so many evenings, always the same ones for one seed, and play them."""
    how = settings(
        max_examples=number,
        database=None,
        deadline=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    seed(seed_of)(how(given(strategy)(play)))()


def play_evenings(table, number: int, least: int, seed_of: int) -> None:
    made_by_hypothesis(number, an_evening(least), seed_of, lambda one: play(table, *one))


@pytest.mark.evening
def test_owed_paid_pool_and_chips_agree_whatever_is_done(table):
    play_evenings(table, f.evenings(6), 20, seed_of=0)
    assert len(SEEN & set(table[2])) > len(SEEN) / 2 or f.evenings(6) < 6


KINDS = [("fixed", 3), ("progressive", 4), ("mystery", 12)]
MANY = [pytest.param(kind, 100, marks=pytest.mark.long) for kind, _few in KINDS]


@pytest.mark.parametrize(("kind", "number"), KINDS + MANY)
def test_no_head_is_lost_whatever_is_lost_bought_told_and_taken_back(kind, number):
    event, by = evening(bounty_kind=kind)
    done = Counter()

    def play(deeds):
        with rolled_back():
            teller = Teller.at(event, by, is_short=False)
            teller.closed = {"rebuy_level": 0, "addon_level": 0}
            for deed, seed_of in deeds:
                if teller.has_done(deed, seed_of):
                    compare_heads(f.fresh(event), teller.sums)
            done.update(teller.done)

    deeds = st.lists(st.tuples(st.sampled_from(HEADS), st.integers(0, 2**20)), min_size=20)
    made_by_hypothesis(f.evenings(number), deeds, 0, play)
    if f.evenings(number) == number:  # fewer evenings do not show everything
        wanted = {"knockout.set", "rebuy.bought", "entry.eliminated", "action.undone"}
        assert set(done) >= wanted
        assert ("mystery.drawn" in done) == (kind == "mystery")


@pytest.mark.long
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("share", range(10))
def test_owed_paid_pool_and_chips_agree_in_ten_thousand_sequences(table, share):
    play_evenings(table, 1_000, 12, seed_of=share)
    done = table[2]
    assert set(done) >= SEEN
    assert done["rebuys.lapsed"] > 1
    assert done["payout.settled"] > 1
    assert done["action.undone"] > 100


# --- Evenings of bounties, deals and cash, played with books that are kept by the rule's text


@pytest.mark.evening
@pytest.mark.parametrize("seed", [pytest.param(0, marks=pytest.mark.postgres), 1])
def test_bounties_of_every_kind_to_the_last_cent(seed):
    sides = play_bounties(seed)
    assert len(sides) == 3
    assert all(side.checked > 10 for side in sides)
    for side in sides:
        side.chain()


@pytest.mark.postgres
@pytest.mark.evening
@pytest.mark.parametrize(
    ("play", "least"),
    [
        (play_deals, 11),  # and another on what was left
        (play_cash_evening, 20),
        (play_points_evening, 20),
        (play_corrected_evening, 3),
    ],
)
def test_an_evening_with_the_simulator_s_own_books(play, least):
    side = play(1)
    assert side.checked >= least
    side.chain()


def test_a_lost_cent_is_noticed(monkeypatch):
    def careless(cents, among):
        return dict.fromkeys(among, cents // len(among))

    monkeypatch.setattr(bounties, "shared", careless)
    with pytest.raises(InvariantBroken):
        play_bounties(1)


@pytest.mark.postgres
def test_chips_that_the_program_lost_are_noticed(monkeypatch):
    told = cash.chips_on_table
    monkeypatch.setattr(cash, "chips_on_table", lambda table: max(0, told(table) - 1))
    with pytest.raises(InvariantBroken, match="chips on a cash table"):
        play_cash_evening(1)
