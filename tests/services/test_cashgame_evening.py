"""Cash tables over an evening: the house's fee, hands, the end, counting, taking back."""

import pytest

from tests import factories as f
from tests.services.cashgames import assert_balanced, on, open_table, say, sit, undo_last, words
from tournaments.cashgame.selectors.books import (
    balances_noted,
    events_with_cash_end_near,
    fees_open,
)
from tournaments.cashgame.services.hands import (
    cash_end_call,
    cash_end_set,
    cash_hand_begin,
    cash_hand_end,
    cash_last_hands,
)
from tournaments.cashgame.services.line import cash_wait
from tournaments.cashgame.services.seats import cash_correct, cash_out, cash_sit, cash_top_up
from tournaments.cashgame.services.tables import cash_table_close, cash_table_count
from tournaments.changes.access import SYSTEM
from tournaments.event.services.lifecycle import event_update
from tournaments.models import (
    Action,
    CashOffer,
    CashSeat,
    CashTable,
    CashWaiting,
    Drawer,
    Message,
    Posting,
    Receipt,
)
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.services.drawers import drawer_close, drawer_open
from tournaments.post.selectors.announcements import said_by
from tournaments.undo.services.undo import action_undo, undo_preview

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]


# The house, hands, the end


def test_s18_end_time_reached_with_a_hand_running_it_is_finished(event, table):
    say(cash_end_set, event, ends_at=f.after(60))
    say(cash_hand_begin, event, minute=59, table=table)
    say(cash_hand_end, event, minute=61, table=table)
    said = f.refuses("over", say, cash_hand_begin, event, minute=62, table=table)
    assert said == "Das Cash Game ist zu Ende. Es beginnt keine Hand mehr."


def test_s18_three_more_hands_are_announced_and_the_last_is_said_when_it_begins(event, table):
    say(cash_hand_begin, event, table=table)
    say(cash_last_hands, event, minute=1, hands=3)
    assert words(event) == "Cash Game: noch 3 Hände"
    said = said_by(f.last_action(event))
    assert said == "Cash Game: Noch 3 Hände an jedem Tisch.", "a tournament beside it plays on"
    say(cash_hand_end, event, minute=2, table=table)
    said = Message.objects.live().count()
    for minute in (3, 4, 5):
        say(cash_hand_begin, event, minute=minute, table=table)
        assert Message.objects.live().count() == said + (minute == 5)
        say(cash_hand_end, event, minute=minute, table=table)
    begun = Action.objects.filter(kind="cash_hand.begun").latest("pk")
    assert said_by(begun) == "Letzte Hand an Cash-Tisch 1."
    f.refuses("over", say, cash_hand_begin, event, minute=6, table=table)


def test_s18_the_end_is_said_half_an_hour_and_ten_minutes_before(event, table):
    say(cash_end_set, event, ends_at=f.after(60))
    f.refuses("not_due", say, cash_end_call, event, minute=29)
    assert events_with_cash_end_near(f.after(29)) == []
    assert events_with_cash_end_near(f.after(30)) == [event]
    say(cash_end_call, event, minute=30)
    assert words(event) == "Cash Game: Ende in 30 Minuten angesagt"
    assert said_by(f.last_action(event)) == "Das Cash Game endet in 30 Minuten."
    assert Message.objects.live().count() == 1
    f.refuses("not_due", say, cash_end_call, event, minute=49)
    # The worker comes three minutes late, and says what is true then.
    say(cash_end_call, event, minute=53)
    assert said_by(f.last_action(event)) == "Das Cash Game endet in 7 Minuten."
    undo_last(event, minute=54)
    assert Message.objects.live().count() == 1
    assert events_with_cash_end_near(f.after(55)) == [], "what was taken back is not said again"


def test_s18_an_end_that_is_set_late_or_by_hands_is_not_said(event, table):
    say(cash_end_set, event, ends_at=f.after(9))
    assert events_with_cash_end_near(f.after(1)) == []
    say(cash_end_set, event, minute=1, ends_at=f.after(60))
    say(cash_last_hands, event, minute=2, hands=3)
    assert events_with_cash_end_near(f.after(40)) == []


# Counting and closing


def test_a_table_is_counted_and_the_difference_is_named(event, table):
    petra = sit(event, table, "Petra Probst", 1, 5000)
    say(cash_table_count, event, table=table, counted_cents=4900)
    assert words(event) == "Cash-Tisch 1 gezählt: 49\xa0€, Differenz −1\xa0€"
    f.refuses("more_than_there_is", say, cash_out, event, registration=petra, cents=5000)
    left = say(cash_out, event, registration=petra, cents=4800)
    assert "1\xa0€" in f.refuses("chips_left", say, cash_table_close, event, table=table)
    say(cash_table_count, event, table=table, counted_cents=0)
    say(cash_table_close, event, table=table)
    assert words(event) == "Cash-Tisch 1 abgeschlossen"
    f.refuses("closed", say, cash_table_close, event, table=table)
    f.refuses("table_closed", say, action_undo, event, action=left)
    assert_balanced(event)
    undo_last(event)
    f.refuses("cannot_redo", undo_last, event)


def test_a_drawer_is_not_closed_while_chips_are_out(event, table):
    desk = f.make_desk(event)
    made = say(drawer_open, event, desk, float_cents=10_000)
    drawer = Drawer.objects.get(pk=made.payload["drawer"])
    petra = f.register(event)
    own = {"registration": petra, "table": table, "seat": 1, "cents": 5000}
    say(cash_sit, event, desk, **own)
    said = f.refuses(
        "chips_out", say, drawer_close, event, desk, drawer=drawer, counted_cents=15_000
    )
    assert said == "An Cash-Tischen liegen noch 50\xa0€, die auszuzahlen sind."
    say(cash_out, event, desk, registration=petra, cents=5000)
    say(drawer_close, event, desk, drawer=drawer, counted_cents=10_000)
    (state,) = drawers_of(event)
    assert state.difference_cents == 0


def test_an_arbiter_takes_money_only_by_a_drawer_and_notes_what_is_owed_without(event, table):
    arno, petra = f.make_arno(event), f.register(event)
    f.refuses(
        "no_drawer_given",
        say,
        cash_sit,
        event,
        arno,
        registration=petra,
        table=table,
        seat=1,
        cents=5000,
    )
    noted = open_table(event, is_noted=True)
    say(cash_sit, event, arno, registration=petra, table=noted, seat=1, cents=5000)
    otto = sit(event, noted, "Otto Kurz", 2, 5000)
    say(cash_out, event, arno, registration=petra, cents=8000)
    say(cash_out, event, arno, registration=otto, cents=2000)
    assert balances_noted(event) == {petra.pk: 3000, otto.pk: -3000}
    assert not Posting.objects.filter(account="cash").exists()
    f.refuses("not_allowed", say, cash_table_close, event, arno, table=noted)


def buys_more(event, table, petra):
    say(cash_top_up, event, registration=petra, stack_cents=0, cents=3000)


def others_cash(event, table, petra):
    otto = sit(event, table, "Otto Kurz", 2, 5000)
    say(cash_out, event, registration=otto, cents=9000)


@pytest.mark.parametrize(
    ("kind", "since", "code"),
    [
        ("cash_seat.taken", others_cash, "too_few_chips"),
        ("cash_seat.taken", buys_more, "bought_since"),
        ("cash_table.opened", buys_more, "needed"),
    ],
)
def test_what_more_rests_on_is_not_taken_back(event, table, kind, since, code):
    petra = sit(event, table, "Petra Probst", 1, 5000)
    action = Action.objects.filter(event=event, kind=kind).latest("pk")
    since(event, table, petra)
    f.refuses(code, say, action_undo, event, action=action)
    assert CashSeat.objects.live().get().registration == petra


def test_a_mistyped_buy_in_is_corrected_in_place(event, table):
    """At a full table with a line and a drawer: seat, line and books follow (K1)."""
    desk = f.make_desk(event)
    say(drawer_open, event, desk, float_cents=10_000)
    petra = sit(event, table, "Petra Probst", 1, 4000, by=desk)
    bought = f.last_action(event)
    for seat, name in enumerate(("Otto Kurz", "Anna Berger", "Paula Lang"), 2):
        sit(event, table, name, seat, 5000, by=desk)
    say(cash_wait, event, registration=f.register(event, "Max Mayer"), table=table)
    own = {"registration": petra, "purchase": bought}
    say(cash_correct, event, desk, **own, cents=3000)
    assert words(event) == ("Cash-Tisch 1: Kauf von Petra Probst berichtigt, 40\xa0€ auf 30\xa0€")
    assert (CashSeat.objects.live().count(), on(table)) == (4, 18_000)
    assert not CashOffer.objects.exists()
    cents = Receipt.objects.filter(registration=petra).order_by("pk")
    assert list(cents.values_list("cents", flat=True)) == [4000, 3000, -4000]
    (state,) = drawers_of(event)
    assert state.cash_cents == 28_000
    f.refuses("gone", say, cash_correct, event, desk, **own, cents=3500)
    again = {"registration": petra, "purchase": f.last_action(event)}
    for cents, code in ((3000, "bad_amount"), (0, "bad_amount"), (1999, "below_minimum")):
        f.refuses(code, say, cash_correct, event, desk, **again, cents=cents)
    undo_last(event)
    assert on(table) == 19_000
    for cents, code in ((1999, "below_minimum"), (10_001, "above_maximum")):
        f.refuses(code, say, cash_correct, event, desk, **own, cents=cents)
    assert_balanced(event)


def test_a_corrected_top_up_takes_no_chips_that_are_gone(event, table):
    petra = sit(event, table, "Petra Probst", 1, 2000)
    say(cash_top_up, event, registration=petra, stack_cents=2000, cents=5000)
    more = f.last_action(event)
    otto = sit(event, table, "Otto Kurz", 2, 2000)
    say(cash_out, event, registration=otto, cents=8000)
    own = {"registration": petra, "purchase": more}
    f.refuses("too_few_chips", say, cash_correct, event, **own, cents=3999)
    say(cash_correct, event, **own, cents=4000)
    assert on(table) == 0


def test_leaving_taken_back_at_a_full_table_ends_the_offer(event, table):
    """Who was asked stays first in line (K3)."""
    petra = sit(event, table, "Petra Probst", 1, 4000)
    for seat, name in enumerate(("Otto Kurz", "Anna Berger", "Paula Lang"), 2):
        sit(event, table, name, seat, 5000)
    max_ = f.register(event, "Max Mayer")
    say(cash_wait, event, registration=max_, table=table)
    say(cash_out, event, registration=petra, cents=4000)
    left = f.last_action(event)
    assert CashOffer.objects.live().get().waiting.registration == max_
    found = undo_preview(event=event, by=SYSTEM, at=f.after(1), action=left)
    lots = [(lot.name, lot.seat, lot.offer) for lot in found.before.cash.values()]
    assert ("Max Mayer", None, 1) in lots
    assert found.after.cash[petra.pk].seat == (1, 1)
    assert max_.pk not in found.after.cash
    say(action_undo, event, minute=1, action=left)
    assert not CashOffer.objects.live().exists()
    assert CashWaiting.objects.live().get().registration == max_


def test_an_evening_with_cash_tables_stays_one_and_another_has_none(event, table):
    f.refuses("no_cash_game", open_table, f.make_event())
    f.refuses("has_cash_tables", say, event_update, event, settings={"kind": "tournament"})
    f.refuses("bad_kind", say, event_update, event, settings={"kind": "bingo"})
    say(event_update, event, settings={"kind": "both"})
    assert f.fresh(event).has_cash_game


ODD = [
    ({"game": "bingo"}, "bad_game"),
    ({"mix": "whist"}, "bad_game"),
    ({"seats": 1}, "bad_seats"),
    ({"game": "omaha5", "seats": 9}, "bad_seats"),
    ({"straddle_cents": 150}, "bad_straddle"),
    ({"game": "stud", "straddle_cents": 400}, "bad_straddle"),
    ({"ante_cents": 101}, "bad_bets"),
    ({"big_bet_cents": 50}, "bad_bets"),
    ({"chip_cents": 101}, "bad_bets"),
    ({"small_blind_cents": 200}, "bad_blinds"),
    ({"small_blind_cents": 0}, "bad_blinds"),
    ({"minimum_way": "largest_stack"}, "bad_minimum"),
    ({"minimum": 0}, "bad_minimum"),
    ({"maximum": 10}, "bad_maximum"),
    ({"fee_way": "time"}, "bad_fee"),
    ({"fee_way": "pot", "fee_percent": 101}, "bad_fee"),
    ({"fee_way": "never"}, "bad_fee"),
    ({"offer_minutes": 0}, "bad_minutes"),
    ({"meal_minutes": 181}, "bad_minutes"),
]


def test_a_table_that_nobody_could_play_at_is_not_opened(event):
    for own, code in ODD:
        f.refuses(code, open_table, event, **own)
    assert not CashTable.objects.exists()


def test_fees_by_time_are_read_for_all_seats_at_once(event, django_assert_num_queries):
    table = open_table(event, fee_way="time", fee_cents=200, fee_minutes=60)
    for seat in (1, 2, 3):
        sit(event, table, f"Gast {seat}", seat, minute=seat)
    seats = list(CashSeat.objects.live().select_related("table"))
    with django_assert_num_queries(2):
        due = fees_open(seats, f.after(62))
    assert sorted(due.values()) == [200, 200, 400]
