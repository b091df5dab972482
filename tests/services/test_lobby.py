"""The lobby: what may be missed next comes first, and all is counted from instants told once."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clock.domain import instant_ms
from tests import factories as f
from tests.costs import statements
from tournaments.event.services.clock import clock_pause
from tournaments.screens.domain.lobby import order_of
from tournaments.screens.selectors.lobby import OPEN, lobby_of
from tournaments.screens.views.screens import _shows

CASE = Path(__file__).parents[1] / "cases" / "field" / "lobby-order.json"


def at(text):
    hour, minute = map(int, text.split(":"))
    return instant_ms(datetime(2026, 11, 27, hour, minute, tzinfo=UTC))


def test_lobby_order():
    case = json.loads(CASE.read_text("utf-8"))
    given = case["given"]
    rows = {row["e"]: [at(row["next"][1])] if row["next"] else [] for row in given["rows"]}

    def key(name):
        return order_of(rows[name], at(given["now"]), is_cash=name.startswith("Cash"))

    assert sorted(rows, key=key) == case["expect"]["order"]


def rows_at(minute):
    found = lobby_of(f.house(), f.after(minute))["rows"]
    return {row["name"]: row for row in found}, [row["name"] for row in found]


@pytest.mark.django_db
def test_a_running_event_tells_all_its_instants_at_once():
    f.make_running_event(12, name="Main", late_registration_level=2)
    f.make_event(name="PLO", starts_at=f.after(15))
    found, order = rows_at(1)
    assert order == ["PLO", "Main"]
    main = found["Main"]
    begins = [at for at, _text in main["levels"]]
    assert begins[:3] == [instant_ms(f.after(minute)) for minute in (0, 20, 40)]
    assert main["late"] == begins[2]
    assert ["late", begins[2]] in main["coming"]
    assert main["field"] == "12 / 12"
    assert found["PLO"]["coming"] == [["start", instant_ms(f.after(15))]]
    # Once the first has begun by its time, the other one is next: no new data are needed.
    instants = {name: [at for _what, at in row["coming"]] for name, row in found.items()}
    later = instant_ms(f.after(16))
    assert sorted(found, key=lambda name: order_of(instants[name], later)) == ["Main", "PLO"]


@pytest.mark.django_db
def test_where_the_clock_stands_no_instant_is_told():
    event = f.make_running_event(12, name="Main", late_registration_level=2)
    f.drive(clock_pause, event, 3)
    main, _order = rows_at(4)
    assert main["Main"]["stands"]
    assert (main["Main"]["coming"], main["Main"]["late"]) == ([], OPEN)
    assert len(main["Main"]["levels"]) == 1


@pytest.mark.django_db
def test_an_unchanged_lobby_is_told_from_what_is_kept():
    for name in ("Main", "Satellit", "PLO"):
        f.make_running_event(4, name=name)
    club = f.house()
    lobby_of(club, f.after(1))
    with statements() as asked:
        again = lobby_of(club, f.after(2))
    assert (len(again["rows"]), len(asked)) == (3, 1)
    event = f.make_event(name="Turbo", starts_at=f.after(60))
    assert len(lobby_of(f.house(), f.after(3))["rows"]) == 4
    f.register(event, "Petra Probst", at=f.after(4))
    assert rows_at(5)[0]["Turbo"]["field"] == "1 / 60"


@pytest.mark.django_db
def test_a_page_of_its_own_and_nothing_of_it_with_one_event(client):
    event = f.make_running_event(4, name="Main")
    assert "lobby" not in dict(_shows(event))
    assert "Lobby" not in client.get("/").content.decode()
    f.make_running_event(4, name="Satellit")
    assert "lobby" in dict(_shows(event))
    assert "/lobby/" in client.get("/").content.decode()
    page = client.get("/lobby/").content.decode()
    assert "Main" in page
    assert "Satellit" in page
    assert [row["name"] for row in client.get("/lobby/stand.json").json()["rows"]]


@pytest.mark.django_db
def test_events_of_other_days_are_not_in_the_lobby():
    f.make_event(name="Morgen", starts_at=f.START + timedelta(days=2))
    assert rows_at(0)[1] == []
