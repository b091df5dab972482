"""The look at an undo before it is pressed: what it shows, who may, and when the room went on."""

import re
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from clock.selectors import clock_levels
from tests import factories as f
from tests.pressing import shows
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.door.services.registration import registration_correct
from tournaments.event.services.clock import clock_adjust, clock_pause
from tournaments.event.services.lifecycle import event_update
from tournaments.event.services.schedule.edit import schedule_edit
from tournaments.models import Action, ClockCall, Event
from tournaments.play.services.calls import clock_call_start, clock_call_stop
from tournaments.play.services.conduct import penalty_give
from tournaments.play.services.eliminations import disqualification_count, entry_disqualify
from tournaments.play.services.hands import hand_begin
from tournaments.post.services.messages import announcement_made

pytestmark = pytest.mark.django_db


HTMX = {"HX-Request": "true"}


def url(name, event, action):
    return reverse(name, args=[event.slug, action.pk])


def look(client, event, action, *, headers=HTMX):
    return client.post(url("undo-preview", event, action), headers=headers)


def press(client, event, action, page, **own):
    """Press the button of a sheet."""
    fields = dict(re.findall(r'name="(seen|shown)" value="(\w+)"', page))
    assert set(fields) == {"seen", "shown"}
    headers = HTMX | {"X-Idempotency-Key": str(uuid4())}
    return client.post(url("action-undo", event, action), {**fields, **own}, headers=headers)


@pytest.fixture
def hall():
    """Nine play; four went out one after the other."""
    event = f.make_running_event(9)
    for minute, entry in enumerate(f.entries_of(event)[:4]):
        f.out(event, entry, at=f.after(minute + 1))
    return event


def out_of(event, index=0):
    return Action.objects.filter(event=event, kind="entry.eliminated").order_by("pk")[index]


def test_it_shows_side_by_side_what_differs_and_nothing_else(dora, hall):
    page = text_of(look(dora, hall, out_of(hall)))
    for shown in ("Wieder im Spiel", "Spieler 001", "9. Platz", "Anderer Platz in der Wertung"):
        assert shown in page
    assert re.search(r"Im Spiel</th><td>5</td><td><strong>6<", page)
    for same in ("Chips im Spiel", "Einstiege", "Spieler 009", "Stufe"):
        assert same not in page
    assert "<html" not in page


def test_many_lines_are_folded_with_their_count_and_without_javascript_it_is_a_page(dora):
    event = f.make_running_event(14)
    for minute, entry in enumerate(f.entries_of(event)[:11]):
        f.out(event, entry, at=f.after(minute + 1))
    page = text_of(look(dora, event, out_of(event), headers={}))
    shows(page, "alle 10 zeigen", "<html", "<h1>Zurücknehmen</h1>")


def test_pressing_it_takes_back_what_was_shown_whatever_happened_beside_it(dora, hall):
    made = out_of(hall)
    page = text_of(look(dora, hall, made))
    f.drive(hand_begin, hall, 9, table=f.table_of(hall, 1))
    answer = press(dora, hall, made, page)
    assert answer.status_code == 200
    assert f.last_action(hall).undoes_id == made.pk
    assert "krru:close" in answer.headers["HX-Trigger"]


def test_when_the_room_has_changed_nothing_is_done_and_the_new_preview_is_shown(dora, hall):
    made = out_of(hall)
    page = text_of(look(dora, hall, made))
    f.out(hall, f.entries_of(hall)[5], at=f.after(9))
    version = f.fresh(hall).version
    answer = press(dora, hall, made, page)
    assert answer.status_code == 422
    assert "Inzwischen hat sich der Saal geändert" in text_of(answer)
    assert not text_of(answer).lstrip().startswith('<p class="refusal"')
    assert answer.headers["HX-Retarget"] == "#sheet"
    assert f.fresh(hall).version == version
    assert press(dora, hall, made, text_of(answer)).status_code == 200


def test_two_presses_take_it_back_once(dora, hall):
    """Of one director twice with one key, and of another who looked before."""
    made = out_of(hall)
    page = text_of(look(dora, hall, made))
    fields = dict(re.findall(r'name="(seen|shown)" value="(\w+)"', page))
    headers = HTMX | {"X-Idempotency-Key": str(uuid4())}
    for _tap in range(2):
        answer = dora.post(url("action-undo", hall, made), fields, headers=headers)
        assert answer.status_code == 200
    answer = press(dora, hall, made, page)
    assert answer.status_code == 422
    assert "schon zurückgenommen" in text_of(answer)
    assert Action.objects.filter(undoes=made).count() == 1


@pytest.mark.parametrize("seen", ["x", "-1", "9" * 30])
def test_an_odd_version_is_no_version(dora, hall, seen):
    answer = dora.post(url("action-undo", hall, out_of(hall)), {"seen": seen}, headers=HTMX)
    assert answer.status_code == 200


def test_what_stands_in_the_way_is_named_or_counted_with_its_own_preview(dora, hall):
    page = text_of(look(dora, hall, f.entries_of(hall)[0].made_by))
    shows(
        page,
        "Erst zurücknehmen: Ausgeschieden: Spieler 001",
        url("undo-preview", hall, out_of(hall)),
        but=('name="seen"',),
    )
    entry = f.entries_of(hall)[7]
    disqualified = f.drive(entry_disqualify, hall, 8, entry=entry, reason="Test")
    counted = f.drive(disqualification_count, hall, 9, entry=entry, stack=100)
    page = text_of(look(dora, hall, entry.made_by))
    shows(
        page,
        "Erst 2 andere zurücknehmen",
        url("undo-preview", hall, counted),
        but=(url("undo-preview", hall, disqualified),),
    )


def test_the_clock_is_shown_before_and_after_and_where_it_went_on_what_to_do_instead(dora):
    event = f.make_running_event(3)
    paused = f.drive(clock_pause, event, 5)
    made = f.drive(clock_adjust, event, 6, seconds=600)
    page = text_of(look(dora, event, made))
    assert re.search(r"Noch</th><td>\d+:\d\d</td><td><strong>\d+:\d\d<", page)
    assert "An Plätzen" not in page
    assert "Bitte die Uhr selbst richtig stellen" in text_of(look(dora, event, paused))


def longer_schedule(event):
    levels = clock_levels(f.fresh(event).clock)
    longer = replace(levels[-1], duration=timedelta(minutes=99))
    return {"levels": [*levels[:-1], longer], "based_on": [level.id for level in levels]}


def test_what_changes_is_shown_in_words(dora, hall):
    f.drive(clock_pause, hall, 7)
    one, other = f.entries_of(hall)[0].registration, f.entries_of(hall)[7]
    settings = {"capacity": 1200, "is_registration_open": False}
    penalty = {"entry": other, "kind": "hands", "amount": 2, "reason": "Handy am Tisch"}
    for service, own, shown in (
        (announcement_made, {"text": "Essen"}, ["ändert sich nichts"]),
        (
            event_update,
            {"settings": settings},
            [
                "Höchstzahl</th><td>1.200</td><td><strong>60<",
                "Anmeldung offen</th><td>nein</td><td><strong>ja<",
            ],
        ),
        (
            registration_correct,
            {"registration": one, "name": "Neuer Name"},
            ["Name</th><td>Neuer Name</td><td><strong>Spieler 001<"],
        ),
        (schedule_edit, longer_schedule(hall), ["1 Zeile anders"]),
        (
            penalty_give,
            penalty,
            ["Verwarnungen und Strafen</th><td>1</td><td><strong>0<", "(Handy am Tisch)"],
        ),
    ):
        page = text_of(look(dora, hall, f.drive(service, hall, 8, **own)))
        assert [words for words in shown if words not in page] == []


def test_an_arbiter_looks_at_his_own_and_is_told_who_may_take_back_the_rest(client, hall):
    arno = f.sign_browser_in(client, Role.ARBITER, hall)
    own = f.out(hall, f.entries_of(hall)[6], at=f.after(8), by=arno)
    assert 'name="seen"' in text_of(look(client, hall, own))
    page = text_of(look(client, hall, out_of(hall)))
    shows(page, "Turnierleitung", but=('name="seen"',))


def test_what_an_arbiter_may_not_take_back_first_has_no_button(client, hall):
    arno = f.sign_browser_in(client, Role.ARBITER, hall)
    Event.objects.filter(pk=hall.pk).update(arbiters_may_call_clock=True)
    entry = f.entries_of(hall)[6]
    called = f.drive(clock_call_start, hall, 8, by=arno, entry=entry)
    call = ClockCall.objects.get(made_by=called)
    stopped = f.drive(clock_call_stop, hall, 8.2, call=call)
    page = text_of(look(client, hall, called))
    shows(
        page,
        "Erst das zurücknehmen",
        "Das kann die Turnierleitung.",
        but=(url("undo-preview", hall, stopped),),
    )


def test_a_taken_back_entry_can_be_put_in_force_again_with_a_look_at_it(dora, hall):
    assert url("undo-preview", hall, out_of(hall, 3)) in text_of(
        dora.get(reverse("director", args=[hall.slug]))
    )
    undo = f.undo(hall, out_of(hall))
    page = text_of(dora.get(reverse("director-log-all", args=[hall.slug])))
    assert url("undo-preview", hall, undo) in page
    shown = text_of(look(dora, hall, undo))
    assert "Wieder draußen" in shown
    assert press(dora, hall, undo, shown).status_code == 200
    assert f.last_action(hall).undoes_id == undo.pk
