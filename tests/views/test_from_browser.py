"""What pages say and offer at moments of an evening that used to be told by a browser alone."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from tests import factories as f
from tests.pressing import HTMX, shows, text_of, url_of, words_of
from tests.races import in_race
from tests.services.dealing import tap
from tournaments.changes.access import Role

pytestmark = pytest.mark.django_db


def test_a_dead_link_leads_to_the_start(client):
    f.house()
    answer = client.get("/p/ein-alter-link/")
    assert answer.status_code == 404
    assert "Zur Startseite" in text_of(answer)


def test_withdrawing_says_who_waits_and_that_it_is_for_good(client):
    event = f.make_event(starts_at=now() + timedelta(hours=1), at=now(), capacity=2)
    row, *_waiting = (f.register(event, name, at=now()) for name in ["Ada", "Bea", "Cem", "Dan"])
    page = text_of(client.get(reverse("player-withdraw", args=[row.link_token])))
    shows(page, "2 warten auf einen Platz, der Erste bekommt", "Zurücknehmen lässt sich das nicht")


@pytest.mark.parametrize(("name", "asks"), [("H", True), ("Hans Huber", False)])
def test_a_name_of_one_letter_is_asked_about_on_the_own_page(client, name, asks):
    event = f.make_event(starts_at=now() + timedelta(hours=1), at=now())
    row = f.register(event, name, at=now())
    page = text_of(client.get(reverse("player", args=[row.link_token])))
    assert ("Nur ein Buchstabe?" in page) is asks


def test_enter_offers_to_register_whom_another_evening_knows(client):
    f.register(f.make_event(name="Letzte Woche"), "Hannes Kern")
    event = f.make_event()
    f.sign_browser_in(client, Role.DESK, event)
    answer = client.get(
        url_of(event, "desk-list"), {"q": "hannes kern", "enter": "1"}, headers=HTMX
    )
    assert "Hannes Kern anmelden und einchecken" in text_of(answer)


def test_an_hour_after_the_last_tap_the_button_is_not_known_any_more(client, minute):
    event = f.make_running_event(10, seats=5)
    tap(event, 3, button=1)
    minute(63)
    f.sign_browser_in(client, Role.ARBITER, event)
    page = text_of(client.get(url_of(event, "floor-table", 1)))
    shows(page, "Button zuletzt um 19:03 bekannt", "angenommen")


def test_tda_2024_11a_a_move_asks_first_where_the_buttons_are(client, minute):
    event = f.make_running_event(20)
    f.out(event, *f.at_table(event, 2)[-3:], at=f.after(62))
    minute(63)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    asked = client.get(url_of(event, "director-due"), headers=HTMX).content.decode()
    assert set(re.findall(r'id="(ask-move-\w+)', asked))
    assert "11-A" not in asked


def test_the_director_is_told_at_which_tables_a_chip_race_is_missing(client):
    chips = f.house().chip_sets.get(name="Steffen")
    event = in_race(f.make_running_event(12, seats=4, chip_set=chips), 1)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Es fehlt: 1, 2, 3." in words_of(client, event, "director-due")


def test_an_answer_of_the_rulings_desk_leads_to_its_rule(client):
    event = f.make_running_event(3)
    query = {"topic": "pots", "players": 2, "put": ["50", "125"]}
    page = client.get(url_of(event, "ruling-desk"), query).content.decode()
    assert f"{url_of(event, 'rules')}#pots" in page
