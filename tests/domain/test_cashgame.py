"""The rules of the cash game, by their sources: HOME (S18), WIESBADEN and STUD (S19)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tournaments.cashgame.domain.ledger import (
    MOST_EXACT,
    Stage,
    Step,
    end_instant,
    payments_fewest,
    sides_of_step,
    stage,
)
from tournaments.cashgame.domain.stakes import (
    Bound,
    No,
    Range,
    Stakes,
    Waiter,
    Way,
    buying_range,
    next_to_ask,
    obstacle_to_buy,
    returning_range,
    seats_free,
    time_fee_cents,
    waiting_order,
)
from tournaments.money.domain.accounts import Account

VIENNA = ZoneInfo("Europe/Vienna")
AT = datetime(2026, 11, 23, 20, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
BOUNDS = Range(2000, 10_000)
HOUR = timedelta(hours=1)
LARGEST = Bound(Way.LARGEST_STACK, 4000)
UP_TO_LARGEST = Stakes(
    small_blind_cents=50, big_blind_cents=100, minimum=Bound(Way.BIG_BLINDS, 20), maximum=LARGEST
)
RETURNED = returning_range(BOUNDS, 14_000, AT, AT + 59 * MINUTE, HOUR)
RETURNED_LESS = returning_range(BOUNDS, 500, AT, AT, HOUR)
RETURNED_UNKNOWN = returning_range(replace(BOUNDS, is_open=True), 14_000, AT, AT, HOUR)


@pytest.mark.parametrize(
    ("bounds", "cents", "own", "no"),
    [
        (BOUNDS, 1999, {}, No.BELOW_MINIMUM),
        (BOUNDS, 2000, {}, None),
        (BOUNDS, 10_000, {}, None),
        (BOUNDS, 10_001, {}, No.ABOVE_MAXIMUM),
        (BOUNDS, 0, {}, No.NO_AMOUNT),
        # Topped up between hands, to at least the minimum.
        (BOUNDS, 1000, {"stack_cents": 900}, No.BELOW_MINIMUM),
        (BOUNDS, 1100, {"stack_cents": 900}, None),
        (BOUNDS, 1100, {"stack_cents": 900, "is_hand_running": True}, No.DURING_HAND),
        # Chips stay on the table, and come back with who took them.
        (RETURNED, 13_999, {}, No.BELOW_TAKEN_AWAY),
        (RETURNED, 14_000, {}, None),
        (RETURNED_LESS, 1000, {}, No.BELOW_MINIMUM),
        (RETURNED_UNKNOWN, 14_001, {}, No.LARGEST_UNKNOWN),
        # Up to 40 €, or the largest stack: only for more somebody has to say it.
        (buying_range(UP_TO_LARGEST), 4000, {}, None),
        (buying_range(UP_TO_LARGEST), 5000, {}, No.LARGEST_UNKNOWN),
        (buying_range(UP_TO_LARGEST, 300), 4000, {}, None),
        (buying_range(UP_TO_LARGEST, 5000), 5000, {}, None),
        (buying_range(UP_TO_LARGEST, 4999), 5000, {}, No.ABOVE_MAXIMUM),
    ],
)
def test_s19_table_stakes(bounds, cents, own, no):
    assert obstacle_to_buy(bounds, cents, **own) is no


def test_s18_a_fee_by_time_counts_both_of_the_hours_in_october():
    since = datetime(2026, 10, 25, 1, 30, tzinfo=VIENNA)
    until = datetime(2026, 10, 25, 3, 30, tzinfo=VIENNA)
    assert time_fee_cents(since, until, cents=200, minutes=60) == 600
    with pytest.raises(ValueError, match="one minute"):
        time_fee_cents(since, until, cents=1, minutes=0)


@given(st.integers(0, 60 * 24 * 400), st.times())
def test_s18_the_end_is_the_first_time_that_the_wall_shows_it(minutes, ends):
    begins = datetime(2026, 1, 1, tzinfo=UTC) + minutes * MINUTE
    found = end_instant(begins, ends, VIENNA).astimezone(UTC)
    assert timedelta(0) < found - begins <= timedelta(hours=26)
    shown = found.astimezone(VIENNA).time()
    # In March an hour is left out: then what is shown is another time.
    assert shown == ends or (found.month == 3 and ends.hour == 2)


@pytest.mark.parametrize(
    ("minute", "hands_left", "found"),
    [
        (-1, None, (Stage.PLAYS, Stage.PLAYS)),
        # A hand that runs at the end is finished, and none begins.
        (1, None, (Stage.OVER, Stage.FINISHES)),
        # Announced hands are counted at each table, beyond the end.
        (1, 3, (Stage.LAST_HANDS, Stage.LAST_HANDS)),
        (1, 2, (Stage.LAST_HANDS, Stage.LAST_HANDS)),
        (1, 1, (Stage.LAST_HAND, Stage.LAST_HANDS)),
        (1, 0, (Stage.OVER, Stage.LAST_HAND)),
    ],
)
def test_s18_the_stage_of_a_table_between_hands_and_in_one(minute, hands_left, found):
    own = {"ends_at": AT, "hands_left": hands_left}
    runs = [stage(AT + minute * MINUTE, **own, is_hand_running=runs) for runs in (False, True)]
    assert tuple(runs) == found


@given(st.lists(st.tuples(st.integers(0, 90), st.none() | st.integers(0, 90)), max_size=12))
def test_the_line_keeps_everybody_and_gives_no_seat_twice(asked):
    line = [
        Waiter(key, AT + minutes * MINUTE, None if until is None else AT + until * MINUTE)
        for key, (minutes, until) in enumerate(asked)
    ]
    now = AT + 45 * MINUTE
    assert sorted(w.key for w in waiting_order(line, now)) == list(range(len(line)))
    held = sum(waiter.holds_seat(now) for waiter in line)
    for free in range(5):
        told = next_to_ask(free, line, now)
        assert len(told) + held <= max(free, held)
        assert seats_free(free, line, now) == max(0, free - held)
        assert not any(waiter.holds_seat(now) for waiter in told)


LEAVES = (Step.CASHED, Step.POT_FEE, Step.TIP, Step.CARRIED_OUT)
MOVES = st.tuples(st.sampled_from([*Step, "undo"]), st.integers(1, 90_000), st.booleans())


@pytest.mark.parametrize("many", [100, pytest.param(10_000, marks=pytest.mark.long)])
def test_the_books_balance_at_every_step_of_any_evening(many):
    made = settings(max_examples=many, database=None, deadline=None)
    made(given(st.lists(MOVES, max_size=40))(assert_balanced_at_every_step))()


def assert_balanced_at_every_step(moves):
    """The oracle counts chips on the table and money beside it; undo takes the last step back."""
    rows, table, money, sums = [], [0], [0], [dict.fromkeys(Account, 0)]
    for step, cents, is_noted in moves:
        if step == "undo":
            if rows:
                rows.pop(), table.pop(), money.pop(), sums.pop()
        elif step not in LEAVES or cents <= table[-1]:
            amount = min(cents, table[-1]) if step is Step.COUNTED else cents
            rows.append((step, sides_of_step(step, amount, is_noted=is_noted)))
            into = {Step.BOUGHT: 1, Step.CARRIED_IN: 1, Step.TIME_FEE: 0}.get(step, -1)
            table.append(table[-1] + into * amount)
            comes = {Step.BOUGHT: 1, Step.TIME_FEE: 1, Step.CASHED: -1}.get(step, 0)
            money.append(money[-1] + comes * amount)
            sums.append(dict(sums[-1]))
            for (account, _part), booked in rows[-1][1].items():
                sums[-1][account] += booked
        assert -sums[-1][Account.CHIPS] == table[-1] >= 0
        cash = -sum(sums[-1].values())
        assert cash + sums[-1][Account.OWED] == money[-1]
        moves_money = {Step.BOUGHT, Step.CASHED, Step.TIME_FEE}
        assert not any(sum(sides.values()) for step, sides in rows if step not in moves_money)


# --- Who pays whom


SMALL = st.lists(st.integers(-12, 12), min_size=1, max_size=11)
ANY = st.lists(st.integers(-500_000, 500_000), max_size=40)


def balanced(amounts):
    """Return balances by person, the last of which makes them sum to zero."""
    return dict(enumerate([*amounts, -sum(amounts)]))


def fewest_by_search(balances):
    """Try every set of people: as many sets that sum to zero as fit beside each other."""
    cents = [value for value in balances.values() if value]
    size = len(cents)
    sums = [sum(cents[i] for i in range(size) if held >> i & 1) for held in range(1 << size)]
    groups = [0] * (1 << size)
    for held in range(1, 1 << size):
        without = max(groups[held & ~(1 << i)] for i in range(size) if held >> i & 1)
        groups[held] = without + (sums[held] == 0)
    return size - groups[-1]


def assert_settles(balances, payments):
    left = dict(balances)
    for payment in payments:
        assert payment.cents > 0
        assert payment.payer != payment.payee
        left[payment.payer] += payment.cents
        left[payment.payee] -= payment.cents
    assert not any(left.values())


@given(ANY)
def test_after_the_payments_nobody_owes_anything_and_they_are_fewer_than_the_people(amounts):
    balances = balanced(amounts)
    payments = payments_fewest(balances)
    assert_settles(balances, payments)
    people = sum(1 for cents in balances.values() if cents)
    assert len(payments) <= max(0, people - 1)


@settings(max_examples=150)
@given(SMALL)
@example([1, 1, -2, 3, 3, -6, 5, 5, -10, 2, 7])
@example([4, 4, 4, -6, -6, 9, -5, -4, 7, 7, -14])
def test_no_other_way_takes_fewer_payments(amounts):
    balances = balanced(amounts)
    assert len(payments_fewest(balances)) == fewest_by_search(balances)


def test_twenty_people_in_six_groups_need_fourteen_payments():
    """Six groups that are known beforehand, of numbers that sum to zero in no other way."""
    amounts = []
    for group in range(6):
        unit = 7**group * 3
        amounts += [unit, 2 * unit, -3 * unit]
    amounts += [10**7, -(10**7)]
    balances = dict(enumerate(amounts))
    assert len(balances) <= MOST_EXACT
    payments = payments_fewest(balances)
    assert_settles(balances, payments)
    assert len(payments) == 6 * 2 + 1


def test_balances_that_do_not_even_out_are_an_error():
    with pytest.raises(ValueError, match="not what the others owe"):
        payments_fewest({1: 100, 2: -99})
