"""Pages for paper: poster, seats by name, table plan, sheets for emergencies, labels."""

import re

import pytest

from tests import factories as f
from tests.pressing import url_of
from tests.views.pages import bare, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.lifecycle import event_update
from tournaments.papers.selectors.papers import seats_by_name

pytestmark = pytest.mark.django_db
NAMES = ("papers", "paper-poster", "paper-seats", "paper-tables", "paper-blank")


@pytest.fixture
def seated(client):
    event = f.make_seated_event(14, seats=6)
    f.sign_browser_in(client, Role.DESK, event)
    return event


def page(client, event, name, **query):
    answer = client.get(url_of(event, name), query)
    assert answer.status_code == 200
    return text_of(answer)


@pytest.mark.parametrize("name", NAMES)
def test_only_the_desk_prints(client, event, name):
    f.sign_browser_in(client, Role.ARBITER, event)
    assert client.get(url_of(event, name)).status_code == 403
    f.sign_browser_in(client, Role.DESK, event)
    assert client.get(url_of(event, name)).status_code == 200
    assert client.post(url_of(event, name)).status_code == 405


def test_everything_that_can_be_printed_is_listed(client, seated):
    answer = page(client, seated, "papers")
    for name in ("slips", *NAMES[1:]):
        assert f'href="{url_of(seated, name)}' in answer


def test_the_poster_says_what_when_and_has_the_code(client, desk, event):
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"fee_cents": 1250})
    answer = page(client, event, "paper-poster")
    assert "<h1>Freitagsturnier</h1>" in answer
    assert "Freitag, 20. November 2026" in answer
    assert "19:00 Uhr" in answer
    assert "12,50 €" in answer
    assert "http://testserver/t/" in answer
    assert len(re.findall(r'<div class="sheet-qr" data-opens="[^"]+\?da=[^"]+"><svg', answer)) == 1


def test_the_poster_says_where_with_what_and_until_when(client, desk, event):
    told = {"venue": "Gasthof Post", "address": "Hauptplatz 3", "contact": "info@klub.at"}
    told["late_registration_level"] = 0
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings=told)
    answer = bare(page(client, event, "paper-poster"))
    assert "<strong>Gasthof Post</strong>" in answer
    assert "info@klub.at" in answer
    for term, said in (("Startstapel", "200"), ("Einsteigen", "nur bis zum Start")):
        assert f"<dt>{term}</dt><dd>{said}</dd>" in answer


def test_seats_are_listed_by_name(client, desk, event, django_assert_max_num_queries):
    for name in ("Zoë Ende", "Ägidius Anfang", "Anna Anders"):
        f.check_in(event, f.register(event, name))
    with django_assert_max_num_queries(16):
        answer = page(client, event, "paper-seats")
    assert answer.index("Ägidius") < answer.index("Anna") < answer.index("Zoë")
    assert answer.count('class="seats-letter"') == 2
    assert answer.count('<th scope="row">') == 3


def test_the_table_plan_shows_every_seat(client, seated, django_assert_max_num_queries):
    with django_assert_max_num_queries(18):
        answer = page(client, seated, "paper-tables")
    assert "Tisch 3" in answer
    assert answer.count("<li>Spieler") == 14
    assert answer.count("<li></li>") == 3 * 6 - 14


def test_before_the_draw_the_lists_say_so(client, desk, event):
    assert "Noch sitzt niemand" in page(client, event, "paper-seats")
    assert "Noch steht kein Tisch bereit" in page(client, event, "paper-tables")


def test_sheets_for_emergencies_are_empty_but_for_the_schedule(client, desk, event):
    f.register(event)
    answer = page(client, event, "paper-blank")
    assert "Petra" not in answer
    assert answer.count('<article class="sheet"') == 3
    assert ">1 / 2</span>" in bare(answer)
    assert answer.count("Tisch ____") == 6


@pytest.mark.parametrize(("players", "numbered", "others"), [(12, 2, 4), (42, 7, 5)])
def test_every_table_in_play_has_an_emergency_sheet(client, players, numbered, others):
    event = f.make_seated_event(players, seats=6)
    f.sign_browser_in(client, Role.DESK, event)
    answer = page(client, event, "paper-blank")
    assert [f"Tisch {number}</h2>" in bare(answer) for number in (numbered, numbered + 1)] == [
        True,
        False,
    ]
    assert answer.count("Tisch ____") == others


def test_where_only_the_clock_runs_there_is_no_paper_of_people(client):
    event = f.make_event(is_clock_only=True)
    f.sign_browser_in(client, Role.DESK, event)
    assert page(client, event, "paper-blank").count('<article class="sheet"') == 1
    assert url_of(event, "paper-poster") in page(client, event, "papers")
    assert client.get(url_of(event, "paper-seats")).status_code == 404


def test_slips_come_on_labels_too(client, seated):
    answer = page(client, seated, "slips", papier="etikett")
    assert "pages/label" in answer
    assert 'class="slips slips-labels"' in answer
    assert answer.count('<article class="slip">') == 14
    assert "pages/label" not in page(client, seated, "slips")
    entry = f.entries_of(seated)[0]
    single = client.get(url_of(seated, "slip", entry.pk), {"papier": "etikett"})
    assert text_of(single).count('<article class="slip">') == 1


def test_a_list_of_two_sheets_is_split_evenly():
    sheets = seats_by_name(f.make_seated_event(58))
    assert [sum(len(seats) for _letter, seats in sheet) for sheet in sheets] == [29, 29]
    assert seats_by_name(f.make_event(name="Leer")) == []
