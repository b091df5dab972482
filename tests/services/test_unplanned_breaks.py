"""A break that was pressed takes no planned one's place: not for sales, nor in the copy."""

from datetime import timedelta

import pytest

from clock.domain import Level, LevelKind
from clock.models import Level as LevelRow
from clock.models import TemplateLevel
from clock.selectors import clock_levels, clock_plan
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.dashboard.selectors.due_before import clock_items
from tournaments.event.forms.fields import LateField
from tournaments.event.forms.settings import SettingsForm
from tournaments.event.selectors.event import event_accepts_late
from tournaments.event.selectors.labels import late_until
from tournaments.event.selectors.level_words import breaks_in_words
from tournaments.event.selectors.plans import breaks_after
from tournaments.event.selectors.schedule import row_name
from tournaments.event.selectors.settings.cards import settings_of_card
from tournaments.event.selectors.settings.setting import Section
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_copy, event_update
from tournaments.event.services.schedule.edit import clock_break_now, level_correct, schedule_edit
from tournaments.event.services.schedule.own import event_schedule_save
from tournaments.models import Event, What
from tournaments.rebuys.selectors.offers import good_of, position_at
from tournaments.rules.selectors.book import times

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
MINUTE = timedelta(minutes=1)
TERMS = {
    "name": "Abend",
    "late_registration_break": 1,
    "rebuy_break": 1,
    "rebuy_cents": 500,
    "addon_break": 1,
    "addon_cents": 500,
    "reentry_most": 1,
}


@pytest.fixture
def event():
    """Levels of 20 minutes, a break after the second and the fourth; it has begun."""
    made = f.make_seated_event(4)
    rows = LevelRow.objects.filter(clock=made.clock, position__in=[2, 5])
    rows.update(kind="break", duration_ms=600_000, small_blind=0, big_blind=0, big_bet=0)
    made = f.fresh(made)
    f.drive(event_update, made, -60, settings=TERMS)
    f.drive(clock_start, made, 0)
    return f.fresh(made)


def pressed(event, *, at=4, minutes=5):
    f.drive(clock_break_now, event, at, minutes=minutes)
    return f.fresh(event)


def copy_of(event, **own):
    action = event_copy(
        ClubCommand(club=event.club, by=SYSTEM, at=f.after(90)), source=event, **own
    )
    return Event.objects.get(pk=action.payload["event"])


def lengths(levels):
    return [(level.kind.value, level.duration / MINUTE) for level in levels]


def on_sale(event, what, minute):
    offer = good_of(event, what).offer
    return offer.first <= position_at(event, f.after(minute)) <= offer.last


def test_what_is_sold_until_the_first_break_is_sold_until_the_planned_one(event):
    event = pressed(event)  # from 4 to 9; the planned one is from 45 to 55
    for what in (What.REBUY, What.REENTRY):
        assert [on_sale(event, what, minute) for minute in (6, 12, 54, 56)] == [True] * 3 + [False]
    assert [on_sale(event, What.ADDON, minute) for minute in (6, 12, 44, 46, 54, 56)] == [
        False, False, False, True, True, False
    ]  # fmt: skip
    assert event_accepts_late(event, f.after(54))
    assert not event_accepts_late(event, f.after(56))
    assert late_until(event) == "bis zum Ende der 1. Pause (nach Stufe 2)"
    notes = [item.note for item in clock_items(event, f.after(12))]
    assert "Möglich bis zum Ende der 1. Pause (nach Stufe 2)." in notes


def test_two_breaks_in_one_level_leave_the_plan_as_it_was(event):
    before = clock_plan(event.clock)
    f.drive(clock_break_now, event, 4, minutes=5)
    event = pressed(event, at=12, minutes=3)
    assert [level.is_unplanned for level in clock_levels(event.clock)][:3] == [True, True, False]
    assert lengths(clock_levels(event.clock))[2] == ("play", 13)
    assert lengths(clock_plan(event.clock)) == lengths(before)
    assert not event.clock.is_edited


def test_the_copy_and_the_template_have_the_plan(event):
    before = lengths(clock_levels(event.clock))
    name = event.schedule_name
    event = pressed(event)
    copy = copy_of(event)
    assert lengths(clock_levels(copy.clock)) == before
    assert not any(level.is_unplanned or level.rest_of for level in clock_levels(copy.clock))
    assert (copy.schedule_name, copy.clock.is_edited) == (name, False)
    assert breaks_after(clock_plan(event.clock)) == {2: 10, 4: 10}
    call_service(event_schedule_save, event=event, by=SYSTEM, at=f.after(30), name="Unserer")
    kept = TemplateLevel.objects.filter(template__name="Unserer").order_by("position")
    assert [row.kind for row in kept] == [kind for kind, _minutes in before]


def test_a_cut_level_is_whole_again_in_the_plan_whether_corrected_or_counted_in_hands(event):
    event = pressed(event)
    f.drive(level_correct, event, 12, amounts={"ante": 1})
    plan = clock_plan(f.fresh(event).clock)
    assert (plan[0].ante, plan[0].duration / MINUTE) == (1, 20)
    by_hands = f.make_running_event(4, name="Nach Händen")
    LevelRow.objects.filter(clock=by_hands.clock, position=0).update(duration_ms=None, hands=9)
    assert clock_plan(pressed(f.fresh(by_hands)).clock)[0].hands == 9


def test_words_name_the_level_a_break_was_pressed_in(event):
    event = pressed(event, at=25)  # in level 2
    levels = clock_levels(event.clock)
    assert [row_name(levels, row) for row in range(4)] == [
        "Stufe 1", "Pause in Stufe 2", "Stufe 2", "Pause nach Stufe 2"
    ]  # fmt: skip
    assert breaks_in_words(levels) == "Pausen nach den Stufen 2 und 4, 10 Minuten"
    told = list(times(event))
    assert "Pausen sind nach den Stufen 2 und 4." in told
    assert "Jede Stufe dauert 20 Minuten." in told


def test_the_settings_offer_planned_breaks_by_their_level(event):
    shown = settings_of_card(event, Section.MONEY)
    today = f.START.date()
    form = SettingsForm(event=pressed(event), shown=shown, obstacles={}, today=today)
    offered = {name: dict(form.fields[name].choices) for name in ("rebuy_level", "addon_level")}
    assert offered["rebuy_level"]["p2"] == "bis zum Ende der 2. Pause (nach Stufe 4)"
    assert offered["addon_level"]["p1"] == "in der 1. Pause (nach Stufe 2)"
    assert not {"p3"} & offered["rebuy_level"].keys()
    f.refuses("bad_rebuy_break", event_update, event, 20, settings={"rebuy_break": 3})
    without = LateField()
    without.know("p3")
    assert dict(without.choices)["p3"] == "bis zum Ende der 3. Pause"


def put_in(event, row, minute=5):
    """Put a break in by the editor, before a row."""
    levels = list(clock_levels(event.clock))
    new = Level(id=0, kind=LevelKind.BREAK, duration=7 * MINUTE)
    wanted = [*levels[:row], new, *levels[row:]]
    seen = [level.id for level in levels]
    f.drive(schedule_edit, event, minute, levels=wanted, based_on=seen)
    return f.fresh(event)


def test_a_break_put_into_the_running_schedule_takes_no_place_either(event):
    event = put_in(event, 1)
    assert event_accepts_late(event, f.after(50))
    assert late_until(event) == "bis zum Ende der 1. Pause (nach Stufe 2)"
    assert row_name(clock_levels(event.clock), 1) == "Pause nach Stufe 1"
    assert lengths(clock_levels(copy_of(event, as_changed=True).clock))[1] == ("break", 7)
    f.undo(event, at=f.after(8))
    assert len(breaks_after(clock_plan(f.fresh(event).clock))) == 2
    # Where none was planned, it is the first.
    other = put_in(f.make_running_event(4, name="Ohne Pausen"), 3)
    f.drive(event_update, other, 6, settings={"addon_break": 1, "addon_cents": 500})
    assert good_of(f.fresh(other), What.ADDON).offer.first == 3


def test_next_weeks_copy_has_the_plan_of_the_start_or_by_choice_the_changed_one(event):
    before, name = lengths(clock_levels(event.clock)), event.schedule_name
    event = put_in(pressed(event), 5, minute=30)
    f.drive(level_correct, event, 32, amounts={"ante": 1})
    call_service(event_schedule_save, event=event, by=SYSTEM, at=f.after(33), name="Wie heute")
    plain = copy_of(f.fresh(event))
    assert lengths(clock_levels(plain.clock)) == before
    assert not any(level.ante for level in clock_levels(plain.clock))
    assert (plain.schedule_name, plain.clock.is_edited) == (name, False)
    changed = copy_of(f.fresh(event), as_changed=True)
    rows = clock_levels(changed.clock)
    assert lengths(rows) == [before[0], ("break", 5), *before[1:4], ("break", 7), *before[4:]]
    assert [row.ante for row in rows[:4]] == [0, 0, 1, 0]
    assert (changed.schedule_name, changed.clock.is_edited) == ("Wie heute", True)


def test_a_start_that_was_taken_back_fixes_no_plan():
    event = f.make_running_event(4)
    f.undo(event, at=f.after(1))
    wanted = [*clock_levels(event.clock)[:5]]
    seen = [level.id for level in clock_levels(event.clock)]
    f.drive(schedule_edit, event, 2, levels=wanted, based_on=seen)
    f.drive(clock_start, event, 3)
    copy = copy_of(pressed(f.fresh(event), at=6))
    assert len(clock_levels(copy.clock)) == 5
    assert copy.clock.is_edited
