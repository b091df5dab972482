"""The hall number on pages: fingerprint, the director's sheets, the wall, the draws."""

import html

import pytest
from django.urls import reverse

from tests import factories as f
from tournaments.changes.access import Role
from tournaments.event.domain.promise import in_fours
from tournaments.models import Draw
from tournaments.seating.services.seats import seats_draw

pytestmark = pytest.mark.django_db


def text_of(answer):
    return " ".join(html.unescape(answer.content.decode()).split())


@pytest.fixture
def event():
    event = f.make_event(seats=6, draw_mode="field")
    for number in range(8):
        f.check_in(event, f.register(event, f"Spieler Nr{number:02}"))
    return event


@pytest.fixture
def dora(client):
    f.house()
    f.sign_browser_in(client, Role.DIRECTOR)
    return client


def post(client, event, name, *args, **fields):
    url = reverse(name, args=[event.slug, *args])
    return client.post(url, fields, headers={"HX-Request": "true"})


def draws_page(client, event):
    return text_of(client.get(reverse("draws", args=[event.slug])))


def on_the_wall(client, event):
    return client.get(reverse("screen-state", args=[event.slug])).json()["draws"]


def test_the_fingerprint_stands_where_people_see_it_before_the_draw(dora, event):
    beginning = in_fours(event.promise)
    for name in ("tournament", "paper-poster", "draws"):
        assert beginning in text_of(dora.get(reverse(name, args=[event.slug]))), name
    assert event.promise in draws_page(dora, event)
    assert on_the_wall(dora, event) == {"promise": beginning, "number": ""}


def test_a_number_set_before_the_draw_is_told_with_its_hour_and_who_typed_it(dora, event):
    assert post(dora, event, "hall-number", number=" 4711 ").status_code == 200
    assert on_the_wall(dora, event)["number"] == "4711"
    assert "Jetzt gilt die 4711." in draws_page(dora, event)
    assert "Leer: Es bleibt bei der 4711." in text_of(
        dora.get(reverse("seats-draw", args=[event.slug]))
    )
    assert post(dora, event, "seats-draw").status_code == 200
    page = draws_page(dora, event)
    assert "Saalzahl 4711, eingegeben um" in page
    assert "(Turnierleitung)" in page
    assert "Ohne Saalzahl gelost" not in page


def test_a_number_called_for_a_draw_is_told_with_it_and_holds_for_what_follows(dora, event):
    assert post(dora, event, "seats-draw", number="4711").status_code == 200
    assert "Saalzahl 4711, mit dieser Auslosung eingegeben (Turnierleitung)" in draws_page(
        dora, event
    )
    late = f.check_in(event, f.register(event, "Späte Sofie"))
    assert f.seat_of(late)
    assert set(Draw.objects.values_list("hall_number", flat=True)) == {"4711"}


@pytest.mark.parametrize("number", ["²", "٣", "1 2", "-1", "9" * 41])
def test_a_number_of_other_signs_draws_nothing(dora, event, number):
    assert post(dora, event, "seats-draw", number=number).status_code == 422
    assert post(dora, event, "hall-number", number=number).status_code == 422
    assert not Draw.objects.exists()
    assert f.fresh(event).hall_number == ""


def test_the_sheet_says_how_often_it_was_drawn_and_taken_back(dora, event):
    sheet = text_of(dora.get(reverse("seats-draw", args=[event.slug])))
    assert "Leer: Es wird ohne Saalzahl gelost." in sheet
    assert "zurückgenommen" not in sheet
    f.undo(event, f.drive(seats_draw, event, -20), at=f.after(-19))
    sheet = text_of(dora.get(reverse("seats-draw", args=[event.slug])))
    assert "Einmal wurde das schon gelost und zurückgenommen." in sheet


def test_a_draw_without_a_number_is_red_and_tries_are_counted(dora, event):
    for minute in (-20, -18):
        f.undo(event, f.drive(seats_draw, event, minute), at=f.after(minute + 1))
    f.drive(seats_draw, event, -10)
    page = draws_page(dora, event)
    assert page.count("Ohne Saalzahl gelost: Wer den Laptop hat") == 3
    assert "zum 3. Mal gelost; 2 Mal zurückgenommen" in page
    assert "zum 2. Mal gelost; einmal zurückgenommen" in page
    assert "Noch wurde keine gerufen." in page


def test_a_seat_that_was_taken_back_and_drawn_again_is_counted_but_not_red(dora):
    event = f.make_event(seats=6)
    registration = f.register(event, "Spieler Nr01")
    for _time in range(2):
        f.check_in(event, registration)
        f.undo(event, at=f.ARRIVAL)
    f.check_in(event, registration)
    f.check_in(event, f.register(event, "Spieler Nr02"))
    page = draws_page(dora, event)
    assert page.count("zum 3. Mal gelost; 2 Mal zurückgenommen") == 1
    assert "Ohne Saalzahl gelost" not in page
