"""Bounties through the services: they follow the outs, whatever is taken back; and are paid out."""

import pytest

from tests import factories as f
from tournaments.changes.kinds import describe
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import Draw, Elimination, Envelope
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.services.fees import fee_pay
from tournaments.papers.selectors.papers import evening_report
from tournaments.payouts.selectors.bounties import (
    bounties_due,
    bounties_of,
    heads_of,
    mystery_pot,
    own_bounty,
)
from tournaments.payouts.services.bounties import mystery_begin, mystery_draw
from tournaments.payouts.services.payees import payout_pay, payout_settle
from tournaments.play.services.elimination_details import elimination_correct, knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.domain.draws import draw_order

pytestmark = pytest.mark.django_db


def evening(kind, players=4, **own):
    price = {"fee_cents": 1000, "fee_parts": [["bounty", 1000, ""]]}
    event = f.make_running_event(players, bounty_kind=kind, **(price | own))
    return event, f.entries_of(event)


def told(event, entry, *takers, minute):
    """Say who has knocked somebody out."""
    rows = list(Elimination.objects.live().filter(entry=entry))
    return f.drive(knockout_set, event, minute, eliminations=rows, takers=list(takers))


def out(event, entry, *takers, minute=5):
    gone = f.drive(entries_eliminate, event, minute, entries=[entry])
    if takers:
        told(event, entry, *takers, minute=minute)
    return gone


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


# Paid out


@pytest.mark.parametrize("is_kept", [False, True])
def test_what_was_paid_too_much_comes_back_or_stays_by_the_directors_word(is_kept):
    event, (a, b, _c, _d) = evening("fixed", fee_cents=3000)
    desk, own = f.make_desk(event), {"registration": b.registration}
    out(event, a, b)
    f.drive(fee_pay, event, 6, by=desk, **own)
    paid = f.drive(payout_pay, event, 6, by=desk, **own)
    f.refuses("no_debt", payout_settle, event, 7, **own)
    told(event, a, minute=7)
    assert evening_report(f.fresh(event)).to_get_back == 1000
    f.refuses("not_allowed", payout_settle, event, 8, by=desk, **own)
    settled = f.drive(payout_settle, event, 8, **own, is_kept=is_kept)
    f.assert_logged(event, "payout.settled", amount_cents=1000)
    assert ("bleibt" in describe(settled)) is is_kept
    assert bounties_due(event) == []
    assert evening_report(f.fresh(event)).to_get_back == 0
    assert drawers_of(event)[0].cash_cents == (2000 if is_kept else 3000)
    f.undo(event, settled)
    assert [due.over for due in bounties_due(event)] == [1000]
    # It was right after all: what was paid is his, and nothing more is due.
    told(event, a, b, minute=9)
    assert [(due.open, due.paid) for due in bounties_due(event)] == [(0, 1000)]
    f.refuses("nothing_to_pay", payout_pay, event, 9, by=desk, **own)
    f.undo(event, paid)
    f.drive(payout_pay, event, 10, by=desk, **own)
    assert drawers_of(event)[0].cash_cents == 2000


# Envelopes


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
    f.refuses("nothing_to_draw", mystery_draw, event, 8, entry=a)


def test_an_envelope_stays_with_its_head_when_the_out_is_taken_back(envelopes):
    event, (a, b, *_others) = envelopes
    gone = out(event, a, b, minute=6)
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
    f.refuses("nothing_to_draw", mystery_draw, event, 8, entry=b)
    assert sum(bounties_of(event).won.values()) == bounties_of(event).total() == 3000


def test_envelopes_that_cannot_be_made_or_drawn():
    event, entries = evening("mystery", 3, late_registration_level=9)
    f.refuses("late_open", mystery_begin, event, 5)
    f.drive(event_update, event, 5, settings={"late_registration_level": 0})
    for tops, code in (([3000], "no_rest"), ([1] * 4, "too_many"), ([-1], "bad_top")):
        f.refuses(code, mystery_begin, event, 5, tops=tops)
    f.refuses("nothing_to_draw", mystery_draw, event, 5, entry=entries[0])
    f.drive(mystery_begin, event, 6)
    f.refuses("already_made", mystery_begin, event, 7)
    other, rows = evening("fixed", 3)
    f.refuses("no_mystery", mystery_begin, other, 5)
    f.refuses("no_mystery", mystery_draw, other, 5, entry=rows[0])
    f.refuses("fixed_after_start", event_update, other, 5, settings={"fee_parts": []})
    planned = f.make_event(bounty_kind="mystery", fee_cents=500, fee_parts=[["bounty", 500, ""]])
    f.refuses("not_started", mystery_begin, planned, -5)


# Settings


FIVE = {"fee_cents": 500, "fee_parts": [["bounty", 500, ""]]}


def test_bounties_that_no_tournament_can_have():
    event = f.make_event()
    for settings, code in (
        ({"bounty_kind": "wild", **FIVE}, "bad_bounty_kind"),
        ({"bounty_kind": "fixed"}, "bad_bounty"),
        ({"bounty_kind": "fixed", "fee_cents": 900}, "bad_bounty"),
        ({"bounty_kind": "progressive", **FIVE, "bounty_cut": 101}, "bad_bounty_cut"),
    ):
        f.refuses(code, event_update, event, -5, settings=settings)
