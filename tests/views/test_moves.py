"""What moves with the levels is shown before a running schedule or clock is changed."""

import re

import pytest

from clock.models import Level
from clock.selectors import clock_levels, clock_state
from tests import factories as f
from tests.pressing import done, press, shows, url_of, words_of
from tests.views.pages import text_of
from tests.views.test_schedule import rows_sent, sent_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.views.requests import present
from tournaments.event.selectors.moments import moments_told
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_update
from tournaments.event.services.schedule.edit import schedule_edit, schedule_paced
from tournaments.event.services.trying import moved_by
from tournaments.models import Action

pytestmark = pytest.mark.django_db
TERMS = {"late_registration_break": 1, "rebuy_break": 1, "rebuy_cents": 500, "addon_break": 1}
NAMES = ["Nachmeldung", "Ende des Blindplans", "Re-buys", "Add-on", "Voraussichtlich zu Ende"]
SEEN = re.compile(r'name="seen" value="(\w+)"')


@pytest.fixture
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
    command = Command(event=event, by=SYSTEM, at=f.after(2))
    seen = [row.id for row in clock_levels(event.clock)]
    faster = lambda: schedule_edit(
        command, levels=schedule_paced(event, 5, f.after(2)), based_on=seen
    )
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
    stale = dora.post(url, sent | {"rest_minutes": "12"})
    assert "inzwischen geändert" in text_of(stale)


def test_the_editor_of_a_running_schedule_asks_and_keeps_what_was_typed(dora, event):
    sent = rows_sent(dora, event) | {"stufe-0-minutes": "30", "tun": "remove-2"}
    before = actions(event)
    asked = dora.post(url_of(event, "schedule-edit"), sent)
    page = text_of(asked)
    assert (asked.status_code, actions(event)) == (200, before)
    shows(page, "Noch nicht gespeichert", "<dt>Nachmeldung</dt>", "statt bis")
    again = sent_of(asked) | {"seen": seen_in(asked), "done": "1"}
    saved = dora.post(url_of(event, "schedule-edit"), again)
    assert saved.url == url_of(event, "event-schedule")
    assert minutes_of(event)[:4] == [20, 30, 20, 10]


def test_a_jump_shows_what_it_moves_and_the_next_level_asks_where_something_ends(dora, event):
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


def test_a_break_says_what_becomes_later_by_it(dora, event):
    sheet = words_of(dora, event, "clock-break")
    shows(sheet, "Um so viel später wird auch:", "Add-on bis", "(Pause nach Stufe 4)")


def test_levels_that_a_correction_has_overtaken_are_proposed(dora, event):
    amounts = {"small_blind": "10", "big_blind": "20", "ante": "0"}
    before = actions(event)
    asked = press(dora, event, "level-correct", **amounts)
    page = text_of(asked)
    assert (asked.status_code, actions(event)) == (200, before)
    assert "Die nächsten Stufen sind niedriger" in page
    assert "statt 1 / 2" in page
    assert 'name="raises_next" value="1"' in page
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
    wrong = dora.post(url_of(event, "schedule-edit"), sent)
    assert wrong.status_code == 422
    assert 'value="raise-1"' in text_of(wrong)
    asked = dora.post(url_of(event, "schedule-edit"), sent | {"tun": "raise-1"})
    again = sent_of(asked) | {"seen": seen_in(asked), "done": "1"}
    assert dora.post(url_of(event, "schedule-edit"), again).status_code == 302
    units = [row.big_blind for row in clock_levels(f.fresh(event).clock) if not row.is_break]
    assert units[1] == 20
    assert units[1:] == sorted(set(units[1:]))
