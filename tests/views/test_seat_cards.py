"""Seat cards on pages: the sheet of a table, the seat's card on slip, desk, table and phone."""

import re

import pytest

from tests import factories as f
from tests.pressing import done, refused, sheet, shows, url_of, words_of
from tests.views.desk import post
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.play.services.hands import hand_begin
from tournaments.rules.services.rules import event_rules_change
from tournaments.seating.services.chairs import seat_lock

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Two tables of three, with five seats each, before the start."""
    return f.make_seated_event(6, seats=5)


def sent(event, letters):
    rows = f.at_table(event, 1)
    return {f"card-{row.pk}": letter for row, letter in zip(rows, letters, strict=False)}


def page(client, event, name, *further):
    return text_of(client.get(url_of(event, name, *further)))


def cards_shown(text):
    return re.findall(r"Platzkarte </span>(\w+)</span>", text)


def test_one_sheet_lists_the_players_and_the_seats_follow_what_is_tapped(client, event):
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "Plätze mit Karten ziehen …" in page(client, event, "floor-table", 1)
    assert cards_shown(page(client, event, "floor-table-panel", 1)) == ["A", "2", "3", "4", "5"]
    html = page(client, event, "seat-cards", 1)
    names = [row.registration.person.name for row in f.at_table(event, 1)]
    assert re.findall(r"<legend>([^<]+)</legend>", html) == names
    assert html.count('value="A"') == html.count('value="5"') == 3
    shows(html, but=('value="6"', "checked"))
    told = done(client, event, "seat-cards", 1, **sent(event, "5A3"))
    assert "Plätze an Tisch 1 mit Karten gezogen" in told
    assert [f.seat_of(row)[1] for row in f.at_table(event, 1)] == [1, 3, 5]
    # Opened again it shows what was entered, to set it right.
    html = page(client, event, "seat-cards", 1)
    assert re.findall(r'value="(\w)" checked', html) == ["A", "3", "5"]


def test_what_cannot_be_is_said_beside_the_button(client, event):
    f.sign_browser_in(client, Role.ARBITER, event)
    refused(client, event, "seat-cards", 1, sentence="haben beide A.", **sent(event, "AA3"))
    refused(client, event, "seat-cards", 1, sentence="fehlt die Karte.", **sent(event, "A3"))
    refused(client, event, "seat-cards", 1, sentence="fehlt die Karte.")
    wrong = {"card-x": "A", "card-99999999999999": "A"}
    refused(client, event, "seat-cards", 1, sentence="fehlt die Karte.", **wrong)
    refused(client, event, "seat-cards", 9, sentence="Tisch 9 gibt es nicht mehr.")
    stays = f.seat_of(f.at_table(event, 1)[0])[1]
    f.drive(seat_lock, event, -5, table=f.table_of(event, 1), seat=stays, reason="Rollstuhl")
    words = sheet(client, event, "seat-cards", 1)
    assert f"bleibt auf Platz {stays}, der gesperrt ist." in words


def test_during_play_the_sheet_says_when_cards_are_drawn(client):
    event = f.make_running_event(6, seats=5)
    f.drive(hand_begin, event, 1, table=f.table_of(event, 1))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Das geht vor dem Start, nach dem Neuauslosen und" in sheet(
        client, event, "seat-cards", 1
    )
    assert "Karten ziehen" not in page(client, event, "floor-table", 1)
    assert cards_shown(page(client, event, "floor-table-panel", 1)) == []


def test_the_card_stands_on_the_slip_at_the_desk_and_on_the_own_page(client, event):
    f.sign_browser_in(client, Role.DESK, event)
    row = f.register(event)
    told = text_of(post(client, "desk-check-in", event, row.pk))
    entry = row.entries.get()
    seat = f.seat_of(entry)[1]
    card = ["A2345"[seat - 1]]
    assert cards_shown(told) == card
    assert cards_shown(page(client, event, "slip", entry.pk)) == card
    assert len(cards_shown(page(client, event, "slips"))) == 7
    assert cards_shown(text_of(client.get(f"/p/{row.link_token}/"))) == card


def test_where_the_house_draws_with_cards_no_seat_is_told_before(client, event):
    f.drive(event_rules_change, event, -20, rules={"seat_draw": "cards"})
    entry = f.at_table(event, 1)[0]
    own = f"/p/{entry.registration.link_token}/"
    assert "Am Tisch ziehst du eine Karte, die deinen Platz bestimmt" in page(
        client, event, "rules"
    )
    assert "Deinen Platz ziehst du am Tisch mit einer Karte." in text_of(client.get(own))
    assert cards_shown(text_of(client.get(own))) == []
    f.sign_browser_in(client, Role.DESK, event)
    assert "Deinen Platz ziehst du am Tisch mit einer Karte." in page(
        client, event, "slip", entry.pk
    )
    told = text_of(post(client, "desk-check-in", event, f.register(event).pk))
    assert "Der Platz wird am Tisch mit einer Karte gezogen." in told
    client.cookies.clear()
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Karten an Tisch 1 eintragen …" in words_of(client, event, "director-due")
    letters = "A2345"[: len(f.at_table(event, 1))]
    done(client, event, "seat-cards", 1, **sent(event, letters))
    assert cards_shown(text_of(client.get(own))) == ["A"]
    drawn = page(client, event, "draws")
    shows(drawn, "im Saal mit Karten gezogen", "Plätze an Tisch 1")
