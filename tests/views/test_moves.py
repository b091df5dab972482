"""What moves with the levels, and what an undo changes, is shown before it is done."""

import re
from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from clock.models import Level
from clock.selectors import clock_levels, clock_state
from tests import factories as f
from tests.prepared import prepared
from tests.pressing import HTMX, done, press, shows, url_of, words_of
from tests.views.pages import assert_refused, text_of
from tests.views.test_schedule import rows_sent, sent_of
from tournaments.changes.access import Role
from tournaments.changes.views.requests import present
from tournaments.door.services.registration import registration_correct
from tournaments.event.selectors.moments import moments_told
from tournaments.event.services.clock import clock_adjust, clock_pause
from tournaments.event.services.lifecycle import event_update
from tournaments.event.services.schedule.edit import schedule_edit, schedule_paced
from tournaments.event.services.trying import moved_by
from tournaments.models import Action, ClockCall, Event
from tournaments.play.services.calls import clock_call_start, clock_call_stop
from tournaments.play.services.conduct import penalty_give
from tournaments.play.services.eliminations import disqualification_count, entry_disqualify
from tournaments.play.services.hands import hand_begin
from tournaments.post.services.messages import announcement_made

pytestmark = pytest.mark.django_db
TERMS = {"late_registration_break": 1, "rebuy_break": 1, "rebuy_cents": 500, "addon_break": 1}
NAMES = ["Nachmeldung", "Ende des Blindplans", "Re-buys", "Add-on", "Voraussichtlich zu Ende"]
SEEN = re.compile(r'name="seen" value="(\w+)"')


@pytest.fixture
@prepared
def event():
    """Levels of 20 minutes, a break after the fourth; the clock stands in the first."""
    made = f.make_running_event(4)
    Level.objects.filter(clock=made.clock, position=4).update(
        kind="break", duration_ms=600_000, small_blind=0, big_blind=0, big_bet=0
    )
    made = f.fresh(made)
    f.drive(event_update, made, 1, settings=TERMS)
    f.drive(clock_pause, made, 2)
    return f.fresh(made)


def seen_in(answer):
    return SEEN.search(answer.content.decode())[1]


def actions(event):
    return Action.objects.filter(event=event).count()


def minutes_of(event):
    return [row.duration.total_seconds() / 60 for row in clock_levels(f.fresh(event).clock)]


def test_every_moment_is_declared_once_and_told_with_its_level(event):
    told = moments_told(event, f.after(2))
    assert list(told) == NAMES
    assert told["Nachmeldung"] == "bis 20:30 (Pause nach Stufe 4)" == told["Re-buys"]
    assert told["Ende des Blindplans"] == "bis 23:50 (Stufe 14)"
    own = {"levels": schedule_paced(event, 5, f.after(2))}
    own["based_on"] = [row.id for row in clock_levels(event.clock)]
    faster = lambda: f.drive(schedule_edit, event, 2, **own)
    assert [moved.label for moved in moved_by(event, f.after(2), faster)] == NAMES
    assert minutes_of(event)[1] == 20


def test_a_faster_rest_shows_the_new_end_and_is_saved_with_the_second_press(dora, event):
    sent = {"stand": ",".join(str(row.id) for row in clock_levels(event.clock))}
    url, before = url_of(event, "schedule-pace"), actions(event)
    for wrong in ("", "0", "241", "bald"):
        assert dora.post(url, sent | {"rest_minutes": wrong}).status_code == 422
    same = dora.post(url, sent | {"rest_minutes": "20"})
    assert (same.status_code, actions(event)) == (422, before)
    asked = dora.post(url, sent | {"rest_minutes": "15"})
    page = text_of(asked)
    assert (asked.status_code, actions(event)) == (200, before)
    for name in NAMES[:4]:
        assert f"<dt>{name}</dt>" in page
    # Typed otherwise meanwhile, it is asked again.
    other = sent | {"rest_minutes": "10", "seen": seen_in(asked)}
    assert "So speichern" in text_of(dora.post(url, other))
    saved = dora.post(url, sent | {"rest_minutes": "15", "seen": seen_in(asked)})
    assert (saved.status_code, actions(event)) == (302, before + 1)
    assert minutes_of(event) == [20, 15, 15, 15, 10, *[15] * 10]
    assert "inzwischen geändert" in text_of(dora.post(url, sent | {"rest_minutes": "12"}))


def test_the_editor_of_a_running_schedule_asks_and_keeps_what_was_typed(dora, event):
    sent = rows_sent(dora, event) | {"stufe-0-minutes": "30", "tun": "remove-2"}
    before = actions(event)
    asked = dora.post(url_of(event, "schedule-edit"), sent)
    page = text_of(asked)
    assert (asked.status_code, actions(event)) == (200, before)
    shows(page, "Noch nicht gespeichert", "<dt>Nachmeldung</dt>", "statt bis")
    again = sent_of(asked) | {"seen": seen_in(asked), "done": "1"}
    assert dora.post(url_of(event, "schedule-edit"), again).url == url_of(event, "event-schedule")
    assert minutes_of(event)[:4] == [20, 30, 20, 10]


def test_a_break_and_a_jump_show_what_they_move_and_the_next_level_asks_where_something_ends(
    dora, event
):
    sheet = words_of(dora, event, "clock-break")
    shows(sheet, "Um so viel später wird auch:", "Add-on bis", "(Pause nach Stufe 4)")
    rows = clock_levels(event.clock)
    here = lambda: clock_state(f.fresh(event).clock, present(f.fresh(event))).index
    asked = press(dora, event, "clock-jump", level=rows[4].id)
    assert here() == 0
    assert asked["HX-Retarget"] == "#sheet"
    assert "<dt>Re-buys</dt>" in text_of(asked)
    done(dora, event, "clock-jump", level=rows[4].id, seen=seen_in(asked))
    assert here() == 4
    asked = press(dora, event, "clock-next")
    assert here() == 4
    assert "vorbei" in text_of(asked)
    done(dora, event, "clock-next", seen=seen_in(asked))
    assert here() == 5
    press(dora, event, "clock-next")  # nothing ends any more
    assert here() == 6


def test_levels_that_a_correction_has_overtaken_are_proposed(dora, event):
    amounts = {"small_blind": "10", "big_blind": "20", "ante": "0"}
    before = actions(event)
    asked = press(dora, event, "level-correct", **amounts)
    page = text_of(asked)
    assert (asked.status_code, actions(event)) == (200, before)
    shows(page, "Die nächsten Stufen sind niedriger", "statt 1 / 2", 'name="raises_next" value="1"')
    assert "<dt>Voraussichtlich zu Ende</dt>" in page
    assert dora.post(url_of(event, "level-correct"), amounts).status_code == 422
    done(dora, event, "level-correct", seen=seen_in(asked), raises_next="1", **amounts)
    units = [row.big_blind for row in clock_levels(f.fresh(event).clock) if not row.is_break]
    assert units == sorted(set(units))
    assert units[0] == 20
    assert press(dora, event, "level-correct", small_blind="9", big_blind="2").status_code == 422


def test_five_minutes_more_and_a_time_set_show_what_they_move_before_it_is_so(dora, event):
    """A single minute acts at once: the next press sets it right."""
    for name, fields in (("clock-adjust", {"seconds": "300"}), ("clock-set", {"time": "3:00"})):
        before = actions(event)
        asked = press(dora, event, name, **fields)
        page = text_of(asked)
        assert (asked.status_code, actions(event)) == (200, before)
        for moment in ("Nachmeldung", "Re-buys", "Voraussichtlich zu Ende"):
            assert f"<dt>{moment}</dt>" in page
        done(dora, event, name, seen=seen_in(asked), **fields)
        assert actions(event) == before + 1
    press(dora, event, "clock-adjust", seconds="60")
    assert actions(event) == before + 2


def test_the_editor_too_proposes_to_raise_what_a_level_has_overtaken(dora, event):
    sent = rows_sent(dora, event) | {"stufe-0-small_blind": "10", "stufe-0-big_blind": "20"}
    assert_refused(dora.post(url_of(event, "schedule-edit"), sent), 'value="raise-1"')
    asked = dora.post(url_of(event, "schedule-edit"), sent | {"tun": "raise-1"})
    again = sent_of(asked) | {"seen": seen_in(asked), "done": "1"}
    assert dora.post(url_of(event, "schedule-edit"), again).status_code == 302
    units = [row.big_blind for row in clock_levels(f.fresh(event).clock) if not row.is_break]
    assert units[1] == 20
    assert units[1:] == sorted(set(units[1:]))


# --- The look at an undo before it is pressed: what it shows, who may, when the room went on


def url(name, event, action):
    return url_of(event, name, action.pk)


def look(client, event, action, *, headers=HTMX):
    return client.post(url("undo-preview", event, action), headers=headers)


def take_back(client, event, action, page, key=None):
    """Press the button of a sheet."""
    fields = dict(re.findall(r'name="(seen|shown)" value="(\w+)"', page))
    assert set(fields) == {"seen", "shown"}
    headers = HTMX | {"X-Idempotency-Key": key or str(uuid4())}
    return client.post(url("action-undo", event, action), fields, headers=headers)


@pytest.fixture
@prepared
def hall():
    """Nine play; four went out one after the other."""
    event = f.make_running_event(9)
    for minute, entry in enumerate(f.entries_of(event)[:4]):
        f.out(event, entry, at=f.after(minute + 1))
    return event


def out_of(event, index=0):
    return Action.objects.filter(event=event, kind="entry.eliminated").order_by("pk")[index]


def test_it_shows_side_by_side_what_differs_and_takes_back_what_was_shown(dora, hall):
    made = out_of(hall)
    page = text_of(look(dora, hall, made))
    shows(page, "Wieder im Spiel", "Spieler 001", "9. Platz", "Anderer Platz in der Wertung")
    assert re.search(r"Im Spiel</th><td>5</td><td><strong>6<", page)
    shows(page, but=("Chips im Spiel", "Einstiege", "Spieler 009", "Stufe", "<html"))
    f.drive(hand_begin, hall, 9, table=f.table_of(hall, 1))
    answer = take_back(dora, hall, made, page)
    assert answer.status_code == 200
    assert f.last_action(hall).undoes_id == made.pk
    assert "krru:close" in answer.headers["HX-Trigger"]


def test_many_lines_are_folded_with_their_count_and_without_javascript_it_is_a_page(dora):
    event = f.make_running_event(14)
    for minute, entry in enumerate(f.entries_of(event)[:11]):
        f.out(event, entry, at=f.after(minute + 1))
    page = text_of(look(dora, event, out_of(event), headers={}))
    shows(page, "alle 10 zeigen", "<html", "<h1>Zurücknehmen</h1>")


def test_when_the_room_has_changed_nothing_is_done_and_the_new_preview_is_shown(dora, hall):
    made = out_of(hall)
    page = text_of(look(dora, hall, made))
    f.out(hall, f.entries_of(hall)[5], at=f.after(9))
    version = f.fresh(hall).version
    answer = take_back(dora, hall, made, page)
    assert_refused(answer, "Inzwischen hat sich der Saal geändert")
    assert not text_of(answer).lstrip().startswith('<p class="refusal"')
    assert answer.headers["HX-Retarget"] == "#sheet"
    assert f.fresh(hall).version == version
    assert take_back(dora, hall, made, text_of(answer)).status_code == 200


def test_two_presses_take_it_back_once(dora, hall):
    """Of one director twice with one key, and of another who looked before."""
    made = out_of(hall)
    page, key = text_of(look(dora, hall, made)), str(uuid4())
    for _tap in range(2):
        assert take_back(dora, hall, made, page, key=key).status_code == 200
    assert_refused(take_back(dora, hall, made, page), "schon zurückgenommen")
    assert Action.objects.filter(undoes=made).count() == 1


@pytest.mark.parametrize("seen", ["x", "-1", "9" * 30])
def test_an_odd_version_is_no_version(dora, hall, seen):
    answer = dora.post(url("action-undo", hall, out_of(hall)), {"seen": seen}, headers=HTMX)
    assert answer.status_code == 200


def test_what_stands_in_the_way_is_named_or_counted_with_its_own_preview(dora, hall):
    page = text_of(look(dora, hall, f.entries_of(hall)[0].made_by))
    assert "Erst zurücknehmen: Ausgeschieden: Spieler 001" in page
    shows(page, url("undo-preview", hall, out_of(hall)), but=('name="seen"',))
    entry = f.entries_of(hall)[7]
    disqualified = f.drive(entry_disqualify, hall, 8, entry=entry, reason="Test")
    counted = f.drive(disqualification_count, hall, 9, entry=entry, stack=100)
    page = text_of(look(dora, hall, entry.made_by))
    shows(page, "Erst 2 andere zurücknehmen", url("undo-preview", hall, counted))
    assert url("undo-preview", hall, disqualified) not in page


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


def test_an_arbiter_looks_at_his_own_and_has_no_button_for_the_rest(client, hall):
    arno = f.sign_browser_in(client, Role.ARBITER, hall)
    own = f.out(hall, f.entries_of(hall)[6], at=f.after(8), by=arno)
    assert 'name="seen"' in text_of(look(client, hall, own))
    shows(text_of(look(client, hall, out_of(hall))), "Turnierleitung", but=('name="seen"',))
    Event.objects.filter(pk=hall.pk).update(arbiters_may_call_clock=True)
    entry = f.entries_of(hall)[7]
    called = f.drive(clock_call_start, hall, 8, by=arno, entry=entry)
    call = ClockCall.objects.get(made_by=called)
    stopped = f.drive(clock_call_stop, hall, 8.2, call=call)
    page = text_of(look(client, hall, called))
    shows(page, "Erst das zurücknehmen", "Das kann die Turnierleitung.")
    assert url("undo-preview", hall, stopped) not in page


def test_a_taken_back_entry_can_be_put_in_force_again_with_a_look_at_it(dora, hall):
    director = text_of(dora.get(url_of(hall, "director")))
    assert url("undo-preview", hall, out_of(hall, 3)) in director
    undo = f.undo(hall, out_of(hall))
    page = text_of(dora.get(url_of(hall, "director-log-all")))
    assert url("undo-preview", hall, undo) in page
    shown = text_of(look(dora, hall, undo))
    assert "Wieder draußen" in shown
    assert take_back(dora, hall, undo, shown).status_code == 200
    assert f.last_action(hall).undoes_id == undo.pk
