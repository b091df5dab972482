"""A crude poker: enough to move whole chips about and to bust people, nothing more.

Everybody folds, or goes all in. What it must get right is that no chip comes or goes, and that
several may bust in one hand, at one table.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

DARING = 1.1  # players who go all in, on average, at any table


def play_hand(
    stacks: Mapping[int, int], *, small_blind: int, big_blind: int, rng: Random
) -> dict[int, int]:
    """Return the stacks after one hand; who is left with 0 is out.

    `stacks` are in order of position, the small blind first. A player whom the blinds take
    everything is all in; one who alone goes all in takes the blinds.

    >>> after = play_hand({1: 90, 2: 60, 3: 50}, small_blind=1, big_blind=2, rng=Random(8))
    >>> sum(after.values())
    200
    """
    order = list(stacks)
    posted = {
        order[0]: min(small_blind, stacks[order[0]]),
        order[1]: min(big_blind, stacks[order[1]]),
    }
    forced = [entry for entry in posted if posted[entry] == stacks[entry]]
    daring = [e for e in order if e in forced or rng.random() < DARING / len(order)]
    if forced and len(daring) == 1:
        daring.append(rng.choice([entry for entry in order if entry not in daring]))
    if not daring:
        daring = [order[1]]
    put_in = posted | {entry: stacks[entry] for entry in daring}
    # Few ranks, so that pots are split now and then.
    won = _pots(put_in, {entry: rng.randrange(40) for entry in daring})
    return {
        entry: chips - put_in.get(entry, 0) + won.get(entry, 0) for entry, chips in stacks.items()
    }


def _pots(put_in: Mapping[int, int], ranks: Mapping[int, int]) -> dict[int, int]:
    """Return what each wins of main and side pots; who has no rank has folded."""
    won = dict.fromkeys(ranks, 0)
    levels = sorted({put_in[entry] for entry in ranks})
    below = 0
    for level in levels:
        # What somebody put in who then folded, above all stacks at stake, goes to the last pot.
        top = max(put_in.values()) if level == levels[-1] else level
        pot = sum(min(chips, top) - min(chips, below) for chips in put_in.values())
        able = [entry for entry in ranks if put_in[entry] >= level]
        best = max(ranks[entry] for entry in able)
        winners = [entry for entry in able if ranks[entry] == best]
        share, odd = divmod(pot, len(winners))
        for position, entry in enumerate(winners):
            won[entry] += share + (position < odd)
        below = level
    return won
