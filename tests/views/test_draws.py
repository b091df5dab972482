"""The draws of an event, made again; first dealers and seats by cards."""

import hashlib
import html
import re
from copy import deepcopy

import pytest

from clock.servertime import server_time
from krru.data.sealing import seal
from tests import factories as f
from tests.pressing import HTMX, done, press, refused, sheet, shows, url_of, words_of
from tests.pressing import text_of as words
from tests.services.test_seats import field
from tests.views.desk import post
from tests.views.pages import assert_refused, text_of
from tournaments.changes.access import Role
from tournaments.event.domain.cards import card_from_code
from tournaments.event.domain.promise import in_fours
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import DealerDraw, Draw, Event
from tournaments.play.services.hands import hand_begin
from tournaments.rules.services.rules import event_rules_change
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.services.chairs import seat_lock
from tournaments.seating.services.seats import draw_hall_number_set, seats_draw
from tournaments.seating.services.tables import (
    balance_step,
    dealer_draw_make,
    final_table_draw,
    table_break,
)

pytestmark = pytest.mark.django_db


def get(client, event, query=""):
    response = client.get(f"/t/{event.slug}/auslosung/{query}")
    assert response.status_code == 200
    return response


def pictures(event):
    rows = list(draws_of(f.fresh(event)))
    return draw_pictures(f.fresh(event), rows, to_staff=True)


def all_kinds():
    """Play an evening in which every kind of draw comes up, the hall number set on the way."""
    event = f.make_seated_event(30)
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 2))
    f.drive(draw_hall_number_set, event, -60, number="4711")
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 3))
    f.drive(clock_start, event, 0)
    f.out(event, *f.at_table(event, 2)[:3])
    (step, *_more) = floor_advice(f.fresh(event), f.after(10)).moves
    entry = next(entry for entry in f.entries_of(event) if entry.pk == step.entry)
    place = {"from_table": step.from_table, "to_table": step.to_table, "to_seat": step.to_seat}
    f.drive(balance_step, f.fresh(event), 10, entry=entry, **place)
    for number in (1, 3):
        f.out(event, *f.at_table(event, number)[:5])
    f.drive(table_break, event, 20, table=f.table_of(event, 3))
    for number in (1, 2):
        f.out(event, *f.at_table(event, number)[4:])
    f.drive(final_table_draw, f.fresh(event), 30)
    return f.fresh(event)


def change(draw):
    """Change what was drawn, and return how to put it back."""
    kept, rows = draw.outcome, deepcopy(draw.outcome)
    if draw.kind == "dealer":
        rows[0]["card"], rows[1]["card"] = rows[1]["card"], rows[0]["card"]
    elif draw.kind in ("seat", "balance"):
        rows[0][2] = rows[0][2] % 10 + 1
    else:
        rows[0][1:], rows[1][1:] = rows[1][1:], rows[0][1:]
    row = Draw.objects.filter(pk=draw.pk)
    row.update(outcome=rows)
    return lambda: row.update(outcome=kept)


def test_every_kind_comes_out_the_same_again_and_what_was_changed_afterwards_is_found():
    event = all_kinds()
    found = {picture.kind: picture.agrees for picture in pictures(event)}
    assert found == dict.fromkeys(("seat", "dealer", "balance", "break", "final"), True)
    for kind in found:
        draw = Draw.objects.filter(event=event, kind=kind).first()
        put_back = change(draw)
        agree = {picture.number: picture.agrees for picture in pictures(event)}
        assert agree.pop(draw.number) is False
        assert set(agree.values()) == {True}
        put_back()
    # With another secret none agrees.
    Event.objects.filter(pk=event.pk).update(draw_sealed=seal("11" * 32))
    many = [one.agrees for one in pictures(event) if one.kind in ("dealer", "break", "final")]
    assert many == [False] * 4


def test_a_list_too_long_to_be_kept_is_called_so(client):
    event = f.make_seated_event(3)
    Draw.objects.filter(event=event).update(kind="field", items=[], outcome=[])
    assert {one.agrees for one in pictures(event)} == {None}
    page = text_of(get(client, event))
    assert "nur mit dem Protokoll nachrechenbar" in page
    assert page.count("Ohne Saalzahl gelost") == Draw.objects.count() > 0


def test_the_page_promises_and_keeps_the_secret_until_the_end(client):
    event = f.make_seated_event(3)
    f.drive(draw_hall_number_set, event, -60, number="4711")
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 1))
    f.drive(clock_start, event, 0)
    promise = hashlib.sha256(event.draw_secret.encode()).hexdigest()
    text = text_of(get(client, event))
    shows(text, promise, "entry:", but=(event.draw_secret,))
    assert not re.search(r"<code>[0-9a-f]{64}</code>", text)
    assert "nachgerechnet, stimmt" in text
    f.drive(event_end, event, 60)
    # Now every lot has its hash, in drawn order.
    picture = pictures(event)[0]
    said = f"{event.draw_secret}|4711|{picture.number}|"
    digests = [hashlib.sha256(f"{said}{lot.text}".encode()).hexdigest() for lot in picture.lots]
    assert [lot.digest for lot in picture.lots] == digests == sorted(digests)
    dealt = {lot.text.removeprefix("card:") for lot in picture.lots[:3]}
    kept = Draw.objects.get(event=event, number=picture.number).outcome
    assert dealt == {row["card"] for row in kept}
    text = text_of(get(client, event))
    shows(text, event.draw_secret, promise, digests[0], "Saalzahl 4711", "gibt zuerst")


def test_no_draw_yet_and_one_that_was_taken_back_stays_on_the_page(client):
    event = f.make_event()
    assert "Noch nichts ausgelost" in text_of(get(client, event))
    f.check_in(event, f.register(event, "Petra Probst"))
    f.undo(event, at=f.ARRIVAL)
    shows(text_of(get(client, event)), "zurückgenommen", "Petra Probst")


def test_many_draws_come_in_pages(client, django_assert_max_num_queries):
    event = f.make_seated_event(30)
    with django_assert_max_num_queries(12):
        first = text_of(get(client, event))
    shows(first, "Seite 1 von 2", "30: Ein Platz")
    assert "1: Ein Platz" in text_of(get(client, event, "?seite=2"))
    assert get(client, event, "?seite=abc").status_code == 200
    assert get(client, event, "?seite=99").status_code == 200


# --- Draws on pages: the hall's number with its fingerprint, and the first dealers by high card


@pytest.fixture
def hall():
    return field(8, seats=6)


def page_of(client, hall, name="draws"):
    return html.unescape(text_of(client.get(url_of(hall, name))))


def on_the_wall(client, hall):
    return client.get(url_of(hall, "screen-state")).json()["draws"]


def test_the_fingerprint_stands_before_the_draw_and_an_earlier_version_claims_nothing(dora, hall):
    beginning = in_fours(hall.promise)
    for name in ("tournament", "paper-poster", "draws"):
        assert beginning in page_of(dora, hall, name), name
    assert hall.promise in page_of(dora, hall)
    assert on_the_wall(dora, hall) == {"promise": beginning, "number": ""}
    f.drive(seats_draw, hall, -20)
    Draw.objects.update(hall_number="99")
    assert claims_of(page_of(dora, hall)) == {"former": 1}


# What a guest reads about who could have chosen the outcome.
CLAIMS = {
    "none": "Ohne Saalzahl gelost: Wer den Laptop hat, konnte das Ergebnis vorher kennen und "
    "aussuchen. Sonst konnte das niemand.",
    "before": "Die Zahl stand schon vor der Auslosung fest. Wer den Laptop hat, konnte das "
    "Ergebnis seither kennen und mit Zeitpunkt und Reihenfolge beeinflussen. Sonst konnte das "
    "niemand.",
    "late": "Die Zahl kam erst mit der Auslosung. Hat sie jemand im Saal von sich aus gerufen, "
    "konnte niemand das Ergebnis aussuchen. Sonst konnte es nur, wer den Laptop hat und die Zahl "
    "eingab.",
    "again": "Zurücknehmen und neu losen ist auch ein Aussuchen: Das konnte die Turnierleitung.",
    "former": "Die Zahl ist von einer früheren Version: Woher sie kam, sagt das Protokoll.",
}


def claims_of(page):
    """Return how often each claim is on a page."""
    return {name: page.count(told) for name, told in CLAIMS.items() if told in page}


def test_a_number_set_before_the_draw_is_told_with_its_hour_and_who_typed_it(dora, hall):
    refused(dora, hall, "hall-number", number="", sentence="nur aus Ziffern")
    assert "4711" in done(dora, hall, "hall-number", number=" 4711 ")
    assert on_the_wall(dora, hall)["number"] == "4711"
    assert "Jetzt gilt die 4711." in page_of(dora, hall)
    assert "Leer: Es bleibt bei der 4711." in page_of(dora, hall, "seats-draw")
    assert press(dora, hall, "seats-draw").status_code == 200
    page = page_of(dora, hall)
    shows(page, "Saalzahl 4711, eingegeben um", "(Turnierleitung)")
    assert claims_of(page) == {"before": 1}


def test_a_number_called_for_a_draw_is_told_with_it_and_holds_for_what_follows(dora, hall):
    assert press(dora, hall, "seats-draw", number="4711").status_code == 200
    told = "Saalzahl 4711, mit dieser Auslosung eingegeben (Turnierleitung)"
    page = page_of(dora, hall)
    assert told in page
    assert claims_of(page) == {"late": 1}
    assert f.seat_of(f.check_in(hall, f.register(hall, "Späte Sofie")))
    assert set(Draw.objects.values_list("hall_number", flat=True)) == {"4711"}


def test_a_number_of_other_signs_draws_nothing(dora, hall):
    for number in ("²", "٣", "½", "12a", "1|2", "1 2", "-1", "9" * 41):
        for name in ("seats-draw", "hall-number"):
            refused(dora, hall, name, number=number, sentence="nur aus Ziffern")
    assert not Draw.objects.exists()
    assert f.fresh(hall).hall_number == ""


def test_a_draw_without_a_number_is_red_and_tries_are_counted(dora, hall):
    sheet = page_of(dora, hall, "seats-draw")
    shows(sheet, "Leer: Es wird ohne Saalzahl gelost.", but=("zurückgenommen",))
    f.undo(hall, f.drive(seats_draw, hall, -20), at=f.after(-19))
    told = "Einmal wurde das schon gelost und zurückgenommen."
    assert told in page_of(dora, hall, "seats-draw")
    f.undo(hall, f.drive(seats_draw, hall, -18), at=f.after(-17))
    f.drive(seats_draw, hall, -10)
    page = page_of(dora, hall)
    assert claims_of(page) == {"none": 3, "again": 2}
    assert "zum 3. Mal gelost; 2 Mal zurückgenommen" in page
    shows(page, "zum 2. Mal gelost; einmal zurückgenommen", "Noch wurde keine gerufen.")
    # A single seat drawn again is counted, but not red.
    other = f.make_event(seats=6, name="Einzeln")
    registration = f.register(other, "Spieler Nr01")
    for _time in range(2):
        f.check_in(other, registration)
        f.undo(other, at=f.ARRIVAL)
    f.check_in(other, registration)
    page = page_of(dora, other)
    assert page.count("zum 3. Mal gelost; 2 Mal zurückgenommen") == 1
    assert claims_of(page) == {}


def test_the_first_dealer_is_drawn_and_the_cards_are_shown(client):
    event = f.make_seated_event(6, seats=6)
    f.sign_browser_in(client, Role.ARBITER, event)
    assert client.get(url_of(event, "floor-cards", 1)).status_code == 404
    assert "Ersten Geber auslosen" in text_of(client.get(url_of(event, "floor-table-panel", 1)))
    answer = client.post(url_of(event, "floor-dealer", 1), headers=HTMX)
    shown = text_of(answer)
    assert shown.count("playing-card") == 6
    assert "gibt zuerst" in shown
    action = f.last_action(event)
    assert f"Platz {action.payload['seat']}" in shown[: shown.index("gibt zuerst")]
    assert url_of(event, "action-undo", action.pk) in shown
    assert "playing-card" in text_of(client.get(url_of(event, "floor-cards", 1)))
    panel = text_of(client.get(url_of(event, "floor-table-panel", 1)))
    shows(panel, "seat-button", but=("Ersten Geber auslosen",))
    assert_refused(client.post(url_of(event, "floor-dealer", 1), headers=HTMX), "schon ausgelost")


def test_the_first_dealers_of_all_tables_are_one_press_and_shown_table_by_table(dora):
    event = f.make_seated_event(12, seats=4)
    assert url_of(event, "floor-dealers") in dora.get(url_of(event, "director-due")).text
    shown = words(press(dora, event, "floor-dealers"))
    for draw in DealerDraw.objects.select_related("table"):
        first = draw.cards[0]
        shows(shown, f"Tisch {draw.table.number}", f"Platz {first['seat']}")
        assert card_from_code(first["card"]).rank.label in shown
    assert DealerDraw.objects.count() == 3
    assert "Erste" not in words_of(dora, event, "director-due")
    tables = dora.get(url_of(event, "director-tables")).text
    assert url_of(event, "floor-dealer", 1) not in tables


@pytest.mark.parametrize(("minute", "asks"), [(5, True), (25, False)])
def test_nobody_is_asked_for_first_dealers_all_evening(dora, monkeypatch, minute, asks):
    event = f.make_running_event(14, seats=10)
    monkeypatch.setattr(server_time, "now", lambda: f.after(minute))
    tables = dora.get(url_of(event, "director-tables")).text
    assert (url_of(event, "floor-dealer", 1) in tables) is asks
    assert ("Erste Geber an 2 Tischen" in words_of(dora, event, "director-due")) is asks


# --- Seat cards: the sheet of a table, the seat's card on slip, desk, table and phone


@pytest.fixture
def event():
    """Two tables of three, with five seats each, before the start."""
    return f.make_seated_event(6, seats=5)


def sent(event, letters):
    rows = f.at_table(event, 1)
    return {f"card-{row.pk}": letter for row, letter in zip(rows, letters, strict=False)}


def page(client, event, name, *further):
    return text_of(client.get(url_of(event, name, *further)))


def cards_shown(text):
    return re.findall(r"Platzkarte </span>(\w+)</span>", text)


def test_one_sheet_lists_the_players_and_the_seats_follow_what_is_tapped(client, arno, event):
    assert "Plätze mit Karten ziehen …" in page(client, event, "floor-table", 1)
    assert cards_shown(page(client, event, "floor-table-panel", 1)) == ["A", "2", "3", "4", "5"]
    html = page(client, event, "seat-cards", 1)
    names = [row.registration.person.name for row in f.at_table(event, 1)]
    assert re.findall(r"<legend>([^<]+)</legend>", html) == names
    assert html.count('value="A"') == html.count('value="5"') == 3
    shows(html, but=('value="6"', "checked"))
    told = done(client, event, "seat-cards", 1, **sent(event, "5A3"))
    assert "Plätze an Tisch 1 mit Karten gezogen" in told
    assert [f.seat_of(row)[1] for row in f.at_table(event, 1)] == [1, 3, 5]
    # Opened again it shows what was entered, to set it right.
    html = page(client, event, "seat-cards", 1)
    assert re.findall(r'value="(\w)" checked', html) == ["A", "3", "5"]


def test_what_cannot_be_is_said_beside_the_button(client, arno, event):
    refused(client, event, "seat-cards", 1, sentence="haben beide A.", **sent(event, "AA3"))
    refused(client, event, "seat-cards", 1, sentence="fehlt die Karte.", **sent(event, "A3"))
    refused(client, event, "seat-cards", 1, sentence="fehlt die Karte.")
    wrong = {"card-x": "A", "card-99999999999999": "A"}
    refused(client, event, "seat-cards", 1, sentence="fehlt die Karte.", **wrong)
    refused(client, event, "seat-cards", 9, sentence="Tisch 9 gibt es nicht mehr.")
    stays = f.seat_of(f.at_table(event, 1)[0])[1]
    f.drive(seat_lock, event, -5, table=f.table_of(event, 1), seat=stays, reason="Rollstuhl")
    assert f"bleibt auf Platz {stays}, der gesperrt ist." in sheet(client, event, "seat-cards", 1)


def test_during_play_the_sheet_says_when_cards_are_drawn(client):
    event = f.make_running_event(6, seats=5)
    f.drive(hand_begin, event, 1, table=f.table_of(event, 1))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    told = sheet(client, event, "seat-cards", 1)
    assert "Das geht vor dem Start, nach dem Neuauslosen und" in told
    assert "Karten ziehen" not in page(client, event, "floor-table", 1)
    assert cards_shown(page(client, event, "floor-table-panel", 1)) == []


def test_the_card_stands_on_the_slip_at_the_desk_and_on_the_own_page(client, desk, event):
    row = f.register(event)
    told = text_of(post(client, "desk-check-in", event, row.pk))
    entry = row.entries.get()
    seat = f.seat_of(entry)[1]
    card = ["A2345"[seat - 1]]
    assert cards_shown(told) == card
    assert cards_shown(page(client, event, "slip", entry.pk)) == card
    assert len(cards_shown(page(client, event, "slips"))) == 7
    assert cards_shown(text_of(client.get(f"/p/{row.link_token}/"))) == card


def test_where_the_house_draws_with_cards_no_seat_is_told_before(client, event):
    f.drive(event_rules_change, event, -20, rules={"seat_draw": "cards"})
    entry = f.at_table(event, 1)[0]
    own = f"/p/{entry.registration.link_token}/"
    shows(page(client, event, "rules"), "Am Tisch ziehst du eine Karte, die deinen Platz bestimmt")
    before = "Deinen Platz ziehst du am Tisch mit einer Karte."
    assert before in text_of(client.get(own))
    assert cards_shown(text_of(client.get(own))) == []
    f.sign_browser_in(client, Role.DESK, event)
    assert before in page(client, event, "slip", entry.pk)
    told = text_of(post(client, "desk-check-in", event, f.register(event).pk))
    assert "Der Platz wird am Tisch mit einer Karte gezogen." in told
    client.cookies.clear()
    f.sign_browser_in(client, Role.DIRECTOR, event)
    assert "Karten an Tisch 1 eintragen …" in words_of(client, event, "director-due")
    letters = "A2345"[: len(f.at_table(event, 1))]
    done(client, event, "seat-cards", 1, **sent(event, letters))
    assert cards_shown(text_of(client.get(own))) == ["A"]
    shows(page(client, event, "draws"), "im Saal mit Karten gezogen", "Plätze an Tisch 1")
