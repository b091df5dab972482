"""Bought again on the pages: at the desk, at the tables, by the director, the player, on paper."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests import factories as f
from tests.buying import TERMS, do, lose
from tests.pressing import press, shows, words_of
from tests.views.pages import assert_refused, card_with, page_of, save, text_of
from tests.views.test_held import late
from tournaments.changes.access import Role
from tournaments.door.selectors.desk import Only, desk_line, desk_only
from tournaments.models import Drawer, Elimination, Entry, Purchase, PurchaseWish, RebuyChance
from tournaments.money.selectors.drawers import drawer_balance
from tournaments.money.selectors.journal import open_cents, paid_cents
from tournaments.money.services.drawers import drawer_open
from tournaments.rebuys.services.purchases import entry_reenter, purchase_ask
from tournaments.tasks import rebuys_due

pytestmark = [pytest.mark.django_db, pytest.mark.running(6, **TERMS)]
ALREADY = "Das ist schon bestätigt, oder es wurde zurückgenommen."


@pytest.fixture(autouse=True)
def _a_minute_after_the_start(minute):
    minute(1)


@pytest.fixture
def one(event):
    return f.entries_of(event)[0]


def buy(client, event, entry, what, **sent):
    return press(client, event, "purchase-buy", entry.pk, what, **sent)


# At the tables


def test_an_arbiters_out_asks_for_the_re_buy(client, arno, event, one, minute):
    assert press(client, event, "floor-out", one.pk).status_code == 200
    sheet = page_of(client, event, "floor-outs", entry=one.pk)
    shows(sheet, "Noch nicht aus: Re-buy möglich", "bis 19:06", "Kein Re-buy: aus")
    assert "Möchte: Re-buy" in words_of(client, event, "purchase", one.pk)
    assert buy(client, event, one, "rebuy").status_code == 422
    # A tap that waited on a phone asks as of when it was tapped.
    minute(9)
    own = {"at": f.after(5), "data": {"stack": "0"}}
    assert late(client, event, "purchase-ask", one.pk, "rebuy", **own).status_code == 200
    wish = PurchaseWish.objects.live().get()
    assert (wish.entry, wish.asked_at) == (one, f.after(5))
    player = page_of(client, event, "floor-player", one.pk)
    assert "Möchte Re-buy, gesagt um 19:05." in " ".join(player.split())
    assert 'data-queue-label="Aus"' not in player


def test_a_re_buy_paid_at_the_table_waits_on_a_phone_with_its_money(
    client, event, one, arno, minute
):
    table, _seat = f.seat_of(one)
    assert "Re-buy, bezahlt" not in words_of(client, event, "floor-table", table)
    do(drawer_open, event, 1, float_cents=0, device=arno.device)
    assert "Re-buy, bezahlt" in words_of(client, event, "purchase", one.pk)
    assert "Re-buy, bezahlt" in words_of(client, event, "floor-table", table)
    minute(59.5)
    own = {"at": f.after(59), "data": {"stack": "0", "pays": "1"}}
    answer = late(client, event, "purchase-buy", one.pk, "rebuy", **own)
    assert answer.status_code == 200, answer.content
    assert Purchase.objects.live().get().bought_at == f.after(59)
    assert paid_cents(one.registration) == drawer_balance(Drawer.objects.get()) == 500


def test_the_time_of_a_held_seat_runs_out_by_itself(client, arno, event, one, minute):
    press(client, event, "floor-out", one.pk)
    minute(5)
    rebuys_due()
    assert RebuyChance.objects.live().exists()
    minute(9)
    rebuys_due()
    rebuys_due()
    out = Elimination.objects.live().get()
    assert (out.at, out.made_by.at) == (f.after(1), f.after(6))


# At the desk and by the director


def test_the_desk_sells_what_was_asked_for_paid_or_open(client, desk, event, one):
    do(purchase_ask, event, 1, by=f.petra_of(one.registration), entry=one, what="rebuy", stack=0)
    wish = PurchaseWish.objects.live().get()
    assert one.registration.person.name in words_of(client, event, "purchases-open")
    shows(words_of(client, event, "purchase", one.pk), "Re-buy, bezahlt", "Re-buy, bleibt offen")
    sent = {"asked": wish.pk, "pays": "0", "number": 1, "stack": 0}
    assert buy(client, event, one, "rebuy", **sent).status_code == 200
    assert open_cents(one.registration) == 1500
    assert_refused(buy(client, event, one, "rebuy", **sent), ALREADY)
    assert Purchase.objects.live().count() == 1
    assert buy(client, event, one, "addon", pays="1").status_code == 200
    assert open_cents(one.registration) == 1500
    assert buy(client, event, one, "bier", pays="1").status_code == 404


def test_of_two_who_sell_for_the_same_held_seat_the_second_is_told(client, desk, event, one):
    lose(event, one, 1)
    page = page_of(client, event, "purchase", one.pk)
    held = RebuyChance.objects.live().get().pk
    assert f'name="held" value="{held}"' in page
    sent = {"stack": 0, "held": held, "pays": "1"}
    assert buy(client, event, one, "rebuy", **sent).status_code == 200
    assert_refused(buy(client, event, one, "rebuy", **sent), ALREADY)
    assert Purchase.objects.live().count() == 1


def test_the_desks_list_tells_what_is_open_and_the_threshold_is_asked_for(client, desk, event, one):
    press(client, event, "fee-pay", one.registration_id)
    assert desk_line(one.registration).open_cents == 0
    assert one.registration not in desk_only(event, "", Only.UNPAID)
    buy(client, event, one, "rebuy", stack="0", pays="0")
    assert desk_line(one.registration).open_cents == 500
    assert one.registration in desk_only(event, "", Only.UNPAID)
    assert "5 € kassieren" in words_of(client, event, "desk-list")
    event.rebuy_threshold = 100
    event.save(update_fields=["rebuy_threshold"])
    assert "Chips, die noch da sind" in words_of(client, event, "purchase", one.pk)
    assert_refused(buy(client, event, one, "rebuy", stack="101", pays="1"), "höchstens 100 Chips")
    assert buy(client, event, one, "rebuy", stack="", pays="1").status_code == 422
    assert buy(client, event, one, "rebuy", stack="100").status_code == 200


@pytest.mark.usefixtures("lead")
def test_the_director_sees_what_is_open_and_lets_pass_what_is_late(client, event, one, minute):
    press(client, event, "floor-out", one.pk)
    name = one.registration.person.name
    assert f"Re-buy? {name}" in words_of(client, event, "director-due")
    press(client, event, "purchase-ask", one.pk, "rebuy", stack="0")
    due = words_of(client, event, "director-due")
    shows(due, f"{name} möchte 1 × Re-buy", but=(f"Re-buy? {name}",))
    minute(61)
    two = f.entries_of(event)[1]
    sheet = words_of(client, event, "purchase", two.pk)
    assert "Re-buy gibt es nicht mehr: Die Zeit dafür ist vorbei." in sheet
    assert "Ausnahme der Turnierleitung" in sheet
    assert buy(client, event, two, "rebuy", stack="0").status_code == 422
    sent = {"stack": "0", "knowingly": "on", "pays": "1"}
    assert buy(client, event, two, "rebuy", **sent).status_code == 200


# The player


def test_a_player_asks_on_his_phone_and_takes_it_back(client, one):
    token = one.registration.link_token
    address, buys = reverse("player", args=[token]), reverse("player-buys", args=[token])
    assert "Re-buy ansagen" in text_of(client.get(address))
    assert client.post(buys, {"what": "rebuy", "stack": "0"}).status_code == 302
    assert "Angesagt: 1 × Re-buy. Bitte zur Anmeldung kommen" in text_of(client.get(address))
    client.post(reverse("player-unasks", args=[token]))
    assert not PurchaseWish.objects.live().exists()
    assert client.post(buys, {"what": "bier"}).status_code == 422
    for absurd in ("viel", "-5", "9" * 12):
        assert client.post(buys, {"what": "rebuy", "stack": absurd}).status_code == 422


def test_a_player_who_is_out_enters_anew_and_reads_his_new_seat(client, lead, event, one):
    event.rebuy_level = 0
    event.save(update_fields=["rebuy_level"])
    press(client, event, "floor-out", one.pk)
    assert "Re-entry …" in words_of(client, event, "floor-player", one.pk)
    own = reverse("player", args=[one.registration.link_token])
    assert "Re-entry ansagen" in text_of(client.get(own))
    assert buy(client, event, one, "reentry", pays="1").status_code == 200
    new = Entry.objects.live().filter(registration=one.registration).latest("number")
    shows(text_of(client.get(own)), f"Tisch {f.seat_of(new)[0]}", but=("Du bist ausgeschieden",))


# Told


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
        shown = words_of(client, event, name).replace("\xa0", " ")
        for text in told:
            assert text in shown, (name, text)
        assert "Add-on" not in shown


def test_an_evening_for_nothing_says_nothing_of_prices_and_buying(client):
    event = f.make_running_event(3)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    one = f.entries_of(event)[0]
    pages = ("tournament", "paper-poster", "desk", "desk-list", "director", "director-due")
    for name, *args in (*((name,) for name in pages), ("floor-player", one.pk)):
        shown = words_of(client, event, name, *args)
        for word in ("€", "Startgeld", "Re-buy", "Add-on", "Re-entry", "Nachkauf"):
            assert word not in shown, (name, word)
    assert "Nachkauf" not in text_of(client.get(f"/p/{one.registration.link_token}/"))


def test_the_form_of_a_tournament_asks_for_prices_in_parts(client):
    event = f.make_event()
    f.sign_browser_in(client, Role.DIRECTOR, None)
    for parts, sentence in (
        ("Haus zwei", "„Haus zwei“ ist nicht zu lesen."),
        ("Haus 11", "Die Teile sind zusammen mehr, als es kostet."),
    ):
        wrong = save(client, event, "fee_cents", fee_cents="10", fee_parts=parts)
        assert sentence in text_of(wrong)
    new = {
        "fee_cents": "10", "fee_parts": "Haus 2, Bounty 1,50, Personal 0,50", "rebuy_level": "p1",
        "rebuy_cents": "5", "addon_level": "4", "reentry_most": "2",
    }  # fmt: skip
    none = save(client, event, "fee_cents", **new)
    assert "So viele Stufen oder Pausen hat der Blindplan nicht." in text_of(none)
    assert save(client, event, "fee_cents", **new | {"rebuy_level": "3"}).status_code == 302
    event = f.fresh(event)
    assert event.fee_parts == [["house", 200, ""], ["bounty", 150, ""], ["extra", 50, "Personal"]]
    assert (event.fee_cents, event.rebuy_level, event.rebuy_break) == (1000, 3, 0)
    assert (event.addon_level, event.reentry_most) == (4, 2)
    shown = text_of(client.get(card_with(event, "fee_cents")))
    assert 'value="Haus 2, Bounty 1,50, Personal 0,50"' in shown


def test_results_name_a_person_once_with_the_best_place(client, event, one):
    event.rebuy_level = 0
    event.save(update_fields=["rebuy_level"])
    two = f.entries_of(event)[1]
    f.out(event, one, at=f.after(1))
    do(entry_reenter, event, 2, entry=one)
    f.out(event, two, at=f.after(3))
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
    shown = words_of(client, event, "results")
    assert "6 haben mitgespielt, 7 Einstiege" in shown
    assert shown.count(mine) == 1
