"""Bought again on the pages: at the desk, at the tables, by the director, the player, on paper."""

from datetime import timedelta

import pytest
from django.urls import reverse

from clock.servertime import server_time
from tests import factories as f
from tests.buying import TERMS
from tests.views.pages import text_of
from tests.views.test_held import late
from tournaments.changes.access import Role
from tournaments.changes.commands import Command
from tournaments.door.selectors.desk import Only, desk_line, desk_only
from tournaments.models import Elimination, Entry, Purchase, PurchaseWish, RebuyChance
from tournaments.money.selectors.fees import open_cents
from tournaments.rebuys.services.purchases import entry_reenter, purchase_ask
from tournaments.tasks import rebuys_due

pytestmark = pytest.mark.django_db
HX = {"HX-Request": "true"}


@pytest.fixture
def minute(monkeypatch):
    """Set the present to a minute of play."""
    return lambda number: monkeypatch.setattr(server_time, "now", lambda: f.after(number))


@pytest.fixture
def event():
    return f.make_running_event(6, **TERMS)


@pytest.fixture
def one(event):
    return f.entries_of(event)[0]


def page(client, name, event, *args):
    return text_of(client.get(reverse(name, args=[event.slug, *args]), headers=HX))


def post(client, name, event, *args, **sent):
    return client.post(reverse(name, args=[event.slug, *args]), sent, headers=HX)


def test_an_arbiters_out_asks_for_the_re_buy(client, event, one, minute):
    f.sign_browser_in(client, Role.ARBITER, event)
    minute(1)
    assert post(client, "floor-out", event, one.pk).status_code == 200
    sheet = text_of(client.get(reverse("floor-outs", args=[event.slug]), {"entry": one.pk}))
    assert "Noch nicht aus: Re-buy möglich. Der Platz wird bis 19:06 gehalten." in sheet
    assert "Kein Re-buy: aus" in sheet
    assert "Möchte: Re-buy" in page(client, "purchase", event, one.pk)
    assert post(client, "purchase-buy", event, one.pk, "rebuy").status_code == 422
    asked = post(client, "purchase-ask", event, one.pk, "rebuy", stack="0")
    assert asked.status_code == 200
    assert PurchaseWish.objects.live().get().entry == one
    player = page(client, "floor-player", event, one.pk)
    assert "Möchte Re-buy, gesagt um 19:01." in player
    assert 'data-queue-label="Aus"' not in player


def test_an_arbiter_puts_out_who_does_not_re_buy(client, event, one, minute):
    f.sign_browser_in(client, Role.ARBITER, event)
    minute(1)
    post(client, "floor-out", event, one.pk)
    assert post(client, "rebuy-decline", event, one.pk).status_code == 200
    assert Elimination.objects.live().get().at == f.after(1)
    assert post(client, "rebuy-decline", event, one.pk).status_code == 422


def test_a_tap_that_waited_on_a_phone_asks_as_of_when_it_was_tapped(client, event, one, minute):
    f.sign_browser_in(client, Role.ARBITER, event)
    minute(70)
    own = {"at": f.after(59), "data": {"stack": "0"}}
    answer = late(client, event, "purchase-ask", one.pk, "rebuy", **own)
    assert answer.status_code == 200, answer.content
    assert PurchaseWish.objects.live().get().asked_at == f.after(59)


def test_the_desk_sells_what_was_asked_for_paid_or_open(client, event, one, minute):
    f.sign_browser_in(client, Role.DESK, event)
    minute(1)
    command = Command(event=event, by=f.petra_of(one.registration), at=f.after(1))
    purchase_ask(command, entry=one, what="rebuy", stack=0)
    wish = PurchaseWish.objects.live().get()
    assert one.registration.person.name in page(client, "purchases-open", event)
    sheet = page(client, "purchase", event, one.pk)
    assert "Re-buy, bezahlt" in sheet
    assert "Re-buy, bleibt offen" in sheet
    sent = {"asked": wish.pk, "pays": "0", "number": 1, "stack": 0}
    assert post(client, "purchase-buy", event, one.pk, "rebuy", **sent).status_code == 200
    assert open_cents(one.registration) == 1500
    again = post(client, "purchase-buy", event, one.pk, "rebuy", **sent)
    assert again.status_code == 422
    assert "Das ist schon bestätigt, oder es wurde zurückgenommen." in text_of(again)
    assert Purchase.objects.live().count() == 1
    sold = post(client, "purchase-buy", event, one.pk, "addon", pays="1")
    assert sold.status_code == 200
    assert open_cents(one.registration) == 1500
    assert post(client, "purchase-buy", event, one.pk, "bier").status_code == 404


def test_the_desks_list_tells_what_is_open_of_all_that_was_bought(client, event, one, minute):
    f.sign_browser_in(client, Role.DESK, event)
    minute(1)
    post(client, "fee-pay", event, one.registration_id)
    assert desk_line(one.registration).open_cents == 0
    assert one.registration not in desk_only(event, "", Only.UNPAID)
    post(client, "purchase-buy", event, one.pk, "rebuy", stack="0", pays="0")
    assert desk_line(one.registration).open_cents == 500
    assert one.registration in desk_only(event, "", Only.UNPAID)
    assert "5 € kassieren" in page(client, "desk-list", event)


def test_a_director_lets_pass_what_is_late(client, event, one, minute):
    f.sign_browser_in(client, Role.DIRECTOR, event)
    minute(61)
    sheet = page(client, "purchase", event, one.pk)
    assert "Re-buy gibt es nicht mehr: Die Zeit dafür ist vorbei." in sheet
    assert "Ausnahme der Turnierleitung" in sheet
    assert post(client, "purchase-buy", event, one.pk, "rebuy", stack="0").status_code == 422
    sent = {"stack": "0", "knowingly": "on", "pays": "1"}
    assert post(client, "purchase-buy", event, one.pk, "rebuy", **sent).status_code == 200


def test_the_director_sees_what_is_open(client, event, one, minute):
    f.sign_browser_in(client, Role.DIRECTOR, event)
    minute(1)
    post(client, "floor-out", event, one.pk)
    name = one.registration.person.name
    assert f"Re-buy? {name}" in page(client, "director-due", event)
    post(client, "purchase-ask", event, one.pk, "rebuy", stack="0")
    due = page(client, "director-due", event)
    assert f"{name} möchte 1 × Re-buy" in due
    assert f"Re-buy? {name}" not in due


def test_a_player_asks_on_his_phone_and_takes_it_back(client, event, one, minute):
    minute(1)
    token = one.registration.link_token
    address = reverse("player", args=[token])
    assert "Re-buy ansagen" in text_of(client.get(address))
    answer = client.post(reverse("player-buys", args=[token]), {"what": "rebuy", "stack": "0"})
    assert answer.status_code == 302
    assert "Angesagt: 1 × Re-buy. Bitte zur Anmeldung kommen" in text_of(client.get(address))
    client.post(reverse("player-unasks", args=[token]))
    assert not PurchaseWish.objects.live().exists()
    wrong = client.post(reverse("player-buys", args=[token]), {"what": "bier"})
    assert wrong.status_code == 422
    absurd = client.post(reverse("player-buys", args=[token]), {"what": "rebuy", "stack": "viel"})
    assert absurd.status_code == 422


def test_a_player_who_is_out_enters_anew_and_reads_his_new_seat(client, event, one, minute):
    event.rebuy_level = 0
    event.save(update_fields=["rebuy_level"])
    f.sign_browser_in(client, Role.DIRECTOR, event)
    minute(1)
    post(client, "floor-out", event, one.pk)
    assert "Re-entry …" in page(client, "floor-player", event, one.pk)
    own = reverse("player", args=[one.registration.link_token])
    assert "Re-entry ansagen" in text_of(client.get(own))
    assert post(client, "purchase-buy", event, one.pk, "reentry", pays="1").status_code == 200
    new = Entry.objects.live().filter(registration=one.registration).latest("number")
    table, seat = f.seat_of(new)
    shown = text_of(client.get(own))
    assert f"Tisch {table}" in " ".join(shown.split()) or str(seat) in shown
    assert "Du bist ausgeschieden" not in shown


def test_the_threshold_is_asked_for(client, event, one, minute):
    event.rebuy_threshold = 100
    event.save(update_fields=["rebuy_threshold"])
    f.sign_browser_in(client, Role.DESK, event)
    minute(1)
    assert "Chips, die noch da sind" in page(client, "purchase", event, one.pk)
    above = post(client, "purchase-buy", event, one.pk, "rebuy", stack="101", pays="1")
    assert (above.status_code, "höchstens 100 Chips" in text_of(above)) == (422, True)
    none = post(client, "purchase-buy", event, one.pk, "rebuy", stack="", pays="1")
    assert none.status_code == 422
    assert post(client, "purchase-buy", event, one.pk, "rebuy", stack="100").status_code == 200


def test_the_time_of_a_held_seat_runs_out_by_itself(client, event, one, minute):
    f.sign_browser_in(client, Role.ARBITER, event)
    minute(1)
    post(client, "floor-out", event, one.pk)
    minute(5)
    rebuys_due()
    assert RebuyChance.objects.live().exists()
    minute(9)
    rebuys_due()
    rebuys_due()
    out = Elimination.objects.live().get()
    assert (out.at, out.made_by.at) == (f.after(1), f.after(6))


def test_prices_stand_on_page_and_poster_as_they_are_announced(client):
    event = f.make_event(
        **TERMS | {"rebuy_break": 0, "rebuy_double": True, "addon_level": 0, "on_time_chips": 50},
        early_fee_cents=800, early_until=f.START - timedelta(days=1), early_entries=20,
    )  # fmt: skip
    told = [
        "10 €, davon 8 € Preistopf + 2 € Haus",
        "8 €, wer sich bis 19.11.2026 19:00 anmeldet, nur die ersten 20",
        "50 Chips mehr, wer vor dem Start eingecheckt ist",
        "5 €, 300 Chips, bis zum Ende von Stufe 3, wenn alle Chips verloren sind, auch zwei",
        "auf einmal, höchstens 2 Mal je Person, davon 4 € Preistopf + 1 € Personal",
        "10 €, 200 Chips, solange die Nachmeldung offen ist, einmal je Person",
    ]
    f.sign_browser_in(client, Role.DIRECTOR, event)
    for name in ("tournament", "paper-poster"):
        shown = page(client, name, event).replace("\xa0", " ")
        for text in told:
            assert text in shown, (name, text)
        assert "Add-on" not in shown


def test_an_evening_for_nothing_says_nothing_of_prices_and_buying(client):
    event = f.make_running_event(3)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    one = f.entries_of(event)[0]
    pages = ("tournament", "paper-poster", "desk", "desk-list", "director", "director-due")
    for name, *args in (*((name,) for name in pages), ("floor-player", one.pk)):
        shown = page(client, name, event, *args)
        for word in ("€", "Startgeld", "Re-buy", "Add-on", "Re-entry", "Nachkauf"):
            assert word not in shown, (name, word)
    assert "Nachkauf" not in text_of(client.get(f"/p/{one.registration.link_token}/"))


def test_the_form_of_a_tournament_asks_for_prices_in_parts(client):
    event = f.make_event()
    f.sign_browser_in(client, Role.DIRECTOR, None)
    url = reverse("event-settings", args=[event.slug])
    form = client.get(url).context["form"]
    sent = {
        name: "" if value is None else value
        for name, value in ((name, form[name].value()) for name in form.fields)
        if value is not False
    }
    kept = {f"initial-{name}": value for name, value in sent.items()}
    wrong = client.post(url, kept | sent | {"fee_cents": "10", "fee_parts": "Haus zwei"})
    assert "„Haus zwei“ ist nicht zu lesen." in text_of(wrong)
    more = client.post(url, kept | sent | {"fee_cents": "10", "fee_parts": "Haus 11"})
    assert "Die Teile sind zusammen mehr, als es kostet." in text_of(more)
    new = {
        "fee_cents": "10", "fee_parts": "Haus 2, Bounty 1,50, Personal 0,50", "rebuy_level": "p1",
        "rebuy_cents": "5", "addon_level": "4", "reentry_most": "2",
    }  # fmt: skip
    none = client.post(url, kept | sent | new)
    assert "So viele Stufen oder Pausen hat der Blindplan nicht." in text_of(none)
    done = client.post(url, kept | sent | new | {"rebuy_level": "3"})
    assert done.status_code == 302
    event = f.fresh(event)
    assert event.fee_parts == [["house", 200, ""], ["bounty", 150, ""], ["extra", 50, "Personal"]]
    assert (event.fee_cents, event.rebuy_level, event.rebuy_break) == (1000, 3, 0)
    assert (event.addon_level, event.reentry_most) == (4, 2)
    assert 'value="Haus 2, Bounty 1,50, Personal 0,50"' in text_of(client.get(url))


def test_results_name_a_person_once_with_the_best_place(client, event, one, minute):
    event.rebuy_level = 0
    event.save(update_fields=["rebuy_level"])
    two = f.entries_of(event)[1]
    f.out(event, one, at=f.after(1))
    command = Command(event=event, by=f.SYSTEM, at=f.after(2))
    entry_reenter(command, entry=one)
    f.out(event, two, at=f.after(3))
    minute(4)
    json = client.get(reverse("results-json", args=[event.slug])).json()
    names = [line["name"] for line in json["places"]]
    assert len(names) == len(set(names)) == 6
    assert [line["place"] for line in json["places"]].count(None) == 5
    new = Entry.objects.live().filter(registration=one.registration).latest("number")
    f.out(event, new, at=f.after(5))
    places = {
        line["name"]: line["place"]
        for line in client.get(reverse("results-json", args=[event.slug])).json()["places"]
    }
    mine = one.registration.person.name
    assert places[mine] == min(place for place in places.values() if place)
    shown = page(client, "results", event)
    assert "6 haben mitgespielt, 7 Einstiege" in shown
    assert shown.count(mine) == 1
