"""A cash evening over midnight and the clock change in October, through its pages."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from clock.servertime import server_time
from tests import factories as f
from tests.services.cashgames import make_cash_event, open_table, say
from tests.views.pages import text_of
from tournaments.cashgame.services.seats import cash_sit
from tournaments.changes.access import Role
from tournaments.models import CashAway, CashEnd, CashHand, CashLeave

pytestmark = pytest.mark.django_db
# At 1 o'clock UTC the clock on the wall goes from 3 back to 2.
EVENING = datetime(2026, 10, 24, 21, 30, tzinfo=UTC)


def utc(hour, minute):
    return datetime(2026, 10, 25, hour, minute, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch):
    """Return what sets the server's time."""

    def to(instant):
        monkeypatch.setattr(server_time, "now", lambda: instant)

    to(EVENING)
    return to


def post(client, name, event, *args, **data):
    url = reverse(name, args=[event.slug, *args])
    return client.post(url, data, headers={"HX-Request": "true"})


def page(client, name, event, *args):
    return text_of(client.get(reverse(name, args=[event.slug, *args])))


@pytest.fixture
def night(client, clock):
    """Petra sits down at half past eleven in the evening, and pays two euros an hour."""
    event = make_cash_event(starts_at=EVENING)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    fee = {"fee_way": "time", "fee_cents": 200, "fee_minutes": 60}
    table = open_table(event, at=EVENING, **fee)
    petra = f.register(event, at=EVENING)
    own = {"registration": petra, "table": table, "seat": 1, "cents": 5000}
    say(cash_sit, event, at=EVENING, **own)
    return event, table


def test_s18_the_end_lies_past_midnight_and_before_the_hour_that_comes_twice(client, night, clock):
    event, table = night
    assert post(client, "cash-end", event, time="02:30").status_code == 200
    assert CashEnd.objects.live().get().ends_at == utc(0, 30)
    clock(utc(0, 20))
    assert "Ende um 02:30 Uhr" in page(client, "cash-game-panel", event)
    assert "Das Cash Game endet um 02:30" in page(client, "cash-game-panel", event)
    assert post(client, "cash-hand", event, table.pk).status_code == 200
    clock(utc(0, 31))
    panel = page(client, "cash-table-panel", event, table.pk)
    assert "die Hand wird zu Ende gespielt" in panel
    assert post(client, "cash-hand", event, table.pk, what="end").status_code == 200
    # The clock on the wall shows twenty past two again: the evening is over all the same.
    clock(utc(1, 20))
    over = post(client, "cash-hand", event, table.pk)
    assert (over.status_code, "zu Ende" in text_of(over)) == (422, True)
    assert CashHand.objects.count() == 1


def test_s18_an_end_that_is_set_in_the_first_of_the_two_hours_may_be_in_the_second(
    client, night, clock
):
    event, _table = night
    clock(utc(0, 45))
    assert post(client, "cash-end", event, time="02:30").status_code == 200
    assert CashEnd.objects.live().get().ends_at == utc(1, 30)


def test_s18_both_of_the_two_hours_are_paid_for(client, night, clock):
    event, table = night
    # From 23:30 to 3:31 by the wall are four hours and a minute; by the house's time five.
    clock(utc(2, 31))
    out = post(client, "cash-chips", event, table.pk, 1, what="out", amount="50")
    assert (out.status_code, "12 €" in text_of(out)) == (422, True)
    assert post(client, "cash-chips", event, table.pk, 1, what="fee").status_code == 200
    out = post(client, "cash-chips", event, table.pk, 1, what="out", amount="50")
    assert out.status_code == 200


def test_s18_leaving_and_a_meal_count_minutes_over_the_change(client, night, clock):
    event, table = night
    clock(utc(0, 50))
    later = {"what": "leaves", "minutes": "60"}
    assert post(client, "cash-presence", event, table.pk, 1, **later).status_code == 200
    assert CashLeave.objects.live().get().leaves_at == utc(1, 50)
    assert "geht um 02:50" in page(client, "cash-table-panel", event, table.pk)
    away = {"what": "away", "minutes": "30"}
    assert post(client, "cash-presence", event, table.pk, 1, **away).status_code == 200
    assert CashAway.objects.live().get().until == utc(1, 20)
    clock(utc(1, 19))
    assert "weg bis 02:20" in page(client, "cash-table-panel", event, table.pk)
    clock(utc(1, 20))
    assert "sollte um 02:20 wieder da sein" in page(client, "cash-table-panel", event, table.pk)
