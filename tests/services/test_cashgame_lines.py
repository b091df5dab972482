"""Who gets a seat of a cash table: lists, offers by themselves, must-move; refusals, log, undo."""

import pytest

from tests import factories as f
from tests.services.cashgames import assert_balanced, on, open_table, say, sit, undo_last, words
from tournaments.cashgame.selectors.books import fees_open
from tournaments.cashgame.selectors.layout import fee_words, game_words, range_words, stakes_words
from tournaments.cashgame.selectors.line import events_with_cash_offers_due, moves_due
from tournaments.cashgame.selectors.settling import settling_of
from tournaments.cashgame.services.hands import (
    cash_away,
    cash_fee_pay,
    cash_hand_begin,
    cash_hand_end,
    cash_last_hands,
    cash_tip,
)
from tournaments.cashgame.services.line import (
    cash_offer,
    cash_offer_accept,
    cash_offers_lapse,
    cash_unwait,
    cash_wait,
)
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit
from tournaments.cashgame.services.tables import (
    cash_game_turn,
    cash_table_close,
    cash_table_count,
    cash_terms_change,
)
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import CashOffer, CashSeat, CashTable, CashWaiting
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]


@pytest.fixture
def two_seats(event):
    return open_table(event, seats=2)


def wait(event, two_seats, name, minute=0):
    guest = f.register(event, name)
    say(cash_wait, event, minute=minute, registration=guest, table=two_seats)
    return guest


def offered(two_seats):
    """Return to whom seats are offered, with the minute until which."""
    rows = CashOffer.objects.live().filter(waiting__table=two_seats).order_by("pk")
    return [
        (row.waiting.registration.person.name, (row.until - f.after(0)).total_seconds() / 60)
        for row in rows
    ]


# Offers


def test_a_freed_seat_is_offered_to_the_next_without_a_press(event, two_seats):
    gast = sit(event, two_seats, "Gast", 1)
    sit(event, two_seats, "Gast Zwei", 2, minute=1)
    sat = f.last_action(event)
    wait(event, two_seats, "Petra", 1)
    wait(event, two_seats, "Otto", 2)
    assert offered(two_seats) == []
    say(cash_out, event, minute=3, registration=gast, cents=5000)
    assert offered(two_seats) == [("Petra", 8)]
    undo_last(event, minute=4)
    assert offered(two_seats) == [], "who was asked for nothing is asked no more"
    assert on(two_seats) == 10_000
    say(action_undo, event, minute=5, action=sat)
    assert offered(two_seats) == [("Petra", 10)], "an undo frees a seat as well"
    undo_last(event, minute=6)
    say(cash_last_hands, event, minute=7, hands=3)
    say(cash_out, event, minute=8, registration=gast, cents=5000)
    assert offered(two_seats) == [], "nobody is asked once the last hands are announced"


def test_who_asks_at_a_table_with_a_free_seat_is_offered_it_at_once(event, two_seats):
    petra = wait(event, two_seats, "Petra")
    assert offered(two_seats) == [("Petra", 5)]
    f.refuses("already_waiting", say, cash_wait, event, registration=petra, table=two_seats)
    f.refuses("nobody_next", say, cash_offer, event, minute=1, table=two_seats)
    say(cash_offer_accept, event, minute=2, registration=petra, table=two_seats)
    undo_last(event)
    assert offered(two_seats) == [("Petra", 5)]


def test_a_kept_seat_is_for_whom_it_is_kept(event, two_seats):
    petra, otto = wait(event, two_seats, "Petra"), f.register(event, "Otto")
    sit(event, two_seats, "Gast", 1)
    seat = {"table": two_seats, "seat": 2, "cents": 5000}
    f.refuses("seat_kept", say, cash_sit, event, minute=1, registration=otto, **seat)
    with f.refused("seated", event):
        guest = CashSeat.objects.get().registration
        say(cash_wait, event, registration=guest, table=two_seats)
    say(cash_sit, event, minute=1, registration=petra, **seat)
    assert not CashWaiting.objects.live().exists()
    assert offered(two_seats) == []


def test_a_lapsed_offer_goes_to_the_next_and_who_let_it_pass_stands_behind(event, two_seats):
    sit(event, two_seats, "Gast", 1)
    wait(event, two_seats, "Petra")
    otto = wait(event, two_seats, "Otto", 1)
    f.refuses("none_expired", say, cash_offers_lapse, event, minute=4)
    assert events_with_cash_offers_due(f.after(4)) == []
    assert events_with_cash_offers_due(f.after(5)) == [event]
    # The worker comes seven minutes late: the next has his five minutes all the same.
    late = Command(event=event, by=SYSTEM, at=f.after(5), recorded_at=f.after(12))
    action = cash_offers_lapse(late)
    assert action.at == f.after(5)
    assert words(event) == "Cash Game: Frist abgelaufen, der Platz geht an Otto"
    assert offered(two_seats) == [("Petra", 5), ("Otto", 17)]
    assert events_with_cash_offers_due(f.after(13)) == []
    undo_last(event)
    assert offered(two_seats) == [("Petra", 5)]
    say(cash_offers_lapse, event, minute=91)
    say(cash_sit, event, minute=92, registration=otto, table=two_seats, seat=2, cents=5000)
    assert CashWaiting.objects.live().get().registration.person.name == "Petra"


# Any table of the same stakes


def test_a_table_that_opens_is_for_those_who_wait_for_its_stakes(event, two_seats):
    sit(event, two_seats, "Gast", 1)
    sit(event, two_seats, "Gast Zwei", 2)
    petra, otto = f.register(event, "Petra"), f.register(event, "Otto")
    say(cash_wait, event, minute=1, registration=petra, table=two_seats, any_table=True)
    say(cash_wait, event, minute=2, registration=otto, table=two_seats)
    other = open_table(event, minute=3, seats=2)
    assert offered(other) == [("Petra", 8)], "Otto waits for that table alone"
    undo_last(event, minute=4)
    assert CashWaiting.objects.live().filter(registration=petra).count() == 1


def test_who_waits_for_the_stakes_is_offered_one_seat_and_waits_nowhere_once_he_sits(
    event, two_seats
):
    other, dear = open_table(event, seats=2), open_table(event, seats=2, big_blind_cents=150)
    petra = f.register(event, "Petra")
    say(cash_wait, event, registration=petra, table=two_seats, any_table=True)
    assert words(event) == "Warteliste für 0,50\xa0€ / 1\xa0€: Petra"
    assert [offered(one) for one in (two_seats, other, dear)] == [[("Petra", 5)], [], []]
    f.refuses(
        "already_waiting", say, cash_wait, event, registration=petra, table=other, any_table=True
    )
    f.refuses("nobody_next", say, cash_offer, event, table=other)
    say(cash_sit, event, minute=1, registration=petra, table=other, seat=1, cents=5000)
    assert not CashWaiting.objects.live().exists()
    assert offered(two_seats) == []
    undo_last(event)
    assert CashWaiting.objects.live().count() == 2
    say(cash_unwait, event, registration=petra, table=other)
    assert words(event) == "Nicht mehr auf der Warteliste für 0,50\xa0€ / 1\xa0€: Petra"
    assert not CashWaiting.objects.live().exists()


# Must-move


@pytest.fixture
def feeder(event, two_seats):
    return open_table(event, seats=3, feeds=two_seats)


def sitters(event, two_seats, feeder):
    """Fill the main table; Petra sat down at the feeder before Otto, on a higher seat."""
    gast = sit(event, two_seats, "Gast", 1, 5000)
    sit(event, two_seats, "Gast Zwei", 2, 5000)
    petra = sit(event, feeder, "Petra", 3, 9000, minute=1)
    return gast, petra, sit(event, feeder, "Otto", 1, 5000, minute=2)


def due(two_seats, minute):
    found = moves_due([two_seats], f.after(minute)).get(two_seats.pk, [])
    return [one.registration.person.name for one in found]


def test_who_sat_down_first_at_the_feeder_moves_first(event, two_seats, feeder):
    gast, petra, otto = sitters(event, two_seats, feeder)
    assert due(two_seats, 3) == []
    say(cash_out, event, minute=3, registration=gast, cents=5000)
    assert due(two_seats, 3) == ["Petra"]
    to_main = {"table": two_seats, "seat": 1}
    said = f.refuses(
        "must_move", say, cash_move, event, minute=4, registration=otto, **to_main, stack_cents=5000
    )
    assert said == (
        "Der freie Platz an Tisch 1 gehört Petra von Tisch 2: "
        "Wer am Zubringertisch zuerst saß, rückt zuerst nach."
    )
    zoe = f.register(event, "Zoe")
    f.refuses("must_move", say, cash_sit, event, minute=4, registration=zoe, **to_main, cents=5000)
    f.refuses("no_stack", say, cash_move, event, minute=5, registration=petra, **to_main)
    # Petra has won Otto's chips: 140 where 100 is the most that is bought.
    say(cash_move, event, minute=5, registration=petra, **to_main, stack_cents=14_000)
    assert (on(two_seats), on(feeder)) == (5000 + 14_000, 0)
    assert_balanced(event)
    assert due(two_seats, 5) == []
    undo_last(event)
    assert due(two_seats, 90) == ["Petra"]


def test_nobody_moves_during_a_hand_or_with_a_fee_open(event):
    fee = {"fee_way": "time", "fee_cents": 100, "seats": 2}
    main = open_table(event, **fee)
    feeder = open_table(event, **fee, feeds=main)
    petra = sit(event, feeder, "Petra", 1, 5000)
    own = {"registration": petra, "table": main, "seat": 1, "stack_cents": 5000}
    say(cash_hand_begin, event, table=feeder)
    f.refuses("during_hand", say, cash_move, event, **own)
    say(cash_hand_end, event, table=feeder)
    f.refuses("fee_open", say, cash_move, event, minute=1, **own)
    say(cash_move, event, minute=1, **own, pays_fee=True)
    assert words(event).startswith("Petra zahlt 1\xa0€ Hausgebühr und sitzt jetzt an")
    seat = CashSeat.objects.live().select_related("table").get()
    assert (seat.table, on(main), fees_open([seat], f.after(1))) == (main, 5000, {})
    assert_balanced(event)


def test_the_list_of_the_main_table_waits_for_the_feeder(event, two_seats, feeder):
    gast, petra, otto = sitters(event, two_seats, feeder)
    wait(event, two_seats, "Zoe", 3)
    say(cash_out, event, minute=4, registration=gast, cents=5000)
    assert offered(two_seats) == []
    f.refuses("nobody_next", say, cash_offer, event, minute=4, table=two_seats)
    say(cash_away, event, minute=5, registration=petra, minutes=20)
    assert due(two_seats, 5) == ["Otto"], "who is away is passed over"
    say(cash_out, event, minute=6, registration=otto, cents=5000)
    assert offered(two_seats) == [("Zoe", 11)], "nobody is at the feeder who could move"
    assert due(two_seats, 7) == []


def test_a_table_feeds_one_of_the_same_stakes_that_feeds_none(event, two_seats, feeder):
    f.refuses("feeds_a_feeder", open_table, event, feeds=feeder)
    f.refuses(
        "other_stakes",
        open_table,
        event,
        feeds=two_seats,
        small_blind_cents=100,
        big_blind_cents=200,
    )
    say(cash_table_close, event, table=two_seats)
    f.refuses("closed", open_table, event, feeds=two_seats)
    undo_last(event)
    assert CashTable.objects.live().filter(feeds=two_seats).get() == feeder


# --- The terms of a cash table, changed between hands; typed fees; who bears a difference


def fresh(table):
    return CashTable.objects.select_related("event").get(pk=table.pk)


def test_terms_change_between_hands_and_seats_and_chips_stay(event, table):
    sit(event, table, "Petra Probst", 3, 5000)
    say(cash_hand_begin, event, table=table)
    own = {"game": "omaha5", "limit": "pot_limit", "straddle_cents": 400, "name": "Mitte"}
    own |= {"small_blind_cents": 100, "big_blind_cents": 200, "seats": 6}
    f.refuses("during_hand", say, cash_terms_change, event, table=table, **own)
    say(cash_hand_end, event, table=table)
    say(cash_terms_change, event, table=table, **own)
    assert words(event) == ("Cash-Tisch 1 geändert: Pot Limit Five Card Omaha, 1\xa0€ / 2\xa0€")
    row = fresh(table)
    assert (row.name, row.seats, game_words(row)) == ("Mitte", 6, "Pot Limit Five Card Omaha")
    assert stakes_words(row) == "1\xa0€ / 2\xa0€, Straddle 4\xa0€"
    assert range_words(row) == "40\xa0€ bis 200\xa0€"
    assert (CashSeat.objects.live().get().seat, on(row)) == (3, 5000)
    f.refuses("no_change", say, cash_terms_change, event, table=table, **own)
    for code, wrong in (("seat_taken", {"seats": 2}), ("bad_bets", {"ante_cents": 201})):
        f.refuses(code, say, cash_terms_change, event, table=table, **wrong)
    undo_last(event)
    row = fresh(table)
    assert (row.name, row.seats, row.game, stakes_words(row)) == (
        "", 4, "holdem", "0,50\xa0€ / 1\xa0€",
    )  # fmt: skip
    assert not facts_checked(event).differences


def test_only_the_director_changes_terms_and_an_older_change_stays_under_a_newer(event, table):
    f.refuses(
        "not_allowed", say, cash_terms_change, event, f.make_arno(event), table=table, seats=5
    )
    feeder = open_table(event, feeds=table)
    for one in (table, feeder):
        with f.refused("other_stakes", event):
            say(cash_terms_change, event, table=one, small_blind_cents=100, big_blind_cents=200)
    say(cash_terms_change, event, table=table, seats=5)
    older = f.last_action(event)
    say(cash_terms_change, event, table=table, seats=6)
    f.refuses("overtaken", say, action_undo, event, action=older)
    assert fresh(table).seats == 6


def test_a_fee_by_time_changes_for_who_sits_and_a_paid_period_is_kept(event):
    table = open_table(event, fee_way="time", fee_cents=500, fee_minutes=30)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    f.refuses("fee_open", say, cash_terms_change, event, minute=10, table=table, fee_cents=600)
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
    f.refuses("no_mix", say, cash_game_turn, event, table=plain)


def test_the_fee_from_the_pot_is_typed_per_time_or_rounded_to_the_smallest_chip(event):
    table = open_table(
        event, fee_way="pot", fee_percent=5, small_blind_cents=200, big_blind_cents=500,
        chip_cents=100,
    )  # fmt: skip
    sit(event, table, "Petra Probst", 1, 20_000)
    say(cash_hand_begin, event, table=table)
    f.refuses("no_pot", say, cash_hand_end, event, table=table)
    f.refuses("bad_pot", say, cash_hand_end, event, table=table, pot_cents=20_001)
    say(cash_hand_end, event, table=table, pot_cents=6300)
    assert words(event) == "Cash-Tisch 1: Hand 1 zu Ende, Hausgebühr 3\xa0€"
    assert on(table) == 19_700
    say(cash_tip, event, table=table, cents=100)
    undo_last(event)
    undo_last(event)
    assert on(table) == 19_600, "the tip was taken back, and that again"
    say(cash_tip, event, table=table, cents=5200, is_fee=True)
    assert words(event) == "Cash-Tisch 1: 52\xa0€ Hausgebühr aus der Box"
    assert on(table) == 14_400
    for cents in (0, 14_401):
        f.refuses("bad_amount", say, cash_tip, event, table=table, cents=cents, is_fee=True)
    dropped = open_table(event, fee_way="drop")
    assert fee_words(dropped) == "Hausgebühr aus dem Pot"
    sit(event, dropped, "Otto Kurz", 1, 5000)
    say(cash_hand_begin, event, table=dropped)
    say(cash_hand_end, event, table=dropped)
    say(cash_tip, event, table=dropped, cents=300, is_fee=True)
    assert on(dropped) == 4700
    plain = open_table(event)
    f.refuses("no_drop", say, cash_tip, event, table=plain, cents=100, is_fee=True)
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
    f.refuses("bad_bearer", say, cash_terms_change, event, table=table, bears="house")
    f.refuses("nobody", say, cash_terms_change, event, table=table, bears="one")
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
    f.refuses("gone", say, cash_terms_change, event, table=table, bears="house")
