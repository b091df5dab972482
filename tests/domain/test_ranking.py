"""Places: worked out by hand, by comparing two at a time, and beside an oracle."""

from datetime import UTC, datetime, timedelta
from itertools import chain
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.domain.cases import by_number, case
from tests.oracle_places import Bust, is_weak_order, places_by_the_rules, random_evening
from tournaments.event.domain.rules import BustTies, SameHand
from tournaments.play.domain.ranking import (
    Out,
    TieRules,
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


# Part of the evening, of which the second and the fourth are a round of hand-for-hand; minutes,
# order of recording, hand or table (0 for an out alone), stack (0 for unknown): few of each, so
# that much coincides.
ROWS = st.lists(
    st.tuples(
        st.integers(0, 4),
        st.integers(0, 4),
        st.integers(0, 9),
        st.integers(0, 3),
        st.integers(0, 3),
    ),
    max_size=12,
)
RULES = st.builds(
    TieRules, same_hand=st.sampled_from(list(SameHand)), bust_ties=st.sampled_from(list(BustTies))
)


@st.composite
def evenings(draw):
    """Outs alone, of one hand at one table or of a round of all tables, and who is left."""
    outs = []
    for entry, (part, minutes, order, hand, stack) in enumerate(draw(ROWS), start=1):
        own = {"round": part, "table": hand or None} if part % 2 else {"group": hand or None}
        facts = (entry, 10 * part + minutes, order * 100 + entry)
        outs.append(out(*facts, stack=stack or None, **own))
    return outs, list(range(101, 101 + draw(st.integers(0, 4))))


def hand_of(row, outs):
    """Return all of one hand: of one round at all tables, or of one group."""
    for name in ("round", "group"):
        mark = getattr(row, name)
        if mark is not None:
            return [each for each in outs if getattr(each, name) == mark]
    return [row]


def at_table_of(row, hand):
    if row.round is None:
        return hand
    return [row] if row.table is None else [each for each in hand if each.table == row.table]


def beats(one, other, mates, rules):
    """Tell whether one stack of a table's hand counts as more than another."""
    if rules.same_hand is SameHand.SHARED or any(row.start_stack is None for row in mates):
        return False
    return one.start_stack > other.start_stack


def is_better(one, other, outs, rules):
    """Tell whether one out ranks above another: the rule said for two entries alone."""
    hand = hand_of(one, outs)
    if other not in hand:
        instants = (
            max((row.at, row.sequence) for row in hand_of(each, outs)) for each in (one, other)
        )
        return next(instants) > next(instants)
    is_known = all(row.start_stack is not None for row in hand)
    if one.round is not None and rules.bust_ties is BustTies.BY_STACK and is_known:
        if rules.same_hand is SameHand.BY_STACK:
            return one.start_stack > other.start_stack
        largest = [max(each.start_stack for each in at_table_of(row, hand)) for row in (one, other)]
        return largest[0] > largest[1]

    def beaten_by(row):
        mates = at_table_of(row, hand)
        return sum(beats(each, row, mates, rules) for each in mates)

    return beaten_by(one) < beaten_by(other)


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


@given(evenings(), RULES, st.booleans(), st.data())
@settings(max_examples=60)
def test_a_place_is_one_more_than_how_many_are_better(evening, rules, is_over, data):
    """Ended early, counted stacks decide between those who are left."""
    outs, alive = evening
    counted = data.draw(st.none() | st.fixed_dictionaries(dict.fromkeys(alive, st.integers(0, 3))))
    how = {"is_over": is_over, "counted": counted, "rules": rules}
    found = places(outs, alive, **how)
    assert is_weak_order(found, 1 if is_over else len(alive) + 1)
    for one in outs:
        better = sum(is_better(other, one, outs, rules) for other in outs if other is not one)
        assert found[one.entry_id] == 1 + len(alive) + better
    left = {
        one: 1 + sum(counted[other] > counted[one] for other in alive if counted) for one in alive
    }
    assert {one: found[one] for one in alive if one in found} == (left if is_over else {})
    assert places(data.draw(st.permutations(outs)), alive, **how) == found, "the order of facts"
    for number in (1, 3):
        mates = [row for row in outs if row.round == number]
        if mates:
            first = min(found[row.entry_id] for row in mates)
            by_itself = places_of_round(mates, first, rules)
            assert by_itself == {row.entry_id: found[row.entry_id] for row in mates}


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


@pytest.mark.parametrize(
    "seeds", [range(2_000), pytest.param(range(2_000, 10_000), marks=pytest.mark.long)], ids=str
)
def test_tda_2024_rp8_random_bubbles_are_placed_as_the_oracle_places_them(seeds):
    for seed in seeds:
        rng = Random(seed)
        parts = random_evening(rng, {player: 1 + player % 4 for player in range(FIELD)})
        outs = outs_of(*parts)
        rng.shuffle(outs)
        alive = set(range(FIELD)) - {out.entry_id for out in outs}
        assert places(outs, alive) == places_by_the_rules(FIELD, [*chain(*parts)]), seed
