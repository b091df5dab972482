"""What ships with the program reaches an installation that has it in an earlier revision."""

import json
import shutil

import pytest

from clock.models import ScheduleTemplate
from clock.services import template_save
from tests import factories as f
from tournaments.event.selectors.chips import stack_pieces
from tournaments.models import ChipSet, RulePreset
from tournaments.practice.services.sample import house_load

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


def test_a_schedule_of_a_later_revision_takes_the_place_of_the_one_before(shipped):
    event = f.make_event(schedule="T100")
    planned = list(event.clock.levels.values())
    shipped("schedules.json", lambda data: data["schedules"][0].update(level_minutes=15))
    load()
    row = ScheduleTemplate.objects.get(name="T100")
    assert (row.level_minutes, row.revision) == (15, 2)
    assert list(event.clock.levels.values()) == planned


def test_a_schedule_of_the_clubs_own_stays_whatever_ships(shipped):
    f.house()
    template_save(name="T100", starting_stack=150, levels=[{"big_blind": 2}])
    shipped("schedules.json", lambda data: data["schedules"][0].update(level_minutes=15))
    load()
    row = ScheduleTemplate.objects.get(name="T100")
    assert (row.starting_stack, row.level_minutes, row.revision) == (150, 20, None)
    assert ScheduleTemplate.objects.get(name="T200").revision == 2


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
