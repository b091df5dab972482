"""The director sets a place, on the player's sheet; wherever the place stands, that stands too."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.api.asking import script_of
from tests.pressing import HTMX, press, url_of
from tests.views.pages import text_of
from tournaments.changes.access import Role

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    event = f.make_running_event(6)
    for minute, entry in enumerate(f.entries_of(event)[:3], start=1):
        f.out(event, entry, at=f.after(minute))
    return event


@pytest.fixture
def entry(event):
    return f.entries_of(event)[0]


@pytest.fixture
def dora(client, event):
    f.sign_browser_in(client, Role.DIRECTOR)
    return client


def overrule(client, event, entry, **own):
    said = {"place": "4", "reason": "Video", **own}
    return client.post(url_of(event, "place-overrule", entry.pk), said, headers=HTMX)


def sheet(client, event, entry):
    return text_of(client.get(url_of(event, "floor-player", entry.pk), headers=HTMX))


def test_it_is_set_from_the_players_sheet_and_shown_there(dora, event, entry):
    assert url_of(event, "place-overrule", entry.pk) in sheet(dora, event, entry)
    form = text_of(dora.get(url_of(event, "place-overrule", entry.pk), headers=HTMX))
    assert "Jetzt: Platz 6." in form
    assert overrule(dora, event, entry).status_code == 200
    words = sheet(dora, event, entry)
    assert "ausgeschieden auf dem 4. Platz" in words
    assert "festgelegt" in words
    told = text_of(dora.get(url_of(event, "floor-outs"), {"entry": entry.pk}, headers=HTMX))
    assert "festgelegt" in told
    assert "festgelegt" in text_of(dora.get(url_of(event, "floor-find"), {"q": "Spieler"}))
    press(dora, event, "action-undo", f.last_action(event).pk)
    assert "6. Platz" in sheet(dora, event, entry)


def test_it_is_shown_in_the_results_their_files_and_on_the_own_page(dora, event, entry):
    overrule(dora, event, entry)
    assert text_of(dora.get(url_of(event, "results"))).count("festgelegt") == 1
    told = dora.get(url_of(event, "results-json")).json()["places"]
    assert [line["is_overruled"] for line in told if line["place"]] == [True, False, False]
    rows = dora.get(url_of(event, "results-csv")).content.decode().splitlines()
    assert [row.split(";" if ";" in row else ",")[3] for row in rows[-3:]] == ["×", "", ""]
    rows = b"".join(dora.get(url_of(event, "export-results-csv"))).decode()
    assert "Festgelegt" in rows
    own = text_of(dora.get(reverse("player", args=[entry.registration.link_token])))
    assert "Diesen Platz hat die Turnierleitung festgelegt." in own
    assert "Video" not in own
    lines = script_of(Role.DIRECTOR, event).get(f"/events/{event.slug}/results").json()["items"]
    assert [line["is_overruled"] for line in lines if line["place"]] == [True, False, False]


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"place": "vier"}, "Ein Platz ist eine ganze Zahl."),
        ({"place": ""}, "Ein Platz ist eine ganze Zahl."),
        ({"reason": ""}, "Bitte den Grund angeben."),
        ({"place": "9"}, "zwischen 4 und 6"),
        ({"place": "9", "shared": "on"}, "steht sonst niemand"),
    ],
)
def test_what_cannot_be_is_said_beside_the_button(dora, event, entry, own, words):
    answer = overrule(dora, event, entry, **own)
    assert answer.status_code == 422
    assert words in text_of(answer)


def test_who_is_in_has_no_place_to_be_set(dora, event):
    still_in = f.entries_of(event)[5]
    page = url_of(event, "place-overrule", still_in.pk)
    assert page not in sheet(dora, event, still_in)
    assert "Nur wer draußen ist" in text_of(dora.get(page, headers=HTMX))
    answer = overrule(dora, event, still_in)
    assert answer.status_code == 422
    assert "ist nicht ausgeschieden" in text_of(answer)


def test_an_arbiter_is_not_offered_it(client, event, entry):
    f.sign_browser_in(client, Role.ARBITER, event)
    assert url_of(event, "place-overrule", entry.pk) not in sheet(client, event, entry)
    assert overrule(client, event, entry).status_code == 403
