"""Bounties: whatever happens in whatever order, no cent is lost and none is made."""

import random
from decimal import Decimal
from fractions import Fraction

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
    shared,
)

PLAYED_OUT = [BountyKind.FIXED, BountyKind.PROGRESSIVE]


@st.composite
def evenings(draw):
    """Draw heads, outs in any order with any takers, and who has won, if anybody."""
    many = draw(st.integers(2, 9))
    heads = {entry: draw(st.integers(0, 10_001)) for entry in range(many)}
    gone = draw(st.lists(st.sampled_from(range(many)), max_size=many - 1, unique=True))
    outs = [
        Out(
            entry=entry,
            takers=tuple(
                draw(
                    st.lists(
                        st.sampled_from([one for one in range(many) if one != entry]),
                        max_size=3,
                        unique=True,
                    )
                )
            ),
            is_disqualified=draw(st.booleans()),
            envelope=draw(st.none() | st.integers(1, 100)),
        )
        for entry in gone
    ]
    left = sorted(set(heads) - set(gone))
    return heads, outs, left if draw(st.booleans()) else []


@settings(max_examples=300, deadline=None)
@given(evening=evenings(), kind=st.sampled_from(PLAYED_OUT), cut=st.integers(0, 100))
def test_no_cent_is_lost_whoever_takes_whom(evening, kind, cut):
    heads, outs, winners = evening
    stands = bounties(kind, heads, outs, winners, cut_percent=cut)
    assert stands.total() == sum(heads.values())
    for part in (stands.heads, stands.won, stands.open):
        assert all(cents >= 0 for cents in part.values())
    assert set(stands.open) == {
        out.entry for out in outs if not out.takers and not out.is_disqualified
    }
    assert not (winners and (stands.left_over or stands.heads))
    for hit in stands.hits:
        assert sum(hit.won.values()) + sum(hit.grown.values()) == hit.cents


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
@given(evening=evenings(), kind=st.sampled_from(PLAYED_OUT))
def test_an_out_taken_back_is_as_if_it_had_never_been(evening, kind):
    heads, outs, _winners = evening
    for many in range(len(outs) + 1):
        stands = bounties(kind, heads, outs[:many])
        assert stands.total() == sum(heads.values())
        assert set(stands.heads) == set(heads) - {out.entry for out in outs[:many]}


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
        stands = bounties(BountyKind.PROGRESSIVE, heads, outs, alive)
        assert {one: stands.won.get(one, 0) for one in heads} == won


def test_a_shared_pot_shares_by_the_cent_and_odd_cents_go_to_who_entered_first():
    stands = bounties(BountyKind.FIXED, {1: 500, 2: 500, 3: 1001}, [Out(entry=3, takers=(1, 2))])
    assert stands.won == {1: 501, 2: 500}
    assert shared(7, [4, 5, 6]) == {4: 3, 5: 2, 6: 2}


def test_whose_taker_is_not_known_waits_and_is_right_once_it_is_told():
    heads = dict.fromkeys((1, 2, 3), 1000)
    later = Out(entry=2, takers=(3,))
    before = bounties(BountyKind.PROGRESSIVE, heads, [Out(entry=1), later], [3])
    assert (before.open, before.won) == ({1: 1000}, {3: 2000})
    after = bounties(BountyKind.PROGRESSIVE, heads, [Out(entry=1, takers=(2,)), later], [3])
    assert (after.open, after.won) == ({}, {2: 500, 3: 2500})


def test_a_disqualified_head_without_a_taker_is_the_winners():
    heads = dict.fromkeys((1, 2, 3), 1000)
    outs = [Out(entry=1, is_disqualified=True), Out(entry=2, takers=(3,))]
    assert bounties(BountyKind.FIXED, heads, outs).left_over == 1000
    assert bounties(BountyKind.FIXED, heads, outs, [3]).won == {3: 3000}


def test_a_taker_whose_own_out_was_set_earlier_afterwards_wins_all_of_it():
    heads = dict.fromkeys((1, 2, 3), 1000)
    outs = [Out(entry=1, takers=(3,)), Out(entry=2, takers=(1,))]
    stands = bounties(BountyKind.PROGRESSIVE, heads, outs)
    assert stands.won == {3: 500, 1: 1000}
    assert stands.heads == {3: 1500}


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
    try:
        found = envelopes(total, many, tops)
    except BadEnvelopes:
        return
    assert (sum(found), len(found), min(found) > 0) == (total, many, True)
    assert found == sorted(found, reverse=True)


def told(cell):
    """Return the cents by name of a cell such as "B 5, C 3.75"; a dash is nobody."""
    parts = (part.split() for part in cell.split(",") if part != "-")
    return {name: int(100 * Decimal(amount)) for name, amount in parts}


@pytest.mark.parametrize(
    ("example", "kind", "entries"),
    [
        ("fixed", BountyKind.FIXED, "ABCD"),
        ("progressive", BountyKind.PROGRESSIVE, "ABCD"),
        ("re-buy", BountyKind.FIXED, "ABC"),
    ],
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
            outs.append(Out(entry=names[out[0]], is_disqualified=True))
        else:
            by = tuple(names[one] for one in takers.split(" and ") if one)
            outs.append(Out(entry=names[out], takers=by))
        stands = bounties(kind, heads, outs, winners, again=again)
        assert {name: stands.heads[n] for name, n in names.items() if n in stands.heads} == told(
            on_heads
        )
        assert {name: stands.won[n] for name, n in names.items() if n in stands.won} == told(won)
