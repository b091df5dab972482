"""Drawers: opened, moved, handed over, closed; every refusal, every log entry, every undo."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.selectors.log import describe
from tournaments.event.services.lifecycle import event_update
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Drawer, Posting
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.drawers import (
    cash_without_drawer,
    drawer_balance,
    drawer_of_device,
    drawers_of,
)
from tournaments.money.services.drawers import (
    club_means_set,
    drawer_close,
    drawer_fill,
    drawer_hand,
    drawer_move,
    drawer_open,
)
from tournaments.money.services.fees import fee_pay, fee_refund
from tournaments.papers.selectors.evening_report import evening_report
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def drawer_state(drawer):
    """Return one drawer as it is now."""
    (state,) = (one for one in drawers_of(drawer.event) if one.drawer == drawer)
    return state


@pytest.fixture
def event():
    return f.make_event(fee_cents=1000, seats=10)


@pytest.fixture
def desk(event):
    return f.make_desk(event)


def say(service, event, by, **own):
    return call_service(service, event=event, by=by, at=f.ARRIVAL, **own)


def words(event):
    return describe(f.last_action(event))


def opened(event, by, cents=5000, **own):
    action = say(drawer_open, event, by, float_cents=cents, **own)
    return Drawer.objects.get(pk=action.payload["drawer"])


def assert_balanced(event):
    rows = Posting.objects.live().filter(event=event)
    by_action = {}
    for made_by, cents in rows.values_list("made_by", "amount_cents"):
        by_action[made_by] = by_action.get(made_by, 0) + cents
    assert not any(by_action.values())


def test_a_drawer_is_opened_with_a_float_and_takes_payments(event, desk):
    petra = f.register(event)
    drawer = opened(event, desk)
    say(fee_pay, event, desk, registration=petra)
    state = drawer_state(drawer)
    assert (state.holder, state.float_cents, state.paid_cents) == (desk.device, 5000, 1000)
    assert drawer_balance(drawer) == state.cash_cents == 6000
    assert_balanced(event)
    assert words(event) == "Startgeld bezahlt: Petra Probst"


def test_without_a_drawer_money_is_taken_as_it_always_was(event, desk):
    say(fee_pay, event, desk, registration=f.register(event))
    (state,) = drawers_of(event)
    assert state.drawer is None
    assert state.cash_cents == 1000


def test_once_a_drawer_was_opened_cash_goes_through_a_drawer_alone(event, desk):
    drawer = opened(event, desk)
    other, petra = f.sign_in("Zweites Gerät", Role.DESK, event).actor, f.register(event)
    with f.refused("no_drawer", event):
        say(fee_pay, event, other, registration=petra)
    say(drawer_close, event, desk, drawer=drawer, counted_cents=5000)
    with f.refused("no_drawer", event):
        say(fee_pay, event, desk, registration=petra)


def test_a_transfer_lies_in_no_drawer_and_needs_none(event, desk):
    call_service(
        club_means_set, club=event.club, by=SYSTEM, at=f.ARRIVAL, names={"transfer": "Überweisung"}
    )
    opened(event, desk)
    other = f.sign_in("Zweites Gerät", Role.DESK, event).actor
    means = Means.TRANSFER
    say(fee_pay, event, other, registration=f.register(event), means=means)
    assert drawers_of(event)[-1].other_means == {means: 1000}


def test_a_card_payment_is_of_the_drawer_and_not_counted_in_it(event, desk):
    names = {"card": "Bankomat"}
    call_service(club_means_set, club=event.club, by=SYSTEM, at=f.ARRIVAL, names=names)
    drawer = opened(event, desk)
    say(fee_pay, event, desk, registration=f.register(event), means=Means.CARD)
    assert drawer_balance(drawer) == 5000
    assert drawer_state(drawer).other_means == {Means.CARD: 1000}
    paul = f.register(event, "Paul Prohaska")
    with f.refused("means_not_taken", event):
        say(fee_pay, event, desk, registration=paul, means=Means.VOUCHER)


def test_money_is_put_in_and_taken_out_with_a_reason(event, desk):
    drawer = opened(event, desk)
    say(drawer_move, event, desk, drawer=drawer, amount_cents=2000, reason="Wechselgeld")
    taken = say(drawer_move, event, desk, drawer=drawer, amount_cents=-6500, reason="Pizza")
    assert drawer_balance(drawer) == 500
    assert drawer_state(drawer).moved_cents == -4500
    assert words(event) == "Kassa 1: −65\N{NO-BREAK SPACE}€, Pizza"
    assert_balanced(event)
    for code, cents, reason in (
        ("no_reason", 100, " "),
        ("bad_amount", 0, "nichts"),
        ("bad_amount", 10**12, "viel"),
        ("too_little_cash", -501, "Pizza"),
    ):
        with f.refused(code, event):
            say(drawer_move, event, desk, drawer=drawer, amount_cents=cents, reason=reason)
    say(action_undo, event, desk, action=taken)
    assert drawer_balance(drawer) == 7000


def test_what_was_put_in_is_not_taken_back_once_it_is_spent(event, desk):
    drawer = opened(event, desk, 0)
    put = say(drawer_move, event, desk, drawer=drawer, amount_cents=2000, reason="Wechselgeld")
    say(drawer_move, event, desk, drawer=drawer, amount_cents=-1500, reason="Pizza")
    with f.refused("too_little_cash", event):
        say(action_undo, event, desk, action=put)


def test_a_drawer_is_handed_over_and_given_back_by_undo(event, desk):
    drawer = opened(event, desk)
    other = f.sign_in("Bar", Role.DESK, event).actor
    handed = say(drawer_hand, event, desk, drawer=drawer, device=other.device)
    assert words(event) == "Kassa 1 übergeben an Bar"
    assert drawer_of_device(event, other.device) == drawer
    assert drawer_of_device(event, desk.device) is None
    with f.refused("not_yours", event):
        say(drawer_move, event, desk, drawer=drawer, amount_cents=100, reason="Trinkgeld")
    say(action_undo, event, desk, action=handed)
    assert drawer_of_device(event, desk.device) == drawer


def test_an_arbiter_takes_money_only_from_a_drawer_the_director_gave_him(event, desk):
    arno, dora, petra = f.make_arno(event), f.make_dora(event), f.register(event)
    paul = f.register(event, "Paul Prohaska")
    with f.refused("no_drawer_given", event):
        say(fee_pay, event, arno, registration=petra)
    drawer = opened(event, desk)
    for code, service, by, own in (
        ("not_allowed", drawer_open, arno, {"float_cents": 0}),
        ("not_allowed", drawer_open, desk, {"float_cents": 0, "device": arno.device}),
        ("not_allowed", drawer_hand, desk, {"drawer": drawer, "device": arno.device}),
    ):
        with f.refused(code, event):
            say(service, event, by, **own)
    say(drawer_hand, event, dora, drawer=drawer, device=arno.device)
    say(fee_pay, event, arno, registration=petra)
    assert drawer_balance(drawer) == 6000
    say(drawer_hand, event, arno, drawer=drawer, device=desk.device)
    with f.refused("no_drawer_given", event):
        say(fee_pay, event, arno, registration=paul)


def test_a_device_has_one_drawer_and_must_be_of_the_staff(event, desk):
    drawer, dora = opened(event, desk), f.make_dora(event)
    stranger = f.sign_in("Fremdes Gerät", Role.DESK, f.make_event(name="Samstag")).actor
    for code, by, device in (
        ("has_drawer", dora, desk.device),
        ("not_staff", dora, stranger.device),
        ("no_device", SYSTEM, None),
    ):
        with f.refused(code, event):
            say(drawer_open, event, by, float_cents=0, device=device)
    with f.refused("not_staff", event):
        say(drawer_hand, event, dora, drawer=drawer, device=stranger.device)
    with f.refused("bad_amount", event):
        say(drawer_open, event, dora, float_cents=-1)


def test_a_closed_drawer_keeps_its_difference_and_takes_nothing(event, desk):
    petra = f.register(event)
    drawer = opened(event, desk)
    paid = say(fee_pay, event, desk, registration=petra)
    with f.refused("counted_before", event):
        say(drawer_close, event, desk, drawer=drawer, counted_cents=5990, expected_cents=5000)
    closed = say(drawer_close, event, desk, drawer=drawer, counted_cents=5990, expected_cents=6000)
    nbsp = "\N{NO-BREAK SPACE}"
    said = f"Kassa 1 abgeschlossen: 59,90{nbsp}€ gezählt, Differenz −0,10{nbsp}€"
    assert words(event) == said
    state = drawer_state(drawer)
    assert (state.cash_cents, state.difference_cents, state.is_closed) == (5990, -10, True)
    assert_balanced(event)
    dora = f.make_dora(event)
    for code, service, own in (
        ("closed", drawer_move, {"amount_cents": 100, "reason": "Trinkgeld"}),
        ("closed", drawer_hand, {"device": dora.device}),
        ("closed", drawer_close, {"counted_cents": 0}),
    ):
        with f.refused(code, event):
            say(service, event, dora, drawer=drawer, **own)
    with f.refused("drawer_closed", event):
        say(action_undo, event, desk, action=paid)
    undone = say(action_undo, event, desk, action=closed)
    assert drawer_balance(drawer) == 6000
    assert drawer_of_device(event, desk.device) == drawer
    with f.refused("cannot_redo", event):
        say(action_undo, event, dora, action=undone)


def test_an_opened_drawer_is_taken_back_only_before_money_went_through(event, desk):
    drawer = opened(event, desk)
    paid = say(fee_pay, event, desk, registration=f.register(event))
    with f.refused("needed", event):
        say(action_undo, event, desk, action=drawer.made_by)
    say(action_undo, event, desk, action=paid)
    say(action_undo, event, desk, action=drawer.made_by)
    assert drawers_of(event) == []
    assert opened(event, desk).number == 2


def test_above_the_limit_only_the_director_pays_out(event, desk):
    say(event_update, event, SYSTEM, settings={"payout_limit_cents": 900})
    petra, drawer = f.register(event), opened(event, desk)
    say(fee_pay, event, desk, registration=petra)
    with f.refused("above_limit", event):
        say(fee_refund, event, desk, registration=petra)
    with f.refused("above_limit", event):
        say(drawer_move, event, desk, drawer=drawer, amount_cents=-901, reason="Pizza")
    dora = f.make_dora(event)
    say(drawer_hand, event, desk, drawer=drawer, device=dora.device)
    say(fee_refund, event, dora, registration=petra)
    assert drawer_balance(drawer) == 5000


def test_who_holds_too_little_cash_gives_nothing_back(event, desk):
    petra = f.register(event)
    say(fee_pay, event, desk, registration=petra)
    opened(event, desk, 999)
    with f.refused("too_little_cash", event):
        say(fee_refund, event, desk, registration=petra)


def fill(event, by, drawer, cents):
    return say(drawer_fill, event, by, drawer=drawer, amount_cents=cents)


def test_what_was_taken_before_comes_into_the_drawer_and_back(event, desk):
    call_service(
        club_means_set, club=event.club, by=SYSTEM, at=f.ARRIVAL, names={"transfer": "Überweisung"}
    )
    petra, paul = f.register(event), f.register(event, "Paul Prohaska")
    say(fee_pay, event, desk, registration=petra)
    say(fee_pay, event, desk, registration=paul, means=Means.TRANSFER)
    drawer = opened(event, desk)
    with f.refused("stale", event):
        fill(event, desk, drawer, 900)
    filled = fill(event, desk, drawer, 1000)
    assert words(event) == (
        "Kassa 1: 10\N{NO-BREAK SPACE}€ übernommen, die ohne Kassa eingenommen wurden"
    )
    state = drawer_state(drawer)
    assert (state.cash_cents, state.paid_cents, state.moved_cents) == (6000, 1000, 0)
    (nameless,) = (one for one in drawers_of(event) if one.drawer is None)
    assert (nameless.cash_cents, nameless.other_means) == (0, {Means.TRANSFER: 1000})
    assert_balanced(event)
    with f.refused("nothing_there", event):
        fill(event, desk, drawer, 1000)
    assert dict(evening_report(event).by_means) == {"bar": 6000, "Überweisung": 1000}
    assert dict(evening_report(event).accounts) == {"Preisgeld": 2000, "Wechselgeld": 5000}
    say(fee_refund, event, desk, registration=petra)
    assert drawer_balance(drawer) == 5000
    say(drawer_move, event, desk, drawer=drawer, amount_cents=-4500, reason="Pizza")
    with f.refused("too_little_cash", event):
        say(action_undo, event, desk, action=filled)
    assert facts_checked(f.fresh(event)).differences == []


def test_taking_over_is_taken_back_as_long_as_the_drawer_is_open(event, desk):
    say(fee_pay, event, desk, registration=f.register(event))
    drawer = opened(event, desk)
    filled = fill(event, desk, drawer, 1000)
    with f.refused("needed", event):
        say(action_undo, event, desk, action=drawer.made_by)
    closed = say(drawer_close, event, desk, drawer=drawer, counted_cents=6000)
    with f.refused("drawer_closed", event):
        say(action_undo, event, desk, action=filled)
    say(action_undo, event, desk, action=closed)
    undone = say(action_undo, event, desk, action=filled)
    assert (drawer_balance(drawer), cash_without_drawer(event)) == (5000, 1000)
    say(action_undo, event, desk, action=undone)
    assert (drawer_balance(drawer), cash_without_drawer(event)) == (6000, 0)
    assert_balanced(event)


def test_what_was_paid_out_without_a_drawer_comes_out_of_one(event, desk):
    petra = f.register(event)
    paid = say(fee_pay, event, desk, registration=petra)
    drawer = opened(event, desk, 900)
    fill(event, desk, drawer, 1000)
    say(action_undo, event, desk, action=paid)
    assert cash_without_drawer(event) == -1000
    fill(event, desk, drawer, -1000)
    assert "ohne Kassa ausgezahlt" in words(event)
    assert (drawer_balance(drawer), cash_without_drawer(event)) == (900, 0)
    assert [state.drawer for state in drawers_of(event)] == [drawer]


def test_only_who_holds_an_open_drawer_at_the_desk_takes_over(event, desk):
    say(fee_pay, event, desk, registration=f.register(event))
    drawer, arno = opened(event, desk), f.make_arno(event)
    other = f.sign_in("Zweites Gerät", Role.DESK, event).actor
    with f.refused("not_yours", event):
        fill(event, other, drawer, 1000)
    say(drawer_hand, event, f.make_dora(event), drawer=drawer, device=arno.device)
    with f.refused("not_allowed", event):
        fill(event, arno, drawer, 1000)
    fill(event, f.make_dora(event), drawer, 1000)
    assert drawer_balance(drawer) == 6000
