"""Two at once at a cash table: one seat, one list, one offer, the last chips, one hand."""

import pytest

from tests import factories as f
from tests.services.cashgames import make_cash_event, on, open_table, say, sit
from tests.services.test_races import assert_one_effect, assert_sound, at_once, call
from tournaments.cashgame.services.hands import cash_hand_begin
from tournaments.cashgame.services.line import cash_offers_lapse, cash_wait
from tournaments.cashgame.services.seats import cash_out, cash_sit
from tournaments.models import CashHand, CashOffer, CashSeat

pytestmark = pytest.mark.django_db(transaction=True)


def test_one_seat_of_a_cash_table_is_given_to_two():
    event = make_cash_event()
    table = open_table(event)
    guests = [f.register(event, name) for name in ("Petra", "Otto")]
    own = {"table": table, "seat": 3, "cents": 5000}
    found = at_once(*(call(cash_sit, event, registration=guest, **own) for guest in guests))
    assert_one_effect(found, "seat_taken")
    assert CashSeat.objects.live().filter(table=table, seat=3).count() == 1
    assert on(table) == 5000
    assert_sound(event)


def test_the_last_chips_of_a_table_are_cashed_by_two():
    event = make_cash_event()
    table = open_table(event)
    guests = [sit(event, table, name, seat) for seat, name in enumerate(("Petra", "Otto"), 1)]
    found = at_once(*(call(cash_out, event, registration=one, cents=10_000) for one in guests))
    assert_one_effect(found, "more_than_there_is")
    assert on(table) == 0
    assert_sound(event)


def test_one_lapsed_offer_is_passed_on_twice():
    event = make_cash_event()
    table = open_table(event, seats=2)
    sit(event, table, "Gast", 1)
    for name in ("Petra", "Otto", "Zoe"):
        say(cash_wait, event, registration=f.register(event, name), table=table)
    found = at_once(*[call(cash_offers_lapse, event, at=f.after(6))] * 2)
    assert_one_effect(found, "none_expired")
    names = CashOffer.objects.live().values_list("waiting__registration__person__name", flat=True)
    assert sorted(names) == ["Otto", "Petra"]
    assert_sound(event)


def test_one_hand_is_begun_twice():
    event = make_cash_event()
    table = open_table(event)
    found = at_once(*[call(cash_hand_begin, event, table=table)] * 2)
    assert_one_effect(found, "during_hand")
    assert CashHand.objects.live().count() == 1
    assert_sound(event)
