"""Places of those who go out in hand-for-hand: by their true time, or by the hand that is named."""

from random import Random

import pytest
from django.db import transaction

from tests import factories as f
from tests.bubble import (
    begin,
    end,
    first_round,
    make_event,
    places,
    release,
    report,
    report_all,
)
from tests.oracle_places import Bust, Thrown, places_by_the_rules, random_evening
from tournaments.models import Elimination
from tournaments.play.selectors.bubble import provisional_entries
from tournaments.play.selectors.eliminations import hands_near
from tournaments.play.selectors.ranking import places_made
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    """Three tables of three, seven are paid."""
    return make_event()


def first_at(event, *tables):
    return [f.at_table(event, table)[0] for table in tables]


def correct(event, *entries, minute=40, **own):
    rows = list(Elimination.objects.live().filter(entry__in=entries))
    return f.drive(elimination_correct, event, minute, eliminations=rows, **own)


def numbered(entries, *found):
    return {entry.number: place for entry, place in zip(entries, found, strict=True)}


def second_round(event):
    """Round 1 is released at minute 12 and round 2 at 15."""
    begin(event)
    report_all(event, 0, tables=(1, 2, 3, 4))
    release(event, 0)
    yield
    report_all(event, 1, 14, tables=(1, 2, 3, 4))
    release(event, 1, 15)
    yield


def out_in_both(event):
    """One goes out in round 1, two more are told in round 2."""
    outs = first_at(event, 1, 2, 3)
    rounds = second_round(event)
    next(rounds)
    f.out(event, outs[0], at=f.after(13))
    next(rounds)
    for minute, entry in enumerate(outs[1:], start=16):
        f.out(event, entry, at=f.after(minute))
    return outs


def test_tda_2024_rp8_at_different_tables_of_one_hand_the_place_is_shared(event):
    first_round(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 3)[0]
    first = f.out(event, one, at=f.after(13))
    assert places_made(f.fresh(event), first) == {one.pk: 9}
    second = f.out(event, two, at=f.after(14))
    assert places_made(f.fresh(event), first) == {one.pk: 8}
    assert places_made(f.fresh(event), second) == {two.pk: 8}
    assert places(event) == {one.number: 8, two.number: 8}
    assert provisional_entries(event) == {one.pk, two.pk}
    report_all(event, 1, 15)
    assert provisional_entries(event) == frozenset()


def test_rp8_all_by_stack_where_the_rules_say_so(event):
    event.rules = {**event.rules, "bust_ties": "by_stack"}
    event.save()
    first_round(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(13), start_stacks={one.pk: 300})
    f.out(event, two, at=f.after(14), start_stacks={two.pk: 900})
    assert places(event) == {two.number: 8, one.number: 9}


def test_tda_2024_rp8_a_three_of_the_running_hand_at_three_tables_share(event):
    before = f.at_table(event, 1)[1]
    f.out(event, before, at=f.after(9))
    begin(event)
    out = first_at(event, 3, 1, 2)
    for minute, entry in enumerate(out, start=11):
        f.out(event, entry, at=f.after(minute))
    shared = {before.number: 9, **{entry.number: 6 for entry in out}}
    assert places(event) == shared
    assert provisional_entries(event) == {entry.pk for entry in out}
    report_all(event, 0, 15)
    assert provisional_entries(event) == frozenset()
    assert places(event) == shared


def test_a_tap_that_waited_counts_for_the_hand_it_was_made_in(event):
    first_round(event)
    one, two = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, one, at=f.after(13))
    report_all(event, 1, 14)
    release(event, 1, 15)
    action = f.out(event, two, at=f.after(13.5), recorded_at=f.after(16))
    assert places(event) == {one.number: 8, two.number: 8}
    assert places_made(f.fresh(event), action) == {two.pk: 8}


@pytest.fixture
def large():
    """Four tables of three, ten are paid."""
    return make_event(12, 3, 10)


def test_rp8_a_an_out_of_before_the_announcement_is_no_part_of_hand_for_hand(large):
    event = large
    one, two = first_at(event, 1, 2)
    begin(event)
    f.out(event, one, at=f.after(11))
    f.out(event, two, at=f.after(11.5))
    correct(event, two, to=f.after(9))
    assert places(event) == numbered([one, two], 11, 12)
    correct(event, two, to=f.after(10.5), minute=41)
    assert places(event) == numbered([one, two], 11, 11)


def test_several_of_one_hand_move_to_the_round_together(large):
    event = large
    outs = out_in_both(event)
    two = f.at_table(event, 4)[:2]
    stacks = {two[0].pk: 900, two[1].pk: 300}
    f.out(event, *two, at=f.after(18), start_stacks=stacks)
    correct(event, two[0], to=f.after(13))
    assert places(event) == numbered([*outs, *two], 10, 8, 8, 10, 12)


def test_an_out_that_fell_into_the_next_hand_is_moved_to_its_own(large):
    event = large
    outs = out_in_both(event)
    action = correct(event, outs[1], hand=1)
    f.assert_logged(event, "elimination.corrected", outcome="hand", hand=1)
    assert places(event) == numbered(outs, 11, 11, 10)
    # No later than its table reported that hand over.
    assert Elimination.objects.live().get(entry=outs[1]).at == f.after(14)
    f.undo(event, action)
    assert places(event) == numbered(outs, 12, 10, 10)
    correct(event, outs[0], hand=2, minute=50)
    assert places(event) == numbered(outs, 10, 10, 10)
    correct(event, outs[0], hand=0, minute=51)
    f.assert_logged(event, "elimination.corrected", outcome="running", hand=0)
    assert places(event) == numbered(outs, 12, 10, 10)


def test_a_table_that_reported_late_does_not_make_the_out_later(large):
    event = large
    begin(event)
    report_all(event, 0, tables=(1, 2, 3, 4))
    release(event, 0)
    out, gone = first_at(event, 1, 2)
    report(event, 1, 1, 13)
    f.drive(entry_disqualify, event, 14, entry=gone, reason="Test")
    report_all(event, 1, 15, tables=(2, 3, 4))
    release(event, 1, 16)
    f.out(event, out, at=f.after(17), hand=1)
    f.assert_logged(event, "entry.eliminated", hand=1)
    assert places(event) == numbered([out, gone], 12, 11)


def test_hands_that_cannot_be_named(large):
    event = large
    outs = out_in_both(event)
    f.refuses("no_such_hand", correct, event, outs[1], hand=3)
    f.refuses("no_such_hand", f.out, event, f.at_table(event, 4)[0], at=f.after(20), hand=3)
    f.refuses("nothing", correct, event, outs[1], hand=2)
    other = make_event(name="Ohne Hand für Hand")
    f.refuses("no_such_hand", f.out, other, f.entries_of(other)[0], hand=0)
    gone = f.at_table(event, 4)[0]
    f.drive(entry_disqualify, event, 20, entry=gone, reason="Test")
    f.refuses("disqualified", correct, event, gone, hand=1)


def test_an_out_told_after_hand_for_hand_has_ended_may_still_name_its_last_hand(large):
    event = large
    one, two, three = first_at(event, 1, 2, 3)
    begin(event)
    report_all(event, 0, tables=(1, 2, 3, 4))
    release(event, 0)
    f.out(event, one, at=f.after(13))
    report_all(event, 1, 14, tables=(1, 2, 3, 4))
    end(event, 15)
    f.out(event, two, at=f.after(16))
    late = Elimination.objects.live().get(entry=two)
    assert late.round is None
    assert [hand.number for hand in hands_near(late)] == [0, 1]
    correct(event, two, hand=1)
    assert places(event) == numbered([one, two], 11, 11)
    f.out(event, three, at=f.after(31))
    assert hands_near(Elimination.objects.live().get(entry=three)) == []


# Random bubbles, told in order, late or wrongly and corrected: places agree with the oracle

FIELD, TABLES, BEGIN, HAND = 9, (1, 2, 3), 10, 10
# Of the long ones some hundred; the same by the ranking alone are in `tests/domain`.
QUICK, LONG = 12, 300


class Telling:
    """What staff taps for one true bubble; `taps` are (minute, what is done)."""

    def __init__(self, rng, event, left):
        self.rng, self.event = rng, event
        self.entries = {entry.number: entry for entry in f.entries_of(event)}
        self.before, self.rounds, self.after = random_evening(rng, left)
        self.taps = []

    def tell(self):
        for n, (one,) in enumerate(self.before):
            self._at_once(one, 1 + n)
        self._tap(BEGIN, lambda at: begin(self.event, at))
        for number, hand in enumerate(self.rounds):
            self._round(number, hand, BEGIN + HAND * number)
        over = BEGIN + HAND * len(self.rounds)
        self._tap(over, lambda at: end(self.event, at))
        for n, (one,) in enumerate(self.after):
            self._at_once(one, over + 5 + n)
        for minute, do in sorted(self.taps, key=lambda tap: tap[0]):
            do(minute)

    def _round(self, number, hand, begun):
        # Told late, a bust has no truer time than its table's report; that is compared alone.
        is_exact = any(isinstance(one, Thrown) for one in hand)
        for n, one in enumerate(hand):
            true = begun + 1 + n / 2
            ways = [self._at_once, self._too_early, self._too_late]
            if not is_exact:
                ways += [self._named, self._moved]
            way = self.rng.choice(ways)
            way(one, true, **({"number": number, "begun": begun} if way != self._at_once else {}))
        self._tap(begun + 7, lambda at: report_all(self.event, number, at, tables=TABLES))
        if number + 1 < len(self.rounds):
            self._tap(begun + HAND, lambda at: release(self.event, number, at))

    def _at_once(self, one, minute):
        self._tap(minute, lambda at: self._out(one, at))

    def _too_early(self, one, true, *, number, begun):
        """Entered while the hand is played, set to before it, and set right again."""
        self._at_once(one, true)
        self._tap(200 + true, lambda at: self._correct(one, at, to=f.after(begun - 0.5)))
        self._tap(300 + true, lambda at: self._correct(one, at, to=f.after(true)))

    def _too_late(self, one, true, *, number, begun):
        """Entered in the next hand, or after hand-for-hand; then the true time is set."""
        self._at_once(one, begun + HAND + 1)
        self._tap(200 + true, lambda at: self._correct(one, at, to=f.after(true)))

    def _named(self, one, true, *, number, begun):
        self._tap(begun + HAND + 1, lambda at: self._out(one, at, hand=number))

    def _moved(self, one, true, *, number, begun):
        self._at_once(one, begun + HAND + 1)
        self._tap(200 + true, lambda at: self._correct(one, at, hand=number))

    def _tap(self, minute, do):
        self.taps.append((minute, do))

    def _out(self, one, minute, **own):
        entry = self.entries[one.player]
        if isinstance(one, Thrown):
            f.drive(entry_disqualify, self.event, minute, entry=entry, reason="Test")
            return
        stacks = {entry.pk: one.stack} if one.stack else {}
        f.out(self.event, entry, at=f.after(minute), start_stacks=stacks, **own)

    def _correct(self, one, minute, **own):
        correct(self.event, self.entries[one.player], minute=minute, **own)


def compare(event, seed):
    rng = Random(seed)
    left = {entry.number: f.seat_of(entry)[0] for entry in f.entries_of(event)}
    told = Telling(rng, event, left)
    told.tell()
    found = places(event)
    assert found == places_by_the_rules(FIELD, [*told.before, *told.rounds, *told.after]), seed
    for row in Elimination.objects.live().filter(event=event).select_related("made_by", "entry"):
        assert places_made(f.fresh(event), row.made_by)[row.entry_id] == found[row.entry.number]


@pytest.mark.parametrize(
    "seeds", [range(QUICK), pytest.param(range(QUICK, LONG), marks=pytest.mark.long)], ids=str
)
def test_tda_2024_rp8_places_of_random_bubbles_are_those_of_the_oracle(event, seeds):
    for seed in seeds:
        # Each begins with everybody seated again.
        with transaction.atomic():
            compare(event, seed)
            transaction.set_rollback(True)
        event = f.fresh(event)


def test_the_oracle_knows_the_example_of_tda_2024_rp8():
    hand = [Bust(1, 1, None), Bust(2, 2, None), Bust(3, 3, None)]
    assert places_by_the_rules(52, [hand]) == {1: 50, 2: 50, 3: 50}
    mixed = [Bust(1, 1, 300), Thrown(2), Bust(3, 1, 100), Bust(4, 2, 100), Thrown(5)]
    assert places_by_the_rules(9, [mixed]) == {5: 5, 1: 6, 4: 6, 3: 8, 2: 9}
