"""Prizes are worked out of the best places alone; these are the same as in the whole field."""

from random import Random

import pytest

from tests import factories as f
from tests.buying import debts
from tests.services.test_prizes import pay, planned, played
from tournaments.models import Elimination, HandForHand, HandRound
from tournaments.payouts.selectors.prizes import payout_of, payouts
from tournaments.payouts.services.prizes import prizes_freeze
from tournaments.play.selectors.ranking import (
    best_places_basis,
    places_basis,
    places_from,
    places_of,
)
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.play.services.places import place_overrule

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

PLAYERS, OUT, EVENINGS = 14, 12, 10


@pytest.fixture
def event():
    return f.make_running_event(PLAYERS)


@pytest.fixture
def rounds(event):
    """Two rounds of hand-for-hand."""
    made = f.last_action(event)
    row = HandForHand.objects.create(event=event, made_by=made, began_at=f.after(1))
    own = {"hand_for_hand": row, "made_by": made, "began_at": f.after(1)}
    return [HandRound.objects.create(number=number, **own) for number in (1, 2)]


def put_out(event, rng, rounds):
    """Put many out by rows: hands and rounds begin and end at any instant, many at the same."""
    entries = rng.sample(f.entries_of(event), OUT)
    Elimination.objects.bulk_create(
        Elimination(
            event=event,
            entry=entry,
            way=rng.choice(["bust", "bust", "bust", "disqualified"]),
            at=f.after(rng.randint(2, 12)),
            sequence=rng.randint(1000, 1010),
            group=rng.choice([None, None, 1, 2, 3]),
            round=rng.choice([None, None, None, *rounds]),
            start_stack=rng.choice([None, 100, 200, 300]),
            made_by=f.last_action(event),
        )
        for entry in entries
    )


def in_the_best(places, counted, outs):
    """Return who has fewer than so many of those who count before them."""
    return {
        entry
        for entry, place in places.items()
        if sum(places[one] < place for one in counted & places.keys()) < outs
    }


def test_the_best_places_are_those_of_the_whole_field(event, rounds):
    rng, read = Random(1), 0
    for _evening in range(EVENINGS):
        put_out(event, rng, rounds)
        whole = places_of(event)
        gone = places_basis(event).disqualified
        for outs in range(OUT + 2):
            for of_disqualified in (True, False):
                basis = best_places_basis(event, outs, of_disqualified=of_disqualified)
                found = places_from(basis)
                assert found.items() <= whole.items()
                counted = whole.keys() - (frozenset() if of_disqualified else gone)
                assert in_the_best(whole, counted, outs) <= found.keys()
                read += len(basis.outs)
        Elimination.objects.all().delete()
    assert read < EVENINGS * 2 * (OUT + 2) * OUT * 0.9


def test_hands_that_were_over_before_are_not_read_unless_a_place_was_set(event):
    entries = f.entries_of(event)[:OUT]
    for minute, entry in enumerate(entries, start=1):
        f.out(event, entry, at=f.after(minute))
    assert len(best_places_basis(f.fresh(event), 3, of_disqualified=True).outs) == 3
    said = {"entry": entries[0], "place": 10, "is_shared": False, "reason": "Video"}
    f.drive(place_overrule, event, 20, **said)
    found = places_from(best_places_basis(f.fresh(event), 1, of_disqualified=True))
    assert found[entries[0].pk] == 10


def test_one_payout_is_that_of_the_list():
    event, by_place = played(planned(10))
    f.drive(prizes_freeze, event, 30)
    pay(event, by_place[2], 2000)
    event = f.fresh(event)
    listed = {row.registration: row for row in payouts(event)}
    assert len(listed) == 3
    for entry in by_place:
        assert payout_of(event, entry.registration_id) == listed.get(entry.registration_id)


def test_who_fell_out_of_the_prizes_after_being_paid_is_shown_with_the_place_of_now():
    event, by_place = played(planned(10))
    f.drive(prizes_freeze, event, 30)
    pay(event, by_place[2], 2000)
    rows = list(Elimination.objects.live().filter(entry=by_place[2]))
    f.drive(elimination_correct, event, 70, eliminations=rows, to=f.after(9))
    event = f.fresh(event)
    (debt,) = debts(event)
    assert (debt.place, debt.owed_back) == (10, 2000)
    assert payout_of(event, debt.registration) == debt
    assert [row.place for row in payouts(event)] == [1, 2, 3, 10]
