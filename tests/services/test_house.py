"""What ships, chips of the club's own, and what other editions left in an installation."""

import json
import shutil

import pytest

from clock.models import ScheduleTemplate
from clock.services import template_save
from tests import factories as f
from tests.calling import call_service
from tests.views.pages import soon, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.event.domain.rules import MinimumRaise
from tournaments.event.selectors.chips import chips_leaving, dealing_of, stack_pieces
from tournaments.event.services.chip_sets import chip_set_delete, chip_set_save, event_chips_choose
from tournaments.event.services.lifecycle import event_copy, event_update
from tournaments.models import Action, ActionText, ChipSet, Event, RulePreset
from tournaments.play.selectors.ranking import places_of
from tournaments.practice.services.rehearsal import house_load
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


@pytest.fixture
def shipped(tmp_path, settings):
    """Return a function that changes a file of what ships, under a new revision."""
    settings.FIXTURES = shutil.copytree(settings.FIXTURES, tmp_path / "fixtures")

    def change(name, how):
        file = settings.FIXTURES / name
        data = json.loads(file.read_text("utf-8"))
        how(data)
        data["revision"] += 1
        file.write_text(json.dumps(data), "utf-8")

    return change


def load():
    house_load(at=f.START, with_sample=False)


def test_a_later_revision_takes_the_place_of_the_one_before_and_of_nothing_of_the_clubs(shipped):
    event = f.make_event(schedule="T100")
    planned = list(event.clock.levels.values())
    template_save(name="T200", starting_stack=150, levels=[{"big_blind": 2}])

    def shorten(data):
        for row in data["schedules"][:2]:
            row["level_minutes"] = 15

    shipped("schedules.json", shorten)
    load()
    rows = ScheduleTemplate.objects.in_bulk(["T100", "T200"], field_name="name")
    found = {n: (row.starting_stack, row.level_minutes, row.revision) for n, row in rows.items()}
    assert found == {"T100": (100, 15, 2), "T200": (150, 20, None)}
    assert list(event.clock.levels.values()) == planned


def test_an_old_folder_gets_new_schedules_and_keeps_its_own():
    load()
    ScheduleTemplate.objects.filter(name__in=["T10.000", "T10.000 Turbo"]).delete()
    template_save(name="T10.000", starting_stack=9_000, levels=[{"big_blind": 2}])
    load()
    turbo = ScheduleTemplate.objects.get(name="T10.000 Turbo")
    assert (turbo.starting_stack, turbo.level_minutes, turbo.revision) == (10_000, 12, 1)
    own = ScheduleTemplate.objects.get(name="T10.000")
    assert (own.starting_stack, own.revision, own.levels.count()) == (9_000, None, 1)


def test_chips_that_no_blind_needs_are_not_dealt():
    call_service(
        chip_set_save, club=f.house(), by=SYSTEM, at=f.START, name="Koffer",
        pieces={25: (150, "green"), 100: (150, "black"), 500: (100, "violet"),
                1000: (75, "yellow"), 5000: (25, "orange")},
    )  # fmt: skip
    chip_set = ChipSet.objects.get(name="Koffer")
    for schedule, smallest in (("T20.000", 100), ("T10.000", 25)):
        event = f.make_event(schedule=schedule, chip_set=chip_set, capacity=10)
        assert min(row.value for row in stack_pieces(event)) == smallest
        assert min(row.value for row in dealing_of(event, 10).pieces) == smallest
        assert dealing_of(event, 10).sets == 1
        assert smallest in {value for row in chips_leaving(event) for value in row.values}
    # Show no pieces for a stack of 10,000 in chips up to 100: the wall said 501 each.
    own = f.house().chip_sets.get(name="Steffen")
    assert stack_pieces(f.make_event(schedule="T10.000", chip_set=own)) == []


def test_rules_of_a_later_revision_reach_new_tournaments_alone(shipped):
    event = f.make_event()
    shipped("rules.json", lambda data: data["presets"][0].update(hand_for_hand_minutes=3))
    RulePreset.objects.filter(key="tda-2024").update(name="Hausregeln", revision=None)
    load()
    assert RulePreset.objects.get(key="krru-3").rules["hand_for_hand_minutes"] == 3
    assert RulePreset.objects.get(key="tda-2024").name == "Hausregeln"
    assert f.fresh(event).rule_set.hand_for_hand_minutes == 2
    assert f.make_event(name="Danach").rule_set.hand_for_hand_minutes == 3


def test_a_tournament_keeps_the_chips_it_was_made_with(shipped):
    club = f.house()
    event = f.make_event(chip_set=club.chip_sets.get())
    before = event.chip_set.pieces
    shipped("chips.json", lambda data: data["chip_sets"][0]["pieces"][0].update(count=175))
    load()
    load()
    assert ChipSet.objects.get(name="Steffen").pieces[0]["count"] == 175
    assert f.fresh(event).chip_set.pieces == before
    assert sorted(club.chip_sets.values_list("name", "revision")) == [
        ("Steffen", 2),
        ("Steffen (1)", None),
    ]


def test_home_everybody_is_dealt_the_same_pieces_however_many_are_left():
    own = {"schedule": "T100", "chip_set": f.house().chip_sets.get(), "seats_per_table": 10}
    event = f.make_running_event(10, **own)
    dealt = stack_pieces(event)
    assert sum(piece.value * piece.count for piece in dealt) == event.starting_stack
    for minute, entry in enumerate(f.entries_of(event)[:4], 5):
        f.out(event, entry, at=f.after(minute))
    assert stack_pieces(f.fresh(event)) == dealt


SENTENCE = (
    "Diese Regeln sind neuer als das Programm. Was es nicht kennt, gilt hier nicht: straddle."
)


def with_rules(event, rules):
    Event.objects.filter(pk=event.pk).update(rules=rules)
    return f.fresh(event)


def test_a_tournament_stored_without_a_setting_goes_on(client):
    event = f.make_running_event(4)
    older = ("same_hand", "button_rule", "break_order")
    event = with_rules(event, {k: v for k, v in event.rules.items() if k not in older})
    first = f.entries_of(event)[0]
    f.out(event, first)
    assert places_of(f.fresh(event))[first.pk] == 4
    assert client.get(f"/t/{event.slug}/").status_code == 200


def changed_as_a_whole(event):
    """Return a change as a program from before wrote it down."""
    action = f.drive(event_update, event, -60, settings={"capacity": 20})
    before = {**event.rules, "raises_by_double": True, "minimum_raise": "double_bet"}
    Action.objects.filter(pk=action.pk).update(payload={"settings": ["rules"], "before": {}})
    ActionText.objects.filter(action=action).update(data={"rules_before": json.dumps(before)})
    return f.last_action(event)


def test_rules_that_were_changed_as_a_whole_are_taken_back_before_the_start_only():
    event = f.make_event()
    f.undo(event, changed_as_a_whole(event))
    assert f.fresh(event).rule_set.minimum_raise is MinimumRaise.BY_DOUBLE
    running = f.make_running_event(2)
    changed = changed_as_a_whole(running)
    f.refuses("fixed_after_start", f.undo, running, changed)


def test_a_setting_of_tomorrow_is_named_kept_and_copied(client):
    event = soon()
    event = with_rules(event, {**event.rules, "straddle": True})
    text = text_of(client.get(f"/t/{event.slug}/"))
    assert SENTENCE in text
    event_copy(ClubCommand(club=event.club, by=SYSTEM, at=f.START), source=event)
    copy = Event.objects.latest("pk")
    assert copy != event
    assert copy.rules == event.rules


CASE = {25: (200, "green"), 100: (200, "black"), 500: (100, "violet"), 1000: (100, "yellow")}


def in_club(service, **own):
    return call_service(service, club=f.house(), by=SYSTEM, at=f.ARRIVAL, **own)


def in_event(service, event, **own):
    return call_service(service, event=f.fresh(event), by=SYSTEM, at=f.ARRIVAL, **own)


def saved(name="Koffer", pieces=CASE, **own):
    action = in_club(chip_set_save, name=name, pieces=pieces, **own)
    return ChipSet.objects.get(pk=action.payload["chip_set"])


def dealt(event):
    return {row.value: row.count for row in stack_pieces(f.fresh(event))}


@pytest.mark.parametrize(
    ("name", "pieces", "code"),
    [
        ("Koffer", {}, "no_pieces"),
        ("Koffer", {5: (9, "durchsichtig")}, "bad_colour"),
        ("Koffer", {0: (5, "red")}, "bad_pieces"),
        ("Koffer", {5: (0, "red")}, "bad_pieces"),
        ("Koffer", dict.fromkeys(range(1, 10), (9, "red")), "many_values"),
        ("Steffen", CASE, "name_taken"),
    ],
)
def test_what_is_no_case_is_refused(name, pieces, code):
    f.house()
    before = list(ChipSet.objects.values())
    with f.refused(code):
        saved(name=name, pieces=pieces)
    assert list(ChipSet.objects.values()) == before


def assert_stays(chips, code):
    for service, own in ((chip_set_save, {"name": "Neu", "pieces": CASE}), (chip_set_delete, {})):
        with f.refused(code):
            in_club(service, chip_set=chips, **own)


def test_what_came_with_the_program_and_what_is_played_with_stays():
    assert_stays(f.house().chip_sets.get(name="Steffen"), "preset_ships")
    event, chips = f.make_running_event(3), saved()
    f.refuses("started", in_event, event_chips_choose, event, chip_set=chips)
    event.chip_set = chips
    event.save()
    assert_stays(chips, "is_played")


def test_everybody_is_dealt_from_the_chips_that_were_chosen():
    event = f.make_event(schedule="T100")
    assert dealt(event) == {}
    chips = saved(pieces={1: (200, "white"), 5: (200, "red"), 25: (100, "green")})
    in_event(event_chips_choose, event, chip_set=chips)
    found = dealt(event)
    assert sum(value * count for value, count in found.items()) == event.starting_stack
    chosen = Action.objects.get(event=event, kind="chips.chosen")
    in_event(action_undo, event, action=chosen)
    assert dealt(event) == {}


def test_chips_of_a_tournament_to_come_are_not_deleted_and_others_are():
    chips = saved()
    event = f.make_event(chip_set=chips)
    f.refuses("nothing_changed", in_event, event_chips_choose, event, chip_set=chips)
    with f.refused("is_used"):
        in_club(chip_set_delete, chip_set=chips)
    event.chip_set = None
    event.save()
    in_club(chip_set_delete, chip_set=chips)
    assert not ChipSet.objects.filter(pk=chips.pk).exists()
