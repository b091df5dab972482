"""Random bubbles, told in order, late or wrongly and corrected: places agree with the oracle."""

from random import Random

import pytest
from django.db import transaction

from tests import factories as f
from tests.bubble import begin, end, make_event, places, release, report_all
from tests.oracle_places import Bust, Thrown, places_by_the_rules, random_evening
from tournaments.models import Elimination
from tournaments.play.selectors.ranking import places_made
from tournaments.play.services.elimination_details import elimination_correct
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = pytest.mark.django_db

FIELD, TABLES, BEGIN, HAND = 9, (1, 2, 3), 10, 10
# Of the long ones some hundred; the same by the ranking alone are in `tests/domain`.
QUICK, LONG = 20, 300


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
        rows = list(Elimination.objects.live().filter(entry=self.entries[one.player]))
        f.drive(elimination_correct, self.event, minute, eliminations=rows, **own)


@pytest.fixture
def event():
    return make_event(FIELD, 3)


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
