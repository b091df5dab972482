"""Cash tables: sitting down, chips, leaving, seats; refusals, log entries, undo."""

import pytest

from tests import factories as f
from tests.services.cashgames import assert_balanced, on, open_table, say, sit, undo_last, words
from tournaments.cashgame.selectors.books import bought_by, fees_open
from tournaments.cashgame.services.hands import (
    cash_away,
    cash_back,
    cash_end_set,
    cash_fee_pay,
    cash_hand_begin,
    cash_hand_end,
    cash_last_hands,
    cash_leave_announce,
    cash_tip,
)
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit, cash_top_up
from tournaments.cashgame.services.tables import cash_table_close, cash_table_count
from tournaments.models import CashAway, CashLeave, CashSeat, Receipt
from tournaments.money.selectors.journal import paid_cents

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]


@pytest.fixture
def petra(event, table):
    return sit(event, table, "Petra Probst", 1, 5000)


def told(event):
    """Return the rows that are meant by their names."""
    held = CashSeat.objects.get()
    otto = f.register(event, "Otto Kurz")
    return {"table": held.table, "petra": held.registration, "otto": otto}


PETRA, OTTO, TABLE = {"registration": "petra"}, {"registration": "otto"}, {"table": "table"}
SIT = OTTO | TABLE


REFUSED = [
    (cash_sit, SIT | {"seat": 2, "cents": 1999}, ("below_minimum", "20\xa0€")),
    (cash_sit, SIT | {"seat": 1, "cents": 5000}, ("seat_taken", "Petra Probst")),
    (cash_sit, SIT | {"seat": 5, "cents": 5000}, ("no_such_seat", "")),
    (cash_sit, SIT | PETRA | {"seat": 4, "cents": 5000}, ("seated", "")),
    (cash_top_up, PETRA | {"stack_cents": 1000, "cents": 900}, ("below_minimum", "")),
    (cash_top_up, PETRA | {"stack_cents": 1000, "cents": 9100}, ("above_maximum", "")),
    (cash_top_up, PETRA | {"stack_cents": 5001, "cents": 1000}, ("bad_stack", "")),
    (
        cash_top_up,
        PETRA | {"stack_cents": 5000, "cents": -1000},
        ("chips_stay", "Chips bleiben am Tisch, bis ihr Besitzer geht."),
    ),
    (cash_out, OTTO | {"cents": 1}, ("not_seated", "")),
    (
        cash_out,
        PETRA | {"cents": 5001},
        ("more_than_there_is", "An Tisch 1 liegen nur 50\xa0€."),
    ),
    (cash_out, PETRA | {"cents": -1}, ("no_amount", "")),
    (cash_leave_announce, PETRA | {"leaves_at": f.after(-1)}, ("bad_time", "")),
    (cash_away, PETRA | {"minutes": 0}, ("bad_minutes", "")),
    (cash_back, PETRA, ("not_away", "")),
    (cash_fee_pay, PETRA, ("nothing_open", "")),
    (cash_hand_end, TABLE, ("no_hand", "")),
    (cash_tip, TABLE | {"cents": 5001}, ("bad_amount", "")),
    (cash_tip, TABLE | {"cents": 0}, ("bad_amount", "")),
    (cash_table_count, TABLE | {"counted_cents": -1}, ("bad_amount", "")),
    (cash_table_close, TABLE, ("not_empty", "")),
    (cash_end_set, {"ends_at": f.after(-1)}, ("bad_end", "")),
    (cash_last_hands, {"hands": 0}, ("bad_hands", "")),
]


def test_s19_what_cannot_be_is_refused(event, petra):
    table, rows = CashSeat.objects.get().table, told(event)
    for service, given, (code, sentence) in REFUSED:
        own = {name: rows.get(value, value) for name, value in given.items()}
        assert sentence in f.refuses(code, say, service, event, **own), own
        assert (on(table), CashSeat.objects.live().count()) == (5000, 1), own


def test_s19_what_is_refused_during_a_hand_alone(event, petra):
    rows = told(event)
    say(cash_hand_begin, event, table=rows["table"])
    for service, given in (
        (cash_hand_begin, TABLE),
        (cash_top_up, PETRA | {"stack_cents": 1000, "cents": 1000}),
        (cash_out, PETRA | {"cents": 5000}),
        (cash_table_close, TABLE),
    ):
        own = {name: rows.get(value, value) for name, value in given.items()}
        f.refuses("during_hand", say, service, event, **own)


# Sitting down and buying


def test_who_sits_down_buys_chips_that_lie_on_the_table_and_leaves_with_money(event, table):
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
    say(cash_top_up, event, registration=petra, stack_cents=1000, cents=1000)
    assert words(event) == "Cash-Tisch 1: Petra Probst kauft 10\xa0€ nach"
    assert on(table) == 6000
    undo_last(event)
    assert (on(table), CashSeat.objects.live().count()) == (5000, 1)
    say(cash_out, event, registration=petra, cents=5000)
    assert words(event) == "Cash-Tisch 1: Petra Probst geht mit 50\xa0€"
    assert (on(table), CashSeat.objects.live().count()) == (0, 0)
    assert_balanced(event)
    undo_last(event)
    assert (on(table), CashSeat.objects.live().count()) == (5000, 1)


def test_s19_up_to_the_largest_stack(event):
    """500 € or the largest stack, whatever is more; only for more somebody has to say it."""
    table = open_table(event, maximum_way="largest_stack", maximum=50_000)
    petra = {"registration": f.register(event), "table": table, "seat": 1}
    f.refuses("above_maximum", say, cash_sit, event, **petra, cents=50_001, largest_cents=0)
    sit(event, table, "Paula Lang", 1, 50_000)
    sit(event, table, "Anna Berger", 3, 2000)
    otto = f.register(event, "Otto Kurz")
    own = {"registration": otto, "table": table, "seat": 2}
    f.refuses("largest_unknown", say, cash_sit, event, **own, cents=51_000)
    f.refuses("more_than_there_is", say, cash_sit, event, **own, cents=52_000, largest_cents=52_001)
    f.refuses("above_maximum", say, cash_sit, event, **own, cents=51_001, largest_cents=51_000)
    say(cash_sit, event, **own, cents=51_000, largest_cents=51_000)


def test_s19_who_comes_back_within_the_time_brings_what_he_took_and_has_not_lost(event, table):
    petra, _otto = sit(event, table, "Petra Probst", 1, 5000), sit(event, table, "Otto", 2, 9000)
    say(cash_out, event, minute=10, registration=petra, cents=12_000)
    own = {"registration": petra, "table": table, "seat": 1}
    said = f.refuses("below_taken_away", say, cash_sit, event, minute=60, **own, cents=10_000)
    assert "120\xa0€" in said
    say(cash_sit, event, minute=60, **own, cents=12_000)
    undo_last(event)
    say(cash_sit, event, minute=95, **own, cents=2000)
    say(cash_out, event, minute=96, registration=petra, cents=2000)
    say(cash_sit, event, minute=97, **own, cents=2000)
    say(cash_out, event, minute=98, registration=petra, cents=0)
    say(cash_sit, event, minute=99, **own, cents=3000)


# Leaving


def test_nobody_leaves_with_a_fee_open(event):
    table = open_table(event, fee_way="time", fee_cents=300, fee_minutes=30)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    said = f.refuses("fee_open", say, cash_out, event, minute=31, registration=petra, cents=5000)
    assert "6\xa0€" in said
    say(cash_fee_pay, event, minute=31, registration=petra)
    assert words(event) == "Cash-Tisch 1: Petra Probst zahlt 6\xa0€ Hausgebühr"
    assert on(table) == 5000, "the fee is no part of the chips"
    f.refuses("nothing_open", say, cash_fee_pay, event, minute=59, registration=petra)
    say(cash_out, event, minute=60, registration=petra, cents=5000)
    assert_balanced(event)


def test_s18_leaving_is_announced_and_gone_for_a_meal_has_a_time(event, table, petra):
    at = f.after(60)
    say(cash_leave_announce, event, registration=petra, leaves_at=at)
    assert CashLeave.objects.live().get().leaves_at == at
    assert words(event) == "Cash-Tisch 1: Petra Probst geht um 20:00"
    say(cash_away, event, registration=petra, minutes=20)
    assert CashAway.objects.live().get().until == f.after(20)
    f.refuses("already_away", say, cash_away, event, registration=petra, minutes=20)
    say(cash_move, event, registration=petra, table=table, seat=2)
    assert CashLeave.objects.live().get().leaves_at == at, "what was said holds on another seat"
    f.refuses("not_away", say, cash_back, event, registration=petra)
    say(cash_away, event, registration=petra, minutes=20)
    say(cash_back, event, registration=petra)
    assert words(event) == "Cash-Tisch 1: Petra Probst ist wieder da"
    say(cash_out, event, registration=petra, cents=0)
    assert not CashLeave.objects.live().exists()


# Seats and tables


def test_a_seat_change_at_the_table_keeps_the_time(event, table, petra):
    sit(event, table, "Otto Kurz", 2)
    f.refuses("seat_taken", say, cash_move, event, registration=petra, table=table, seat=2)
    say(cash_move, event, minute=20, registration=petra, table=table, seat=4)
    held = CashSeat.objects.live().get(registration=petra)
    assert (held.seat, held.since) == (4, f.after(0))
    undo_last(event)
    assert CashSeat.objects.live().get(registration=petra).seat == 1


def test_who_changes_the_table_takes_all_chips_along(event, table, petra):
    other = open_table(event)
    own = {"registration": petra, "table": other, "seat": 1}
    f.refuses("no_stack", say, cash_move, event, **own)
    f.refuses("more_than_there_is", say, cash_move, event, **own, stack_cents=5001)
    say(cash_move, event, minute=5, **own, stack_cents=4000)
    assert words(event) == "Petra Probst sitzt jetzt an Cash-Tisch 2, Platz 1"
    assert (on(table), on(other)) == (1000, 4000)
    assert bought_by(event)[petra.pk].bought_cents == 5000
    assert_balanced(event)
    dear = open_table(event, small_blind_cents=500, big_blind_cents=1000)
    f.refuses(
        "other_stakes",
        say,
        cash_move,
        event,
        registration=petra,
        table=dear,
        seat=1,
        stack_cents=4000,
    )


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
