"""Who gets a seat of a cash table: lists, offers by themselves, must-move; refusals, log, undo."""

import pytest

from tests import factories as f
from tests.services.cashgames import assert_balanced, on, open_table, say, sit, undo_last, words
from tournaments.cashgame.selectors.line import events_with_cash_offers_due, moves_due
from tournaments.cashgame.services.hands import (
    cash_away,
    cash_fee_pay,
    cash_hand_begin,
    cash_hand_end,
)
from tournaments.cashgame.services.line import (
    cash_offer,
    cash_offer_accept,
    cash_offers_lapse,
    cash_unwait,
    cash_wait,
)
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit
from tournaments.cashgame.services.tables import cash_last_hands, cash_table_close
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import CashOffer, CashSeat, CashTable, CashWaiting
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]


@pytest.fixture
def table(event):
    return open_table(event, seats=2)


def wait(event, table, name, minute=0):
    guest = f.register(event, name)
    say(cash_wait, event, minute=minute, registration=guest, table=table)
    return guest


def offered(table):
    """Return to whom seats are offered, with the minute until which."""
    rows = CashOffer.objects.live().filter(waiting__table=table).order_by("pk")
    return [
        (row.waiting.registration.person.name, (row.until - f.after(0)).total_seconds() / 60)
        for row in rows
    ]


# Offers


def test_a_freed_seat_is_offered_to_the_next_without_a_press(event, table):
    gast = sit(event, table, "Gast", 1)
    sit(event, table, "Gast Zwei", 2, minute=1)
    sat = f.last_action(event)
    wait(event, table, "Petra", 1)
    wait(event, table, "Otto", 2)
    assert offered(table) == []
    say(cash_out, event, minute=3, registration=gast, cents=5000)
    assert offered(table) == [("Petra", 8)]
    undo_last(event, minute=4)
    assert offered(table) == [], "who was asked for nothing is asked no more"
    assert on(table) == 10_000
    say(action_undo, event, minute=5, action=sat)
    assert offered(table) == [("Petra", 10)], "an undo frees a seat as well"
    undo_last(event, minute=6)
    say(cash_last_hands, event, minute=7, hands=3)
    say(cash_out, event, minute=8, registration=gast, cents=5000)
    assert offered(table) == [], "nobody is asked once the last hands are announced"


def test_who_asks_at_a_table_with_a_free_seat_is_offered_it_at_once(event, table):
    petra = wait(event, table, "Petra")
    assert offered(table) == [("Petra", 5)]
    with f.refused("already_waiting", event):
        say(cash_wait, event, registration=petra, table=table)
    with f.refused("nobody_next", event):
        say(cash_offer, event, minute=1, table=table)
    say(cash_offer_accept, event, minute=2, registration=petra, table=table)
    undo_last(event)
    assert offered(table) == [("Petra", 5)]


def test_a_kept_seat_is_for_whom_it_is_kept(event, table):
    petra, otto = wait(event, table, "Petra"), f.register(event, "Otto")
    sit(event, table, "Gast", 1)
    seat = {"table": table, "seat": 2, "cents": 5000}
    with f.refused("seat_kept", event):
        say(cash_sit, event, minute=1, registration=otto, **seat)
    with f.refused("seated", event):
        guest = CashSeat.objects.get().registration
        say(cash_wait, event, registration=guest, table=table)
    say(cash_sit, event, minute=1, registration=petra, **seat)
    assert not CashWaiting.objects.live().exists()
    assert offered(table) == []


def test_a_lapsed_offer_goes_to_the_next_and_who_let_it_pass_stands_behind(event, table):
    sit(event, table, "Gast", 1)
    wait(event, table, "Petra")
    otto = wait(event, table, "Otto", 1)
    with f.refused("none_expired", event):
        say(cash_offers_lapse, event, minute=4)
    assert events_with_cash_offers_due(f.after(4)) == []
    assert events_with_cash_offers_due(f.after(5)) == [event]
    # The worker comes seven minutes late: the next has his five minutes all the same.
    late = Command(event=event, by=SYSTEM, at=f.after(5), recorded_at=f.after(12))
    action = cash_offers_lapse(late)
    assert action.at == f.after(5)
    assert words(event) == "Cash Game: Frist abgelaufen, der Platz geht an Otto"
    assert offered(table) == [("Petra", 5), ("Otto", 17)]
    assert events_with_cash_offers_due(f.after(13)) == []
    undo_last(event)
    assert offered(table) == [("Petra", 5)]
    say(cash_offers_lapse, event, minute=91)
    say(cash_sit, event, minute=92, registration=otto, table=table, seat=2, cents=5000)
    assert CashWaiting.objects.live().get().registration.person.name == "Petra"


# Any table of the same stakes


def test_a_table_that_opens_is_for_those_who_wait_for_its_stakes(event, table):
    sit(event, table, "Gast", 1)
    sit(event, table, "Gast Zwei", 2)
    petra, otto = f.register(event, "Petra"), f.register(event, "Otto")
    say(cash_wait, event, minute=1, registration=petra, table=table, any_table=True)
    say(cash_wait, event, minute=2, registration=otto, table=table)
    other = open_table(event, minute=3, seats=2)
    assert offered(other) == [("Petra", 8)], "Otto waits for that table alone"
    undo_last(event, minute=4)
    assert CashWaiting.objects.live().filter(registration=petra).count() == 1


def test_who_waits_for_the_stakes_is_offered_one_seat_and_waits_nowhere_once_he_sits(event, table):
    other, dear = open_table(event, seats=2), open_table(event, seats=2, big_blind_cents=150)
    petra = f.register(event, "Petra")
    say(cash_wait, event, registration=petra, table=table, any_table=True)
    assert words(event) == "Warteliste für 0,50\xa0€ / 1\xa0€: Petra"
    assert [offered(one) for one in (table, other, dear)] == [[("Petra", 5)], [], []]
    with f.refused("already_waiting", event):
        say(cash_wait, event, registration=petra, table=other, any_table=True)
    with f.refused("nobody_next", event):
        say(cash_offer, event, table=other)
    say(cash_sit, event, minute=1, registration=petra, table=other, seat=1, cents=5000)
    assert not CashWaiting.objects.live().exists()
    assert offered(table) == []
    undo_last(event)
    assert CashWaiting.objects.live().count() == 2
    say(cash_unwait, event, registration=petra, table=other)
    assert words(event) == "Nicht mehr auf der Warteliste für 0,50\xa0€ / 1\xa0€: Petra"
    assert not CashWaiting.objects.live().exists()


# Must-move


@pytest.fixture
def feeder(event, table):
    return open_table(event, seats=3, feeds=table)


def sitters(event, table, feeder):
    """Fill the main table; Petra sat down at the feeder before Otto, on a higher seat."""
    gast = sit(event, table, "Gast", 1, 5000)
    sit(event, table, "Gast Zwei", 2, 5000)
    petra = sit(event, feeder, "Petra", 3, 9000, minute=1)
    return gast, petra, sit(event, feeder, "Otto", 1, 5000, minute=2)


def due(table, minute):
    found = moves_due([table], f.after(minute)).get(table.pk, [])
    return [one.seat.registration.person.name for one in found]


def test_who_sat_down_first_at_the_feeder_moves_first(event, table, feeder):
    gast, petra, otto = sitters(event, table, feeder)
    assert due(table, 3) == []
    say(cash_out, event, minute=3, registration=gast, cents=5000)
    assert due(table, 3) == ["Petra"]
    to_main = {"table": table, "seat": 1}
    with f.refused("must_move", event) as caught:
        say(cash_move, event, minute=4, registration=otto, **to_main, stack_cents=5000)
    assert str(caught.value) == (
        "Der freie Platz an Tisch 1 gehört Petra von Tisch 2: "
        "Wer am Zubringertisch zuerst saß, rückt zuerst nach."
    )
    zoe = f.register(event, "Zoe")
    with f.refused("must_move", event):
        say(cash_sit, event, minute=4, registration=zoe, **to_main, cents=5000)
    with f.refused("no_stack", event):
        say(cash_move, event, minute=5, registration=petra, **to_main)
    # Petra has won Otto's chips: 140 where 100 is the most that is bought.
    say(cash_move, event, minute=5, registration=petra, **to_main, stack_cents=14_000)
    assert (on(table), on(feeder)) == (5000 + 14_000, 0)
    assert_balanced(event)
    assert due(table, 5) == []
    undo_last(event)
    assert due(table, 90) == ["Petra"]


def test_nobody_moves_during_a_hand_or_with_a_fee_open(event):
    fee = {"fee_way": "time", "fee_cents": 100, "seats": 2}
    main = open_table(event, **fee)
    feeder = open_table(event, **fee, feeds=main)
    petra = sit(event, feeder, "Petra", 1, 5000)
    own = {"registration": petra, "table": main, "seat": 1, "stack_cents": 5000}
    say(cash_hand_begin, event, table=feeder)
    with f.refused("during_hand", event):
        say(cash_move, event, **own)
    say(cash_hand_end, event, table=feeder)
    with f.refused("fee_open", event):
        say(cash_move, event, minute=1, **own)
    say(cash_fee_pay, event, minute=1, registration=petra)
    say(cash_move, event, minute=1, **own)


def test_the_list_of_the_main_table_waits_for_the_feeder(event, table, feeder):
    gast, petra, otto = sitters(event, table, feeder)
    wait(event, table, "Zoe", 3)
    say(cash_out, event, minute=4, registration=gast, cents=5000)
    assert offered(table) == []
    with f.refused("nobody_next", event):
        say(cash_offer, event, minute=4, table=table)
    say(cash_away, event, minute=5, registration=petra, minutes=20)
    assert due(table, 5) == ["Otto"], "who is away is passed over"
    say(cash_out, event, minute=6, registration=otto, cents=5000)
    assert offered(table) == [("Zoe", 11)], "nobody is at the feeder who could move"
    assert due(table, 7) == []


def test_a_table_feeds_one_of_the_same_stakes_that_feeds_none(event, table, feeder):
    with f.refused("feeds_a_feeder", event):
        open_table(event, feeds=feeder)
    with f.refused("other_stakes", event):
        open_table(event, feeds=table, small_blind_cents=100, big_blind_cents=200)
    say(cash_table_close, event, table=table)
    with f.refused("closed", event):
        open_table(event, feeds=table)
    undo_last(event)
    assert CashTable.objects.live().filter(feeds=table).get() == feeder
