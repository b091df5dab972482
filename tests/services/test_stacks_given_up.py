"""A stack that leaves play with nobody to take it: given up, or of a player who never came."""

import pytest

from tests import factories as f
from tests.buying import TERMS, do, evening, lose, undo
from tests.evenings.sound import assert_nothing_hangs
from tests.services.line import in_line, of, work
from tournaments.dashboard.selectors.due import due_items
from tournaments.dashboard.selectors.items import DueKind
from tournaments.door.services.arrivals import noshow_remove, noshows_settle
from tournaments.door.services.waiting_list import place_give
from tournaments.event.selectors.event import chips_in_play, players_left, without_chips
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Elimination, Knockout, LostStack
from tournaments.payouts.selectors.bounties import bounties_of
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.conduct import entry_return
from tournaments.play.services.elimination_details import (
    elimination_correct,
    knockout_set,
    out_disqualify,
)
from tournaments.play.services.eliminations import disqualification_count, entries_eliminate
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.play.services.surrenders import stack_surrender
from tournaments.rebuys.selectors.offers import chances_lapsed
from tournaments.rebuys.services.purchases import entry_reenter
from tournaments.seating.selectors.balancing import floor_advice

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

BOUNTIES = {"bounty_kind": "fixed", "fee_parts": [["bounty", 500, ""]]}


@pytest.fixture
def event():
    return evening(4, **BOUNTIES)


def items_due(event, at):
    return due_items(event, at, advice=floor_advice(event, at))


def out_of(entry):
    return Elimination.objects.live().get(entry=entry)


def test_who_gives_up_in_the_re_buy_time_is_out_at_that_instant_and_takes_the_stack_along(event):
    a, b, c, _d = f.entries_of(event)
    lose(event, a, 1)
    do(knockout_set, event, 1, lost=[LostStack.objects.get()], takers=[b])
    lose(event, c, 2)
    do(rebuy_decline, event, 2, entry=c)
    gone = do(stack_surrender, event, 3, entry=a)
    f.assert_logged(event, "stack.surrendered", entries=[a.pk])
    out = out_of(a)
    assert (out.way, out.at) == (Elimination.Way.SURRENDERED, f.after(1))
    assert without_chips(f.fresh(event)) == {}
    assert not LostStack.objects.live().exists()
    assert not Knockout.objects.live().exists()
    assert places_of(f.fresh(event)) == {a.pk: 4, c.pk: 3}
    # The chips are away and wait to be counted; the head is on nobody and waits for nobody.
    assert chips_in_play(f.fresh(event)) == (800, False)
    stands = bounties_of(f.fresh(event))
    assert (stands.open, stands.left_over, stands.total()) == ({c.pk: 500}, 500, 2000)
    due = items_due(f.fresh(event), f.after(4))
    due = [item for item in due if item.kind is DueKind.COUNT_STACK]
    assert [item.note.split(".")[0] for item in due] == ["Aufgegeben"]
    counted = do(disqualification_count, event, 4, entry=a, stack=150)
    assert chips_in_play(f.fresh(event)) == (650, True)
    undo(event, counted)
    undo(event, gone)
    assert set(without_chips(f.fresh(event))) == {a.pk}
    assert Knockout.objects.live().get().by == b
    assert bounties_of(f.fresh(event)).won == {b.pk: 500}
    # Staff is at it: the seat is held a while longer.
    assert chances_lapsed(f.fresh(event), f.after(13)) == []
    assert len(chances_lapsed(f.fresh(event), f.after(15))) == 1


def test_an_out_becomes_one_of_a_player_who_gave_up_and_whose_head_the_winner_gets(event):
    a, b, c, d = f.entries_of(event)
    do(entries_eliminate, event, 30, entries=[a, b], start_stacks={a.pk: 90, b.pk: 20})
    do(rebuy_decline, event, 31, entry=a, others=[b])
    do(knockout_set, event, 31, eliminations=[out_of(a), out_of(b)], takers=[c])
    do(stack_surrender, event, 32, entry=b, stack=20)
    assert (out_of(b).group, out_of(b).start_stack) == (None, None)
    assert chips_in_play(f.fresh(event)) == (780, True)
    assert bounties_of(f.fresh(event)).won == {c.pk: 500}
    for taker in (c, d):
        with f.refused("surrendered", event):
            do(knockout_set, event, 33, eliminations=[out_of(b)], takers=[taker])
    do(elimination_correct, event, 33, eliminations=[out_of(b)], to=f.after(29))
    assert out_of(b).way == Elimination.Way.SURRENDERED
    lose(event, d, 40)
    do(rebuy_decline, event, 41, entry=d)
    do(knockout_set, event, 41, eliminations=[out_of(d)], takers=[c])
    do(event_end, event, 42)
    stands = bounties_of(f.fresh(event))
    assert stands.won == {c.pk: 2000}
    assert stands.total() == 2000


def test_a_stack_is_given_up_by_whom_is_noted_as_without_one(event):
    a, b = f.entries_of(event)[:2]
    with f.refused("has_chips", event):
        do(stack_surrender, event, 1, entry=a)
    lose(event, a, 2)
    with f.refused("bad_stack", event):
        do(stack_surrender, event, 3, entry=a, stack=801)
    do(stack_surrender, event, 3, entry=a)
    with f.refused("already_out", event):
        do(stack_surrender, event, 4, entry=a)
    # He may enter anew as anybody out, and be sent out for good.
    do(entry_reenter, event, 5, entry=a)
    do(out_disqualify, event, 6, entry=a, reason="Chips eingesteckt")
    with f.refused("already_out", event):
        do(stack_surrender, event, 7, entry=a)
    assert bounties_of(f.fresh(event)).left_over == 500
    assert players_left(f.fresh(event)) == 4
    del b


def test_the_last_but_one_gives_up_and_the_other_has_won():
    event = evening(2, **TERMS | BOUNTIES)
    a, b = f.entries_of(event)
    lose(event, a, 1)
    do(stack_surrender, event, 2, entry=a)
    assert places_of(f.fresh(event)) == {b.pk: 1, a.pk: 2}
    assert bounties_of(f.fresh(event)).won == {b.pk: 1000}


# Players who never came, and whose stacks pay blinds


@pytest.fixture
def blinded():
    event = f.make_event(
        capacity=6, preset="tda-2024", late_registration_level=9, no_show_minutes=15
    )
    for name in ("Anna", "Bert", "Dora", "Fehlt", "Fort"):
        f.register(event, name)
    for name in ("Anna", "Bert", "Dora"):
        f.check_in(event, of(event, name))
    f.drive(clock_start, event, 0)
    work(f.after(16))
    return f.fresh(event)


def here(event):
    rows = f.entries_of(event)
    return {row.registration.person.name: row for row in rows}


def test_the_stack_of_one_who_never_came_is_taken_away_alone_and_does_not_come_back(blinded):
    event, seats = blinded, f.seats(blinded)
    fehlt, fort = here(event)["Fehlt"], here(event)["Fort"]
    assert chips_in_play(event) == (1000, True)
    gone = f.drive(noshow_remove, event, 30, entry=fehlt, stack=160)
    f.assert_logged(event, "noshow.removed", entry=fehlt.pk, stack=160)
    # What it paid in blinds others have won; nobody else moves, and it has no place.
    assert chips_in_play(f.fresh(event)) == (840, True)
    assert f.seats(event) == {pk: seat for pk, seat in seats.items() if pk != fehlt.pk}
    assert places_of(f.fresh(event)) == {}
    work(f.after(40))
    assert set(here(event)) == {"Anna", "Bert", "Dora", "Fort"}
    assert in_line(event) == ["Fehlt"]
    assert_nothing_hangs(event)
    undo(event, gone, 41)
    assert f.seats(event) == seats
    assert chips_in_play(f.fresh(event)) == (1000, True)
    f.drive(noshow_remove, event, 42, entry=fehlt, stack=160)
    # Who comes after all gets a new stack.
    f.drive(place_give, event, 43, registration=fehlt.registration)
    f.check_in(event, fehlt.registration, at=f.after(44))
    assert chips_in_play(f.fresh(event)) == (1040, True)
    assert f.seat_of(fort) == seats[fort.pk]


def test_only_a_stack_whose_player_never_came_is_taken_away_so(blinded):
    event, people = blinded, here(blinded)
    with f.refused("has_come", event):
        f.drive(noshow_remove, event, 30, entry=people["Anna"], stack=200)
    for stack in (-1, 1001):
        with f.refused("bad_stack", event):
            f.drive(noshow_remove, event, 30, entry=people["Fort"], stack=stack)
    with f.refused("not_allowed", event):
        desk = f.make_desk(event)
        f.drive(noshow_remove, event, 30, by=desk, entry=people["Fort"], stack=200)
    f.drive(entry_return, event, 31, entry=people["Fort"])
    with f.refused("has_come", event):
        f.drive(noshow_remove, event, 32, entry=people["Fort"], stack=200)
    f.out(event, people["Fehlt"], at=f.after(33))
    with f.refused("has_come", event):
        f.drive(noshow_remove, event, 34, entry=people["Fehlt"], stack=200)


def test_no_shows_taken_back_are_seated_again_by_hand_alone(blinded):
    event = blinded
    undo(event, f.last_action(event), 20)
    work(f.after(21))
    assert set(here(event)) == {"Anna", "Bert", "Dora"}
    f.drive(noshows_settle, event, 22, by=f.make_desk(event))
    assert len(here(event)) == 5
