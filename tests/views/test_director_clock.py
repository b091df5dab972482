"""What a director presses on the laptop and reads there: the clock, announcements, next steps."""

import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse

from clock.models import Level
from clock.selectors import clock_state
from tests import factories as f
from tests.pressing import done, now, press, refused, shows, url_of, words_of
from tests.views.pages import assert_shown, page_of
from tournaments.changes.access import Role
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.clock_hands import clock_hand, clock_last_hands
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, Event

pytestmark = [pytest.mark.django_db, pytest.mark.running(4)]


def state(event):
    return clock_state(f.fresh(event).clock, now(event))


def test_s5_before_it_was_called_the_start_asks_first(dora, minute):
    minute(-20)
    empty, alone = f.make_event(name="Leer"), f.make_seated_event(1, name="Allein")
    refused(dora, empty, "clock-start", sentence="Es sitzt noch niemand.")
    refused(dora, alone, "clock-start", sentence="zu zweit")
    event = f.make_seated_event(4)
    asked = press(dora, event, "clock-start").content.decode()
    assert "Beginn in fünf Minuten ausrufen" in asked
    assert "Geplant ist der Beginn: Fr, 20. November, 19:00." in asked
    assert not f.fresh(event).has_started
    done(dora, event, "clock-call-start")
    assert f.fresh(event).starts_at == f.after(-15) + timedelta(seconds=5)
    assert "Sofort starten" in asked
    done(dora, alone := f.make_event(name="Nur die Uhr", is_clock_only=True), "clock-start")
    assert f.fresh(alone).has_started
    answer = press(dora, event, "clock-start", at_once="1")
    assert_shown(answer, "Uhr gestartet", url_of(event, "action-undo", f.last_action(event).pk))
    told = json.loads(answer.headers["HX-Trigger"])
    assert told["krru:acted"]["version"] == f.fresh(event).version
    assert f.fresh(event).has_started
    refused(dora, event, "clock-start", sentence="Die Uhr läuft schon.")


def test_what_is_pressed_is_done_or_refused_beside_the_button(dora, event):
    f.drive(clock_pause, event, 5)
    refused(dora, event, "clock-pause", sentence="Die Uhr steht schon.")
    refused(dora, event, "clock-previous", sentence="Das ist die erste Stufe.")
    for seconds in ("", "0", "abc", "1.5", "99999", "²", "1e3"):
        refused(dora, event, "clock-adjust", seconds=seconds)
    press(dora, event, "clock-next")
    assert state(event).level.number == 2
    press(dora, event, "clock-previous")
    assert state(event).level.number == 1
    before = state(event).remaining
    assert "Eine Minute mehr" in press(dora, event, "clock-adjust", seconds=60).content.decode()
    assert (state(event).remaining - before).total_seconds() == 60
    for _level in range(14):
        press(dora, event, "clock-next")
    refused(dora, event, "clock-next", sentence="Das ist die letzte Stufe.")
    assert press(dora, event, "clock-start").status_code == 200
    assert state(event).is_running
    assert press(dora, event, "clock-pause").status_code == 200
    assert not state(event).is_running


def test_lists_are_printed_from_the_halls_menu(dora):
    event = f.make_running_event(3)
    page = page_of(dora, event, "director")
    of_hall = re.split(r">\s*(?:Saal|Turnier)\s*<", page)[1]
    assert url_of(event, "papers") in of_hall


def test_what_was_entered_last_is_said_to_be_this_phones_not_this_tables(client):
    event = f.make_running_event(10, seats=6)
    f.sign_browser_in(client, Role.ARBITER, event)
    entry = f.at_table(event, 2)[0]
    done(client, event, "floor-out", entry.pk)
    shown = words_of(client, event, "floor-table-panel", 1)
    shows(shown, "Auf diesem Gerät zuletzt eingetragen", entry.registration.person.name)


def test_after_the_end_nobody_is_asked_to_register(client, event):
    f.drive(event_end, event, 40)
    page = page_of(client, event, "tournament")
    assert re.search(r"> ?Vorbei ?</h2>", page)
    assert not re.search(r"> ?Anmelden ?<", page)


@pytest.fixture
def at(minute):
    """Set the present, in minutes after the start."""
    minute(25)
    return minute


def due(client, event):
    return words_of(client, event, "director-due")


def test_before_a_final_table_and_after_the_winner_the_clock_can_be_stopped(dora, at):
    event = f.make_running_event(14, seats=10)
    assert "Die Uhr läuft noch" not in due(dora, event)
    for entry in f.at_table(event, 2)[:5]:
        f.out(event, entry)
    shows(due(dora, event), "Finaltisch auslosen", "Die Uhr läuft noch")
    done(dora, event, "clock-pause")
    assert not clock_state(f.fresh(event).clock, f.after(25)).is_running
    shows(due(dora, event), "Finaltisch auslosen", but=("Die Uhr läuft noch",))


def test_after_the_last_hand_the_next_step_is_offered(dora, at):
    event = f.make_running_event(3)
    f.drive(clock_last_hands, event, 20, hands=2)
    f.drive(clock_hand, event, 21)
    assert "Noch eine Hand." in words_of(dora, event, "director-clock")
    assert "Die letzte Hand ist gespielt" not in due(dora, event)
    f.drive(clock_hand, event, 22)
    shows(words_of(dora, event, "director-clock"), "Die letzte Hand ist gespielt.", but=("Noch 0",))
    html = page_of(dora, event, "director-due")
    shows(html, "Die letzte Hand ist gespielt", f'href="{url_of(event, "event-end")}"')
    assert "Die Uhr ist angehalten" not in html
    done(dora, event, "clock-start")
    assert "Die letzte Hand ist gespielt" not in due(dora, event)


@pytest.mark.parametrize(("level", "said"), [(1, False), (4, True)])
def test_breaking_a_table_into_full_ones_says_that_more_may_come(dora, at, level, said):
    event = f.make_running_event(22, seats=10, late_registration_level=level)
    for entry in f.at_table(event, 3)[:2]:
        f.out(event, entry)
    shown = due(dora, event)
    assert "Tisch 3 auflösen" in shown
    assert ("kein Platz frei, und es wird noch nachgemeldet" in shown) is said


def test_chips_that_leave_play_are_said_to_leave_now_while_it_is_a_break(dora, at):
    event = f.make_running_event(3)
    levels = list(Level.objects.filter(clock=event.clock).order_by("position"))
    Level.objects.filter(pk=levels[1].pk).update(kind=Level.Kind.BREAK, duration_ms=600_000)
    Level.objects.filter(pk=levels[2].pk).update(colour_up=[1])
    at(15)
    assert "Color-up" not in words_of(dora, event, "director-clock")
    at(25)
    assert clock_state(f.fresh(event).clock, f.after(25)).level.is_break
    shown = words_of(dora, event, "director-clock")
    shows(shown, "Jetzt Color-up: Chips zu 1 raus.", but=("Mit der nächsten Stufe",))


def test_the_sample_is_removed_only_after_a_question(dora, event):
    assert "sample-ribbon" not in page_of(dora, event, "director")
    Event.objects.update(is_sample=True)
    page = page_of(dora, event, "director")
    ribbon = page[page.index("sample-ribbon") : page.index("</aside>", page.index("sample-ribbon"))]
    opener, question = ribbon.split("</summary>")
    shows(opener, "Beispiel entfernen", but=("<form",))
    shows(question, "Zurücknehmen geht nicht.", "Ja, entfernen")


@pytest.fixture
def spoken(monkeypatch):
    texts = []
    monkeypatch.setattr("clock.tasks.speak", lambda text, language: texts.append((text, language)))
    return texts


def test_an_announcement_is_made_spoken_and_taken_back_or_away_once_it_stays(dora, event, spoken):
    url = reverse("announce", args=[event.slug])
    assert url in dora.get(reverse("director", args=[event.slug])).text
    page = dora.get(url).text
    shows(page, 'maxlength="200"', "auch vorlesen")
    refused(dora, event, "announce", sentence="Die Durchsage ist leer.", text=" ")
    long = "Eine Durchsage hat höchstens 200 Zeichen."
    refused(dora, event, "announce", sentence=long, text="a" * 201)
    press(dora, event, "announce", text="Ohne Stimme")
    assert spoken == []
    assert Action.objects.get(kind="announcement.made").payload["has_voice"] is False
    answer = press(dora, event, "announce", text=" Essen\r\nist fertig ", voice="on")
    action = Action.objects.filter(kind="announcement.made").latest("pk")
    assert "Durchsage: Essen ist fertig" in answer.text
    assert reverse("action-undo", args=[event.slug, action.pk]) in answer.text
    assert spoken == [("Essen ist fertig", "de")]
    state = reverse("screen-state", args=[event.slug])
    assert dora.get(state).json()["announcement"]["text"] == "Essen ist fertig"
    press(dora, event, "action-undo", action.pk)
    assert dora.get(state).json()["announcement"]["text"] == "Ohne Stimme"
    page = dora.get(reverse("announce", args=[event.slug])).text
    shows(page, 'name="stock" value="Das Essen ist fertig."', but=("announce-take-away",))
    press(dora, event, "announce", text="", stock="Das Essen ist fertig.", stays="on")
    page = dora.get(reverse("announce", args=[event.slug])).text
    take_away = re.search(r'hx-post="([^"]+ruecknahme[^"]*)"', page)[1]
    state = reverse("screen-state", args=[event.slug])
    assert dora.get(state).json()["standing"] == "Das Essen ist fertig."
    dora.post(take_away)
    assert dora.get(state).json()["standing"] == ""


@pytest.mark.parametrize(("role", "may"), [(Role.ARBITER, True), (Role.DESK, False)])
def test_arbiters_have_the_button_and_the_desk_does_not(client, event, role, may):
    f.sign_browser_in(client, role, event)
    page = client.get(reverse("floor", args=[event.slug])).text
    assert (reverse("announce", args=[event.slug]) in page) is may
