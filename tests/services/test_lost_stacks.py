"""A lost stack has takers, also where a re-buy follows; what is bought again, and by whom."""

import pytest

from tests import factories as f
from tests.buying import do, evening, lose, undo
from tournaments.door.selectors.places import capacity_of
from tournaments.event.selectors.event import chips_in_play, players_left, without_chips
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import Elimination, Entry, Envelope, Knockout, LostStack, RebuyChance
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents, owed_cents
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.papers import still_to_pay_out
from tournaments.payouts.selectors.bounties import (
    bounties_due,
    bounties_of,
    bounty_lines,
    heads_of,
    heads_waiting,
)
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw
from tournaments.payouts.services.payees import payout_pay
from tournaments.play.selectors.eliminations import stacks_lost
from tournaments.play.selectors.ranking import places_of
from tournaments.play.services.elimination_details import (
    elimination_correct,
    knockout_set,
    out_disqualify,
)
from tournaments.play.services.eliminations import (
    disqualification_count,
    entries_eliminate,
    entry_disqualify,
)
from tournaments.play.services.rebuy_chances import rebuy_decline, rebuys_lapse, stack_surrender
from tournaments.public.selectors.posters import posters_current
from tournaments.rebuys.selectors.offers import chances_lapsed
from tournaments.rebuys.services.purchases import addon_buy, entry_reenter, rebuy_buy
from tournaments.seasons.selectors.review import evenings_of, review_of
from tournaments.seasons.selectors.statistics import profile_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


BOUNTIES = {
    "bounty_kind": "fixed", "fee_cents": 1500, "fee_parts": [["bounty", 500, ""]],
    "rebuy_level": 6, "rebuy_cents": 1500, "rebuy_parts": [["bounty", 500, ""]],
}  # fmt: skip


def with_bounties(players=4, **own):
    event = evening(players, **(BOUNTIES | own))
    return event, f.entries_of(event)


def lost_of(entry):
    return LostStack.objects.live().filter(entry=entry).order_by("at", "pk").last()


def took(event, entry, *takers, minute=2):
    """Tell who took the stack that somebody lost last, out or not."""
    out = Elimination.objects.live().filter(entry=entry).first()
    own = {"eliminations": [out]} if out else {"lost": [lost_of(entry)]}
    return do(knockout_set, event, minute, takers=list(takers), **own)


def rebuys(event, entry, taker, minute):
    """Lose a stack to somebody, and buy again."""
    lose(event, entry, minute)
    took(event, entry, taker, minute=minute)
    do(rebuy_buy, event, minute + 0.5, entry=entry, pays=True)


@pytest.mark.parametrize("kind", ["fixed", "progressive"])
def test_01_rebuy_bounty(kind):
    event, (anna, bernd, carla, dirk) = with_bounties(bounty_kind=kind)
    for entry in (anna, bernd, carla, dirk):
        do(fee_pay, event, 0.5, registration=entry.registration)
    rebuys(event, bernd, anna, 1)
    for minute, entry in enumerate((bernd, carla, dirk), start=3):
        lose(event, entry, minute)
        do(rebuy_decline, event, minute, entry=entry)
        took(event, entry, anna, minute=minute)
    do(event_end, event, 8)
    event = f.fresh(event)
    assert account_cents(event, Account.BOUNTY) == -2500
    assert sum(bounties_of(event).won.values()) == 2500
    assert [(due.name, due.open) for due in bounties_due(event)] == [
        (anna.registration.person.name, 2500)
    ]
    assert still_to_pay_out(event) == 5000 + 2500
    do(payout_pay, event, 9, registration=anna.registration)
    assert still_to_pay_out(event) == 5000
    starts = {start.person: start.knockouts for start in evenings_of([f.fresh(event)])[0].starts}
    assert starts[anna.registration.person_id] == 4
    review = review_of(event)
    assert [(one.name, one.heads) for one in review.hunters] == [
        (anna.registration.person.name, "4")
    ]
    assert review.hunters[0].taken.count(bernd.registration.person.name) == 2
    profile = profile_of(anna.registration.person)
    assert profile.knockouts == 4
    assert profile.knocked_out[0] == (bernd.registration.person.name, 2)
    assert [line.heads_taken for line in bounty_lines(event)] == [4]


def test_until_it_is_told_the_head_of_a_lost_stack_stays_open_whatever_follows():
    event, (a, b, c, _d) = with_bounties()
    lose(event, a, 1)
    do(rebuy_buy, event, 2, entry=a)
    lose(event, a, 3)
    do(rebuy_decline, event, 4, entry=a)
    assert [(stack.number, stack.is_out, cents) for stack, cents in heads_waiting(event)] == [
        (1, False, 500),
        (2, True, 500),
    ]
    first = lost_of(a)
    do(knockout_set, event, 5, lost=[first], takers=[b, c])
    f.assert_logged(
        event, "knockout.set", entries=[a.pk], takers=[b.pk, c.pk], lost=[first.pk], outcome="lost"
    )
    assert bounties_of(event).won == {b.pk: 250, c.pk: 250}
    assert bounties_of(event).open == {a.pk: 500}
    do(knockout_set, event, 6, lost=[first], takers=[])
    assert bounties_of(event).open == {a.pk: 1000}


def test_a_taker_told_while_the_seat_is_held_stays_told_when_it_becomes_an_out():
    event, (a, b, c, _d) = with_bounties()
    lose(event, a, 1)
    told = took(event, a, b)
    out = do(rebuy_decline, event, 3, entry=a)
    assert not LostStack.objects.live().exists()
    assert Knockout.objects.live().get().elimination.entry == a
    assert bounties_of(event).won == {b.pk: 500}
    undo(event, out)
    assert Knockout.objects.live().get().lost.entry == a
    do(rebuys_lapse, event, 20)
    assert bounties_of(event).won == {b.pk: 500}
    f.refuses("needed", undo, event, told, 21)
    took(event, a, c, minute=22)
    assert bounties_of(event).won == {c.pk: 500}


def test_who_has_no_chips_takes_none():
    event, (a, b, c, d) = with_bounties()
    do(entries_eliminate, event, 1, entries=[a, b])
    for taker in (a, b):
        f.refuses("had_no_chips", took, event, a, taker)
    f.refuses("not_here", took, event, a, c, c)
    do(rebuy_buy, event, 3, entry=b)
    f.refuses("had_no_chips", took, event, a, b)
    lose(event, c, 4)
    took(event, c, b, minute=4)
    both = [lost_of(a), lost_of(b)]
    do(knockout_set, event, 5, lost=both, takers=[d])
    assert bounties_of(event).won == {b.pk: 500, d.pk: 1000}
    do(rebuy_decline, event, 6, entry=c)
    f.refuses(
        "gone", knockout_set, event, 7, lost=both, eliminations=[Elimination(pk=0)], takers=[d]
    )


def test_whoever_is_disqualified_while_the_seat_is_held_had_lost_that_stack_before():
    event, (a, b, _c, _d) = with_bounties()
    lose(event, a, 1)
    do(entry_disqualify, event, 2, entry=a, reason="Streit")
    assert bounties_of(event).open == {a.pk: 500}
    do(knockout_set, event, 3, lost=[lost_of(a)], takers=[b])
    assert bounties_of(event).won == {b.pk: 500}


def test_envelopes_wait_for_re_buys_and_each_lost_stack_draws_its_own():
    event, (a, b, c, d, _e) = with_bounties(5, bounty_kind="mystery", late_registration_level=0)
    lose(event, a, 4)
    f.refuses("late_open", mystery_begin, event, 5)
    do(event_update, event, 5, settings={"rebuy_level": 0})
    f.refuses("late_open", mystery_begin, event, 5)
    do(rebuy_decline, event, 6, entry=a)
    do(mystery_begin, event, 7)
    do(event_update, event, 7, settings={"rebuy_level": 6})
    assert bounties_of(event).total() == 5 * 500
    rebuys(event, b, c, 8)
    assert bounties_of(event).undrawn == [b.pk]
    do(mystery_draw, event, 9, entry=b)
    lose(event, b, 10)
    do(rebuy_decline, event, 11, entry=b)
    took(event, b, d, minute=11)
    assert bounties_of(event).undrawn == [b.pk]
    do(mystery_draw, event, 12, entry=b)
    drawn = Envelope.objects.live().filter(entry=b).order_by("stack")
    assert [row.stack for row in drawn] == [1, 2]
    stands = bounties_of(event)
    assert {*stands.won} == {c.pk, d.pk}
    assert stands.total() == 6 * 500
    f.refuses("nothing_to_draw", mystery_draw, event, 13, entry=b)


def test_undo_of_a_lost_stack_of_a_taker_and_of_a_re_buy():
    event, (a, b, _c, _d) = with_bounties()
    lost = lose(event, a, 1)
    told = took(event, a, b)
    bought = do(rebuy_buy, event, 3, entry=a)
    f.refuses("needed", undo, event, lost, 4)
    again = lose(event, a, 4)
    second = do(rebuy_buy, event, 4.5, entry=a)
    with f.refused("needed", event):
        undo(event, bought, 5)  # not from under a stack that was lost since
    for action in (second, again, bought):
        undo(event, action, 5)
    assert RebuyChance.objects.live().get().entry == a
    assert bounties_of(event).won == {b.pk: 500}
    assert a.pk not in heads_of(event)
    undo(event, lost, 5)
    assert not LostStack.objects.live().exists()
    assert not Knockout.objects.live().exists()
    assert heads_of(event) == {one.pk: 500 for one in f.entries_of(event)}
    f.refuses("already_undone", undo, event, lost, 6)
    f.refuses("needed", undo, event, told, 6)


def test_a_re_buy_without_an_out_before_it_is_a_lost_stack_too():
    event, (a, b, c, _d) = with_bounties(rebuy_hold_minutes=0)
    bought = do(rebuy_buy, event, 2, entry=a, stack=0)
    assert bounties_of(event).open == {a.pk: 500}
    took(event, a, b, minute=3)
    assert bounties_of(event).won == {b.pk: 500}
    assert heads_of(event)[a.pk] == 500
    undo(event, bought, 4)
    assert bounties_of(event).won == {}
    assert not LostStack.objects.live().exists()
    assert c.pk in heads_of(event)


def test_what_is_bought_with_chips_left_or_twice_makes_the_head_heavier():
    own = {"rebuy_threshold": 100, "rebuy_double": True, "addon_parts": [["bounty", 200, ""]]}
    event, (a, b, c, _d) = with_bounties(**own)
    lose(event, c, 1)
    took(event, c, b, minute=1)
    do(rebuy_buy, event, 1.5, entry=c, number=2)
    assert heads_of(event)[c.pk] == 1000
    do(rebuy_buy, event, 2, entry=a, stack=80)
    do(addon_buy, event, 2.5, entry=a)
    assert not [stack for stack in stacks_lost(event) if stack.entry == a.pk]
    assert heads_of(event)[a.pk] == 500 + 500 + 200
    lose(event, a, 3)
    took(event, a, b, minute=3)
    assert bounties_of(event).won == {b.pk: 500 + 1200}


def test_an_add_on_is_for_those_in_once_and_in_its_break_alone():
    event = evening(addon_level=0, addon_break=1, breaks={1: 10})
    one, two = f.entries_of(event)[:2]
    f.refuses("not_yet", addon_buy, event, 1, entry=one)
    do(addon_buy, event, 21, entry=one)
    assert chips_in_play(event) == (1700, True)
    f.refuses("too_often", addon_buy, event, 22, entry=one)
    lose(event, two, 23)
    f.refuses("lost_all", addon_buy, event, 24, entry=two)
    do(rebuy_decline, event, 24, entry=two)
    f.refuses("is_out", addon_buy, event, 25, entry=two)
    f.refuses("too_late", addon_buy, event, 31, entry=f.entries_of(event)[2])


def test_a_re_entry_is_a_new_stack_with_a_drawn_seat():
    event = evening(rebuy_level=0)
    one = f.entries_of(event)[0]
    f.refuses("is_in", entry_reenter, event, 1, entry=one)
    lose(event, one, 1)
    do(entry_reenter, event, 5, entry=one)
    new = Entry.objects.live().filter(registration=one.registration).latest("number")
    assert (new.pk != one.pk, f.seat_of(new) is not None) == (True, True)
    assert (players_left(event), chips_in_play(event)) == (6, (1400, True))
    assert owed_cents(one.registration) == 2000
    assert places_of(event)[one.pk] == 7
    lose(event, new, 6)
    f.refuses("too_often", entry_reenter, event, 7, entry=new)
    f.refuses("too_late", entry_reenter, event, 61, entry=new)


def test_whoever_entered_anew_does_not_come_back_with_the_old_stack_too():
    event = evening(rebuy_level=0)
    one = f.entries_of(event)[0]
    out = lose(event, one, 1)
    anew = do(entry_reenter, event, 2, entry=one)
    f.refuses("needed", undo, event, out)
    do(event_update, event, 3, settings={"reentry_most": 0})
    f.refuses("needed", undo, event, out)
    undo(event, anew)
    undo(event, out)
    assert (players_left(event), chips_in_play(event)) == (6, (1200, True))
    assert owed_cents(one.registration) == 1000


def test_who_entered_anew_takes_his_place_again():
    event = evening(rebuy_level=0, capacity=6)
    one, two = f.entries_of(event)[:2]
    lose(event, one, 1)
    assert (capacity_of(f.fresh(event)).free, poster_free(event)) == (1, 1)
    do(entry_reenter, event, 2, by=f.make_desk(event), entry=one)
    assert (capacity_of(f.fresh(event)).free, poster_free(event)) == (0, 0)
    lose(event, two, 3)
    f.register(event, "Lea Late", at=f.after(4))
    f.refuses("full", entry_reenter, event, 5, by=f.make_desk(event), entry=two)
    do(entry_reenter, event, 6, by=f.make_dora(event), entry=two)


def poster_free(event):
    posters, _samples = posters_current(f.after(5))
    return next(poster.free for poster in posters if poster.event == event)


def test_krru_a_disqualified_player_never_enters_again():
    event = evening(reentry_most=5)
    one = f.entries_of(event)[0]
    do(entry_disqualify, event, 1, entry=one, reason="Betrug", stack=200)
    for service, own in ((entry_reenter, {}), (rebuy_buy, {"stack": 0})):
        f.refuses("disqualified", service, event, 2, entry=one, **own)


# --- A stack given up leaves play, its head untaken


def out_of(entry):
    return Elimination.objects.live().get(entry=entry)


def test_who_gives_up_in_the_re_buy_time_is_out_at_that_instant_and_takes_the_stack_along():
    event, (a, b, c, _d) = with_bounties()
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


def test_an_out_becomes_one_of_a_player_who_gave_up_and_whose_head_the_winner_gets():
    event, (a, b, c, d) = with_bounties()
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


def test_a_stack_is_given_up_by_whom_is_noted_as_without_one():
    event, (a, *_others) = with_bounties()
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
