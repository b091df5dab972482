"""Chips that leave play at a table: exchanged, raced for, booked, and taken back (TDA 2024 24)."""

import pytest

from tests import factories as f
from tests.prepared import prepared
from tests.races import with_race
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.event import chips_in_play
from tournaments.log.selectors.log_heads import facts_checked
from tournaments.models import ChipMovement, ChipRace, Draw
from tournaments.play.selectors.stacks import race_due, race_seats, race_tables
from tournaments.play.services.stacks import chip_race
from tournaments.seating.selectors.draw_inputs import recipe_of

pytestmark = pytest.mark.django_db


@pytest.fixture
@prepared
def event():
    """Six at one table with the chips of Steffen; the ones leave in the first break."""
    chips = f.house().chip_sets.get(name="Steffen")
    return with_race(f.make_running_event(6, chip_set=chips), 1)


def race(event, held, minute=21, table=1, **own):
    own |= {"table": f.table_of(event, table), "held": held}
    return f.drive(chip_race, f.fresh(event), minute, **own)


def booked(event):
    rows = ChipMovement.objects.live().filter(event=event, reason="chip_race")
    return dict(rows.values_list("entry", "amount"))


def test_chips_leave_in_the_break_and_until_the_level_after_it_is_over(event):
    assert race_due(event, f.after(19)) is None
    due = race_due(event, f.after(21))
    assert (due.values, due.new) == ((1,), 5)
    assert race_due(event, f.after(35)) == due
    assert race_due(event, f.after(51)) is None


def test_tda_2024_24_one_chip_at_most_for_each_and_the_change_is_booked(event):
    one, two, three = f.at_table(event, 1)[:3]
    before = chips_in_play(event)[0]
    action = race(event, {one.pk: {1: 4}, two.pk: {1: 13}, three.pk: {1: 4}})
    seats = {row["entry"]: row for row in ChipRace.objects.live().get().seats}
    # Four, three and four that make no five: eleven, for which there are two chips.
    assert sum(row["won"] for row in seats.values()) == 2
    assert all(row["won"] in (0, 1) for row in seats.values())
    odd = {one.pk: 4, two.pk: 3, three.pk: 4}
    assert booked(event) == {entry: 5 * seats[entry]["won"] - worth for entry, worth in odd.items()}
    assert chips_in_play(event)[0] == before - 1
    f.assert_logged(event, "chips.raced", table=1, values=[1], new=5, in_play=-1)
    shown = race_seats(ChipRace.objects.live().get())
    assert {row.name: len(row.cards) for row in shown} == {
        entry.registration.person.name: odd[entry.pk] for entry in (one, two, three)
    }
    assert [row.chips for row in shown if row.worth == 13] == [2 + seats[two.pk]["won"]]
    recipe = recipe_of(Draw.objects.get(kind="race"), {})
    assert recipe.comes_out(f.fresh(event).draw_secret), "anybody can draw again"
    assert not recipe.comes_out("ff00" * 16)
    assert facts_checked(f.fresh(event)).differences == []
    f.undo(event, action, at=f.after(22))
    assert (booked(event), chips_in_play(event)[0]) == ({}, before)
    assert not ChipRace.objects.live().exists()
    assert facts_checked(f.fresh(event)).differences == []
    race(event, {one.pk: {1: 5}}, 23)
    assert booked(event) == {}


def test_tda_2024_24_nobody_is_raced_out(event):
    sitting = f.at_table(event, 1)
    held = {entry.pk: {1: 1} for entry in sitting}
    race(event, held, broke=[entry.pk for entry in sitting])
    assert booked(event) == {entry.pk: 4 for entry in sitting}
    f.undo(event, at=f.after(22))
    # Whoever has a whole chip is not out without winning.
    one, two = sitting[:2]
    race(event, {one.pk: {1: 6}, two.pk: {1: 1}}, 23, broke=[one.pk])
    assert booked(event) == {one.pk: -1, two.pk: -1}


def test_nobody_has_such_chips_and_a_table_exchanges_once(event):
    with pytest.raises(Refused, match="sitzt nicht mehr"):
        race(event, {0: {1: 4}})
    race(event, {})
    assert (booked(event), Draw.objects.filter(kind="race").exists()) == ({}, False)
    assert race_tables(event, race_due(event, f.after(21)))[0].is_done
    with pytest.raises(Refused, match="schon eingetauscht"):
        race(event, {}, 22)


@pytest.mark.parametrize(
    ("minute", "pieces", "code"),
    [
        (10, {1: 4}, "no_race"),
        (60, {1: 4}, "no_race"),
        (21, {5: 1}, "other_chips"),
        (21, {1: -1}, "bad_count"),
    ],
)
def test_what_is_no_race_changes_nothing(event, minute, pieces, code):
    entry = f.at_table(event, 1)[0]
    with pytest.raises(Refused) as refusal:
        race(event, {entry.pk: pieces}, minute)
    assert refusal.value.code == code
    assert (booked(event), ChipRace.objects.exists()) == ({}, False)


def test_more_cards_than_a_deck_has_are_refused():
    chips = f.house().chip_sets.get(name="Steffen")
    event = with_race(f.make_running_event(6, chip_set=chips), 1, 5, 10)
    held = {entry.pk: {1: 24} for entry in f.at_table(event, 1)}
    with pytest.raises(Refused, match="144 einzelne Chips"):
        race(event, held)
    assert not ChipRace.objects.exists()
