"""The club's hall on its pages: the plan, who has which table, what an event is due, the strip."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import shows, text_of, url_of, words_of
from tests.services.test_hall import PLAN, draw_a_plan, numbers
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
    answer = dora.post(page, {"hall": "Saal\n1 1"})
    assert answer.status_code == 422
    shows(text_of(answer), "Tisch 1 steht zweimal da.")
    assert Club.objects.get().hall == PLAN
    shows(dora.get(url_of(event, "event-settings")).content.decode(), 'name="hall_tables"')


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
