"""What is said of outs afterwards: by whom, when in truth, with which stacks, with which place."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from tournaments.models import Elimination
from tournaments.play.services.elimination_details import (
    elimination_correct,
    knockout_set,
    out_disqualify,
)
from tournaments.play.services.places import place_overrule
from tournaments.practice.simulation.deeds.deed import deed
from tournaments.practice.simulation.evening import ARBITER, Evening
from tournaments.practice.simulation.standings import Hand, tiers_of

TOLD_LATE = timedelta(minutes=3)


def outs_of(evening: Evening, hand: Hand) -> list[Elimination]:
    rows = Elimination.objects.live().filter(event=evening.event, entry__in=hand.outs)
    return list(rows.select_related("entry__registration__person").order_by("pk"))


def _busts(evening: Evening) -> list[Hand]:
    """Return the hands in which somebody went bust, latest told last; not who was thrown out."""
    thrown = Elimination.objects.live().filter(event=evening.event, way="disqualified")
    gone = set(thrown.values_list("entry", flat=True))
    return [hand for hand in evening.books.hands if not gone & hand.outs.keys()]


@deed(knockout_set)
def say_by_whom(evening: Evening) -> bool:
    """State who took the chips; it is somebody who is in, and nobody who was out before."""
    hands = _busts(evening)
    if not hands:
        return False
    rows = outs_of(evening, hands[-1])
    taker = evening.row_of(evening.somebody())
    evening.refused("out_before", knockout_set, eliminations=rows, takers=[rows[0].entry])
    evening.do(knockout_set, by=ARBITER, eliminations=rows, takers=[taker])
    return True


@deed(elimination_correct, often=2)
def it_was_earlier(evening: Evening) -> bool:
    """Set the true time of an out: it moves to the hand that was played then."""
    books, hands = evening.books, _busts(evening)[-6:]
    if not hands:
        return False
    hand = evening.rng.choice(hands)
    rows = outs_of(evening, hand)
    earliest = max([evening.began_at, *(row.entry.entered_at for row in rows)])
    to = hand.at - TOLD_LATE * evening.rng.random()
    if to < earliest or any(entry in ruling for entry in hand.outs for ruling in books.rulings):
        return False
    before = evening.kept(small=0.3, large=0.3)
    action = evening.do(elimination_correct, by=ARBITER, eliminations=rows, to=to)
    books.correct(hand, at=to, round=books.rounds.at(to))
    evening.refused("gone", elimination_correct, by=ARBITER, eliminations=rows, to=to)
    evening.stays(action, before)
    evening.checker.full(evening.books, evening.now)
    return True


@deed(elimination_correct)
def count_the_stacks(evening: Evening) -> bool:
    """State the stacks at the start of a hand in which several went out, where nobody knew."""
    for hand in _busts(evening)[::-1]:
        if len(hand.outs) < 2 or None not in hand.outs.values():
            continue
        stacks = {entry: evening.rng.randrange(1, 4) * 100 for entry in hand.outs}
        rows = outs_of(evening, hand)
        evening.do(elimination_correct, by=ARBITER, eliminations=rows, start_stacks=stacks)
        evening.books.correct(hand, outs=stacks)
        evening.checker.full(evening.books, evening.now)
        return True
    return False


@deed(place_overrule)
def overrule_a_place(evening: Evening) -> bool:
    """Have somebody share the place of another who is out, by the director's word."""
    books = evening.books
    tiers = tiers_of(books.hands)
    if len(tiers) < 3 or books.rulings:
        return False
    one, other = evening.rng.sample(range(min(len(tiers), 8)), 2)
    entry, before = tiers[one][0], books.copy()
    books.rulings.append((entry, tiers[other][0]))
    place = books.places(is_over=False)[entry]
    own: dict[str, Any] = {"entry": evening.row_of(entry), "place": place, "is_shared": True}
    evening.refused("no_reason", place_overrule, **own, reason="")
    evening.refused("not_allowed", place_overrule, by=ARBITER, **own, reason="Foto")
    action = evening.do(place_overrule, **own, reason="Foto")
    evening.checker.full(books, evening.now)
    evening.stays(action, before)
    evening.checker.full(evening.books, evening.now)
    return True


@deed(out_disqualify)
def disqualify_who_is_out(evening: Evening) -> bool:
    """Disqualify somebody who is out: the place stays."""
    hands = _busts(evening)
    if not hands:
        return False
    hand = evening.rng.choice(hands)
    entry = evening.row_of(min(hand.outs))
    evening.do(out_disqualify, entry=entry, reason="Bedroht den Schiedsrichter")
    evening.books.disqualified.add(entry.pk)
    evening.refused("cannot_disqualify", out_disqualify, entry=entry, reason="noch einmal")
    evening.checker.full(evening.books, evening.now)
    return True
