"""Bounties and deals: whatever happens in whatever order, no cent is lost and none is made."""

import random
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from krru.data.folder import BASE_DIR
from tests.docs_tables import headings, rows
from tournaments.payouts.domain.bounties import (
    BadEnvelopes,
    BountyKind,
    Out,
    bounties,
    envelopes,
    mystery_bounties,
)
from tournaments.payouts.domain.deals import (
    RECKONED,
    Unshareable,
    Way,
    own_amounts,
    shares,
)

PLAYED_OUT = FIXED, PROGRESSIVE = BountyKind.FIXED, BountyKind.PROGRESSIVE


@st.composite
def evenings(draw):
    """Draw heads, outs in any order with any takers, and who has won, if anybody."""
    many = draw(st.integers(2, 9))
    heads = {entry: draw(st.integers(0, 10_001)) for entry in range(many)}
    gone = draw(st.lists(st.sampled_from(range(many)), max_size=many - 1, unique=True))
    outs = [
        Out(
            entry=entry,
            takers=tuple(draw(st.sets(st.sampled_from(range(many)), max_size=3)) - {entry}),
            is_removed=draw(st.booleans()),
            envelope=draw(st.none() | st.integers(1, 100)),
        )
        for entry in gone
    ]
    left = sorted(set(heads) - set(gone))
    return heads, outs, left if draw(st.booleans()) else []


@settings(max_examples=300, deadline=None)
@given(evening=evenings(), kind=st.sampled_from(PLAYED_OUT), cut=st.integers(0, 100))
def test_no_cent_is_lost_whoever_takes_whom_and_whatever_is_taken_back(evening, kind, cut):
    heads, outs, winners = evening
    stands = bounties(kind, heads, outs, winners, cut_percent=cut)
    assert stands.total() == sum(heads.values())
    for part in (stands.heads, stands.won, stands.open):
        assert all(cents >= 0 for cents in part.values())
    assert set(stands.open) == {out.entry for out in outs if not out.takers and not out.is_removed}
    assert not (winners and (stands.left_over or stands.heads))
    for hit in stands.hits:
        assert sum(hit.won.values()) + sum(hit.grown.values()) == hit.cents
    for many in range(len(outs) + 1):
        before = bounties(kind, heads, outs[:many])
        assert before.total() == sum(heads.values())
        assert set(before.heads) == set(heads) - {out.entry for out in outs[:many]}


@st.composite
def evenings_with_rebuys(draw):
    """Draw heads, what is put on after lost stacks, and the stacks lost, in any order."""
    many = draw(st.integers(2, 6))
    cents = st.integers(0, 10_001)
    heads = {entry: draw(cents) for entry in range(many)}
    again = {entry: draw(st.lists(cents, max_size=3)) for entry in range(many)}
    stacks = [entry for entry in heads for _head in range(len(again[entry]) + 1)]
    order = draw(st.permutations(stacks))
    lost = [
        Out(
            entry=entry,
            number=order[: place + 1].count(entry),
            takers=tuple(draw(st.sets(st.sampled_from([*heads]), max_size=2)) - {entry}),
        )
        for place, entry in enumerate(order)
    ]
    return heads, again, lost[: draw(st.integers(0, len(lost)))]


@settings(max_examples=300, deadline=None)
@given(evening=evenings_with_rebuys(), kind=st.sampled_from(PLAYED_OUT), cut=st.integers(0, 100))
def test_with_each_lost_stack_a_head_falls_and_a_re_buy_puts_on_the_next(evening, kind, cut):
    heads, again, lost = evening
    fallen = [out.entry for out in lost]
    put_on = {entry: cents[: fallen.count(entry)] for entry, cents in again.items()}
    stands = bounties(kind, heads, lost, again=put_on, cut_percent=cut)
    assert stands.total() == sum(heads.values()) + sum(map(sum, put_on.values()))
    assert stands.left_over == 0
    assert len(stands.hits) + len(stands.waiting) == len(lost)
    assert set(stands.heads) == {
        entry for entry in heads if fallen.count(entry) <= len(put_on[entry])
    }
    assert [(hit.entry, hit.number) for hit in stands.hits] == [
        (out.entry, out.number) for out in lost if out.takers
    ]


@settings(max_examples=300, deadline=None)
@given(evening=evenings())
def test_no_cent_of_the_envelopes_is_lost(evening):
    heads, outs, winners = evening
    total = sum(heads.values()) + 1000
    stands = mystery_bounties(total, outs, winners)
    assert stands.total() == total
    if winners and not stands.undrawn and all(stands.open.values()):
        assert stands.left_over == 0


def test_outs_beyond_the_envelopes_win_nothing_and_hold_nobody_up():
    outs = [Out(entry=1, takers=(3,), envelope=400), Out(entry=2, takers=(3,))]
    stands = mystery_bounties(1000, outs, [3], to_draw=0)
    assert (stands.won, stands.undrawn, stands.left_over) == ({3: 1000}, [], 0)


def test_progressive_heads_against_fractions():
    """Without cents to round, what is won follows from the rule's text, told anew."""
    rng = random.Random(3)
    for _evening in range(200):
        many, half = rng.randint(2, 7), 2**7
        heads = dict.fromkeys(range(many), 100 * half)
        price = {entry: Fraction(cents) for entry, cents in heads.items()}
        won, outs, alive = dict.fromkeys(heads, Fraction(0)), [], list(heads)
        while len(alive) > 1:
            out = alive.pop(rng.randrange(len(alive)))
            taker = rng.choice(alive)
            outs.append(Out(entry=out, takers=(taker,)))
            won[taker] += price[out] / 2
            price[taker] += price[out] / 2
        won[alive[0]] += price[alive[0]]
        stands = bounties(PROGRESSIVE, heads, outs, alive)
        assert {one: stands.won.get(one, 0) for one in heads} == won


TENS = dict.fromkeys((1, 2, 3), 1000)


def by(entry, *takers):
    return Out(entry=entry, takers=takers)


@pytest.mark.parametrize(
    ("kind", "heads", "outs", "winners", "won"),
    [
        # Odd cents go to who entered first.
        (FIXED, {1: 500, 2: 500, 3: 1001}, [by(3, 1, 2)], [], {1: 501, 2: 500}),
        # Whose taker is not known waits, and is right once it is told.
        (PROGRESSIVE, TENS, [by(1), by(2, 3)], [3], {3: 2000}),
        (PROGRESSIVE, TENS, [by(1, 2), by(2, 3)], [3], {2: 500, 3: 2500}),
        # A disqualified head without a taker is the winner's.
        (FIXED, TENS, [Out(entry=1, is_removed=True), by(2, 3)], [3], {3: 3000}),
        # A taker whose own out was set earlier afterwards wins all of it.
        (PROGRESSIVE, TENS, [by(1, 3), by(2, 1)], [], {3: 500, 1: 1000}),
    ],
)
def test_who_wins_what(kind, heads, outs, winners, won):
    assert bounties(kind, heads, outs, winners).won == won


@pytest.mark.parametrize(
    ("total", "many", "tops", "code"),
    [
        (1000, 1, [], "too_few"),
        (1000, 2, [1, 2, 3], "too_many"),
        (1000, 3, [0], "bad_top"),
        (1000, 3, [-5], "bad_top"),
        (1000, 3, [999], "no_rest"),
        (1000, 2, [400, 500], "some_left"),
        (1000, 2, [700, 500], "no_rest"),
    ],
)
def test_envelopes_that_cannot_be_made(total, many, tops, code):
    with pytest.raises(BadEnvelopes) as refused:
        envelopes(total, many, tops)
    assert refused.value.code == code


@given(total=st.integers(0, 10**6), many=st.integers(2, 40), tops=st.lists(st.integers(1, 9999)))
def test_envelopes_hold_all_there_is(total, many, tops):
    with suppress(BadEnvelopes):
        found = envelopes(total, many, tops)
        assert (sum(found), len(found), min(found) > 0) == (total, many, True)
        assert found == sorted(found, reverse=True)


def told(cell):
    """Return the cents by name of a cell such as "B 5, C 3.75"; a dash is nobody."""
    parts = (part.split() for part in cell.split(",") if part != "-")
    return {name: int(100 * Decimal(amount)) for name, amount in parts}


@pytest.mark.parametrize(
    ("example", "kind", "entries"),
    [("fixed", FIXED, "ABCD"), ("progressive", PROGRESSIVE, "ABCD"), ("re-buy", FIXED, "ABC")],
)
def test_the_worked_examples_of_the_reference(example, kind, entries):
    text = (BASE_DIR / "docs/reference/bounties.md").read_text("utf-8")
    names = {name: number for number, name in enumerate(entries)}
    heads, again, outs = dict.fromkeys(names.values(), 1000), {}, []
    for happened, on_heads, won in rows(headings(text)[f"Example: {example}"]):
        out, _by, takers = happened.partition(" by ")
        winners = []
        if out.endswith(" wins"):
            winners = [names[out[0]]]
        elif " re-buys for " in out:
            again.setdefault(names[out[0]], []).append(100 * int(out.split()[-1]))
        elif out.endswith(" disqualified"):
            outs.append(Out(entry=names[out[0]], is_removed=True))
        else:
            by = tuple(names[one] for one in takers.split(" and ") if one)
            outs.append(Out(entry=names[out], takers=by))
        stands = bounties(kind, heads, outs, winners, again=again)
        for cents, cell in ((stands.heads, on_heads), (stands.won, won)):
            assert {name: cents[n] for name, n in names.items() if n in cents} == told(cell)


# --- Deals


PRIZES = st.lists(st.integers(0, 10**7), min_size=1, max_size=9).filter(any)


@settings(max_examples=150, deadline=None)
@given(
    stacks=st.lists(st.integers(1, 10**7), min_size=1, max_size=9),
    prizes=PRIZES,
    unit=st.sampled_from([1, 100, 500, 1000]),
    way=st.sampled_from(RECKONED),
    percent=st.integers(0, 99),
)
def test_every_share_is_paid_out_of_the_prizes(stacks, prizes, unit, way, percent):
    """A part of the prizes may be kept to play for."""
    prizes = sorted(prizes, reverse=True)
    kept = sum(prizes[: len(stacks)]) * percent // 100
    found = shares(way, stacks, prizes, unit=unit, kept=kept)
    pool = sum(prizes[: len(stacks)]) - kept
    assert sum(found) == pool
    assert min(found) >= 0
    assert sum(one % unit for one in found) == pool % unit, "whole units but for one rest"
    for (mine, got), (yours, given_to_you) in product(zip(stacks, found, strict=True), repeat=2):
        # Equal stacks may differ by what does not go into them: a unit, and the rest.
        assert mine > yours or got <= given_to_you + 2 * unit * (mine == yours)


@pytest.mark.parametrize(
    ("prizes", "kept", "code"),
    [
        ([200, 300], 0, "rising"),
        ([300, -5], 0, "rising"),
        ([], 0, "no_prizes"),
        ([0, 0], 0, "no_prizes"),
        ([300, 250], 550, "kept"),
        ([300], 301, "kept"),
    ],
)
def test_prizes_that_no_deal_can_share(prizes, kept, code):
    with pytest.raises(Unshareable) as refused:
        shares(Way.EVEN, [10, 20], prizes, kept=kept)
    assert refused.value.code == code


def test_no_share_without_chips():
    with pytest.raises(ValueError, match="has chips"):
        shares(Way.CHIPS, [10, 0], [100])


def test_the_example_of_the_reference():
    text = (BASE_DIR / "docs/reference/deals.md").read_text("utf-8")
    table = rows(headings(text)["Example"])
    stacks = [int(row[0].replace(",", "")) for row in table]
    for column, way in enumerate((Way.ICM, Way.CHIPS, Way.EVEN), 1):
        found = shares(way, stacks, [500_00, 300_00, 200_00])
        assert [f"{cents / 100:.2f}" for cents in found] == [row[column] for row in table]


@pytest.mark.parametrize(
    ("amounts", "kept", "code"),
    [([70, 40], 0, ""), ([60, 40], 10, ""), ([70, 41], 0, "own_sum"), ([120, -10], 0, "negative")],
)
def test_amounts_of_their_own_are_all_there_is_to_share(amounts, kept, code):
    if not code:
        assert own_amounts(amounts, [5, 5], [70, 40], kept=kept) == amounts
        return
    with pytest.raises(Unshareable) as refused:
        own_amounts(amounts, [5, 5], [70, 40], kept=kept)
    assert refused.value.code == code
