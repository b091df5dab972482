"""The terms of a cash table, changed between hands; typed fees; who bears a difference."""

import pytest

from tests import factories as f
from tests.services.cashgames import assert_balanced, on, open_table, say, sit, undo_last, words
from tournaments.cashgame.selectors.books import fees_open
from tournaments.cashgame.selectors.labels import fee_words, game_words, range_words, stakes_words
from tournaments.cashgame.selectors.settling import settling_of
from tournaments.cashgame.services.hands import (
    cash_fee_pay,
    cash_hand_begin,
    cash_hand_end,
    cash_tip,
)
from tournaments.cashgame.services.seats import cash_out
from tournaments.cashgame.services.tables import cash_table_count
from tournaments.cashgame.services.terms import cash_game_turn, cash_terms_change
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import CashSeat, CashTable
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]


def fresh(table):
    return CashTable.objects.select_related("event").get(pk=table.pk)


def test_terms_change_between_hands_and_seats_and_chips_stay(event, table):
    sit(event, table, "Petra Probst", 3, 5000)
    say(cash_hand_begin, event, table=table)
    own = {"game": "omaha5", "limit": "pot_limit", "straddle_cents": 400, "name": "Mitte"}
    own |= {"small_blind_cents": 100, "big_blind_cents": 200, "seats": 6}
    with f.refused("during_hand", event):
        say(cash_terms_change, event, table=table, **own)
    say(cash_hand_end, event, table=table)
    say(cash_terms_change, event, table=table, **own)
    assert words(event) == ("Cash-Tisch 1 geändert: Pot Limit Five Card Omaha, 1\xa0€ / 2\xa0€")
    row = fresh(table)
    assert (row.name, row.seats, game_words(row)) == ("Mitte", 6, "Pot Limit Five Card Omaha")
    assert stakes_words(row) == "1\xa0€ / 2\xa0€, Straddle 4\xa0€"
    assert range_words(row) == "40\xa0€ bis 200\xa0€"
    assert (CashSeat.objects.live().get().seat, on(row)) == (3, 5000)
    with f.refused("no_change", event):
        say(cash_terms_change, event, table=table, **own)
    undo_last(event)
    row = fresh(table)
    assert (row.name, row.seats, row.game, stakes_words(row)) == (
        "", 4, "holdem", "0,50\xa0€ / 1\xa0€",
    )  # fmt: skip
    assert not facts_checked(event).differences


@pytest.mark.parametrize(
    ("own", "code"),
    [
        ({"seats": 2}, "seat_taken"),
        ({"game": "omaha5", "seats": 9}, "bad_seats"),
        ({"game": "whist"}, "bad_game"),
        ({"mix": "whist"}, "bad_game"),
        ({"straddle_cents": 150}, "bad_straddle"),
        ({"game": "stud", "straddle_cents": 400}, "bad_straddle"),
        ({"ante_cents": 101}, "bad_bets"),
        ({"big_bet_cents": 50}, "bad_bets"),
        ({"chip_cents": 101}, "bad_bets"),
        ({"small_blind_cents": 200}, "bad_blinds"),
        ({"maximum": 10}, "bad_maximum"),
        ({"fee_way": "time"}, "bad_fee"),
    ],
)
def test_terms_that_cannot_be_are_refused(event, table, own, code):
    sit(event, table, "Petra Probst", 3, 5000)
    with f.refused(code, event):
        say(cash_terms_change, event, table=table, **own)


def test_only_the_director_changes_terms_and_a_feeder_keeps_its_blinds(event, table):
    with f.refused("not_allowed", event):
        say(cash_terms_change, event, f.make_arno(event), table=table, seats=5)
    feeder = open_table(event, feeds=table)
    for one in (table, feeder):
        with f.refused("other_stakes", event):
            say(cash_terms_change, event, table=one, small_blind_cents=100, big_blind_cents=200)


def test_an_older_change_is_not_taken_back_over_a_newer_one(event, table):
    say(cash_terms_change, event, table=table, seats=5)
    older = f.last_action(event)
    say(cash_terms_change, event, table=table, seats=6)
    with f.refused("overtaken", event):
        say(action_undo, event, action=older)
    assert fresh(table).seats == 6


def test_a_fee_by_time_changes_for_who_sits_and_a_paid_period_is_kept(event):
    table = open_table(event, fee_way="time", fee_cents=500, fee_minutes=30)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    with f.refused("fee_open", event):
        say(cash_terms_change, event, minute=10, table=table, fee_cents=600)
    say(cash_fee_pay, event, minute=10, registration=petra)
    say(cash_terms_change, event, minute=10, table=table, fee_cents=600)

    def open_at(minute):
        seats = list(CashSeat.objects.live().select_related("table"))
        return list(fees_open(seats, f.after(minute)).values())

    assert [open_at(minute) for minute in (29, 31, 61)] == [[], [600], [1200]]
    say(cash_fee_pay, event, minute=61, registration=petra)
    assert open_at(61) == []
    say(cash_terms_change, event, minute=62, table=table, fee_way="none", fee_cents=0)
    assert open_at(500) == []


def test_a_rotation_turns_game_by_game(event):
    table = open_table(event, mix="horse", ante_cents=25, big_bet_cents=200)
    assert game_words(fresh(table)) == "HORSE: Split Limit Texas Hold’em"
    told = []
    for _turn in range(5):
        say(cash_game_turn, event, table=table)
        told.append(fresh(table).game)
    assert told == ["omaha_hilo", "razz", "stud", "stud_hilo", "holdem"]
    undo_last(event)
    row = fresh(table)
    assert stakes_words(row) == "1\xa0€ / 2\xa0€, Ante 0,25\xa0€, Bring-in 0,50\xa0€"
    plain = open_table(event)
    with f.refused("no_mix", event):
        say(cash_game_turn, event, table=plain)


def test_the_fee_from_the_pot_is_typed_per_time_or_rounded_to_the_smallest_chip(event):
    table = open_table(
        event, fee_way="pot", fee_percent=5, small_blind_cents=200, big_blind_cents=500,
        chip_cents=100,
    )  # fmt: skip
    sit(event, table, "Petra Probst", 1, 20_000)
    say(cash_hand_begin, event, table=table)
    with f.refused("no_pot", event):
        say(cash_hand_end, event, table=table)
    say(cash_hand_end, event, table=table, pot_cents=6300)
    assert on(table) == 19_700
    say(cash_tip, event, table=table, cents=5200, is_fee=True)
    assert words(event) == "Cash-Tisch 1: 52\xa0€ Hausgebühr aus der Box"
    assert on(table) == 14_500
    for cents in (0, 14_501):
        with f.refused("bad_amount", event):
            say(cash_tip, event, table=table, cents=cents, is_fee=True)
    dropped = open_table(event, fee_way="drop")
    assert fee_words(dropped) == "Hausgebühr aus dem Pot"
    sit(event, dropped, "Otto Kurz", 1, 5000)
    say(cash_hand_begin, event, table=dropped)
    say(cash_hand_end, event, table=dropped)
    say(cash_tip, event, table=dropped, cents=300, is_fee=True)
    assert on(dropped) == 4700
    plain = open_table(event)
    with f.refused("no_drop", event):
        say(cash_tip, event, table=plain, cents=100, is_fee=True)
    assert_balanced(event)


def settled(event):
    found = settling_of(event)
    return {(one.payer, one.payee): one.cents for one in found.payments}


@pytest.mark.parametrize(
    ("bears", "payments"),
    [
        (None, {("Dieter Moser", "Petra Probst"): 1020, ("Dieter Moser", "Otto Kurz"): 960}),
        ("winners", {("Dieter Moser", "Petra Probst"): 1031, ("Dieter Moser", "Otto Kurz"): 969}),
        ("one", {("Dieter Moser", "Petra Probst"): 1060, ("Dieter Moser", "Otto Kurz"): 940}),
    ],
)
def test_friends_bear_what_is_missing_and_there_is_no_house(event, bears, payments):
    table = open_table(event, is_noted=True)
    names = ("Petra Probst", "Otto Kurz", "Dieter Moser")
    petra, otto, dieter = (sit(event, table, name, n, 5000) for n, name in enumerate(names, 1))
    for guest, cents in ((petra, 6000), (otto, 5940), (dieter, 3000)):
        say(cash_out, event, registration=guest, cents=cents)
    assert not settling_of(event).are_seated
    say(cash_table_count, event, table=table, counted_cents=0)
    with f.refused("bad_bearer", event):
        say(cash_terms_change, event, table=table, bears="house")
    with f.refused("nobody", event):
        say(cash_terms_change, event, table=table, bears="one")
    if bears:
        say(cash_terms_change, event, table=table, bears=bears, bearer=petra.pk)
    found = settling_of(event)
    assert (found.house_cents, found.differences[0].cents) == (0, 60)
    assert sum(one.cents for one in found.results) == 0
    assert settled(event) == payments
    if bears:
        undo_last(event)
        assert settling_of(event).differences[0].bears == "all"


def test_where_the_house_takes_a_fee_it_bears_the_difference(event):
    table = open_table(event, is_noted=True, fee_way="hand", fee_cents=100)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    say(cash_out, event, registration=petra, cents=4900)
    say(cash_table_count, event, table=table, counted_cents=0)
    assert settled(event) == {("Petra Probst", "Haus"): 100}
    say(cash_terms_change, event, table=table, bears="all")
    assert settled(event) == {}


def test_a_table_opened_by_mistake_takes_no_terms_any_more(event):
    """A sheet may stand open from before: it was answered by a fault of the program."""
    table = open_table(event)
    undo_last(event)
    with f.refused("gone", event):
        say(cash_terms_change, event, table=table, bears="house")
