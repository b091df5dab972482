"""What is due at cash tables: on their pages for the staff, and on the director's."""

import pytest
from django.urls import reverse

from clock.servertime import server_time
from tests import factories as f
from tests.services.cashgames import make_cash_event, open_table, say, sit
from tests.views.pages import text_of
from tournaments.cashgame.services.hands import cash_away, cash_back, cash_leave_announce
from tournaments.cashgame.services.line import cash_unwait, cash_wait
from tournaments.cashgame.services.seats import cash_move, cash_out
from tournaments.cashgame.services.tables import (
    cash_end_set,
    cash_last_hands,
    cash_table_close,
    cash_table_count,
)
from tournaments.changes.access import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def event(client):
    event = make_cash_event()
    f.sign_browser_in(client, Role.DIRECTOR, event)
    return event


@pytest.fixture
def due(client, event, monkeypatch):
    """Return what stands on the page of all tables at a minute."""

    def at(minute):
        monkeypatch.setattr(server_time, "now", lambda: f.after(minute))
        shown = text_of(client.get(reverse("cash-game-panel", args=[event.slug])))
        return shown.split("Was ansteht")[1].split("</ul>")[0] if "Was ansteht" in shown else ""

    return at


def test_a_meal_that_is_over_and_leaving_that_was_announced_s18(event, due):
    table = open_table(event)
    petra, otto = sit(event, table, "Petra", 1), sit(event, table, "Otto", 2)
    say(cash_away, event, registration=petra, minutes=table.meal_minutes)
    say(cash_leave_announce, event, registration=otto, leaves_at=f.after(41))
    assert due(29) == ""
    over = "Cash-Tisch 1, Platz 1: Petra sollte um 19:30 wieder da sein"
    assert over in due(30)
    assert "Der Platz wird weitergegeben." in due(30)
    assert "Otto" not in due(30)
    assert "Cash-Tisch 1, Platz 2: Otto geht um 19:41" in due(31)
    say(cash_back, event, minute=32, registration=petra)
    assert over not in due(32)
    say(cash_out, event, minute=33, registration=otto, cents=5000)
    assert due(33) == ""


def test_an_offer_that_lapsed(event, due):
    table = open_table(event)
    sit(event, table, "Otto", 1)
    petra = f.register(event, "Petra")
    say(cash_wait, event, registration=petra, table=table)
    assert due(4) == ""
    assert "Petra hat das Angebot für Cash-Tisch 1 verstreichen lassen" in due(5)
    say(cash_unwait, event, minute=6, registration=petra, table=table)
    assert due(6) == ""


def test_a_table_without_players_and_one_where_chips_would_lie(event, due):
    table = open_table(event)
    assert due(14) == ""
    assert "An Cash-Tisch 1 sitzt niemand</b> " in due(15)
    assert "Er lässt sich abschließen." in due(15)
    petra = sit(event, table, "Petra", 1, minute=16)
    assert due(16) == ""
    say(cash_out, event, minute=17, registration=petra, cents=4000)
    assert "Nach den Büchern liegen dort noch 10 €: zählen." in due(17)
    say(cash_table_count, event, minute=18, table=table, counted_cents=0)
    assert "An Cash-Tisch 1 fehlten beim Zählen 10 €" in due(18)
    say(cash_table_close, event, minute=19, table=table)
    assert "An Cash-Tisch 1" not in due(19)
    assert "Noch ist kein Cash-Tisch offen." in due(19)


def test_a_count_that_is_right_is_not_due(event, due):
    table = open_table(event)
    sit(event, table, "Petra", 1)
    say(cash_table_count, event, table=table, counted_cents=5100)
    assert "An Cash-Tisch 1 waren beim Zählen 1 € zu viel" in due(1)
    say(cash_table_count, event, minute=2, table=table, counted_cents=5100)
    assert due(2) == ""


def test_the_end_is_near_and_then_there(event, due):
    table = open_table(event)
    sit(event, table, "Petra", 1)
    say(cash_end_set, event, ends_at=f.after(60))
    assert due(29) == ""
    assert "Das Cash Game endet um 20:00" in due(30)
    assert "Das Cash Game ist zu Ende" in due(60)
    say(cash_last_hands, event, minute=61, hands=2)
    assert due(61) == ""


def test_who_must_move_is_due_with_the_rule_named(client, event, due):
    main = open_table(event, seats=2)
    feeder = open_table(event, seats=4, feeds=main)
    sit(event, main, "Gast", 1)
    assert "rückt" not in due(1)
    petra = sit(event, feeder, "Petra", 4, minute=2)
    shown = due(3)
    assert "Petra rückt von Cash-Tisch 2 an Cash-Tisch 1 nach" in shown
    assert "Must-Move: Wer am Zubringertisch zuerst saß, rückt zuerst nach." in shown
    director = text_of(client.get(reverse("director", args=[event.slug])))
    assert "Petra rückt von Cash-Tisch 2 an Cash-Tisch 1 nach" in director
    assert reverse("cash-table", args=[event.slug, main.pk]) in director
    assert "Zur Anmeldung" not in director.split("Was ansteht")[1], "nobody checks in"
    sheet = text_of(client.get(reverse("cash-seat", args=[event.slug, feeder.pk, 4])))
    assert "Rückt an Tisch 1 nach" in sheet
    # The seat he moves to stands first.
    assert sheet.index('value="1-2"') < sheet.index('value="2-1"')
    own = {"registration": petra, "table": main, "seat": 2, "stack_cents": 5000}
    say(cash_move, event, minute=4, **own)
    assert "rückt" not in due(4)
