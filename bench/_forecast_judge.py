"""A kind of poker that no forecast was fitted to: it judges those that were fitted to others.

Bets are shares of the smaller stack, not big blinds; players are loose or tight and good or bad,
and everybody pays blinds and, on some evenings, antes into a pot that two play for.
"""

from random import Random

from tournaments.devtools.forecast_evenings import Kind


def _manners(rng: Random, entries: int) -> dict[str, float]:
    found = {"ante": rng.choice((0.0, 0.0, 1.0)), "turn": rng.uniform(9, 16)}
    found["boldness"] = rng.lognormvariate(0.0, 0.25)
    for number in range(entries):
        found[f"loose{number}"] = rng.gammavariate(4.0, 0.25)
        found[f"skill{number}"] = rng.gauss(0.0, 0.12)
    return found


def _play(stacks: dict[int, float], blind: float, rng: Random, manners: dict[str, float]) -> None:
    """Two who are loose enough play for a share of the smaller stack; short ones for all of it."""
    order = list(stacks)
    dead = 0.0
    costs = blind * (1.5 + manners["ante"]) / len(order)
    for number in order:
        paid = min(stacks[number], costs)
        stacks[number] -= paid
        dead += paid
    weights = [manners[f"loose{number}"] for number in order]
    first, second = rng.choices(order, weights, k=2)
    if first == second:
        stacks[first] += dead
        return
    effective = min(stacks[first], stacks[second])
    depth = effective / blind
    if rng.random() < manners["boldness"] * 0.55 / (1 + (depth / manners["turn"]) ** 1.6):
        bet = effective
    else:
        bet = effective * rng.betavariate(1.2, 9.0)
    edge = manners[f"skill{first}"] - manners[f"skill{second}"]
    winner, loser = (first, second) if rng.random() < 0.5 + edge / 2 else (second, first)
    stacks[winner] += bet + dead
    stacks[loser] -= bet


JUDGE = Kind("shares", _play, _manners)
