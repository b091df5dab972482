"""The rules of the cash game, by their sources: HOME (S18), WIESBADEN and STUD (S19)."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, seed, settings
from hypothesis import strategies as st

from tournaments.cashgame.domain.house_fee import (
    FeeWay,
    hand_fee_cents,
    pot_fee_cents,
    time_fee_cents,
)
from tournaments.cashgame.domain.ledger import (
    LastHands,
    Stage,
    Step,
    end_instant,
    may_begin,
    on_table_cents,
    sides_of_step,
    stage,
)
from tournaments.cashgame.domain.stakes import (
    Bound,
    No,
    Range,
    Stakes,
    Way,
    buying_range,
    obstacle_to_buy,
    obstacle_to_take,
    returning_range,
)
from tournaments.cashgame.domain.waiting import Waiter, next_to_ask, seats_free, waiting_order
from tournaments.money.domain.accounts import Account

VIENNA = ZoneInfo("Europe/Vienna")
AT = datetime(2026, 11, 23, 20, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
BOUNDS = Range(2000, 10_000)


def test_s19_table_stakes_a_buy_in_is_between_the_minimum_and_the_maximum():
    assert obstacle_to_buy(BOUNDS, 1999) is No.BELOW_MINIMUM
    assert obstacle_to_buy(BOUNDS, 2000) is None
    assert obstacle_to_buy(BOUNDS, 10_000) is None
    assert obstacle_to_buy(BOUNDS, 10_001) is No.ABOVE_MAXIMUM
    assert obstacle_to_buy(BOUNDS, 0) is No.NO_AMOUNT


def test_s19_top_up_between_hands_to_at_least_the_minimum():
    assert obstacle_to_buy(BOUNDS, 1000, stack_cents=900) is No.BELOW_MINIMUM
    assert obstacle_to_buy(BOUNDS, 1100, stack_cents=900) is None
    assert obstacle_to_buy(BOUNDS, 1100, stack_cents=900, is_hand_running=True) is No.DURING_HAND


def test_s19_chips_stay_on_the_table_and_come_back_with_whoever_took_them():
    hour = timedelta(hours=1)
    bounds = returning_range(BOUNDS, 14_000, AT, AT + 59 * MINUTE, hour)
    assert obstacle_to_buy(bounds, 13_999) is No.BELOW_TAKEN_AWAY
    assert obstacle_to_buy(bounds, 14_000) is None
    assert returning_range(BOUNDS, 14_000, AT, AT + 61 * MINUTE, hour) == BOUNDS
    small = returning_range(BOUNDS, 500, AT, AT, hour)
    assert obstacle_to_buy(small, 1000) is No.BELOW_MINIMUM
    unlimited = returning_range(Range(2000, None), 14_000, AT, AT, hour)
    assert unlimited.most is None


def test_s19_up_to_the_largest_stack_somebody_has_to_say_it():
    stakes = Stakes(
        small_blind_cents=50,
        big_blind_cents=100,
        minimum=Bound(Way.BIG_BLINDS, 20),
        maximum=Bound(Way.LARGEST_STACK),
    )
    assert obstacle_to_buy(buying_range(stakes), 5000) is No.LARGEST_UNKNOWN
    assert obstacle_to_buy(buying_range(stakes, 5000), 5000) is None
    assert obstacle_to_buy(buying_range(stakes, 4999), 5000) is No.ABOVE_MAXIMUM
    with pytest.raises(ValueError, match="largest stack"):
        buying_range(
            Stakes(
                small_blind_cents=1,
                big_blind_cents=2,
                minimum=Bound(Way.LARGEST_STACK),
                maximum=Bound(Way.FIXED, 5),
            )
        )


def test_s19_nobody_leaves_with_more_than_lies_on_the_table_or_with_a_fee_open():
    assert obstacle_to_take(30_000, 30_001) is No.MORE_THAN_THERE_IS
    assert obstacle_to_take(30_000, -1) is No.NO_AMOUNT
    assert obstacle_to_take(30_000, 100, is_hand_running=True) is No.DURING_HAND
    assert obstacle_to_take(30_000, 100, fee_open_cents=1) is No.FEE_OPEN
    assert obstacle_to_take(30_000, 30_000) is None


def test_s19_the_fee_from_the_pot_is_rounded_down_to_a_chip_and_has_a_limit():
    assert pot_fee_cents(9_990, percent=5, most_cents=0, step_cents=50) == 450
    assert pot_fee_cents(90_000, percent=5, most_cents=300, step_cents=50) == 300
    own = {"cents": 100, "percent": 5, "most_cents": 300, "pot_cents": 4000, "step_cents": 50}
    assert hand_fee_cents(FeeWay.TIME, **own) == 0
    assert hand_fee_cents(FeeWay.HAND, **own) == 100
    with pytest.raises(ValueError, match="no pot"):
        pot_fee_cents(-1, percent=5, most_cents=0)
    with pytest.raises(ValueError, match="one minute"):
        time_fee_cents(AT, AT, cents=1, minutes=0)


def test_s18_a_fee_by_time_counts_both_of_the_hours_in_october():
    since = datetime(2026, 10, 25, 1, 30, tzinfo=VIENNA)
    until = datetime(2026, 10, 25, 3, 30, tzinfo=VIENNA)
    assert time_fee_cents(since, until, cents=200, minutes=60) == 600


def test_s18_the_end_is_fixed_and_lies_past_midnight():
    evening = datetime(2026, 11, 23, 19, tzinfo=VIENNA)
    assert end_instant(evening, time(1), VIENNA) == datetime(2026, 11, 24, 1, tzinfo=VIENNA)
    assert end_instant(evening, time(23), VIENNA) == datetime(2026, 11, 23, 23, tzinfo=VIENNA)
    assert end_instant(evening, time(19), VIENNA) == datetime(2026, 11, 24, 19, tzinfo=VIENNA)


@given(st.integers(0, 60 * 24 * 400), st.times())
def test_s18_the_end_is_the_first_time_that_the_wall_shows_it(minutes, ends):
    begins = datetime(2026, 1, 1, tzinfo=UTC) + minutes * MINUTE
    found = end_instant(begins, ends, VIENNA).astimezone(UTC)
    assert timedelta(0) < found - begins <= timedelta(hours=26)
    shown = found.astimezone(VIENNA).time()
    # In March an hour is left out: then what is shown is another time.
    assert shown == ends or (found.month == 3 and ends.hour == 2)


def test_s18_a_hand_that_runs_at_the_end_is_finished_and_none_begins():
    end = {"ends_at": AT, "last": None, "began": [AT - MINUTE]}
    running = stage(AT + MINUTE, **end, is_hand_running=True)
    assert running is Stage.FINISHES
    assert not may_begin(running, is_hand_running=True)
    over = stage(AT + MINUTE, **end, is_hand_running=False)
    assert over is Stage.OVER
    assert not may_begin(over, is_hand_running=False)
    assert stage(AT - MINUTE, **end, is_hand_running=False) is Stage.PLAYS


def test_s18_three_last_hands_are_counted_at_each_table():
    last, began = LastHands(AT, 3), [AT - MINUTE]
    found = []
    for number in range(4):
        before = stage(AT, ends_at=AT, last=last, began=began, is_hand_running=False)
        found.append((before, may_begin(before, is_hand_running=False)))
        began = [*began, AT + (number + 1) * MINUTE]
        if number < 3:
            during = stage(AT, ends_at=AT, last=last, began=began, is_hand_running=True)
            assert during is (Stage.LAST_HANDS if number < 2 else Stage.LAST_HAND)
    assert found == [
        (Stage.LAST_HANDS, True),
        (Stage.LAST_HANDS, True),
        (Stage.LAST_HAND, True),
        (Stage.OVER, False),
    ]


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


@given(st.lists(MOVES, max_size=40))
def test_the_books_balance_at_every_step_of_any_evening(moves):
    assert_balanced_at_every_step(moves)


@pytest.mark.long
@pytest.mark.parametrize("thousand", range(10))
def test_the_books_balance_at_every_step_of_ten_thousand_evenings(thousand):
    @seed(thousand)
    @settings(max_examples=1000, database=None)
    @given(st.lists(MOVES, max_size=40))
    def some(moves):
        assert_balanced_at_every_step(moves)

    some()


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
        assert on_table_cents(sums[-1]) == table[-1] >= 0
        cash = -sum(sums[-1].values())
        assert cash + sums[-1][Account.OWED] == money[-1]
        assert all(sum(s.values()) == 0 for step, s in rows if step not in
                   {Step.BOUGHT, Step.CASHED, Step.TIME_FEE})  # fmt: skip
