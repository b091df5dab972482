"""The blind schedule's editor, jumps, and how the clock runs."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.domain import LevelKind
from clock.selectors import clock_anchor, clock_levels, clock_state
from tests import factories as f
from tests.calling import call_service
from tests.views.pages import planned, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_pause, clock_stop_after_breaks
from tournaments.event.services.lifecycle import event_end
from tournaments.event.services.schedule.edit import schedule_edit

pytestmark = pytest.mark.django_db
HTMX = {"HX-Request": "true"}


def url(event, name):
    return reverse(name, args=[event.slug])


def rows_sent(dora, event):
    """Return what the editor's form sends when nobody has typed anything."""
    page = dora.get(url(event, "schedule-edit"))
    formset = page.context["rows"]
    sent = {"stand": page.context["based_on"]}
    sent |= {f"stufe-{name}": value for name, value in formset.management_form.initial.items()}
    for form in formset:
        for bound in form:
            value = bound.value()
            sent[bound.html_name] = "" if value is None else value
    return sent


def save(dora, event, **own):
    return dora.post(url(event, "schedule-edit"), rows_sent(dora, event) | own)


def levels(event):
    return list(clock_levels(f.fresh(event).clock))


def test_nothing_typed_changes_nothing(dora):
    event = planned()
    answer = save(dora, event)
    assert answer.status_code == 422
    assert "Es hat sich nichts geändert." in text_of(answer)


def test_fields_are_saved(dora):
    event = planned()
    answer = save(
        dora, event, **{"stufe-2-minutes": "25", "stufe-2-ante": "1", "stufe-3-game": "Omaha"}
    )
    assert (answer.status_code, answer.url) == (302, url(event, "schedule-edit"))
    found = levels(event)
    assert (found[2].duration, found[2].ante) == (timedelta(minutes=25), 1)
    assert found[3].game == "Omaha"


@pytest.mark.parametrize(
    ("press", "expected"),
    [
        ("up-1", [(1, 2), (1, 1), (2, 4)]),
        ("down-0", [(1, 2), (1, 1), (2, 4)]),
        ("remove-1", [(1, 1), (2, 4), (4, 8)]),
        ("play-0", [(1, 1), (1, 1), (1, 2)]),
        ("break-0", [(1, 1), (0, 0), (1, 2)]),
    ],
)
def test_a_button_does_its_work_and_saves_what_was_typed(dora, press, expected):
    event = planned()
    own = {"stufe-9-minutes": "33", "stufe-0-game": "B", "stufe-1-game": "A", "tun": press}
    assert save(dora, event, **own).status_code == 302
    found = levels(event)
    assert [(level.small_blind, level.big_blind) for level in found[:3]] == expected
    assert timedelta(minutes=33) in {level.duration for level in found}


def test_a_level_at_the_end_is_twice_the_last(dora):
    event = planned()
    save(dora, event, tun="play-14")
    assert [level.big_blind for level in levels(event)[14:]] == [600, 1200]


def test_a_break_is_added_and_removed_in_one_press(dora):
    event = planned()
    save(dora, event, tun="break-3")
    assert levels(event)[4].is_break
    save(dora, event, tun="remove-4")
    assert not any(level.is_break for level in levels(event))


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("stufe-2-minutes", "0", "Mindestens 1."),
        ("stufe-2-minutes", "-5", "Mindestens 1."),
        ("stufe-2-minutes", "9999", "Höchstens"),
        ("stufe-2-minutes", "", "Stufe 3: Es fehlen die Minuten oder die Hände."),
        ("stufe-2-hands", "5", "Stufe 3: Entweder Minuten oder Hände"),
        ("stufe-2-small_blind", "77", "Stufe 3: Der Small Blind ist größer"),
        ("stufe-5-big_blind", "1", "Stufe 6: Der Small Blind ist größer"),
        ("stufe-2-big_blind", "abc", "ganze Zahl"),
        ("stufe-2-colour_up", ["3"], "Diesen Chip gibt es nicht."),
        ("stufe-2-kind", "lunch", "stimmt nicht"),
        ("stufe-2-id", "x", "stimmt nicht"),
        ("tun", "fly-3", "Diesen Knopf gibt es nicht."),
        ("tun", "remove-99", "Diese Zeile gibt es nicht mehr."),
        ("tun", "remove-²", "Diesen Knopf gibt es nicht."),
        ("stufe-TOTAL_FORMS", "x", "stimmt nicht"),
        ("stand", "1,2,3", "wurde inzwischen geändert"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(dora, field, value, sentence):
    event = planned(chip_set=f.house().chip_sets.first())
    before = levels(event)
    answer = save(dora, event, **{field: value})
    assert answer.status_code == 422
    assert sentence in text_of(answer)
    assert levels(event) == before


def big_bets(event):
    return [(level.small_blind, level.big_blind, level.big_bet) for level in levels(event)]


def test_in_no_limit_blinds_are_raised_without_regard_to_a_big_bet_nobody_sees(dora):
    event = planned()
    before = big_bets(event)
    assert before[4] == (8, 15, 30)
    assert "-big_bet" not in dora.get(url(event, "schedule-edit")).content.decode()
    raised = {"stufe-4-small_blind": "20", "stufe-4-big_blind": "40"}
    later = {f"stufe-{row}-big_blind": "600" for row in range(5, 15)}
    assert save(dora, event, **raised, **later).status_code == 302
    assert big_bets(event)[:5] == [*before[:4], (20, 40, 80)]


def test_a_big_bet_sent_from_a_page_of_yesterday_is_not_heard_in_no_limit(dora):
    event = planned()
    own = {"stufe-14-small_blind": "1000", "stufe-14-big_blind": "2000", "stufe-14-big_bet": "600"}
    assert save(dora, event, **own).status_code == 302
    assert big_bets(event)[14] == (1000, 2000, 4000)


def test_a_level_put_in_after_the_first_takes_any_blinds_in_no_limit(dora):
    event = planned()
    assert save(dora, event, tun="play-14").status_code == 302
    own = {"stufe-15-small_blind": "5000", "stufe-15-big_blind": "10000"}
    assert save(dora, event, **own).status_code == 302
    assert big_bets(event)[15] == (5000, 10000, 20000)


def test_in_split_limit_a_big_bet_below_the_big_blind_is_refused(dora):
    event = planned(limit="split_limit")
    before = levels(event)
    answer = save(dora, event, **{"stufe-2-big_bet": "1"})
    assert answer.status_code == 422
    assert "Stufe 3: Die Big Bet ist kleiner" in text_of(answer)
    assert levels(event) == before
    assert save(dora, event, **{"stufe-2-big_bet": "10"}).status_code == 302
    assert levels(event)[2].big_bet == 10


def test_a_running_evening_keeps_what_has_begun(dora):
    event = f.make_running_event(3)
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(25)))
    page = dora.get(url(event, "schedule-edit"))
    assert text_of(page).count("steht fest") == 2
    assert len(page.context["rows"].forms) == 13
    assert save(dora, event, tun="remove-1").status_code == 422
    assert save(dora, event, tun="break-1").status_code == 302
    assert levels(event)[2].is_break
    assert save(dora, event, tun="up-2").status_code == 422


def test_an_edit_can_be_taken_back_from_the_log(dora):
    event = planned()
    save(dora, event, tun="remove-3")
    action = f.last_action(event)
    answer = dora.post(reverse("action-undo", args=[event.slug, action.pk]), headers=HTMX)
    assert answer.status_code == 200
    assert len(levels(event)) == 15


def test_colour_up_is_marked_and_shown(dora):
    event = planned(chip_set=f.house().chip_sets.first())
    save(dora, event, tun="break-3")
    save(dora, event, **{"stufe-4-colour_up": ["1"]})
    assert levels(event)[4].colour_up == (1,)
    page = text_of(dora.get(url(event, "event-schedule")))
    assert "Eingetauscht werden die Chips zu 1" in page
    assert "Stufe 5: Mit den Chips im Spiel" in page
    assert "der kleinste ist 5" in page


def test_the_schedule_page_is_few_queries(dora, django_assert_max_num_queries):
    event = planned()
    for name in ("event-schedule", "schedule-edit"):
        with django_assert_max_num_queries(25):
            dora.get(url(event, name))


# Jumps and how the clock runs


def test_the_jump_shows_the_blinds_and_goes_there(dora):
    event = f.make_running_event(3)
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(1)))
    sheet = text_of(dora.get(url(event, "clock-jump"), headers=HTMX))
    assert "Jetzt: Stufe 1, 1 / 1" in sheet
    assert "Stufe 5: 8 / 15" in sheet
    target = levels(event)[4]
    answer = dora.post(url(event, "clock-jump"), {"level": target.id}, headers=HTMX)
    assert answer.status_code == 200
    assert "Rückgängig" in text_of(answer)
    assert clock_anchor(event.clock).level_id == target.id
    for wrong in ("", "x", "0"):
        answer = dora.post(url(event, "clock-jump"), {"level": wrong}, headers=HTMX)
        assert answer.status_code == 422


def test_last_hands_and_hands_are_pressed_on_the_dashboard(dora):
    event = f.make_running_event(3)
    assert (
        dora.post(url(event, "clock-last-hands"), {"hands": "3"}, headers=HTMX).status_code == 200
    )
    panel = text_of(dora.get(url(event, "director-clock")))
    assert "Noch 3 Hände." in panel
    assert 'id="clock-hand"' in panel
    assert dora.post(url(event, "clock-hand"), headers=HTMX).status_code == 200
    assert "Noch 2 Hände." in text_of(dora.get(url(event, "director-clock")))
    for wrong in ("0", "99", ""):
        answer = dora.post(url(event, "clock-last-hands"), {"hands": wrong}, headers=HTMX)
        assert answer.status_code == 422


def test_arbiters_count_hands_and_the_desk_does_not(client):
    event = f.make_running_event(3)
    f.sign_browser_in(client, Role.ARBITER, event)
    answer = client.post(url(event, "clock-hand"), headers=HTMX)
    assert answer.status_code == 422
    assert "Diese Stufe geht nach Zeit." in text_of(answer)
    f.sign_browser_in(client, Role.DESK, event)
    assert client.post(url(event, "clock-hand"), headers=HTMX).status_code == 403


def test_how_the_clock_runs_is_set_on_the_schedule_page(dora):
    event = f.make_seated_event(3, starts_at=timezone.now() + timedelta(days=400))
    page = url(event, "event-schedule")
    sent = {"stops": "1", "next": page}
    assert dora.post(url(event, "clock-break-stop"), sent).url == page
    assert clock_anchor(event.clock).stops_after_break
    assert dora.post(url(event, "clock-plan-start"), {"by_itself": "1"}).status_code == 302
    assert f.fresh(event).clock.starts_at == event.starts_at
    shown = text_of(dora.get(page))
    assert "wartet die Uhr, bis jemand sie startet" in shown
    assert "startet die Uhr von selbst" in shown
    assert "von selbst" in text_of(dora.get(url(event, "director-clock")))
    assert dora.post(url(event, "clock-plan-start"), {"by_itself": "0"}).status_code == 302
    assert f.fresh(event).clock.starts_at is None


def test_what_follows_a_break_where_the_clock_waits_is_told_as_the_earliest(dora):
    event = f.make_running_event(3)
    levels = list(clock_levels(event.clock))
    pause = replace(levels[0], id=0, kind=LevelKind.BREAK, number=None)
    told = {"event": event, "by": SYSTEM, "at": f.after(1)}
    seen = [level.id for level in levels]
    call_service(schedule_edit, **told, levels=[levels[0], pause, *levels[1:]], based_on=seen)
    pages = (url(event, "tournament"), url(event, "event-schedule"))
    assert not any("frühestens" in text_of(dora.get(page)) for page in pages)
    call_service(clock_stop_after_breaks, **told, stops=True)
    assert all("frühestens" in text_of(dora.get(page)) for page in pages)


def test_nobody_edits_an_evening_that_is_over(dora):
    event = f.make_running_event(3)
    f.out(event, *f.entries_of(event)[:2])
    event_end(Command(event=event, by=SYSTEM, at=f.after(30)))
    assert not dora.get(url(event, "schedule-edit")).context["rows"].forms
    assert clock_state(event.clock, f.after(40)).level.number == 2
