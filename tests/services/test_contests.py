"""Contests: flights that end with bags, and the day their bags go to."""

from datetime import timedelta

import pytest
from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse

from clock.selectors import clock_state
from tests import factories as f
from tests.calling import call_service
from tests.flights import CHIPS, add, bag_all, by_name, day_after, flight, make_contest, played
from tests.pressing import shows
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.kinds import describe
from tournaments.contests.domain.bags import BagState
from tournaments.contests.domain.carrying import Begins, Forward
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.bags import (
    bags_of,
    hall_bags,
    hall_flights,
    own_bag,
    own_next_day,
    own_word,
)
from tournaments.contests.selectors.contests import (
    left_to_the_end,
    nearing_of,
    stage_lines,
    stage_of,
    stages_of,
)
from tournaments.contests.services.bags import bag_say, day_end, last_hands_draw
from tournaments.contests.services.contests import stage_remove
from tournaments.contests.services.days import day_draw
from tournaments.event.selectors.event import chips_in_play, room_figures, screen_figures
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Bag, Carry, ChipMovement, Event, Person, Posting, Seating, Stage
from tournaments.people.services.members import people_merge
from tournaments.privacy.services.privacy import person_erase
from tournaments.screens.selectors.faces import screen_podium
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.draws import draw_pictures, draws_of

pytestmark = pytest.mark.django_db


def state_of(entry):
    return next(bag.state for bag in bags_of(f.fresh(entry.event)) if bag.entry == entry.pk)


@pytest.fixture
def contest():
    return make_contest()


@pytest.mark.postgres
def test_walls_list_the_bags_and_who_is_through_by_flight(contest):
    """The next day shows the bags that go to it, until it has some of its own."""
    first = played(contest, "1A", Anna=500, Bert=300)
    flight(contest, "1B", names=("Anna", "Cora"))
    assert hall_bags(first) == [["1", "Anna", "1A", "500", ""], ["2", "Bert", "1A", "300", ""]]
    through = [["1A", "4", "2", "800"], ["1B", "2", "", "400"]]
    assert hall_flights(first) == through
    assert screen_podium(first, f.after(50), has_winner=False, in_hall=True) == []
    day = day_after(contest, stop=StopRule())
    assert (hall_bags(day), hall_flights(day)) == (hall_bags(first), through)
    alone = f.make_event()
    assert hall_bags(alone) == hall_flights(alone) == []


def test_two_flights_go_to_day_two_with_the_best_stack_of_each(contest):
    """Average and chips in play of day 2 follow from the bags; no chip is lost."""
    first = played(contest, "1A", Anna=CHIPS - 300, Bert=300)
    second = played(contest, "1B", Anna=500, Cora=CHIPS - 500)
    day = day_after(contest, starts_at=f.START + timedelta(days=1))
    f.drive(day_draw, day, 60)
    action = f.assert_logged(day, "day.drawn", entries=3, removed=500, chips=2 * CHIPS - 500)
    assert describe(action).endswith(f"3 Teilnehmer, {intcomma(2 * CHIPS - 500)} Chips")
    f.refuses("already_drawn", day_draw, day, 61)
    heads = {pk: (sequence, head) for pk, sequence, head in action.payload["heads"]}
    assert heads == {row.pk: (row.log_sequence, row.log_hash) for row in (first, second)}
    assert chips_in_play(f.fresh(day)) == (2 * CHIPS - 500, True)
    assert room_figures(f.fresh(day))["average"] == (2 * CHIPS - 500) // 3
    stacks = ChipMovement.objects.live().filter(event=day, reason="carried")
    assert {row.entry.registration.person.name: row.amount for row in stacks} == {
        "Anna": CHIPS - 300, "Bert": 300, "Cora": CHIPS - 500,
    }  # fmt: skip
    assert Seating.objects.live().filter(event=day).count() == 3
    removed = by_name(second, "Anna").registration
    assert own_bag(removed).is_removed
    assert own_next_day(removed).event_id == day.pk
    lines = stage_lines(stages_of(contest))
    assert [(row.entries, row.people, row.left, row.through) for row in lines] == [
        (4, 4, 2, 2), (4, 4, 2, 2), (3, 3, 3, 0),
    ]  # fmt: skip
    assert not Posting.objects.exists()


def test_a_carried_bag_is_taken_back_only_after_the_carry(contest):
    event = played(contest, "1A", Anna=CHIPS - 300, Bert=300)
    day = day_after(contest)
    ended = f.last_action(event)
    f.drive(day_draw, day, 60)
    assert "Tag 2" in f.refuses("needed", f.undo, event, ended)
    drawn = f.last_action(day)
    f.undo(day, drawn)
    assert not Carry.objects.live().exists()
    assert chips_in_play(f.fresh(day)) == (0, True)
    f.undo(event, ended)
    assert not f.fresh(event).is_over
    assert not Bag.objects.live().exists()
    # The words stand, so the day can be ended again, and drawn again.
    f.drive(day_end, event, 95)
    f.drive(day_draw, day, 100)
    f.assert_logged(day, "day.drawn", entries=2)


def test_a_day_ends_with_a_sealed_bag_of_everybody(contest):
    event = flight(contest, "1A", names=("Anna", "Bert"))
    anna, bert = f.entries_of(event)
    stack = event.starting_stack
    shows(f.refuses("bags_open", day_end, event, 30), "Anna", "Bert")
    f.drive(bag_say, event, 30, entry=anna, amount=stack, by=f.petra_of(anna.registration))
    f.drive(bag_say, event, 30, entry=bert, amount=stack + 100, number=7)
    assert state_of(anna) is BagState.SAID
    assert state_of(bert) is BagState.COUNTED
    f.drive(bag_say, event, 31, entry=anna, amount=stack + 100, number=7)
    assert state_of(anna) is BagState.DISPUTED
    assert "verschieden" in f.refuses("bags_open", day_end, event, 32)
    f.drive(bag_say, event, 33, entry=anna, amount=stack, number=7)
    f.drive(bag_say, event, 33, entry=bert, amount=stack + 100, is_paper=True)
    assert "Anna" in f.refuses("number_twice", day_end, event, 34)
    f.drive(bag_say, event, 35, entry=bert, amount=stack + 100, number=8)
    f.refuses("chips_differ", day_end, event, 36)
    knowingly = Command(event=event, by=SYSTEM, at=f.after(37), knowingly=True)
    with f.refused("no_reason", event):
        day_end(knowingly)
    day_end(knowingly, reason="Ein Chip lag am Boden")
    f.assert_logged(event, "day.ended", bags=2, difference=100)
    assert own_bag(bert.registration).number == 8


def test_words_about_bags_are_of_the_player_staff_or_a_director(contest):
    event = flight(contest, "1A", names=("Anna", "Bert", "Cora"))
    anna, bert, cora = f.entries_of(event)
    said = {"entry": anna, "amount": 500}
    f.refuses("bad_amount", bag_say, event, 5, **said | {"amount": 0})
    f.refuses("bad_amount", bag_say, event, 5, **said | {"amount": 10**7})
    f.refuses("bad_number", bag_say, event, 5, **said | {"number": 0})
    f.refuses("not_yours", bag_say, event, 5, **said, by=f.petra_of(bert.registration))
    f.refuses("not_allowed", bag_say, event, 5, **said, is_paper=True, by=f.make_arno(event))
    f.out(event, cora)
    f.refuses("not_alive", bag_say, event, 6, entry=cora, amount=500)
    f.drive(bag_say, event, 6, **said, by=f.make_arno(event))
    f.refuses("already_counted", bag_say, event, 7, **said)
    f.undo(event, at=f.after(8))
    assert state_of(anna) is BagState.MISSING
    lone = f.make_running_event(2)
    f.refuses("no_flight", bag_say, lone, 5, entry=f.entries_of(lone)[0], amount=100)


def test_a_signed_slip_counts_for_the_player_whose_phone_holds_up_the_day(contest):
    event = flight(contest, "1A", names=("Anna", "Bert"))
    anna, bert = f.entries_of(event)
    stack, own = event.starting_stack, f.petra_of(anna.registration)
    for row in (anna, bert):
        f.drive(bag_say, event, 30, entry=row, amount=stack)
        f.drive(bag_say, event, 30, entry=row, amount=stack, by=f.petra_of(row.registration))
    f.drive(bag_say, event, 31, entry=anna, amount=1, by=own)
    assert state_of(anna) is BagState.DISPUTED
    assert own_word(anna.registration, f.after(31)).amount == 1

    f.drive(bag_say, event, 32, entry=anna, amount=stack, is_paper=True)

    assert state_of(anna) is BagState.SEALED
    f.refuses("signed", bag_say, event, 33, entry=anna, amount=1, by=own)
    assert own_word(anna.registration, f.after(33)) is None
    f.undo(event, at=f.after(34))
    assert state_of(anna) is BagState.DISPUTED
    f.drive(bag_say, event, 35, entry=anna, amount=stack, is_paper=True)
    f.drive(day_end, event, 36)


def test_a_stage_that_cannot_be_is_refused(contest):
    event = flight(contest, "1A", names=("Anna", "Bert"))
    f.refuses("has_bags", event_end, event, 20)
    other = f.make_event(name="Tag 2")

    def refuses(code, event, label="1B", **own):
        with f.refused(code):
            add(contest, event, label, **own)
        assert Stage.objects.live().count() == 1

    refuses("label_taken", other, "1A")
    refuses("bad_label", other, "")
    refuses("bad_percent", other, stop=StopRule(percent=10_100))
    refuses("bad_percent", other, stop=StopRule(percent=-500))
    refuses("bad_time", other, stop=StopRule(time="25:99"))
    refuses("started", event, "Tag 2", order=2)
    refuses("no_flight", f.make_event(kind=Event.Kind.CASH_GAME))
    with f.refused("elsewhere"):
        add(make_contest(), event, "1A")
    club = {"club": contest.club, "by": SYSTEM, "at": f.after(1)}
    with f.refused("has_entries"):
        call_service(stage_remove, **club, stage=stage_of(event))
    add(contest, other, "1B")
    call_service(stage_remove, **club, stage=stage_of(f.fresh(other)))
    assert stage_of(f.fresh(other)) is None
    add(contest, event, "1A", stop=StopRule())
    f.refuses("last_day", day_end, event, 20)
    f.drive(event_end, event, 21)


def test_a_day_is_drawn_only_once_every_flight_is_closed(contest):
    running = flight(contest, "1A", names=("Anna", "Bert"))
    day = f.make_event(name="Tag 2", fee_cents=1000)
    f.refuses("no_flight", day_draw, day, 60)
    add(contest, day, "Tag 2", order=2)
    assert "1A" in f.refuses("running", day_draw, day, 60)
    bag_all(running, Anna=running.starting_stack, Bert=running.starting_stack)
    f.drive(day_end, running, 40)
    f.refuses("has_fee", day_draw, day, 60)
    first = f.make_event(name="Ohne Vorlauf")
    add(make_contest(), first, "1A")
    f.refuses("no_flights", day_draw, first, 60)


@pytest.mark.parametrize("begins", [Begins.REST, Begins.WHOLE])
def test_day_two_begins_where_the_flight_that_came_least_far_stopped(begins):
    contest = make_contest(begins=begins)
    event = played(contest, "1A", Anna=300, Bert=CHIPS - 300)
    day = day_after(contest)
    f.drive(day_draw, day, 60)
    state = clock_state(f.fresh(day).clock, f.after(61))
    stopped = clock_state(f.fresh(event).clock, f.after(61))
    assert state.level.number == stopped.level.number > 1
    assert not state.is_running
    if begins is Begins.REST:
        assert state.remaining == stopped.remaining
    else:
        assert state.remaining == state.level.duration


def test_a_flight_that_ends_in_a_break_stopped_before_the_whole_next_level(contest):
    event = flight(contest, "1A", names=("Anna", "Bert"), breaks={2: 30})
    bag_all(event, Anna=200, Bert=200)
    minute = next(m for m in range(31, 90) if clock_state(event.clock, f.after(m)).level.is_break)
    f.drive(day_end, event, minute + 5)
    day = day_after(contest)
    f.drive(day_draw, day, 100)
    state = clock_state(f.fresh(day).clock, f.after(101))
    assert (state.level.number, state.remaining) == (3, state.level.duration)


def test_with_the_first_bag_a_further_flight_is_refused():
    contest = make_contest(forward=Forward.FIRST)
    event = played(contest, "1A", Anna=300, Bert=CHIPS - 300)
    again = f.make_event(name="Flight 1B")
    add(contest, again, "1B")
    row = f.register(again, "Anna")
    assert "1A" in f.refuses("through", f.check_in, again, row)
    f.check_in(again, f.register(again, "Cora"))
    assert event.is_over


def test_a_player_still_in_a_flight_enters_another_only_by_the_director(contest):
    event = flight(contest, "1A", names=("Anna", "Bert", "Cora"))
    other = f.make_event(name="Flight 1B")
    add(contest, other, "1B")
    desk, row = f.make_desk(other), f.register(other, "Anna")
    assert "1A" in f.refuses("still_playing", f.check_in, other, row, by=desk)
    f.out(event, by_name(event, "Bert"))
    f.check_in(other, f.register(other, "Bert"), by=desk)
    f.check_in(other, row, by=f.make_dora(other))


def test_the_way_to_the_end_of_a_flight_is_known_and_the_wall_counts_it_down(contest):
    event = flight(contest, "1A", late_registration_level=1)
    early = nearing_of(stage_of(event), event, f.after(5))
    assert (early.to_go, early.by) == (None, None)
    late = nearing_of(stage_of(event), event, f.after(45))
    assert (late.to_go, late.by) == (2, None)
    # Its last table is no final table: the day ends with bags.
    assert not screen_figures(f.fresh(event), f.after(45))["is_final_table"]
    for left, entry in ((1, by_name(event, "Doro")), (0, by_name(event, "Cora"))):
        f.out(event, entry, at=f.after(50))
        assert left_to_the_end(f.fresh(event), f.after(51)) == left
    done = nearing_of(stage_of(event), f.fresh(event), f.after(51))
    assert (done.to_go, done.by) == (0, "players")


def test_last_hands_of_three_to_seven_are_drawn_and_may_be_drawn_again_with_a_word(contest):
    event = flight(contest, "1A")
    called = lambda: clock_state(f.fresh(event).clock, f.after(9)).last_hands
    first = f.drive(last_hands_draw, event, 5)
    assert 3 <= called() == first.payload["hands"] <= 7
    f.refuses("last_hands", last_hands_draw, event, 6)
    f.undo(event, first, at=f.after(7))
    assert called() is None
    f.drive(last_hands_draw, event, 8)
    again, undone = draw_pictures(f.fresh(event), list(draws_of(event)), to_staff=False)[:2]
    assert again.agrees is undone.agrees is undone.is_voided is True
    assert again.taken_back == 1
    assert again.outcome[0]["table"] == called()
    f.refuses("no_flight", last_hands_draw, f.make_running_event(4), 5)


def test_two_rows_of_one_person_are_one_stack(client, contest):
    """Merged before the draw they are one player; an erased one keeps the chips of the bag."""
    played(contest, "1A", Anna=CHIPS - 100, Bert=100)
    other = flight(contest, "1B", names=("Anne", "Cora", "Doro"))
    f.out(other, by_name(other, "Doro"), at=f.after(20))
    bag_all(other, Anne=150, Cora=3 * other.starting_stack - 150)
    f.drive(day_end, other, 40)
    anna, anne = Person.objects.get(name="Anna"), Person.objects.get(name="Anne")
    f.sign_browser_in(client, Role.DIRECTOR)
    asked = client.get(reverse("person-merge", args=[anna.pk]), {"mit": anne.pk})
    assert f"Zwei Säcke in {contest.name}" in text_of(asked)
    told = {"club": contest.club, "by": SYSTEM, "at": f.after(50)}
    call_service(people_merge, **told, kept=anna, gone=anne)
    call_service(person_erase, **told, person=Person.objects.get(name="Bert"))
    day = day_after(contest)
    f.drive(day_draw, day, 60)
    f.assert_logged(day, "day.drawn", entries=3, removed=150)
    stacks = ChipMovement.objects.live().filter(event=day).values_list("amount", flat=True)
    assert sorted(stacks) == sorted([CHIPS - 100, 100, 3 * other.starting_stack - 150])


def test_a_flight_draws_no_final_table(contest):
    """Two tables with the players of one are broken like any other."""
    names = tuple(f"Gast {number}" for number in range(8))
    event = flight(contest, "1A", names, seats_per_table=5, draw_mode=Event.DrawMode.ROLLING)
    alone = f.make_running_event(8, seats=5)
    for one in (event, alone):
        for entry in f.entries_of(one)[:3]:
            f.out(one, entry, at=f.after(10))
    advice = [floor_advice(f.fresh(one), f.after(11)) for one in (event, alone)]
    assert [row.draws_final for row in advice] == [False, True]
    assert advice[0].breaks_table
