"""Places: worked out by hand, by comparing two at a time, and beside an oracle."""

from datetime import UTC, datetime, timedelta
from itertools import chain
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.domain.cases import by_number, case
from tests.oracle_places import Bust, is_weak_order, places_by_the_rules, random_evening
from tournaments.event.domain.rules import BustTies, SameHand
from tournaments.play.domain.ranking import (
    Out,
    TieRules,
    place_of_latest,
    places,
    places_of_round,
)

EVENING = datetime(2026, 1, 1, 19, tzinfo=UTC)


def out(entry, minutes, sequence, group=None, stack=None, **own):
    return Out(
        entry_id=entry,
        at=EVENING + timedelta(minutes=minutes),
        sequence=sequence,
        group=group,
        start_stack=stack,
        **own,
    )


# Minutes, order of recording, hand (0 for an out alone), stack (0 for unknown): few of each, so
# that much coincides.
ROWS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 9), st.integers(0, 3), st.integers(0, 3)),
    max_size=12,
)


@st.composite
def evenings(draw):
    """Outs, alone or several of one hand at one table, and who is left."""
    outs = [
        out(entry, minutes, order * 100 + entry, hand or None, stack or None)
        for entry, (minutes, order, hand, stack) in enumerate(draw(ROWS), start=1)
    ]
    return outs, list(range(101, 101 + draw(st.integers(0, 4))))


def is_better(one, other, outs):
    """Tell whether one out ranks above another: the rule said for two entries alone."""
    if one.group is not None and one.group == other.group:
        hand = [row for row in outs if row.group == one.group]
        if any(row.start_stack is None for row in hand):
            return False
        return one.start_stack > other.start_stack

    def instant(row):
        hand = [row] if row.group is None else [each for each in outs if each.group == row.group]
        return max((each.at, each.sequence) for each in hand)

    return instant(one) > instant(other)


@pytest.mark.parametrize("row", case("places")["cases"], ids=lambda row: row["case"])
def test_places_worked_out_by_hand(row):
    outs = []
    for sequence, each in enumerate(row["outs"], start=1):
        where = {"round": each.get("round"), "table": each.get("table")}
        facts = (each["entry"], each["at"], sequence, each["group"], each["stack"])
        outs.append(out(*facts, **where))
    rules = TieRules(
        same_hand=SameHand(row.get("same_hand", "by_stack")),
        bust_ties=BustTies(row.get("bust_ties", "shared")),
    )
    found = places(
        outs,
        row["alive"],
        is_over=row.get("is_over", False),
        counted=by_number(row["counted"]) if "counted" in row else None,
        rules=rules,
    )
    assert found == by_number(row["places"])


def check_by_comparing(outs, alive, is_over):
    found = places(outs, alive, is_over=is_over)
    for one in outs:
        better = sum(is_better(other, one, outs) for other in outs if other is not one)
        assert found[one.entry_id] == 1 + len(alive) + better
    if is_over:
        assert all(found[entry] == 1 for entry in alive)
    else:
        assert found.keys().isdisjoint(alive)


@given(evenings(), st.booleans(), st.randoms(use_true_random=False))
def test_a_place_is_one_more_than_how_many_are_better(evening, is_over, rng):
    check_by_comparing(*evening, is_over)
    outs, alive = evening
    shuffled = rng.sample(outs, len(outs))
    assert places(shuffled, alive) == places(outs, alive), "the order facts come in"
    latest = out(999, 60, 10**6)
    assert places([*outs, latest], alive)[999] == place_of_latest(len(alive))


@given(evenings(), st.booleans(), st.data())
def test_places_are_a_weak_order_and_ended_early_counted_stacks_decide(evening, is_over, data):
    outs, alive = evening
    counted = {entry: data.draw(st.integers(0, 3)) for entry in alive}
    found = places(outs, alive, is_over=is_over, counted=counted)
    assert is_weak_order(found, 1 if is_over else place_of_latest(len(alive)))
    assert len(found) == len(outs) + (len(alive) if is_over else 0)
    for one in alive if is_over else ():
        assert found[one] == 1 + sum(counted[other] > counted[one] for other in alive)


@pytest.mark.parametrize(
    ("outs", "alive", "said"),
    [([out(1, 0, 1), out(1, 5, 2)], [], "twice"), ([out(1, 0, 1)], [1], "both")],
)
def test_an_entry_is_out_once_and_not_also_in(outs, alive, said):
    with pytest.raises(ValueError, match=said):
        places(outs, alive)


def test_a_weak_order_skips_as_many_as_are_tied():
    sound = [([], 1), ([1], 1), ([1, 1, 3], 1), ([3, 1, 1, 4, 4, 4, 7], 1), ([3, 4, 4], 3)]
    assert all(is_weak_order(dict(enumerate(found)), first) for found, first in sound)
    broken = [([2], 1), ([1, 1, 2], 1), ([3, 5], 3)]
    assert not any(is_weak_order(dict(enumerate(found)), first) for found, first in broken)


# Rounds of hand-for-hand


ROUND_ROWS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 2), st.integers(0, 3), st.integers(0, 3)),
    max_size=12,
)


@st.composite
def bubbles(draw):
    """Outs before, in and after rounds, at up to three tables; the rounds one after the other."""
    outs = []
    for entry, (minute, round_number, table, stack) in enumerate(draw(ROUND_ROWS), start=1):
        own = {"round": round_number or None, "table": table or None}
        at = minute + 10 * round_number if round_number else minute
        outs.append(out(entry, at, entry, stack=stack or None, **own))
    return outs, list(range(101, 101 + draw(st.integers(0, 4))))


RULES = st.builds(
    TieRules, same_hand=st.sampled_from(list(SameHand)), bust_ties=st.sampled_from(list(BustTies))
)


def beats(one, other, mates, rules):
    """Tell whether one stack of a table's hand counts as more than another."""
    if rules.same_hand is SameHand.SHARED or any(row.start_stack is None for row in mates):
        return False
    return one.start_stack > other.start_stack


def is_better_in_round(one, other, outs, rules):
    """Tell it of two of one round, from the rule's words alone."""
    everybody = [row for row in outs if row.round == one.round]

    def mates(row):
        if row.table is None:
            return [row]
        return [each for each in everybody if each.table == row.table]

    is_known = all(row.start_stack is not None for row in everybody)
    if rules.bust_ties is BustTies.BY_STACK and is_known:
        if rules.same_hand is SameHand.SHARED:
            largest = [max(each.start_stack for each in mates(row)) for row in (one, other)]
            return largest[0] > largest[1]
        return one.start_stack > other.start_stack

    def beaten_by(row):
        return sum(beats(each, row, mates(row), rules) for each in mates(row))

    return beaten_by(one) < beaten_by(other)


@given(bubbles(), RULES)
def test_tda_2024_rp8_a_place_in_a_round_is_one_more_than_how_many_are_better(evening, rules):
    outs, alive = evening
    found = places(outs, alive, rules=rules)
    assert is_weak_order(found, place_of_latest(len(alive)))

    def instant(row):
        mates = [row] if row.round is None else [each for each in outs if each.round == row.round]
        return max((each.at, each.sequence) for each in mates)

    for one in outs:
        better = 0
        for other in outs:
            if other.round is not None and other.round == one.round:
                better += is_better_in_round(other, one, outs, rules)
            else:
                better += instant(other) > instant(one)
        assert found[one.entry_id] == 1 + len(alive) + better


@given(bubbles(), RULES, st.randoms(use_true_random=False))
def test_a_round_by_itself_is_placed_as_among_all_and_in_any_order(evening, rules, rng):
    outs, alive = evening
    found = places(outs, alive, rules=rules)
    assert places(rng.sample(outs, len(outs)), alive, rules=rules) == found
    for number in (1, 2):
        mates = [row for row in outs if row.round == number]
        if mates:
            first = min(found[row.entry_id] for row in mates)
            alone = places_of_round(mates, first, rules)
            assert alone == {row.entry_id: found[row.entry_id] for row in mates}


def test_the_largest_bubble_is_ranked_at_once():
    outs = [
        out(entry, entry // 2, entry, stack=entry % 7 + 1, round=1 + entry // 500, table=entry % 90)
        for entry in range(10_000)
    ]
    assert is_weak_order(places(outs, [10_001]), 2)


# --- Beside an oracle of the rules' text that knows nothing of ours


FIELD = 12


def outs_of(before, rounds, after):
    """Return what the program would have noted of this evening."""
    told = []
    hands = [(None, hand) for hand in before]
    hands += list(enumerate(rounds)) + [(None, hand) for hand in after]
    for number, hand in hands:
        for one in hand:
            own = {}
            if isinstance(one, Bust):
                own = {"round": number, "table": one.table, "start_stack": one.stack}
            at = EVENING + timedelta(seconds=len(told))
            told.append(Out(entry_id=one.player, at=at, sequence=len(told), **own))
    return told


def test_tda_2024_rp8_ten_thousand_random_bubbles_are_placed_as_the_oracle_places_them():
    for seed in range(10_000):
        rng = Random(seed)
        parts = random_evening(rng, {player: 1 + player % 4 for player in range(FIELD)})
        outs = outs_of(*parts)
        rng.shuffle(outs)
        alive = set(range(FIELD)) - {out.entry_id for out in outs}
        assert places(outs, alive) == places_by_the_rules(FIELD, [*chain(*parts)]), seed
