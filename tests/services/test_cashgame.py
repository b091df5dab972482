"""Cash tables: sitting down, chips, seats and who waits; refusals, log entries, undo."""

import pytest

from tests import factories as f
from tests.services.cashgames import (
    assert_balanced,
    make_cash_event,
    on,
    open_table,
    say,
    sit,
    undo_last,
    words,
)
from tournaments.cashgame.selectors.books import bought_by, fees_open
from tournaments.cashgame.services.hands import (
    cash_away,
    cash_back,
    cash_fee_pay,
    cash_hand_begin,
    cash_hand_end,
    cash_leave_announce,
)
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit, cash_top_up
from tournaments.models import (
    CashAway,
    CashLeave,
    CashSeat,
    Receipt,
)
from tournaments.money.selectors.journal import paid_cents

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return make_cash_event()


@pytest.fixture
def table(event):
    return open_table(event)


# Sitting down and buying


def test_who_sits_down_buys_chips_that_lie_on_the_table(event, table):
    petra = sit(event, table, "Petra Probst", 3, 5000)
    assert words(event) == "Cash-Tisch 1, Platz 3: Petra Probst kauft 50\xa0€"
    assert on(table) == 5000
    assert bought_by(event)[petra.pk].bought_cents == 5000
    assert paid_cents(petra) == 0, "chips are nothing of the entry fee"
    assert Receipt.objects.get().cents == 5000
    assert_balanced(event)
    undo_last(event)
    assert (on(table), CashSeat.objects.live().count()) == (0, 0)
    undo_last(event)
    assert (on(table), CashSeat.objects.live().count()) == (5000, 1)


def test_s19_minimum_buy_in_and_maximum_are_those_of_the_table(event, table):
    petra = f.register(event)
    own = {"registration": petra, "table": table, "seat": 1}
    with f.refused("below_minimum", event) as caught:
        say(cash_sit, event, **own, cents=1999)
    assert "20\xa0€" in str(caught.value)
    with f.refused("above_maximum", event):
        say(cash_sit, event, **own, cents=10_001)
    with f.refused("no_amount", event):
        say(cash_sit, event, **own, cents=0)
    say(cash_sit, event, **own, cents=2000)


def test_s19_up_to_the_largest_stack(event):
    table = open_table(event, maximum_way="largest_stack", maximum=0)
    # Nothing lies at an empty table: nobody has to say it.
    sit(event, table, "Petra Probst", 1, 2000)
    otto = f.register(event, "Otto Kurz")
    own = {"registration": otto, "table": table, "seat": 2}
    with f.refused("largest_unknown", event):
        say(cash_sit, event, **own, cents=2000)
    with f.refused("more_than_there_is", event):
        say(cash_sit, event, **own, cents=2000, largest_cents=2001)
    with f.refused("above_maximum", event):
        say(cash_sit, event, **own, cents=2001, largest_cents=2000)
    say(cash_sit, event, **own, cents=2000, largest_cents=2000)


def test_a_seat_is_not_given_twice(event, table):
    petra = sit(event, table, "Petra Probst", 3)
    otto = f.register(event, "Otto Kurz")
    with f.refused("seat_taken", event) as caught:
        say(cash_sit, event, registration=otto, table=table, seat=3, cents=5000)
    assert "Petra Probst" in str(caught.value)
    with f.refused("no_such_seat", event):
        say(cash_sit, event, registration=otto, table=table, seat=5, cents=5000)
    with f.refused("seated", event):
        say(cash_sit, event, registration=petra, table=table, seat=4, cents=5000)


def test_s19_top_up_between_hands_to_at_least_the_minimum(event, table):
    petra = sit(event, table, "Petra Probst", 1, 5000)
    own = {"registration": petra, "stack_cents": 1000}
    with f.refused("below_minimum", event):
        say(cash_top_up, event, **own, cents=900)
    with f.refused("above_maximum", event):
        say(cash_top_up, event, **own, cents=9100)
    with f.refused("bad_stack", event):
        say(cash_top_up, event, registration=petra, stack_cents=5001, cents=1000)
    say(cash_hand_begin, event, table=table)
    with f.refused("during_hand", event):
        say(cash_top_up, event, **own, cents=1000)
    say(cash_hand_end, event, table=table)
    say(cash_top_up, event, **own, cents=1000)
    assert words(event) == "Cash-Tisch 1: Petra Probst kauft 10\xa0€ nach"
    assert on(table) == 6000
    undo_last(event)
    assert on(table) == 5000


def test_s19_chips_stay_on_the_table_until_their_owner_leaves(event, table):
    petra = sit(event, table, "Petra Probst", 1, 5000)
    with f.refused("chips_stay", event) as caught:
        say(cash_top_up, event, registration=petra, stack_cents=5000, cents=-1000)
    assert str(caught.value) == "Chips bleiben am Tisch, bis ihr Besitzer geht."
    otto = f.register(event, "Otto Kurz")
    with f.refused("not_seated", event):
        say(cash_out, event, registration=otto, cents=1)


def test_s19_who_comes_back_within_the_time_brings_what_he_took(event, table):
    petra, _otto = sit(event, table, "Petra Probst", 1, 5000), sit(event, table, "Otto", 2, 9000)
    say(cash_out, event, minute=10, registration=petra, cents=12_000)
    own = {"registration": petra, "table": table, "seat": 1}
    with f.refused("below_taken_away", event) as caught:
        say(cash_sit, event, minute=60, **own, cents=10_000)
    assert "120\xa0€" in str(caught.value)
    say(cash_sit, event, minute=60, **own, cents=12_000)
    undo_last(event)
    say(cash_sit, event, minute=95, **own, cents=2000)


def test_s19_who_lost_what_he_brought_back_brings_nothing_of_it_again(event, table):
    petra, _otto = sit(event, table, "Petra Probst", 1, 5000), sit(event, table, "Otto", 2, 9000)
    own = {"registration": petra, "table": table, "seat": 1}
    say(cash_out, event, minute=10, registration=petra, cents=12_000)
    say(cash_sit, event, minute=20, **own, cents=12_000)
    say(cash_out, event, minute=30, registration=petra, cents=0)
    say(cash_sit, event, minute=40, **own, cents=2000)


# Leaving


def test_nobody_leaves_with_more_than_lies_on_the_table(event, table):
    petra = sit(event, table, "Petra Probst", 1, 5000)
    with f.refused("more_than_there_is", event) as caught:
        say(cash_out, event, registration=petra, cents=5001)
    assert str(caught.value) == "An Tisch 1 liegen nur 50\xa0€."
    with f.refused("no_amount", event):
        say(cash_out, event, registration=petra, cents=-1)
    say(cash_hand_begin, event, table=table)
    with f.refused("during_hand", event):
        say(cash_out, event, registration=petra, cents=5000)
    say(cash_hand_end, event, table=table)
    say(cash_out, event, registration=petra, cents=5000)
    assert words(event) == "Cash-Tisch 1: Petra Probst geht und bekommt 50\xa0€"
    assert (on(table), CashSeat.objects.live().count()) == (0, 0)
    assert_balanced(event)
    undo_last(event)
    assert (on(table), CashSeat.objects.live().count()) == (5000, 1)


def test_nobody_leaves_with_a_fee_open(event):
    table = open_table(event, fee_way="time", fee_cents=300, fee_minutes=30)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    with f.refused(
        "fee_open",
        event,
    ) as caught:
        say(cash_out, event, minute=31, registration=petra, cents=5000)
    assert "6\xa0€" in str(caught.value)
    say(cash_fee_pay, event, minute=31, registration=petra)
    assert words(event) == "Cash-Tisch 1: Petra Probst zahlt 6\xa0€ Hausgebühr"
    assert on(table) == 5000, "the fee is no part of the chips"
    with f.refused("nothing_open", event):
        say(cash_fee_pay, event, minute=59, registration=petra)
    say(cash_out, event, minute=60, registration=petra, cents=5000)
    assert_balanced(event)


def test_s18_leaving_is_announced_and_gone_for_a_meal_has_a_time(event, table):
    petra = sit(event, table, "Petra Probst", 1)
    at = f.after(60)
    with f.refused("bad_time", event):
        say(cash_leave_announce, event, registration=petra, leaves_at=f.after(-1))
    say(cash_leave_announce, event, registration=petra, leaves_at=at)
    assert CashLeave.objects.live().get().leaves_at == at
    assert words(event) == "Cash-Tisch 1: Petra Probst geht um 20:00"
    with f.refused("bad_minutes", event):
        say(cash_away, event, registration=petra, minutes=0)
    say(cash_away, event, registration=petra, minutes=20)
    assert CashAway.objects.live().get().until == f.after(20)
    with f.refused("already_away", event):
        say(cash_away, event, registration=petra, minutes=20)
    say(cash_move, event, registration=petra, table=table, seat=2)
    assert CashLeave.objects.live().get().leaves_at == at, "what was said holds on another seat"
    with f.refused("not_away", event):
        say(cash_back, event, registration=petra)
    say(cash_away, event, registration=petra, minutes=20)
    say(cash_back, event, registration=petra)
    assert words(event) == "Cash-Tisch 1: Petra Probst ist wieder da"
    say(cash_out, event, registration=petra, cents=0)
    assert not CashLeave.objects.live().exists()


# Seats and tables


def test_a_seat_change_at_the_table_keeps_the_time(event, table):
    petra = sit(event, table, "Petra Probst", 1)
    sit(event, table, "Otto Kurz", 2)
    with f.refused("seat_taken", event):
        say(cash_move, event, registration=petra, table=table, seat=2)
    say(cash_move, event, minute=20, registration=petra, table=table, seat=4)
    held = CashSeat.objects.live().get(registration=petra)
    assert (held.seat, held.since) == (4, f.after(0))
    undo_last(event)
    assert CashSeat.objects.live().get(registration=petra).seat == 1


def test_who_changes_the_table_takes_all_chips_along(event, table):
    other = open_table(event)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    own = {"registration": petra, "table": other, "seat": 1}
    with f.refused("no_stack", event):
        say(cash_move, event, **own)
    with f.refused("more_than_there_is", event):
        say(cash_move, event, **own, stack_cents=5001)
    say(cash_move, event, minute=5, **own, stack_cents=4000)
    assert words(event) == "Petra Probst sitzt jetzt an Cash-Tisch 2, Platz 1"
    assert (on(table), on(other)) == (1000, 4000)
    assert bought_by(event)[petra.pk].bought_cents == 5000
    assert_balanced(event)
    dear = open_table(event, small_blind_cents=500, big_blind_cents=1000)
    with f.refused("other_stakes", event):
        say(cash_move, event, registration=petra, table=dear, seat=1, stack_cents=4000)


def test_the_time_that_is_paid_goes_along_to_a_table_that_takes_the_same(event):
    fee = {"fee_way": "time", "fee_cents": 300, "fee_minutes": 30}
    here, there, dear = (open_table(event, **fee | own) for own in ({}, {}, {"fee_cents": 400}))
    petra = sit(event, here, "Petra Probst", 1, 5000)
    own = {"registration": petra, "seat": 1, "stack_cents": 5000}

    def owed(minute):
        seat = CashSeat.objects.live().select_related("table").get(registration=petra)
        return fees_open([seat], f.after(minute)).get(seat.pk, 0)

    say(cash_fee_pay, event, minute=5, registration=petra)
    say(cash_move, event, minute=10, table=there, **own)
    assert (owed(30), owed(31)) == (0, 300), "the half hour that he has paid is not paid twice"
    say(cash_move, event, minute=20, table=there, **own | {"seat": 2})
    assert (owed(30), owed(31)) == (0, 300)
    undo_last(event, minute=21)
    assert (owed(30), owed(31)) == (0, 300)
    say(cash_move, event, minute=25, table=dear, **own)
    assert owed(26) == 400, "another fee begins anew"
