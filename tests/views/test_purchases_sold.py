"""Re-buys sold by several: at the desk, and by an arbiter from the drawer he was given."""

import pytest
from django.urls import reverse

from clock.servertime import server_time
from tests import factories as f
from tests.buying import do, evening, lose
from tests.views.pages import text_of
from tests.views.test_held import late
from tests.views.test_purchases import HX, page, post
from tournaments.changes.access import Role
from tournaments.models import Drawer, Purchase, RebuyChance
from tournaments.money.selectors.drawers import drawer_balance
from tournaments.money.selectors.journal import paid_cents
from tournaments.money.services.drawers import drawer_open

pytestmark = pytest.mark.django_db


def test_of_two_who_sell_for_the_same_held_seat_the_second_is_told(client, monkeypatch):
    event = evening()
    one = f.entries_of(event)[0]
    f.sign_browser_in(client, Role.DESK, event)
    lose(event, one, 1)
    monkeypatch.setattr(server_time, "now", lambda: f.after(2))
    answer = client.get(reverse("purchase", args=[event.slug, one.pk]), headers=HX)
    held = RebuyChance.objects.live().get().pk
    assert f'name="held" value="{held}"' in answer.content.decode()
    sent = {"stack": 0, "held": held, "pays": "1"}
    assert post(client, "purchase-buy", event, one.pk, "rebuy", **sent).status_code == 200
    again = post(client, "purchase-buy", event, one.pk, "rebuy", **sent)
    assert again.status_code == 422
    assert "Das ist schon bestätigt, oder es wurde zurückgenommen." in text_of(again)
    assert Purchase.objects.live().count() == 1


def test_a_re_buy_paid_at_the_table_waits_on_a_phone_with_its_money(client, monkeypatch):
    event = evening()
    one = f.entries_of(event)[0]
    table, _seat = f.seat_of(one)
    arno = f.sign_browser_in(client, Role.ARBITER, event)
    monkeypatch.setattr(server_time, "now", lambda: f.after(1))
    assert "Möchte: Re-buy" in page(client, "purchase", event, one.pk)
    assert "Re-buy, bezahlt" not in page(client, "floor-table", event, table)
    do(drawer_open, event, 1, float_cents=0, device=arno.device)
    assert "Re-buy, bezahlt" in page(client, "purchase", event, one.pk)
    assert "Re-buy, bezahlt" in page(client, "floor-table", event, table)
    monkeypatch.setattr(server_time, "now", lambda: f.after(70))
    own = {"at": f.after(59), "data": {"stack": "0", "pays": "1"}}
    answer = late(client, event, "purchase-buy", one.pk, "rebuy", **own)
    assert answer.status_code == 200, answer.content
    assert Purchase.objects.live().get().bought_at == f.after(59)
    assert paid_cents(one.registration) == drawer_balance(Drawer.objects.get()) == 500
