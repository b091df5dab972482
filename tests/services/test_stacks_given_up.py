"""A stack given up: it leaves play, and nobody has taken its head."""

import pytest

from tests import factories as f
from tests.buying import do, evening, lose, undo
from tournaments.event.selectors.event import chips_in_play, players_left, without_chips
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Elimination, Knockout, LostStack
from tournaments.payouts.selectors.bounties import bounties_of
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.elimination_details import (
    elimination_correct,
    knockout_set,
    out_disqualify,
)
from tournaments.play.services.eliminations import disqualification_count, entries_eliminate
from tournaments.play.services.rebuy_chances import rebuy_decline, stack_surrender
from tournaments.rebuys.selectors.offers import chances_lapsed
from tournaments.rebuys.services.purchases import entry_reenter

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

BOUNTIES = {"bounty_kind": "fixed", "fee_parts": [["bounty", 500, ""]]}


@pytest.fixture
def event():
    return evening(4, **BOUNTIES)


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
    f.refuses("surrendered", knockout_set, event, 33, eliminations=[out_of(b)], takers=[d])
    do(elimination_correct, event, 33, eliminations=[out_of(b)], to=f.after(29))
    assert out_of(b).way == Elimination.Way.SURRENDERED
    lose(event, d, 40)
    do(rebuy_decline, event, 41, entry=d)
    do(knockout_set, event, 41, eliminations=[out_of(d)], takers=[c])
    do(event_end, event, 42)
    assert bounties_of(f.fresh(event)).won == {c.pk: 2000}


def test_a_stack_is_given_up_by_whom_is_noted_as_without_one(event):
    a = f.entries_of(event)[0]
    f.refuses("has_chips", stack_surrender, event, 1, entry=a)
    lose(event, a, 2)
    f.refuses("bad_stack", stack_surrender, event, 3, entry=a, stack=801)
    do(stack_surrender, event, 3, entry=a)
    f.refuses("already_out", stack_surrender, event, 4, entry=a)
    # He may enter anew as anybody out, and be sent out for good.
    do(entry_reenter, event, 5, entry=a)
    do(out_disqualify, event, 6, entry=a, reason="Chips eingesteckt")
    f.refuses("already_out", stack_surrender, event, 7, entry=a)
    assert bounties_of(f.fresh(event)).left_over == 500
    assert players_left(f.fresh(event)) == 4
