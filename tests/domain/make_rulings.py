"""Makes fixtures/cases/rulings.json anew: `python -m tests.domain.make_rulings`.

The answers are Python's: they hold the desk on the phones to it. Whether they are right, the cases
of the rule books and the oracles answer.
"""

import json
from random import Random

from tests.domain.cases import FIXTURES
from tournaments.rulings.domain.desk import Topic, answer
from tournaments.rulings.domain.unruled import Unruled
from tournaments.seating.domain.cards import deck

SEED = 20260315
FEW = 150
OWN = {
    "holdem": (2, 5), "omaha": (4, 5), "stud": (7, 0), "omaha_hilo": (4, 5), "stud_hilo": (7, 0),
    "razz": (7, 0), "triple_draw": (5, 0),
}  # fmt: skip
BETS = ("holdem", "omaha", "stud")


def bets(rng):
    game = rng.choice(BETS)
    small = rng.choice([1, 5, 8])
    question = {
        "game": game,
        "limit": rng.choice(["no_limit", "pot_limit", "split_limit", "spread_limit"]),
        "rule": rng.choice(["double_bet", "by_double", "previous_raise", "largest_raise"]),
        "cap": rng.choice(["last_round", "event"]),
        "small_blind": small,
        "big_blind": rng.choice([2 * small] * 6 + [15, 0]),
        "big_bet": rng.choice([4 * small, 0]) or 40,
        "bring_in": rng.choice([0, 1, 3]),
        "spread": rng.choice([[10, 50], [2, 20], [0, 0]]),
        "event_heads_up": rng.random() < 0.2,
        "round": rng.randint(1, 5),
        "pot": rng.choice([0, 30, 75, 240]),
        "players": [rng.choice([None, rng.randint(5, 400)]) for _ in range(rng.randint(2, 6))],
        "steps": [],
    }
    for _ in range(rng.randint(0, 9)):
        told = answered(Topic.BETS, question)
        if "answer" not in told or told["answer"]["turn"] is None:
            break
        question["steps"].append(step(rng, told["answer"]))
    if rng.random() < 0.4:
        question["put"] = {"to": rng.randint(1, 300), "declared": rng.random() < 0.4}
    return question


def step(rng, told):
    if rng.random() < 0.05:
        return rng.choice([["check", 0], ["call", 0], ["bet", rng.randint(1, 500)]])
    if told["least"] is not None and rng.random() < 0.45:
        most = told["most"] or told["least"] * 3
        return ["bet", rng.choice([told["least"], most, rng.randint(told["least"], most)])]
    if told["may_check"]:
        return ["check", 0]
    return [rng.choice(["call", "call", "fold"]), 0]


def stakes(rng, count):
    most = rng.randint(10, 300)
    rows = []
    for _ in range(count):
        row = {"put": rng.choice([most, most, rng.randint(0, most)])}
        if row["put"] < most or rng.random() < 0.1:
            row[rng.choice(["all_in", "all_in", "folded"])] = True
        if rng.random() < 0.2:
            row["stack"] = row["put"] + rng.choice([0, 0, 100, -1])
        rows.append(row)
    return rows


def pots(rng):
    rows = stakes(rng, rng.randint(1, 8))
    question = {"players": rows, "dead": rng.choice([0, 0, 15]), "unit": rng.choice([1, 1, 1, 5])}
    told = answered(Topic.POTS, question)
    if "answer" in told and rng.random() < 0.8:
        question["winners"] = [
            sorted(rng.sample(pot["players"], rng.randint(1, len(pot["players"]))))
            for pot in told["answer"]["pots"]
        ]
        if rng.random() < 0.1:
            question["winners"][-1] = [0]
    return question


def showdown(rng):
    game = rng.choice(list(OWN))
    own, shared = OWN[game]
    count = rng.randint(2, 6)
    dealt = [
        card.code for card in rng.sample(deck()[: rng.choice([52, 52, 48])], own * count + shared)
    ]
    board, dealt = dealt[:shared], dealt[shared:]
    rows = stakes(rng, count) if rng.random() < 0.6 else [{} for _ in range(count)]
    for place, row in enumerate(rows):
        row["cards"] = dealt[own * place : own * (place + 1)]
        if rng.random() < 0.05:
            row["cards"] = row["cards"][1:]
        if rng.random() < 0.05:
            row["dead"] = True
        if rng.random() < 0.03:
            row["cards"] = [*row["cards"][1:], dealt[0]]
    raiser = rng.choice([None, rng.randrange(count)])
    used = {*board, *dealt}
    aside = [card.code for card in rng.sample(deck(), 2) if card.code not in used]
    return {
        "game": game, "board": board, "players": rows, "last_raiser": raiser,
        "unit": rng.choice([1, 1, 5]),
        "aside": aside if rng.random() < 0.95 else [dealt[0]],
    }  # fmt: skip


def stud(rng):
    shown, count = rng.choice([1, 1, 2, 3, 4]), rng.randint(1, 8)
    pack = [card.code for card in rng.sample(deck()[: rng.choice([40, 52])], shown * count)]
    rows = [pack[shown * place : shown * (place + 1)] for place in range(count)]
    if rng.random() < 0.1:
        rows[0] = rows[0][1:]
    if rng.random() < 0.1:
        rows[-1] = [pack[0], *rows[-1][1:]]
    limit = rng.choice(["no_limit", "pot_limit", "split_limit"])
    return {"players": rows, "limit": limit, "game": rng.choice(["stud", "razz"])}


MAKERS = {Topic.BETS: bets, Topic.POTS: pots, Topic.SHOWDOWN: showdown, Topic.STUD: stud}


def answered(topic, question):
    try:
        return {"answer": answer(topic, question)}
    except Unruled as no:
        return {"code": no.code, "about": no.about}


def random_cases(rng, count):
    """Return so many questions about each topic, with Python's answers."""
    found = []
    for topic, make in MAKERS.items():
        for _ in range(count):
            question = make(rng)
            told = answered(topic, question)
            found.append({"topic": topic.value, "question": question, "expect": told})
    return found


def main():
    cases = random_cases(Random(SEED), FEW)
    lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases)
    (FIXTURES / "cases" / "rulings.json").write_text(f"[\n{lines}\n]\n", "utf-8")


if __name__ == "__main__":
    main()
