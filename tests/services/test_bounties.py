"""Bounties through the services: they follow the outs, whatever is taken back."""

import random

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.domain.errors import Refused
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import Draw, Elimination, Envelope, Posting
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import account_cents, event_has_money, paid_cents
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.bounties import (
    bounties_due,
    bounties_of,
    heads_of,
    mystery_pot,
    own_bounty,
)
from tournaments.payouts.services.bounties import bounty_pay, mystery_begin, mystery_draw
from tournaments.play.services.elimination_details import elimination_correct, knockout_set
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.seating.domain.draws import draw_order
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db


def evening(kind, players=4, **own):
    price = {"fee_cents": 1000, "fee_parts": [["bounty", 1000, ""]]}
    event = f.make_running_event(players, bounty_kind=kind, **(price | own))
    return event, f.entries_of(event)


def out(event, entry, *takers, minute=5):
    f.drive(entries_eliminate, event, minute, entries=[entry])
    if takers:
        rows = list(Elimination.objects.live().filter(entry=entry))
        f.drive(knockout_set, event, minute, eliminations=rows, takers=list(takers))


def test_whoever_knocks_out_has_the_head_and_undo_gives_it_back():
    event, (a, b, c, d) = evening("fixed")
    assert heads_of(event) == {one.pk: 1000 for one in (a, b, c, d)}
    out(event, a)
    assert bounties_of(event).open == {a.pk: 1000}
    row = list(Elimination.objects.live())
    told = f.drive(knockout_set, event, 6, eliminations=row, takers=[b, c])
    assert bounties_of(event).won == {b.pk: 500, c.pk: 500}
    f.undo(event, told, at=f.after(7))
    assert bounties_of(event).open == {a.pk: 1000}
    assert bounties_of(event).total() == 4000


def test_progressive_to_the_end_the_winner_keeps_his_own_head():
    event, (a, b, c, d) = evening("progressive", bounty_cut=50)
    out(event, a, b, minute=5)
    assert heads_of(event)[b.pk] == 1500
    out(event, b, c, d, minute=6)
    out(event, c, d, minute=7)
    assert bounties_of(event).won == {b.pk: 500, c.pk: 375, d.pk: 3125}
    assert own_bounty(d.registration).won == 3125
    f.drive(event_end, event, 8)
    assert sum(due.open for due in bounties_due(f.fresh(event))) == 4000


def test_a_time_that_is_corrected_puts_the_heads_right():
    event, (a, b, c, d) = evening("progressive")
    out(event, a, b, minute=5)
    out(event, b, d, minute=6)
    out(event, c, d, minute=8)
    assert bounties_of(event).won == {b.pk: 500, d.pk: 3500}
    rows = list(Elimination.objects.live().filter(entry=a))
    f.drive(elimination_correct, event, 9, eliminations=rows, to=f.after(7))
    assert bounties_of(event).won == {b.pk: 1000, d.pk: 3000}
    f.undo(event)
    assert bounties_of(event).won == {b.pk: 500, d.pk: 3500}


def test_a_disqualified_head_waits_for_the_winner():
    event, (a, b, c, d) = evening("fixed")
    f.drive(entry_disqualify, event, 5, entry=a, reason="Karten gezeigt")
    assert bounties_of(event).left_over == 1000
    out(event, b, d, minute=6)
    out(event, c, d, minute=7)
    assert bounties_of(event).won == {d.pk: 4000}


def test_it_is_paid_out_once_and_what_was_too_much_is_said():
    event, (a, b, _c, _d) = evening("fixed", fee_cents=3000)
    assert event_has_money(event)
    out(event, a, b)
    desk = f.make_desk(event)
    with f.refused("nothing_due", event):
        f.drive(bounty_pay, event, 6, by=desk, registration=a.registration)
    f.drive(fee_pay, event, 6, by=desk, registration=b.registration)
    assert account_cents(event, Account.BOUNTY) == -1000
    with f.refused("not_allowed", event):
        f.drive(bounty_pay, event, 6, by=f.make_arno(event), registration=b.registration)
    paid = f.drive(bounty_pay, event, 6, by=desk, registration=b.registration)
    f.assert_logged(event, "bounty.paid", amount_cents=1000)
    assert account_cents(event, Account.BOUNTIES) == 1000
    assert paid_cents(b.registration) == 3000
    assert sum(Posting.objects.live().values_list("amount_cents", flat=True)) == 0
    with f.refused("nothing_due", event):
        f.drive(bounty_pay, event, 7, by=desk, registration=b.registration)
    rows = list(Elimination.objects.live().filter(entry=a))
    f.drive(knockout_set, event, 8, eliminations=rows, takers=[])
    assert [(due.open, due.over) for due in bounties_due(event)] == [(-1000, 1000)]
    with f.refused("nothing_due", event):
        f.drive(bounty_pay, event, 9, registration=b.registration)
    f.undo(event, paid)
    assert bounties_due(event) == []


@pytest.fixture
def envelopes():
    """Five play; envelopes of 20, 15, 5, 5 and 5 are made after five minutes."""
    event, entries = evening("mystery", 5)
    f.drive(mystery_begin, event, 5, tops=[2000, 1500])
    return event, entries


def test_envelopes_are_drawn_so_that_anyone_can_recompute_it(envelopes):
    event, (a, b, *_others) = envelopes
    assert mystery_pot(event).amounts == [2000, 1500, 500, 500, 500]
    out(event, a, b, minute=6)
    assert bounties_of(event).undrawn == [a.pk]
    f.drive(mystery_draw, event, 7, by=f.make_arno(event), entry=a)
    draw = Draw.objects.get(kind="mystery")
    said = {"secret": event.draw_secret, "hall_number": "", "draw_number": draw.number}
    first = draw_order([f"envelope:{number}" for number in range(1, 6)], **said)[0]
    row = Envelope.objects.get()
    assert first == f"envelope:{row.number}"
    worth = mystery_pot(event).amounts[row.number - 1]
    assert draw.outcome == [[a.pk, row.number, worth]]
    assert bounties_of(event).won == {b.pk: worth}
    with f.refused("nothing_to_draw", event):
        f.drive(mystery_draw, event, 8, entry=a)


def test_an_envelope_stays_with_its_head_when_the_out_is_taken_back(envelopes):
    event, (a, b, *_others) = envelopes
    gone = f.drive(entries_eliminate, event, 6, entries=[a])
    rows = list(Elimination.objects.live())
    f.drive(knockout_set, event, 6, eliminations=rows, takers=[b])
    f.drive(mystery_draw, event, 7, entry=a)
    worth = bounties_of(event).won[b.pk]
    f.undo(event, gone, at=f.after(8))
    assert bounties_of(event).won == {}
    assert bounties_of(event).total() == 5000
    out(event, a, b, minute=9)
    assert bounties_of(event).won == {b.pk: worth}
    assert bounties_of(event).undrawn == []


def test_the_last_envelope_is_the_winners(envelopes):
    event, (a, b, c, d, e) = envelopes
    for minute, (gone, taker) in enumerate([(a, b), (b, c), (c, d), (d, e)], 6):
        out(event, gone, taker, minute=minute)
        f.drive(mystery_draw, event, minute, entry=gone)
    drawn = {row.number for row in Envelope.objects.all()}
    (last,) = set(range(1, 6)) - drawn
    amounts = mystery_pot(event).amounts
    of_d = amounts[Envelope.objects.get(entry=d).number - 1]
    assert bounties_of(event).won[e.pk] == of_d + amounts[last - 1]
    assert bounties_of(event).total() == sum(bounties_of(event).won.values()) == 5000


def test_who_comes_back_after_the_envelopes_were_made_leaves_none_too_few_for_the_winner():
    event, (a, b, c) = evening("mystery", 3)
    early = f.drive(entries_eliminate, event, 4, entries=[a])
    f.drive(mystery_begin, event, 5)
    f.undo(event, early, at=f.after(6))
    out(event, a, b, minute=7)
    f.drive(mystery_draw, event, 7, entry=a)
    out(event, b, c, minute=8)
    assert bounties_of(event).undrawn == []
    with f.refused("nothing_to_draw", event):
        f.drive(mystery_draw, event, 8, entry=b)
    assert sum(bounties_of(event).won.values()) == bounties_of(event).total() == 3000


def test_envelopes_that_cannot_be_made_or_drawn():
    event, entries = evening("mystery", 3, late_registration_level=9)
    with f.refused("late_open", event):
        f.drive(mystery_begin, event, 5)
    f.drive(event_update, event, 5, settings={"late_registration_level": 0})
    for tops, code in (([3000], "no_rest"), ([1] * 4, "too_many"), ([-1], "bad_top")):
        with f.refused(code, event):
            f.drive(mystery_begin, event, 5, tops=tops)
    with f.refused("nothing_to_draw", event):
        f.drive(mystery_draw, event, 5, entry=entries[0])
    f.drive(mystery_begin, event, 6)
    with f.refused("already_made", event):
        f.drive(mystery_begin, event, 7)
    other, rows = evening("fixed", 3)
    with f.refused("no_mystery", other):
        f.drive(mystery_begin, other, 5)
    with f.refused("no_mystery", other):
        f.drive(mystery_draw, other, 5, entry=rows[0])
    planned = f.make_event(bounty_kind="mystery", fee_cents=500, fee_parts=[["bounty", 500, ""]])
    with f.refused("not_started", planned):
        f.drive(mystery_begin, planned, -5)


FIVE = {"fee_cents": 500, "fee_parts": [["bounty", 500, ""]]}


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"bounty_kind": "wild", **FIVE}, "bad_bounty_kind"),
        ({"bounty_kind": "fixed"}, "bad_bounty"),
        ({"bounty_kind": "fixed", "fee_cents": 900}, "bad_bounty"),
        ({"bounty_kind": "progressive", **FIVE, "bounty_cut": 101}, "bad_bounty_cut"),
    ],
)
def test_bounties_that_no_tournament_can_have(settings, code):
    event = f.make_event()
    with f.refused(code, event):
        f.drive(event_update, event, -5, settings=settings)


def test_bounties_are_fixed_once_play_has_begun():
    event, _entries = evening("fixed", 3)
    with f.refused("fixed_after_start", event):
        f.drive(event_update, event, 5, settings={"fee_parts": []})


@pytest.mark.parametrize("kind", ["fixed", "progressive", "mystery"])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost_in_any_order_of_outs_words_and_undos(kind, seed):
    rng, (event, entries) = random.Random(seed), evening(kind, 6)
    actions, minute = [], 0
    for _step in range(40):
        minute += 1
        rows = list(Elimination.objects.live().filter(event=event))
        one = rng.choice(entries)
        some = rng.sample(entries, rng.randrange(3))
        service, own = rng.choice([
            (entries_eliminate, {"entries": [one]}),
            (entries_eliminate, {"entries": [one]}),
            (entry_disqualify, {"entry": one, "reason": "Test"}),
            (knockout_set, {"eliminations": rng.sample(rows, min(1, len(rows))), "takers": some}),
            (knockout_set, {"eliminations": rng.sample(rows, min(1, len(rows))), "takers": some}),
            (action_undo, {"action": rng.choice(actions) if actions else None}),
            (mystery_begin, {"tops": [1200]}),
            (mystery_draw, {"entry": one}),
            (bounty_pay, {"registration": one.registration}),
        ])  # fmt: skip
        if not all(value or key == "takers" for key, value in own.items()):
            continue
        try:
            made = call_service(service, event=event, by=f.SYSTEM, at=f.after(minute), **own)
            actions.append(made)
        except Refused:
            continue
        stands = bounties_of(event)
        assert stands.total() == 6000
        assert not any(cents < 0 for cents in stands.won.values())
        booked = Posting.objects.live().filter(event=event)
        assert sum(booked.values_list("amount_cents", flat=True)) == 0
        due = {one.registration: one for one in bounties_due(event)}
        assert sum(one.won for one in due.values()) == sum(stands.won.values())
    assert len(actions) > 8
