"""One cash box for all events of a club: opened and counted once, each event's money its own."""

import pytest

from tests import factories as f
from tests.services.line import say
from tests.services.test_drawers import close, fill, hand, move, opened, pay, state_of, takes, undo
from tests.services.test_races import at_once, call
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_cancel
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import Drawer
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.drawers import drawer_balance, drawers_of
from tournaments.money.services.drawers import drawer_move, drawer_open
from tournaments.papers.selectors.papers import evening_report

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


@pytest.fixture
def main():
    return f.make_event(fee_cents=5000, name="Main Event")


@pytest.fixture
def side():
    return f.make_event(fee_cents=1000, name="Satellit")


@pytest.fixture
def desk():
    """A desk for the whole club."""
    return f.sign_in("Kasse am Eingang", Role.DESK).actor


@pytest.fixture
def drawer(main, desk):
    return opened(main, desk)


def whole(*events):
    return [facts_checked(f.fresh(event)).differences for event in events] == [[] for _ in events]


def test_two_events_on_one_drawer_and_the_report_says_of_which_event_what_was(
    main, side, desk, drawer
):
    takes(main, card="Karte")
    pay(main, desk, f.register(main))
    pay(side, desk, f.register(side))
    pay(side, desk, f.register(side, "Paul Prohaska"), means=Means.CARD)
    move(side, desk, drawer, -300, "Pizza")
    state = state_of(drawer)
    assert dict(state.paid_at) == {"Main Event": 5000, "Satellit": 1000}
    assert (state.paid_cents, state.moved_cents, state.cash_cents) == (6000, -300, 10700)
    assert dict(evening_report(main).by_means) == {"bar": 10000}
    assert dict(evening_report(side).by_means) == {"bar": 700, "Karte": 1000}
    closed = close(side, desk, drawer, 10650, expected_cents=10700)
    for event in (main, side):
        (one,) = evening_report(event).drawers
        assert (one.is_closed, one.difference_cents, one.cash_cents) == (True, -50, 10650)
    f.refuses("closed", move, main, desk, drawer, 100, "Trinkgeld")
    undo(side, desk, closed)
    assert drawer_balance(drawer) == 10700
    assert whole(main, side)


def test_an_event_opens_no_second_drawer_where_the_clubs_is_open(main, side, desk, drawer):
    bar = f.sign_in("Bar", Role.DESK).actor
    with f.refused("club_drawer_open", side) as found:
        opened(side, bar)
    assert "Kasse 1 ist offen, geöffnet bei „Main Event“." in str(found.value)
    f.refuses("has_drawer", say, drawer_open, side, 0, by=desk, float_cents=0, is_further=True)
    petra = f.register(side)
    f.refuses("no_drawer", pay, side, bar, petra)
    second = say(drawer_open, side, 0, by=bar, float_cents=0, is_further=True)
    assert Drawer.objects.get(pk=second.payload["drawer"]).number == 2
    assert opened(main, f.make_dora()).number == 3


def test_a_drawer_is_handed_over_at_another_event_and_taken_over_there(main, side, desk):
    pay(side, desk, f.register(side))
    drawer = opened(main, desk)
    fill(side, desk, drawer, 1000)
    bar = f.sign_in("Bar", Role.DESK, side).actor
    handed = hand(side, desk, drawer, bar)
    f.refuses("not_yours", move, main, desk, drawer, 100, "Trinkgeld")
    assert dict(state_of(drawer).paid_at) == {"Satellit": 1000}
    undo(side, desk, handed)
    move(main, desk, drawer, 100, "Trinkgeld")
    assert whole(main, side)


def test_the_drawer_outlives_its_event_and_counts_no_longer_as_a_need_then(main, side, drawer):
    say(event_cancel, main, 0)
    pay(side, f.sign_in("Bar", Role.DESK).actor, f.register(side))
    assert [state.drawer for state in drawers_of(side)] == [drawer, None]
    assert evening_report(side).drawers[0].drawer is None


def test_a_sample_has_a_drawer_of_its_own(desk, drawer):
    sample = f.make_event(fee_cents=1000, is_sample=True)
    own = opened(sample, desk)
    assert (own.club, own.number) == (None, 1)
    pay(sample, desk, f.register(sample))
    assert (drawer_balance(own), drawer_balance(drawer)) == (6000, 5000)


def test_an_opened_drawer_is_not_taken_back_once_another_event_booked_in_it(
    main, side, desk, drawer
):
    pay(side, desk, f.register(side))
    f.refuses("needed", undo, main, desk, drawer.made_by)


@pytest.mark.django_db(transaction=True)
def test_two_events_at_once_do_not_take_out_more_than_there_is(main, side, desk):
    drawer = opened(main, desk)
    own = {"by": desk, "at": f.after(0), "drawer": drawer, "amount_cents": -3000, "reason": "Bank"}
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
