"""The cash game to a player and to everybody: lists, offers, the own seat; what is refused."""

from datetime import timedelta

import pytest
from django.core.cache import caches
from django.urls import reverse
from django.utils.timezone import now

from tests import factories as f
from tests.calling import call_service
from tests.services.cashgames import USUAL, make_cash_event
from tests.views.pages import bare, text_of
from tournaments.cashgame.services.seats import cash_sit
from tournaments.cashgame.services.tables import cash_end_set, cash_last_hands, cash_table_open
from tournaments.changes.access import SYSTEM
from tournaments.models import CashLeave, CashOffer, CashTable, CashWaiting
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]


@pytest.fixture(autouse=True)
def forget_floods():
    caches["limits"].clear()


@pytest.fixture
def petra(event):
    return f.register(event, "Petra", at=now())


def do(service, event, **own):
    return call_service(service, event=event, by=SYSTEM, at=now(), **own)


def opened(event, **own):
    action = do(cash_table_open, event, **(USUAL | own))
    return CashTable.objects.get(pk=action.payload["cash_table"])


def seat(event, table, guest, number, cents=5000):
    do(cash_sit, event, registration=guest, table=table, seat=number, cents=cents)


def page(client, guest):
    return text_of(client.get(reverse("player", args=[guest.link_token])))


def tap(client, guest, what, table=None, **typed):
    sent = {"what": what, **({"table": table.pk} if table else {}), **typed}
    url = reverse("player-cash", args=[guest.link_token])
    return client.post(url, sent, headers={"HX-Request": "true"})


def refused(answer, sentence):
    assert answer.status_code == 422
    assert sentence in text_of(answer)


def test_a_player_asks_for_a_seat_and_leaves_the_list(client, event, petra):
    table = opened(event, seats=2)
    for number, name in enumerate(("Eva", "Uwe"), 1):
        seat(event, table, f.register(event, name, at=now()), number)
    assert "Ich möchte hier spielen" in page(client, petra)
    assert tap(client, petra, "wait", opened(make_cash_event(name="Anderswo"))).status_code == 404
    refused(tap(client, petra, "wait"), "ganze Zahl")
    refused(tap(client, petra, "bier"), "Das gibt es hier nicht.")
    other = f.register(event, "Zeno", at=now())
    assert tap(client, other, "wait", table).status_code == 200
    assert "Du bist Nummer 2 auf der Liste" in text_of(tap(client, petra, "wait", table))
    refused(tap(client, petra, "wait", table), "Steht schon auf der Liste.")
    assert "Ich möchte hier spielen" in text_of(tap(client, petra, "drop", table))
    refused(tap(client, petra, "drop", table), "Steht nicht auf der Liste.")
    assert CashWaiting.objects.live().get().registration == other


def test_a_player_asks_for_any_table_of_some_stakes(client, event, petra):
    first, second = opened(event, seats=2), opened(event, seats=2)
    opened(event, seats=2, big_blind_cents=200)
    shown = page(client, petra)
    assert shown.count("Egal welcher Tisch mit") == 1
    answer = text_of(tap(client, petra, "wait_any", second))
    assert "Ein Platz an Cash-Tisch 1 ist frei für dich" in answer
    rows = CashWaiting.objects.live().values_list("table", flat=True)
    assert set(rows) == {first.pk, second.pk}
    assert CashOffer.objects.live().count() == 1
    assert tap(client, petra, "drop", first).status_code == 200
    assert not CashWaiting.objects.live().exists()


def test_an_offer_is_taken_once_and_then_declined(client, event, petra):
    table = opened(event)
    refused(tap(client, petra, "accept", table), "Dieses Angebot gilt nicht mehr.")
    tap(client, petra, "wait", table)
    assert "Ein Platz an Cash-Tisch 1 ist frei für dich" in page(client, petra)
    first = CashOffer.objects.live().get()
    assert "Wir wissen, dass du kommst." in text_of(tap(client, petra, "accept", table))
    kept = CashOffer.objects.live().get()
    assert kept.until > first.until
    refused(tap(client, petra, "accept", table), "Das ist schon eingetragen.")
    assert CashOffer.objects.live().get() == kept
    do(action_undo, event, action=f.last_action(event))
    assert CashOffer.objects.live().get() == first
    assert tap(client, petra, "drop", table).status_code == 200
    assert not CashOffer.objects.live().exists()


def test_who_sits_sees_what_he_bought_and_says_when_he_leaves_s18(client, event, petra):
    table = opened(event)
    refused(tap(client, petra, "leave", minutes="20"), "sitzt an keinem Cash-Tisch")
    seat(event, table, petra, 3, 7500)
    shown = page(client, petra)
    assert "Bisher gekauft</dt><dd>75 €" in shown
    assert "Hier sitzt du." in shown
    slip = shown[shown.index('class="slip-seat"') :]
    assert bare(slip).startswith(
        'class="slip-seat"><div><span class="slip-label">Cash-Tisch</span>'
    )
    assert "Du gehst um" in text_of(tap(client, petra, "leave", minutes="20"))
    said = CashLeave.objects.live().get()
    refused(tap(client, petra, "leave", minutes="9999"), "Das liegt nicht mehr an diesem Abend.")
    refused(tap(client, petra, "leave", minutes="bald"), "Zahl")
    assert CashLeave.objects.live().get() == said


def test_everybody_sees_tables_seats_lists_and_the_end_and_no_name(client, event, petra):
    table = opened(event, seats=2)
    for number, name in enumerate(("Eva Ehrlich", "Uwe Unruh"), 1):
        seat(event, table, f.register(event, name, at=now()), number)
    tap(client, petra, "wait", table)
    url = reverse("tournament", args=[event.slug])
    shown = client.get(url)
    for words in ("0,50 € / 1 €", "Kein Platz frei", "eine Person wartet"):
        assert words in text_of(shown)
    part = shown.content.decode().split('id="cash-tables"')[1].split("</section>")[0]
    assert "Eva" not in part
    assert "Petra" not in part
    assert "Blindplan" not in text_of(shown)
    do(cash_end_set, event, ends_at=now() + timedelta(hours=2))
    do(cash_last_hands, event, hands=3)
    assert "Noch 3 Hände an jedem Tisch." in text_of(client.get(url))
