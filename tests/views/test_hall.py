"""The club's hall on its pages: the plan, who has which table, what an event is due, the strip."""

import re

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import HTMX, shows, text_of, url_of, words_of
from tests.services.test_hall import PLAN, draw_a_plan, numbers
from tests.views.pages import assert_refused
from tournaments.changes.access import Role
from tournaments.door.services.arrivals import registration_arrive
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import Club

pytestmark = pytest.mark.django_db


def test_a_club_without_a_plan_is_asked_and_told_nothing(dora):
    event = f.make_running_event(4)
    pages = [
        dora.get(url_of(event, name)).content.decode() for name in ("event-settings", "papers")
    ]
    assert [page for page in pages if "hall_tables" in page or "saal/" in page] == []
    assert dora.get(url_of(event, "paper-hall")).status_code == 404


def test_the_plan_is_typed_drawn_and_refused_with_the_line_that_is_wrong(dora):
    page = reverse("club-hall")
    assert dora.post(page, {"hall": PLAN}).status_code == 302
    event = f.make_running_event(12, seats=6, name="Main Event")
    shows(text_of(dora.get(page)), "Großer Saal", "Galerie", "Main Event", "1, 2")
    assert_refused(dora.post(page, {"hall": "Saal\n1 1"}), "Tisch 1 steht zweimal da.")
    assert Club.objects.get().hall == PLAN
    card = {"karte": "places"}
    shows(dora.get(url_of(event, "event-settings"), card).content.decode(), 'name="hall_tables"')


def test_the_paper_for_the_door_and_the_own_page_show_where_a_table_stands(dora, client):
    draw_a_plan()
    f.make_running_event(12, seats=6, name="Main Event")
    side = f.make_event(seats=6, name="Satellit")
    f.drive(event_update, side, -20, settings={"hall_tables": "9"})
    entry = f.check_in(f.fresh(side), f.register(side))
    paper = dora.get(url_of(side, "paper-hall")).content.decode()
    assert (paper.count("is-own"), paper.count("is-other")) == (1, 2)
    own = client.get(reverse("player", args=[entry.registration.link_token]))
    shows(text_of(own), "Galerie")
    page = own.content.decode()
    assert (page.count("is-own"), page.count("hall-table")) == (1, 1)


def test_the_event_that_waits_is_offered_the_table_another_gives_back(dora):
    draw_a_plan("1-2")
    main = f.make_running_event(2, seats=2, name="Main Event")
    side = f.make_running_event(2, seats=2, name="Satellit", late_registration_level=4)
    assert (numbers(main), numbers(side)) == ([1], [2])
    f.drive(registration_arrive, side, 5, registration=f.register(side, "Dritte"))
    shows(words_of(dora, side, "director-due"), "Ein Tisch fehlt", "Vergeben: 1 Main Event.")
    f.out(main, f.entries_of(main)[0])
    f.drive(event_end, main, 30)
    shows(words_of(dora, side, "director-due"), "Tisch 1 ist frei", "Jemand wartet")


def strip(page):
    return re.findall(r'<a href="([^"]+)"[^>]*data-key="t F9"', page.content.decode())


def test_one_key_leads_from_event_to_event_and_round_again(client):
    names = ("Main Event", "Satellit", "Omaha")
    main, side, omaha = (f.make_running_event(2, name=name) for name in names)
    f.make_event(name="Morgen")
    f.make_running_event(2, is_sample=True)
    f.sign_browser_in(client, Role.DIRECTOR)
    for name in ("director", "desk", "floor"):
        found = [strip(client.get(url_of(event, name))) for event in (main, side, omaha)]
        assert found == [[url_of(event, name)] for event in (side, omaha, main)]
    assert strip(client.get(url_of(main, "papers"))) == [url_of(side, "director")]


def test_a_device_is_led_only_where_it_has_a_role_and_one_event_has_no_strip(client):
    main = f.make_running_event(2, name="Main Event")
    f.sign_browser_in(client, Role.ARBITER, main)
    assert "site-others" not in client.get(url_of(main, "floor")).content.decode()
    side = f.make_running_event(2, name="Satellit")
    assert "site-others" not in client.get(url_of(main, "floor")).content.decode()
    f.sign_browser_in(client, Role.DESK, side)
    assert strip(client.get(url_of(side, "desk"))) == []
    assert "site-others" not in client.get(url_of(main, "tournament")).content.decode()


def test_the_desk_is_asked_about_who_sits_elsewhere_and_may_say_all_the_same(client):
    main, side = f.make_event(name="Main Event"), f.make_event(name="Satellit")
    row = f.register(main, "Rosa Rot")
    f.check_in(main, row)
    again = f.register(side, "Rosa Rot", person=row.person_id)
    f.sign_browser_in(client, Role.DESK)
    url = url_of(side, "desk-check-in", again.pk)
    asked = client.post(url, {"next": url_of(side, "desk")}, headers=HTMX)
    assert (asked.status_code, asked["HX-Retarget"]) == (422, "#sheet")
    shows(text_of(asked), "Rosa Rot sitzt noch bei „Main Event“", "Trotzdem einchecken")
    assert not again.entries.exists()
    assert client.post(url, {}).status_code == 422
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', asked.content.decode()))
    assert fields["both"] == "1"
    assert client.post(url, fields, headers=HTMX).status_code == 200
    assert again.entries.live().exists()


def test_a_known_person_and_a_new_line_at_the_desk_are_asked_about_too(client):
    main, side = f.make_event(name="Main Event"), f.make_event(name="Satellit")
    row = f.register(main, "Rosa Rot")
    f.check_in(main, row)
    f.sign_browser_in(client, Role.DESK)
    url = url_of(side, "desk-known", row.person_id)
    shows(text_of(client.post(url, {}, headers=HTMX)), "Trotzdem einchecken")
    assert not side.registrations.exists()
    assert client.post(url, {"both": "1"}, headers=HTMX).status_code == 200
    assert side.registrations.count() == 1
