"""What is due at cash tables: on their pages for the staff, and on the director's."""

from datetime import UTC, datetime

import pytest

from clock.servertime import server_time
from tests import factories as f
from tests.pressing import press, shows, url_of
from tests.services.cashgames import make_cash_event, open_table, say, sit
from tests.views.pages import assert_refused, page_of
from tournaments.cashgame.services.hands import (
    cash_away,
    cash_back,
    cash_end_set,
    cash_last_hands,
    cash_leave_announce,
)
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit
from tournaments.cashgame.services.tables import cash_table_close, cash_table_count
from tournaments.changes.access import Role
from tournaments.models import CashAway, CashEnd, CashHand, CashLeave

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]


@pytest.fixture
def due(lead, event, minute):
    """Return what stands on the page of all tables at a minute."""

    def at(number):
        minute(number)
        shown = page_of(lead, event, "cash-game-panel")
        return shown.split("Was ansteht")[1].split("</ul>")[0] if "Was ansteht" in shown else ""

    return at


def test_a_meal_that_is_over_and_leaving_that_was_announced_s18(event, due):
    table = open_table(event)
    petra, otto = sit(event, table, "Petra", 1), sit(event, table, "Otto", 2)
    say(cash_away, event, registration=petra, minutes=table.meal_minutes)
    say(cash_leave_announce, event, registration=otto, leaves_at=f.after(41))
    assert due(29) == ""
    over = "Cash-Tisch 1, Platz 1: Petra sollte um 19:30 wieder da sein"
    shows(due(30), over, "Der Platz wird weitergegeben.", but=("Otto",))
    assert "Cash-Tisch 1, Platz 2: Otto geht um 19:41" in due(31)
    say(cash_back, event, minute=32, registration=petra)
    assert over not in due(32)
    say(cash_out, event, minute=33, registration=otto, cents=5000)
    assert due(33) == ""


def test_a_table_without_players_and_one_where_chips_would_lie(event, due):
    table = open_table(event)
    assert due(14) == ""
    shows(due(15), "An Cash-Tisch 1 sitzt niemand</b> ", "Er lässt sich abschließen.")
    petra = sit(event, table, "Petra", 1, minute=16)
    assert due(16) == ""
    say(cash_out, event, minute=17, registration=petra, cents=4000)
    assert "Nach den Büchern liegen dort noch 10 €: zählen." in due(17)
    say(cash_table_count, event, minute=18, table=table, counted_cents=1100)
    assert "An Cash-Tisch 1 waren beim Zählen 1 € zu viel" in due(18)
    say(cash_table_count, event, minute=18, table=table, counted_cents=0)
    assert "An Cash-Tisch 1 fehlten beim Zählen 11 €" in due(18)
    say(cash_table_count, event, minute=18, table=table, counted_cents=0)
    assert "beim Zählen" not in due(18)
    say(cash_table_close, event, minute=19, table=table)
    shows(due(19), "Noch ist kein Cash-Tisch offen.", but=("An Cash-Tisch 1",))


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
    director = page_of(client, event, "director")
    assert "Petra rückt von Cash-Tisch 2 an Cash-Tisch 1 nach" in director
    assert url_of(event, "cash-table", main.number) in director
    assert "Zur Anmeldung" not in director.split("Was ansteht")[1], "nobody checks in"
    sheet = page_of(client, event, "cash-seat", feeder.number, 4)
    assert "Rückt an Tisch 1 nach" in sheet
    # The seat he moves to stands first.
    assert sheet.index('value="1-2"') < sheet.index('value="2-1"')
    own = {"registration": petra, "table": main, "seat": 2, "stack_cents": 5000}
    say(cash_move, event, minute=4, **own)
    assert "rückt" not in due(4)


# Over midnight and the clock change in October

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
    assert press(client, event, "cash-end", time="02:30").status_code == 200
    assert CashEnd.objects.live().get().ends_at == utc(0, 30)
    clock(utc(0, 20))
    assert "Ende um 02:30 Uhr" in page_of(client, event, "cash-game-panel")
    assert "Das Cash Game endet um 02:30" in page_of(client, event, "cash-game-panel")
    assert press(client, event, "cash-hand", table.number).status_code == 200
    clock(utc(0, 31))
    assert "die Hand wird zu Ende gespielt" in page_of(
        client, event, "cash-table-panel", table.number
    )
    assert press(client, event, "cash-hand", table.number, what="end").status_code == 200
    # The clock on the wall shows twenty past two again: the evening is over all the same.
    clock(utc(1, 20))
    assert_refused(press(client, event, "cash-hand", table.number), "zu Ende")
    assert CashHand.objects.count() == 1


def test_s18_leaving_and_a_meal_count_minutes_over_the_change(client, night, clock):
    event, table = night
    clock(utc(0, 50))
    later = {"what": "leaves", "minutes": "60"}
    assert press(client, event, "cash-presence", table.number, 1, **later).status_code == 200
    assert CashLeave.objects.live().get().leaves_at == utc(1, 50)
    assert "geht um 02:50" in page_of(client, event, "cash-table-panel", table.number)
    away = {"what": "away", "minutes": "30"}
    assert press(client, event, "cash-presence", table.number, 1, **away).status_code == 200
    assert CashAway.objects.live().get().until == utc(1, 20)
    clock(utc(1, 19))
    assert "weg bis 02:20" in page_of(client, event, "cash-table-panel", table.number)
    clock(utc(1, 20))
    assert "sollte um 02:20 wieder da sein" in page_of(
        client, event, "cash-table-panel", table.number
    )
