"""Drawers of an event and of all: opened, moved, handed over, closed, each refused and undone."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.services.line import say
from tests.services.test_races import at_once, call
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.kinds import describe
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Drawer, Receipt
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.drawers import (
    cash_without_drawer,
    drawer_balance,
    drawer_of_device,
    drawers_of,
)
from tournaments.money.selectors.receipts import receipt_shown
from tournaments.money.services.drawers import (
    club_means_set,
    drawer_close,
    drawer_fill,
    drawer_hand,
    drawer_move,
    drawer_open,
    drawer_transfer,
)
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.papers.selectors.papers import evening_report
from tournaments.undo.services.undo import action_undo

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.postgres,
    pytest.mark.planned(fee_cents=1000, seats=10),
]
NBSP = "\N{NO-BREAK SPACE}"


@pytest.fixture
def desk(event):
    return f.make_desk(event)


@pytest.fixture
def other(event):
    return f.sign_in("Bar", Role.DESK, event).actor


@pytest.fixture
def petra(event):
    return f.register(event)


@pytest.fixture
def drawer(event, desk):
    """A drawer that the desk has opened with 50 euros of change."""
    return opened(event, desk)


def opened(event, by, cents=5000):
    action = say(drawer_open, event, 0, by=by, float_cents=cents)
    return Drawer.objects.get(pk=action.payload["drawer"])


def pay(event, by, row, **own):
    return say(fee_pay, event, 0, by=by, registration=row, **own)


def move(event, by, drawer, cents, reason):
    return say(drawer_move, event, 0, by=by, drawer=drawer, amount_cents=cents, reason=reason)


def hand(event, by, drawer, to):
    return say(drawer_hand, event, 0, by=by, drawer=drawer, device=to.device)


def close(event, by, drawer, cents, **own):
    return say(drawer_close, event, 0, by=by, drawer=drawer, counted_cents=cents, **own)


def fill(event, by, drawer, cents):
    return say(drawer_fill, event, 0, by=by, drawer=drawer, amount_cents=cents)


def undo(event, by, action):
    return say(action_undo, event, 0, by=by, action=action)


def takes(event, **names):
    call_service(club_means_set, club=event.club, by=SYSTEM, at=f.ARRIVAL, names=names)


def state_of(drawer):
    """Return one drawer as it is now."""
    (state,) = (one for one in drawers_of(drawer.event) if one.drawer == drawer)
    return state


def words(event):
    return describe(f.last_action(event)).replace(NBSP, " ")


# Opened, and what goes through it


def test_once_a_drawer_was_opened_cash_goes_through_a_drawer_alone(event, desk, other, petra):
    drawer = opened(event, desk)
    f.refuses("no_drawer", pay, event, other, petra)
    close(event, desk, drawer, 5000)
    f.refuses("no_drawer", pay, event, desk, petra)


def test_a_transfer_needs_no_drawer_and_a_card_is_of_it_but_not_counted_in_it(
    event, desk, other, drawer, petra
):
    takes(event, card="Bankomat", transfer="Überweisung")
    pay(event, other, petra, means=Means.TRANSFER)
    assert drawers_of(event)[-1].other_means == {Means.TRANSFER: 1000}
    pay(event, desk, f.register(event, "Rosa Rot"), means=Means.CARD)
    assert drawer_balance(drawer) == 5000
    assert state_of(drawer).other_means == {Means.CARD: 1000}
    paul = f.register(event, "Paul Prohaska")
    f.refuses("means_not_taken", pay, event, desk, paul, means=Means.VOUCHER)


def test_a_device_has_one_drawer_and_must_be_of_the_staff(event, desk, drawer):
    dora = f.make_dora(event)
    stranger = f.sign_in("Fremdes Gerät", Role.DESK, f.make_event(name="Samstag")).actor
    for code, by, own in (
        ("has_drawer", dora, {"device": desk.device}),
        ("not_staff", dora, {"device": stranger.device}),
        ("no_device", SYSTEM, {"device": None}),
        ("bad_amount", dora, {"float_cents": -1}),
    ):
        f.refuses(code, say, drawer_open, event, 0, by=by, **{"float_cents": 0, **own})
    f.refuses("not_staff", hand, event, dora, drawer, stranger)


def test_an_opened_drawer_is_taken_back_only_before_money_went_through(event, desk, drawer, petra):
    paid = pay(event, desk, petra)
    f.refuses("needed", undo, event, desk, drawer.made_by)
    undo(event, desk, paid)
    undo(event, desk, drawer.made_by)
    assert drawers_of(event) == []
    assert opened(event, desk).number == 2


# Moved and handed over


def test_money_is_put_in_and_taken_out_with_a_reason(event, desk, drawer):
    put = move(event, desk, drawer, 2000, "Wechselgeld")
    taken = move(event, desk, drawer, -6500, "Pizza")
    assert drawer_balance(drawer) == 500
    assert state_of(drawer).moved_cents == -4500
    assert words(event) == "Kasse 1: −65 €, Pizza"
    for code, cents, reason in (
        ("no_reason", 100, " "),
        ("bad_amount", 0, "nichts"),
        ("bad_amount", 10**12, "viel"),
        ("too_little_cash", -501, "Pizza"),
    ):
        f.refuses(code, move, event, desk, drawer, cents, reason)
    f.refuses("too_little_cash", undo, event, desk, put)
    undo(event, desk, taken)
    assert drawer_balance(drawer) == 7000


def test_a_drawer_is_handed_over_and_given_back_by_undo(event, desk, other, drawer):
    handed = hand(event, desk, drawer, other)
    assert words(event) == "Kasse 1 übergeben an Bar"
    assert drawer_of_device(event, other.device) == drawer
    assert drawer_of_device(event, desk.device) is None
    f.refuses("not_yours", move, event, desk, drawer, 100, "Trinkgeld")
    undo(event, desk, handed)
    assert drawer_of_device(event, desk.device) == drawer


def test_an_arbiter_takes_money_only_from_a_drawer_the_director_gave_him(event, desk, petra):
    arno, dora, paul = f.make_arno(event), f.make_dora(event), f.register(event, "Paul Prohaska")
    f.refuses("no_drawer_given", pay, event, arno, petra)
    drawer = opened(event, desk)
    for service, by, own in (
        (drawer_open, arno, {"float_cents": 0}),
        (drawer_open, desk, {"float_cents": 0, "device": arno.device}),
        (drawer_hand, desk, {"drawer": drawer, "device": arno.device}),
    ):
        f.refuses("not_allowed", say, service, event, 0, by=by, **own)
    hand(event, dora, drawer, arno)
    pay(event, arno, petra)
    assert drawer_balance(drawer) == 6000
    hand(event, arno, drawer, desk)
    f.refuses("no_drawer_given", pay, event, arno, paul)


def test_above_the_limit_only_the_director_pays_out(event, desk, drawer, petra):
    say(event_update, event, 0, settings={"payout_limit_cents": 900})
    pay(event, desk, petra)
    f.refuses("above_limit", say, fee_refund, event, 0, by=desk, registration=petra)
    f.refuses("above_limit", move, event, desk, drawer, -901, "Pizza")
    dora = f.make_dora(event)
    hand(event, desk, drawer, dora)
    move(event, dora, drawer, -5001, "Pizza")
    f.refuses("too_little_cash", say, fee_refund, event, 0, by=dora, registration=petra)
    move(event, dora, drawer, 5001, "Doch keine Pizza")
    say(fee_refund, event, 0, by=dora, registration=petra)
    assert drawer_balance(drawer) == 5000


# Closed


def test_a_closed_drawer_keeps_its_difference_and_takes_nothing(event, desk, drawer, petra):
    dora = f.make_dora(event)
    paid = pay(event, desk, petra)
    f.refuses("counted_before", close, event, desk, drawer, 5990, expected_cents=5000)
    closed = close(event, desk, drawer, 5990, expected_cents=6000)
    assert words(event) == "Kasse 1 abgeschlossen: 59,90 € gezählt, Differenz −0,10 €"
    state = state_of(drawer)
    assert (state.cash_cents, state.difference_cents, state.is_closed) == (5990, -10, True)
    for service, own in (
        (drawer_move, {"amount_cents": 100, "reason": "Trinkgeld"}),
        (drawer_hand, {"device": dora.device}),
        (drawer_close, {"counted_cents": 0}),
    ):
        f.refuses("closed", say, service, event, 0, by=dora, drawer=drawer, **own)
    f.refuses("drawer_closed", undo, event, desk, paid)
    undone = undo(event, desk, closed)
    assert drawer_balance(drawer) == 6000
    assert drawer_of_device(event, desk.device) == drawer
    f.refuses("cannot_redo", undo, event, dora, undone)


# Taken over: what was taken or paid out before there was a drawer


def test_what_was_taken_before_comes_into_the_drawer_and_back(event, desk, petra):
    takes(event, transfer="Überweisung")
    pay(event, desk, petra)
    (nameless,) = drawers_of(event)
    assert (nameless.drawer, nameless.cash_cents) == (None, 1000)
    pay(event, desk, f.register(event, "Paul Prohaska"), means=Means.TRANSFER)
    drawer = opened(event, desk)
    f.refuses("stale", fill, event, desk, drawer, 900)
    filled = fill(event, desk, drawer, 1000)
    assert words(event) == "Kasse 1: 10 € übernommen, die ohne Kasse eingenommen wurden"
    state = state_of(drawer)
    assert (state.cash_cents, state.paid_cents, state.moved_cents) == (6000, 1000, 0)
    (nameless,) = (one for one in drawers_of(event) if one.drawer is None)
    assert (nameless.cash_cents, nameless.other_means) == (0, {Means.TRANSFER: 1000})
    f.refuses("nothing_there", fill, event, desk, drawer, 1000)
    assert dict(evening_report(event).by_means) == {"bar": 6000, "Überweisung": 1000}
    assert dict(evening_report(event).accounts) == {"Preisgeld": 2000, "Wechselgeld": 5000}
    say(fee_refund, event, 0, by=desk, registration=petra)
    assert drawer_balance(drawer) == 5000
    move(event, desk, drawer, -4500, "Pizza")
    f.refuses("too_little_cash", undo, event, desk, filled)
    assert facts_checked(f.fresh(event)).differences == []


def test_taking_over_is_taken_back_as_long_as_the_drawer_is_open(event, desk, petra):
    pay(event, desk, petra)
    drawer = opened(event, desk)
    filled = fill(event, desk, drawer, 1000)
    f.refuses("needed", undo, event, desk, drawer.made_by)
    closed = close(event, desk, drawer, 6000)
    f.refuses("drawer_closed", undo, event, desk, filled)
    undo(event, desk, closed)
    undone = undo(event, desk, filled)
    assert (drawer_balance(drawer), cash_without_drawer(event)) == (5000, 1000)
    undo(event, desk, undone)
    assert (drawer_balance(drawer), cash_without_drawer(event)) == (6000, 0)


def test_what_was_paid_out_without_a_drawer_comes_out_of_one(event, desk, petra):
    paid = pay(event, desk, petra)
    drawer = opened(event, desk, 900)
    fill(event, desk, drawer, 1000)
    undo(event, desk, paid)
    assert cash_without_drawer(event) == -1000
    fill(event, desk, drawer, -1000)
    assert "ohne Kasse ausgezahlt" in words(event)
    assert (drawer_balance(drawer), cash_without_drawer(event)) == (900, 0)
    assert [state.drawer for state in drawers_of(event)] == [drawer]


def test_only_who_holds_an_open_drawer_at_the_desk_takes_over(event, desk, other, petra):
    pay(event, desk, petra)
    drawer, arno, dora = opened(event, desk), f.make_arno(event), f.make_dora(event)
    f.refuses("not_yours", fill, event, other, drawer, 1000)
    hand(event, dora, drawer, arno)
    f.refuses("not_allowed", fill, event, arno, drawer, 1000)
    fill(event, dora, drawer, 1000)
    assert drawer_balance(drawer) == 6000


# Passed on: from a drawer to another, and out of all


def transfer(event, by, drawer, to, cents):
    return say(drawer_transfer, event, 0, by=by, drawer=drawer, to=to, amount_cents=cents)


def test_cash_goes_to_another_drawer_and_out_of_all_with_a_receipt(event, desk, other, petra):
    first, second = opened(event, desk), opened(event, other, 0)
    pay(event, desk, petra)
    passed = transfer(event, desk, first, second, 1500)
    assert words(event) == "Kasse 1: 15 € an Kasse 2 gegeben"
    one, two = state_of(first), state_of(second)
    assert (one.cash_cents, one.paid_cents, one.passed_cents) == (4500, 1000, -1500)
    assert (two.cash_cents, two.paid_cents, two.passed_cents) == (1500, 0, 1500)
    receipt = receipt_shown(Receipt.objects.get(action=passed))
    assert (receipt.cents, receipt.who.replace(NBSP, " ")) == (1500, words(event))
    f.refuses("too_little_cash", transfer, event, other, second, first, 1600)
    f.refuses("not_yours", transfer, event, other, first, second, 100)
    f.refuses("bad_amount", transfer, event, desk, first, first, 100)
    transfer(event, other, second, None, 500)
    assert (drawer_balance(second), cash_without_drawer(event)) == (1000, 500)
    close(event, other, second, 1000)
    f.refuses("closed", transfer, event, desk, first, second, 100)
    f.refuses("drawer_closed", undo, event, desk, passed)
    fill(event, desk, first, 500)
    assert evening_report(event).sum_cents == 6000
    assert Receipt.objects.filter(event=event, registration=None).count() == 2


# One cash box for all events of a club: each event's money its own


@pytest.fixture
def main():
    return f.make_event(fee_cents=5000, name="Main Event")


@pytest.fixture
def side():
    return f.make_event(fee_cents=1000, name="Satellit")


@pytest.fixture
def cashier():
    """A cashier for the whole club."""
    return f.sign_in("Kasse am Eingang", Role.DESK).actor


@pytest.fixture
def box(main, cashier):
    return opened(main, cashier)


def whole(*events):
    return [facts_checked(f.fresh(event)).differences for event in events] == [[] for _ in events]


def test_two_events_on_one_drawer_and_the_report_says_of_which_event_what_was(
    main, side, cashier, box
):
    takes(main, card="Karte")
    pay(main, cashier, f.register(main))
    pay(side, cashier, f.register(side))
    pay(side, cashier, f.register(side, "Paul Prohaska"), means=Means.CARD)
    move(side, cashier, box, -300, "Pizza")
    state = state_of(box)
    assert dict(state.paid_at) == {"Main Event": 5000, "Satellit": 1000}
    assert (state.paid_cents, state.moved_cents, state.cash_cents) == (6000, -300, 10700)
    assert dict(evening_report(main).by_means) == {"bar": 10000}
    assert dict(evening_report(side).by_means) == {"bar": 700, "Karte": 1000}
    f.refuses("needed", undo, main, cashier, box.made_by)
    closed = close(side, cashier, box, 10650, expected_cents=10700)
    for event in (main, side):
        (one,) = evening_report(event).drawers
        assert (one.is_closed, one.difference_cents, one.cash_cents) == (True, -50, 10650)
    f.refuses("closed", move, main, cashier, box, 100, "Trinkgeld")
    undo(side, cashier, closed)
    assert drawer_balance(box) == 10700
    assert whole(main, side)


def test_an_event_opens_no_second_drawer_where_the_clubs_is_open(main, side, cashier, box):
    bar = f.sign_in("Bar", Role.DESK).actor
    said = f.refuses("club_drawer_open", opened, side, bar)
    assert "Kasse 1 ist offen, geöffnet bei „Main Event“." in said
    f.refuses("has_drawer", say, drawer_open, side, 0, by=cashier, float_cents=0, is_further=True)
    petra = f.register(side)
    f.refuses("no_drawer", pay, side, bar, petra)
    second = say(drawer_open, side, 0, by=bar, float_cents=0, is_further=True)
    assert Drawer.objects.get(pk=second.payload["drawer"]).number == 2
    assert opened(main, f.make_dora()).number == 3


def test_a_drawer_is_handed_over_at_another_event_and_taken_over_there(main, side, cashier):
    pay(side, cashier, f.register(side))
    drawer = opened(main, cashier)
    fill(side, cashier, drawer, 1000)
    bar = f.sign_in("Bar", Role.DESK, side).actor
    handed = hand(side, cashier, drawer, bar)
    f.refuses("not_yours", move, main, cashier, drawer, 100, "Trinkgeld")
    assert dict(state_of(drawer).paid_at) == {"Satellit": 1000}
    undo(side, cashier, handed)
    move(main, cashier, drawer, 100, "Trinkgeld")
    assert whole(main, side)


def test_the_drawer_outlives_its_event_and_counts_no_longer_as_a_need_then(main, side, box):
    say(event_cancel, main, 0)
    pay(side, f.sign_in("Bar", Role.DESK).actor, f.register(side))
    assert [state.drawer for state in drawers_of(side)] == [box, None]
    assert evening_report(side).drawers[0].drawer is None


def test_a_sample_has_a_drawer_of_its_own(cashier, box):
    sample = f.make_event(fee_cents=1000, is_sample=True)
    own = opened(sample, cashier)
    assert (own.club, own.number) == (None, 1)
    pay(sample, cashier, f.register(sample))
    assert (drawer_balance(own), drawer_balance(box)) == (6000, 5000)


@pytest.mark.django_db(transaction=True)
def test_two_events_at_once_do_not_take_out_more_than_there_is(main, side, cashier):
    drawer = opened(main, cashier)
    own = {
        "by": cashier,
        "at": f.after(0),
        "drawer": drawer,
        "amount_cents": -3000,
        "reason": "Bank",
    }
    answers = at_once(*(call(drawer_move, event, **own) for event in (main, side)))
    assert answers.count("too_little_cash") == 1
    assert drawer_balance(drawer) == 2000


@pytest.mark.django_db(transaction=True)
def test_two_events_at_once_open_one_drawer(main, side):
    desks = [f.sign_in(name, Role.DESK).actor for name in ("Eins", "Zwei")]
    answers = at_once(
        *(
            call(drawer_open, event, by=by, at=f.after(0), float_cents=0)
            for event, by in zip((main, side), desks, strict=True)
        )
    )
    assert answers.count("club_drawer_open") == 1
    assert Drawer.objects.live().count() == 1
