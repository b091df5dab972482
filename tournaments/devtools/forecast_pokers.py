"""Kinds of poker to fit the forecast; `bench/_forecast_judge.py` has one for testing only.

`shoves`: every player folds or goes all in, more often with a short stack.
`pots`: two or three play a pot of some big blinds, sometimes a large one.
`streets`: two play a pot that triples on every street until one gives up.
`mixed`: a mix of the first two kinds, with another share on each evening.
"""

from __future__ import annotations

from random import Random

from tournaments.devtools.forecast_evenings import Kind


def _shoves_manners(rng: Random, _entries: int) -> dict[str, float]:
    return {"daring": rng.lognormvariate(0.0, 0.3), "depth": rng.uniform(12, 22)}


def _shoves(stacks: dict[int, float], blind: float, rng: Random, manners: dict[str, float]) -> None:
    """Play a hand of folds and shoves; an uncalled shove takes the blinds."""
    order = list(stacks)
    posted = {order[0]: min(stacks[order[0]], blind / 2), order[1]: min(stacks[order[1]], blind)}
    dares = manners["daring"] * 1.3 / len(order)
    daring = []
    for number, stack in stacks.items():
        depth = stack / blind
        chance = dares * min(1.0, (manners["depth"] / depth) ** 0.9)
        if rng.random() < chance or posted.get(number) == stack:
            daring.append(number)
    if len(daring) < 2:
        winner = daring[0] if daring else rng.choice(order)
        for number, chips in posted.items():
            stacks[number] -= chips
            stacks[winner] += chips
        return
    first, second = rng.sample(daring, 2)
    _showdown(stacks, first, second, min(stacks[first], stacks[second]), rng)


def _pots_manners(rng: Random, _entries: int) -> dict[str, float]:
    return {"size": rng.uniform(5.0, 9.0), "wild": rng.uniform(0.9, 1.3)}


def _pots(stacks: dict[int, float], blind: float, rng: Random, manners: dict[str, float]) -> None:
    """Play a pot of a random number of big blinds; losses are limited to the stack."""
    order = list(stacks)
    size = blind * manners["size"] / 2 * rng.lognormvariate(0.0, manners["wild"])
    first, second = rng.sample(order, 2)
    _showdown(stacks, first, second, min(size, stacks[first], stacks[second]), rng)
    if len(order) > 2 and rng.random() < 0.2:
        third = rng.choice([number for number in order if number not in (first, second)])
        winner = first if rng.random() < 0.5 else second
        chips = min(size / 2, stacks[third])
        stacks[third] -= chips
        stacks[winner] += chips


def _showdown(stacks: dict[int, float], first: int, second: int, chips: float, rng: Random) -> None:
    if rng.random() < 0.5:
        first, second = second, first
    stacks[first] += chips
    stacks[second] -= chips


def _streets_manners(rng: Random, _entries: int) -> dict[str, float]:
    return {"on": rng.uniform(0.4, 0.55), "open": rng.uniform(2.0, 3.5)}


def _streets(
    stacks: dict[int, float], blind: float, rng: Random, manners: dict[str, float]
) -> None:
    """Play a pot of two; a short stack is all in before the last street."""
    first, second = rng.sample(list(stacks), 2)
    effective = min(stacks[first], stacks[second])
    paid = blind * manners["open"]
    for _street in range(4):
        if paid >= effective or rng.random() > manners["on"]:
            break
        paid *= 3
    _showdown(stacks, first, second, effective if paid > effective * 0.6 else paid, rng)


def _mixed_manners(rng: Random, entries: int) -> dict[str, float]:
    both = _shoves_manners(rng, entries) | _pots_manners(rng, entries)
    return both | {"shoves": rng.random()}


def _mixed(stacks: dict[int, float], blind: float, rng: Random, manners: dict[str, float]) -> None:
    play = _shoves if rng.random() < manners["shoves"] else _pots
    play(stacks, blind, rng, manners)


SHOVES = Kind("shoves", _shoves, _shoves_manners)
POTS = Kind("pots", _pots, _pots_manners)
STREETS = Kind("streets", _streets, _streets_manners)
MIXED = Kind("mixed", _mixed, _mixed_manners)
KINDS = (SHOVES, POTS, STREETS, MIXED)
