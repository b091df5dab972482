"""An event made, copied, changed, cancelled, ended; its settings are declared once."""

from datetime import timedelta

import pytest
from django.utils import timezone

from clock.models import Level, ScheduleTemplate
from clock.selectors import clock_levels
from tests import factories as f
from tests.pressing import press, text_of, url_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand
from tournaments.changes.selectors.log import log_first_fault
from tournaments.dashboard.selectors.due_before import before_items
from tournaments.event.selectors.settings.declared import setting_names, setting_of
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import (
    event_cancel,
    event_copy,
    event_end,
    event_schedule_set,
    event_update,
)
from tournaments.models import Action, Event, Message
from tournaments.post.selectors.announcements import said_by
from tournaments.seating.selectors.balancing import FloorAdvice

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.planned(least_entries=3, least_hours=2, capacity=9),
]


def update(event, by=SYSTEM, **settings):
    return f.drive(event_update, event, 0, by=by, settings=settings)


def begin(event):
    for name in ("Anna Auer", "Bert Berg"):
        f.check_in(event, f.register(event, name))
    f.drive(clock_start, event, 0)


def schedule(name):
    return ScheduleTemplate.objects.get(name=name)


def test_an_event_has_its_own_copy_of_the_schedule_and_the_rules():
    event = f.make_event(schedule="T100", level_minutes=25)
    assert (event.schedule_name, event.starting_stack) == ("T100", 100)
    levels = clock_levels(event.clock)
    assert len(levels) == 15
    assert {level.duration for level in levels} == {timedelta(minutes=25)}
    assert event.rules["key"] == "krru-3"
    assert Action.objects.filter(event=None).latest("sequence").kind == "event.created"
    assert log_first_fault(event.club) is None
    own = f.make_event(name="Eigenes", starting_stack=5000, draw_secret="ab" * 32)
    assert (own.starting_stack, own.draw_secret) == (5000, "ab" * 32)
    # Of one name, on one day.
    assert f.make_event(name="Süd-Pokal").slug.startswith("sued-pokal-")
    assert len({event.slug, f.make_event().slug, f.make_event().slug}) == 3


def test_an_event_that_cannot_be_is_refused():
    f.house()
    for own, code in (
        ({"name": " "}, "no_name"),
        ({"game": "mau-mau"}, "unknown_game"),
        ({"limit": "some"}, "unknown_game"),
        ({"seats": 1}, "bad_seats"),
        ({"seats": 11}, "bad_seats"),
        ({"seats": 9, "game": "stud"}, "bad_seats"),
        ({"capacity": 1}, "bad_capacity"),
        ({"capacity": 50_001}, "bad_capacity"),
        ({"starting_stack": -5}, "bad_stack"),
    ):
        with f.refused(code):
            f.make_event(**own)
    assert not Event.objects.exists()


def test_last_weeks_event_is_copied_without_its_people_with_what_is_copied_and_nothing_else():
    own = {"fee_cents": 1500, "paid_places": 2, "is_registration_open": False, "is_gate_open": True}
    own |= {"redraw_at": [6, 4], "final_table_seats": 3}
    source = f.make_running_event(3, level_minutes=25, seats=8, **own)
    command = ClubCommand(club=source.club, by=f.make_dora(), at=f.after(300))
    made = event_copy(command, source=source)
    copy = Event.objects.get(pk=made.payload["event"])
    assert copy.starts_at == source.starts_at + timedelta(days=7)
    assert copy.draw_secret != source.draw_secret
    assert f.entries_of(copy) == []
    lengths = [[row.duration for row in clock_levels(one.clock)] for one in (copy, source)]
    assert lengths[0] == lengths[1]
    for name in setting_names(lambda setting: setting.is_column and setting.is_copied):
        assert getattr(copy, name) == getattr(source, name), name
    assert (copy.name, copy.seats_per_table, copy.fee_cents) == (source.name, 8, 1500)
    assert (copy.redraw_at, copy.final_table_seats) == ([6, 4], 3)
    assert (copy.has_started, copy.is_registration_open, copy.is_gate_open) == (False, True, False)


def test_settings_before_the_start_and_back():
    event = f.make_event()
    update(event, name="Samstag", capacity=20, starts_at=f.after(60), seats_per_table=9)
    action = f.assert_logged(
        event, "event.updated", settings=["capacity", "name", "seats_per_table", "starts_at"]
    )
    assert "Samstag" not in str(action.payload)
    f.undo(event)
    again = f.fresh(event)
    assert (again.name, again.capacity, again.starts_at) == ("Freitagsturnier", 60, f.START)


def test_what_is_fixed_after_the_start_and_of_tables_after_the_first_check_in():
    event = f.make_seated_event(2)
    f.refuses("nothing_changed", update, event, capacity=60)
    for other in ({"schedule_name": "Geheim"}, {"log_hash": "0"}, {"rules": {"key": "own"}}):
        f.refuses("unknown_setting", update, event, **other)
    of_tables = {"seats_per_table": 9, "starting_stack": 5, "draw_mode": "field"}
    of_play = {"starts_at": f.after(5), "game": "omaha", "limit": "pot_limit"}
    for name, value in of_tables.items():
        f.refuses("fixed_after_check_in", update, event, **{name: value})
    f.drive(clock_start, event, 0)
    for name, value in (of_tables | of_play).items():
        f.refuses("fixed_after_start", update, event, **{name: value})
    update(event, name="Neu", capacity=5, late_registration_level=4, is_registration_open=False)
    assert f.fresh(event).late_registration_level == 4


def test_a_change_is_not_taken_back_when_it_is_fixed_by_now():
    event = f.make_event()
    changes = [
        f.drive(event_update, event, -60, settings={"game": "omaha"}),
        f.drive(event_schedule_set, event, -60, schedule=schedule("T300")),
    ]
    begin(event)
    for changed in changes:
        f.refuses("fixed_after_start", f.undo, event, changed)


def test_another_schedule_before_the_start_and_back():
    event = f.make_event()
    own = {"schedule": schedule("T100"), "level_minutes": 15}
    f.drive(event_schedule_set, event, -60, by=f.make_dora(), **own)
    changed = f.fresh(event)
    assert (changed.schedule_name, changed.starting_stack) == ("T100", 100)
    assert clock_levels(changed.clock)[0].duration == timedelta(minutes=15)
    f.assert_logged(event, "event.schedule_set", clock_before=event.clock_id)
    f.undo(event, at=f.after(-50))
    back = f.fresh(event)
    assert (back.schedule_name, back.starting_stack, back.clock_id) == ("T200", 200, event.clock_id)
    assert Level.objects.filter(clock=event.clock).exists()
    f.check_in(event, f.register(event))
    f.refuses("fixed_after_check_in", event_schedule_set, event, -40, **own)
    begin(event)
    f.refuses("fixed_after_start", event_schedule_set, event, 1, **own)


def test_cancelled_and_back():
    event = f.make_running_event(2)
    f.drive(event_cancel, event, 5, by=f.make_dora(), reason="Stromausfall")
    f.assert_logged(event, "event.cancelled")
    assert f.last_action(event).text.data["reason"] == "Stromausfall"
    assert f.fresh(event).status == "cancelled"
    f.refuses("over", event_end, event, 6)
    f.undo(event)
    assert f.fresh(event).status == "running"


def test_ended_and_back_and_nothing_before_it_is_taken_back():
    event = f.make_running_event(2)
    start = f.last_action(event)
    f.drive(event_end, event, 5, by=f.make_dora())
    f.assert_logged(event, "event.ended", players_left=2)
    assert f.fresh(event).status == "ended"
    f.refuses("over", f.undo, event, start)
    undone = f.undo(event)
    assert f.fresh(event).status == "running"
    f.refuses("cannot_redo", f.undo, event, undone)


def test_what_cannot_be_ended():
    event = f.make_running_event(3)
    one, two, three = (entry.pk for entry in f.entries_of(event))
    for code, stacks in (
        ("count_incomplete", {one: 100, two: 500}),
        ("not_alive", {one: 100, two: 500, three: 0, 0: 1}),
        ("negative_stack", {one: 100, two: 501, three: -1}),
    ):
        f.refuses(code, event_end, event, 5, stacks=stacks)


# What an event is, what it becomes, and what nobody chooses.
NO_SETTINGS = {
    "id", "club", "slug", "clock", "draw_sealed", "is_sample", "earlier", "overlay_round",
}  # fmt: skip


def test_every_column_of_an_event_is_a_setting_or_said_to_be_none():
    columns = {field.attname: field.name for field in Event._meta.concrete_fields}
    declared = set(setting_names(lambda setting: setting.is_column))
    own = {column for column, name in columns.items() if not {column, name} & NO_SETTINGS}
    assert declared == own
    assert setting_of("no_such_setting") is None


# --- Announce a least number of registrations, decide in time, tell all


HOUR = 60


def due(event, minute):
    """Return kind and title of the first item, so many minutes after the start."""
    first, *_others = before_items(f.fresh(event), f.after(minute), [], FloorAdvice())
    return first.kind.value, first.title


def test_it_is_told_before_decided_in_time_and_told_to_all(client, event):
    f.register(event, "Anna")
    assert due(event, -27 * HOUR)[0] == "desk"
    assert due(event, -3 * HOUR)[1].endswith("fehlen noch 2 Anmeldungen")
    f.register(event, "Bert")
    short = ("least", "Nur 2 von mindestens 3 sind angemeldet")
    assert due(event, -HOUR) == short
    f.register(event, "Cleo")
    assert due(event, -HOUR) == ("least_met", "Es findet statt: 3 sind angemeldet")
    assert "Bisher:" not in text_of(client.get(url_of(event, "tournament")))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    answer = press(client, event, "announce", stock="Es findet statt: 3 sind angemeldet.")
    assert answer.status_code == 200
    assert said_by(Message.objects.get().made_by) == "Es findet statt: 3 sind angemeldet."
    assert due(event, -HOUR)[0] == "desk"


@pytest.mark.parametrize(
    ("ahead", "told"),
    [(3, "mindestens 3 angemeldet sind. Bisher: 1."), (1, "Ob es stattfindet, sagt die ")],
)
def test_the_page_tells_how_many_are_missing_then_who_decides(client, ahead, told):
    starts_at = timezone.now() + timedelta(hours=ahead)
    event = f.make_event(starts_at=starts_at, least_entries=3, least_hours=2, capacity=9)
    f.register(event, "Anna")
    poster = text_of(client.get(url_of(event, "tournament")))
    assert told in poster
    assert ("Bisher:" in poster) is (ahead > 2)


def test_nothing_is_asked_without_a_least_number_or_once_play_began(event):
    for name, value in (("least_entries", 10), ("least_hours", 241)):
        f.refuses(f"bad_{name}", event_update, event, -HOUR, settings={name: value})
    begun = f.make_running_event(4, least_entries=9, capacity=9)
    assert due(begun, 1)[0] != "least"
    f.drive(event_update, event, -HOUR, settings={"least_entries": 0})
    assert due(event, -HOUR)[0] == "desk"
