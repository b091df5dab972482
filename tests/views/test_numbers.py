"""The number of the hall on pages: the fingerprint beforehand, the director's sheets, the draws."""

import html

import pytest
from django.urls import reverse

from tests import factories as f
from tournaments.changes.access import Role
from tournaments.event.domain.promise import in_fours
from tournaments.models import FrozenDraw, HallNumber, Registration
from tournaments.seating.domain.hall_numbers import seal_of
from tournaments.seating.services.breaking import tables_redraw
from tournaments.seating.services.frozen import draw_call_off, draw_freeze
from tournaments.seating.services.seats import seats_draw

pytestmark = pytest.mark.django_db
NONCE = "0" * 32


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


def test_the_fingerprint_stands_where_people_see_it_before_the_draw(dora, event):
    beginning = in_fours(event.promise)
    for name in ("tournament", "paper-poster", "draws"):
        assert beginning in text_of(dora.get(reverse(name, args=[event.slug]))), name
    assert event.promise in text_of(dora.get(reverse("draws", args=[event.slug])))
    told = dora.get(reverse("screen-state", args=[event.slug])).json()["draws"]
    assert told == {"promise": beginning, "number": None}


def test_the_sheet_says_beforehand_what_a_draw_without_a_number_is(dora, event):
    sheet = text_of(dora.get(reverse("seats-draw", args=[event.slug])))
    assert "Saalzahl einholen" in sheet
    assert "Ohne Saalzahl steht bei den Auslosungen in Rot" in sheet
    assert "zurückgenommen" not in sheet
    f.undo(event, f.drive(seats_draw, event, -20), at=f.after(-19))
    f.drive(draw_freeze, event, -18, purpose="field")
    f.drive(draw_call_off, event, -17, frozen=f.fresh(event).frozen_id)
    sheet = text_of(dora.get(reverse("seats-draw", args=[event.slug])))
    assert "Einmal wurde das schon gelost und zurückgenommen." in sheet
    assert "Einmal wurde das schon eingefroren und nicht gelost." in sheet


def test_a_draw_without_a_number_is_red_and_tries_are_counted(dora, event):
    for minute in (-20, -18):
        f.undo(event, f.drive(seats_draw, event, minute), at=f.after(minute + 1))
    f.drive(seats_draw, event, -10)
    page = text_of(dora.get(reverse("draws", args=[event.slug])))
    assert page.count("Ohne Saalzahl gelost: Wer den Laptop hat") == 3
    assert "zum 3. Mal gelost; 2 Mal zurückgenommen" in page
    assert "zum 2. Mal gelost; einmal zurückgenommen" in page
    assert page.count("Sie ruhen auf dem Geheimnis allein.") == 1


def test_a_seat_that_was_taken_back_and_drawn_again_is_counted_but_not_red(dora):
    event = f.make_event(seats=6)
    registration = f.register(event, "Spieler Nr01")
    for _time in range(2):
        f.check_in(event, registration)
        f.undo(event, at=f.ARRIVAL)
    f.check_in(event, registration)
    f.check_in(event, f.register(event, "Spieler Nr02"))
    page = text_of(dora.get(reverse("draws", args=[event.slug])))
    assert page.count("zum 3. Mal gelost; 2 Mal zurückgenommen") == 1
    assert "Ohne Saalzahl gelost" not in page


def test_phones_give_the_number_and_it_is_shown_with_the_draw(dora, event):
    told = post(dora, event, "draw-freeze", purpose="field")
    assert "0 von 8 haben eine Zahl gegeben." in text_of(told)
    frozen = FrozenDraw.objects.get()
    row = Registration.objects.filter(event=event).order_by("pk").first()
    link = row.link_token
    card = dora.get(reverse("player-card", args=[link]))
    assert "Tippe eine Zahl, die sich niemand vorher aussuchen kann." in text_of(card)
    for absurd in ({}, {"frozen": "²"}, {"frozen": "9" * 30}, {"frozen": "x", "seal": "a" * 64}):
        assert dora.post(reverse("player-number", args=[link]), absurd).status_code == 422
    for seal in ("", "4711", "A" * 64, "\x00" * 64, "a" * 5000):
        fields = {"frozen": frozen.pk, "seal": seal}
        assert dora.post(reverse("player-number", args=[link]), fields).status_code in {400, 422}
    assert not HallNumber.objects.exists()
    fields = {"frozen": frozen.pk, "seal": seal_of("4711", NONCE)}
    given = dora.post(reverse("player-number", args=[link]), fields, headers={"HX-Request": "true"})
    assert "Deine Zahl ist hinterlegt." in text_of(given)
    # Two directors close at once: the second is told, and nothing happens twice.
    closed = post(dora, event, "numbers-close", frozen=frozen.pk)
    assert "Spieler Nr00: bitte die eigene Seite am Handy ansehen." in text_of(closed)
    again = post(dora, event, "numbers-close", frozen=frozen.pk)
    assert (again.status_code, "schon geschlossen" in text_of(again)) == (422, True)
    told = dora.get(reverse("screen-state", args=[event.slug])).json()["draws"]["number"]
    assert (told["given"], told["missing"], told["closed"]) == (1, 1, True)
    for number, nonce in (("", ""), ("4712", NONCE), ("4711", "x"), ("²", NONCE)):
        fields = {"frozen": frozen.pk, "number": number, "nonce": nonce}
        assert dora.post(reverse("player-number-open", args=[link]), fields).status_code == 422
    fields = {"frozen": frozen.pk, "number": "4711", "nonce": NONCE}
    dora.post(reverse("player-number-open", args=[link]), fields)
    assert post(dora, event, "seats-draw", frozen=frozen.pk).status_code == 200
    assert post(dora, event, "seats-draw", frozen=frozen.pk).status_code == 422
    page = text_of(dora.get(reverse("draws", args=[event.slug])))
    assert "Saalzahl von einem Handy" in page
    assert f"{row.pk}:4711:{NONCE}" in page
    assert frozen.digest in page
    assert "Ohne Saalzahl gelost" not in page


def test_a_called_number_comes_after_the_freeze_and_a_second_redraw_is_not_made_by_it(dora):
    event = f.make_running_event(8, seats=6)
    assert "Erst die Saalzahl" not in text_of(post(dora, event, "tables-redraw"))
    post(dora, event, "draw-freeze", purpose="redraw")
    frozen = f.fresh(event).frozen_id
    own = {"frozen": frozen, "number": " 4711 "}
    assert post(dora, event, "tables-redraw", **own).status_code == 200
    again = post(dora, event, "tables-redraw", **own)
    assert "schon gemacht oder abgesagt" in text_of(again)
    page = text_of(dora.get(reverse("draws", args=[event.slug])))
    assert "Saalzahl 4711, nach dem Einfrieren gerufen" in page
    f.drive(draw_freeze, event, 9, purpose="redraw")
    f.drive(tables_redraw, event, 10)
    page = text_of(dora.get(reverse("draws", args=[event.slug])))
    assert "abgesagt oder überholt, bevor die Zahlen geschlossen waren" in page
