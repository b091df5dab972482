"""The look at an undo before it is pressed: what it shows, who may, and when the room went on."""

import re
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse

from clock.selectors import clock_levels
from tests import factories as f
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
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


def test_many_lines_are_folded_with_their_count(dora):
    event = f.make_running_event(14)
    for minute, entry in enumerate(f.entries_of(event)[:11]):
        f.out(event, entry, at=f.after(minute + 1))
    page = text_of(look(dora, event, out_of(event)))
    assert "alle 10 zeigen" in page


def test_pressing_it_takes_back_what_was_shown(dora, hall):
    made = out_of(hall)
    answer = press(dora, hall, made, text_of(look(dora, hall, made)))
    assert answer.status_code == 200
    assert f.last_action(hall).undoes_id == made.pk
    assert "krru:close" in answer.headers["HX-Trigger"]


def test_what_happened_meanwhile_and_changes_nothing_of_it_does_not_stop_it(dora, hall):
    made = out_of(hall)
    page = text_of(look(dora, hall, made))
    hand_begin(Command(event=hall, by=SYSTEM, at=f.after(9)), table=f.table_of(hall, 1))
    assert press(dora, hall, made, page).status_code == 200
    assert f.last_action(hall).undoes_id == made.pk


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


def test_two_directors_press_the_same_and_one_of_them_is_told(dora, hall):
    made = out_of(hall)
    pages = [text_of(look(dora, hall, made)) for _laptop in range(2)]
    assert press(dora, hall, made, pages[0]).status_code == 200
    answer = press(dora, hall, made, pages[1])
    assert answer.status_code == 422
    assert "schon zurückgenommen" in text_of(answer)
    assert Action.objects.filter(undoes=made).count() == 1


def test_the_same_press_twice_counts_once(dora, hall):
    made = out_of(hall)
    fields = dict(re.findall(r'name="(seen|shown)" value="(\w+)"', text_of(look(dora, hall, made))))
    headers = HTMX | {"X-Idempotency-Key": str(uuid4())}
    answers = [
        dora.post(url("action-undo", hall, made), fields, headers=headers).status_code
        for _tap in range(2)
    ]
    assert answers == [200, 200]
    assert Action.objects.filter(undoes=made).count() == 1


@pytest.mark.parametrize("seen", ["x", "-1", "9" * 30])
def test_an_odd_version_is_no_version(dora, hall, seen):
    answer = dora.post(url("action-undo", hall, out_of(hall)), {"seen": seen}, headers=HTMX)
    assert answer.status_code == 200


def test_what_stands_in_the_way_is_named_with_its_own_preview(dora, hall):
    checked_in = f.entries_of(hall)[0].made_by
    page = text_of(look(dora, hall, checked_in))
    assert "Erst zurücknehmen: Ausgeschieden: Spieler 001" in page
    assert url("undo-preview", hall, out_of(hall)) in page
    assert 'name="seen"' not in page


def test_a_chain_of_what_stands_in_the_way_is_counted(dora, hall):
    entry = f.entries_of(hall)[7]
    disqualified = entry_disqualify(
        Command(event=hall, by=SYSTEM, at=f.after(8)), entry=entry, reason="Test"
    )
    f.drive(disqualification_count, hall, 9, entry=entry, stack=100)
    counted = f.last_action(hall)
    page = text_of(look(dora, hall, entry.made_by))
    assert "Erst 2 andere zurücknehmen" in page
    assert url("undo-preview", hall, counted) in page
    assert url("undo-preview", hall, disqualified) not in page


def test_where_the_clock_went_on_it_says_what_to_do_instead(dora, hall):
    paused = clock_pause(Command(event=hall, by=SYSTEM, at=f.after(5)))
    clock_adjust(Command(event=hall, by=SYSTEM, at=f.after(6)), seconds=60)
    page = text_of(look(dora, hall, paused))
    assert "Bitte die Uhr selbst richtig stellen" in page


def test_the_clock_is_shown_before_and_after(dora):
    event = f.make_running_event(3)
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(5)))
    made = clock_adjust(Command(event=event, by=SYSTEM, at=f.after(6)), seconds=600)
    page = text_of(look(dora, event, made))
    assert re.search(r"Noch</th><td>\d+:\d\d</td><td><strong>\d+:\d\d<", page)
    assert "An Plätzen" not in page


def test_what_changes_nothing_of_this_says_so(dora, hall):
    made = announcement_made(Command(event=hall, by=SYSTEM, at=f.after(7)), text="Essen")
    assert "ändert sich nichts" in text_of(look(dora, hall, made))


def test_settings_names_and_the_schedule_are_shown_in_words(dora, hall):
    changed = f.drive(
        event_update, hall, 7, settings={"capacity": 1200, "is_registration_open": False}
    )
    page = text_of(look(dora, hall, changed))
    assert "Höchstzahl</th><td>1.200</td><td><strong>60<" in page
    assert "Anmeldung offen</th><td>nein</td><td><strong>ja<" in page
    registration = f.entries_of(hall)[0].registration
    corrected = f.drive(registration_correct, hall, 8, registration=registration, name="Neuer Name")
    page = text_of(look(dora, hall, corrected))
    assert "Name</th><td>Neuer Name</td><td><strong>Spieler 001<" in page
    clock_pause(Command(event=hall, by=SYSTEM, at=f.after(8.5)))
    levels = clock_levels(f.fresh(hall).clock)
    longer = replace(levels[-1], duration=timedelta(minutes=99))
    edited = f.drive(
        schedule_edit,
        hall,
        9,
        levels=[*levels[:-1], longer],
        based_on=[level.id for level in levels],
    )
    assert "1 Zeile anders" in text_of(look(dora, hall, edited))


def test_what_is_at_tables_and_with_players_is_counted(dora, hall):
    entry = f.entries_of(hall)[7]
    given = f.drive(
        penalty_give, hall, 7, entry=entry, kind="hands", amount=2, reason="Handy am Tisch"
    )
    page = text_of(look(dora, hall, given))
    assert "Verwarnungen und Strafen</th><td>1</td><td><strong>0<" in page
    assert "(Handy am Tisch)" in page


def test_an_arbiter_looks_at_his_own_and_is_told_who_may_take_back_the_rest(client, hall):
    arno = f.sign_browser_in(client, Role.ARBITER, hall)
    own = f.out(hall, f.entries_of(hall)[6], at=f.after(8), by=arno)
    assert 'name="seen"' in text_of(look(client, hall, own))
    page = text_of(look(client, hall, out_of(hall)))
    assert "Turnierleitung" in page
    assert 'name="seen"' not in page


def test_what_an_arbiter_may_not_take_back_first_has_no_button(client, hall):
    arno = f.sign_browser_in(client, Role.ARBITER, hall)
    Event.objects.filter(pk=hall.pk).update(arbiters_may_call_clock=True)
    entry = f.entries_of(hall)[6]
    called = f.drive(clock_call_start, hall, 8, by=arno, entry=entry)
    call = ClockCall.objects.get(made_by=called)
    stopped = f.drive(clock_call_stop, hall, 8.2, call=call)
    page = text_of(look(client, hall, called))
    assert "Erst das zurücknehmen" in page
    assert "Das kann die Turnierleitung." in page
    assert url("undo-preview", hall, stopped) not in page


def test_a_browser_that_fetches_ahead_changes_nothing(dora, hall):
    made = out_of(hall)
    before = f.fresh(hall).version, Action.objects.count()
    for ask in (dora.get, dora.head):
        answer = ask(url("undo-preview", hall, made), headers={"Purpose": "prefetch"})
        assert answer.status_code == 405
    assert (f.fresh(hall).version, Action.objects.count()) == before


def test_without_javascript_it_is_a_page(dora, hall):
    made = out_of(hall)
    answer = look(dora, hall, made, headers={})
    assert "<html" in text_of(answer)
    assert "<h1>Zurücknehmen</h1>" in text_of(answer)


def test_another_events_entry_is_not_found(dora, hall):
    other = f.make_running_event(2)
    assert look(dora, hall, f.last_action(other)).status_code == 404


def test_strangers_see_no_preview(client, hall):
    assert look(client, hall, out_of(hall)).status_code == 403
    f.sign_browser_in(client, Role.DIRECTOR, f.make_event())
    assert look(client, hall, out_of(hall)).status_code == 403


def test_a_taken_back_entry_can_be_put_in_force_again_with_a_look_at_it(dora, hall):
    undo = f.undo(hall, out_of(hall))
    page = text_of(dora.get(reverse("director-log-all", args=[hall.slug])))
    assert url("undo-preview", hall, undo) in page
    shown = text_of(look(dora, hall, undo))
    assert "Wieder draußen" in shown
    assert press(dora, hall, undo, shown).status_code == 200
    assert f.last_action(hall).undoes_id == undo.pk


def test_the_dashboard_leads_there(dora, hall):
    page = text_of(dora.get(reverse("director", args=[hall.slug])))
    assert url("undo-preview", hall, out_of(hall, 3)) in page
    assert "Zurücknehmen …" in page


def test_the_number_of_queries_does_not_grow(dora, django_assert_max_num_queries):
    event = f.make_running_event(40)
    for minute, entry in enumerate(f.entries_of(event)[:30]):
        f.out(event, entry, at=f.after(minute + 1))
    made = out_of(event)
    with django_assert_max_num_queries(110):
        look(dora, event, made)


def test_an_undo_by_somebody_else_overtakes_the_one_that_was_shown(dora, hall):
    made, last = out_of(hall), out_of(hall, 3)
    page = text_of(look(dora, hall, made))
    other = text_of(look(dora, hall, last))
    assert press(dora, hall, last, other).status_code == 200
    assert press(dora, hall, made, page).status_code == 422
    assert f.last_action(hall).undoes_id == last.pk
