"""The ranking beside an oracle that knows the rules' text and nothing of ours."""

from datetime import UTC, datetime, timedelta
from itertools import chain
from random import Random

from tests.oracle_places import Bust, places_by_the_rules, random_evening
from tournaments.play.domain.ranking import Out, places

EVENING = datetime(2026, 1, 1, 19, tzinfo=UTC)
FIELD = 12


def outs_of(before, rounds, after):
    """Return what the program would have noted of this evening."""
    told = []
    hands = [(None, hand) for hand in before]
    hands += list(enumerate(rounds)) + [(None, hand) for hand in after]
    for number, hand in hands:
        for one in hand:
            own = (
                {"round": number, "table": one.table, "start_stack": one.stack}
                if isinstance(one, Bust)
                else {}
            )
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
