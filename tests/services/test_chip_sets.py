"""The chips a club owns, and those a tournament is played with."""

from __future__ import annotations

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.chips import chips_leaving, dealing_of, stack_pieces
from tournaments.event.services.chip_sets import (
    chip_set_delete,
    chip_set_save,
    event_chips_choose,
)
from tournaments.models import Action, ChipSet
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db
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


def test_a_case_is_entered_and_changed():
    chips = saved()
    assert chips.pieces[0] == {"value": 25, "count": 200, "colour": "green"}
    saved(name="Großer Koffer", pieces={5: (300, "red")}, chip_set=chips)
    chips.refresh_from_db()
    assert (chips.name, len(chips.pieces)) == ("Großer Koffer", 1)
    assert Action.objects.filter(kind="club.chip_set_saved").count() == 2


@pytest.mark.parametrize(
    ("name", "pieces", "code"),
    [
        ("", CASE, "no_name"),
        ("Koffer", {}, "no_pieces"),
        ("Koffer", {0: (5, "red")}, "bad_pieces"),
        ("Koffer", {5: (0, "red")}, "bad_pieces"),
        ("Koffer", {5: (9, "durchsichtig")}, "bad_colour"),
        ("Koffer", dict.fromkeys(range(1, 10), (9, "red")), "many_values"),
        ("Steffen", CASE, "name_taken"),
    ],
)
def test_what_is_no_case_is_refused(name, pieces, code):
    f.house()
    before = list(ChipSet.objects.values())
    with pytest.raises(Refused) as refused:
        saved(name=name, pieces=pieces)
    assert refused.value.code == code
    assert list(ChipSet.objects.values()) == before


def test_what_came_with_the_program_stays():
    shipped = f.house().chip_sets.get(name="Steffen")
    for service, own in (
        (chip_set_save, {"name": "Meiner", "pieces": CASE}),
        (chip_set_delete, {}),
    ):
        with pytest.raises(Refused) as refused:
            in_club(service, chip_set=shipped, **own)
        assert refused.value.code == "preset_ships"


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


def test_the_table_that_came_with_the_chips_comes_first():
    event = f.make_event(schedule="T100", chip_set=f.house().chip_sets.get(), seats=10)
    assert dealt(event) == {1: 15, 5: 11, 10: 3}
    dealing = dealing_of(event, 37)
    assert dealing.is_printed
    assert (dealing.sets, dealing.most) == (4, 10)
    assert dealing_of(event, 10).sets == 1


def test_chips_that_cannot_make_the_stack():
    event = f.make_event(schedule="T100", chip_set=saved(pieces={30: (500, "red")}))
    dealing = dealing_of(event, 10)
    assert (dealing.pieces, dealing.sets, dealing.most, dealing.missing) == ([], 0, 0, [])
    assert stack_pieces(event) == []


def test_what_is_missing_is_named_by_value():
    event = f.make_event(schedule="T100", chip_set=saved(pieces={1: (50, "white"), 5: (50, "red")}))
    dealing = dealing_of(event, 10)
    missing = {row.value: row.count for row in dealing.missing}
    needed = {row.value: row.count * 10 for row in dealing.pieces}
    assert missing == {value: needed[value] - 50 for value in needed if needed[value] > 50}
    assert dealing.sets > 1


def test_when_chips_leave_follows_the_schedule():
    event = f.make_event(schedule="T100", chip_set=f.house().chip_sets.get(), seats=10)
    leaving = {row.where: row.values for row in chips_leaving(event)}
    assert leaving["Stufe 5"] == (1,)
    assert leaving["Stufe 8"] == (5, 10)


def test_once_play_has_begun_the_chips_stay():
    event = f.make_running_event(3)
    chips = saved()
    with pytest.raises(Refused) as refused:
        in_event(event_chips_choose, event, chip_set=chips)
    assert refused.value.code == "started"


def test_chips_that_are_played_with_are_neither_changed_nor_deleted():
    event = f.make_running_event(3)
    chips = saved()
    event.chip_set = chips
    event.save()
    for service, own in ((chip_set_save, {"name": "Neu", "pieces": CASE}), (chip_set_delete, {})):
        with pytest.raises(Refused) as refused:
            in_club(service, chip_set=chips, **own)
        assert refused.value.code == "is_played"


def test_chips_of_a_tournament_to_come_are_not_deleted_and_others_are():
    chips = saved()
    event = f.make_event(chip_set=chips)
    with pytest.raises(Refused) as refused:
        in_club(chip_set_delete, chip_set=chips)
    assert refused.value.code == "is_used"
    event.chip_set = None
    event.save()
    in_club(chip_set_delete, chip_set=chips)
    assert not ChipSet.objects.filter(pk=chips.pk).exists()


def test_choosing_what_is_chosen_says_so():
    event = f.make_event(chip_set=saved())
    with pytest.raises(Refused) as refused:
        in_event(event_chips_choose, event, chip_set=event.chip_set)
    assert refused.value.code == "nothing_changed"
