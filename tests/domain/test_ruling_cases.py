"""The rulings desk against answers of the rule books, by the id of each case.

The answers were not worked out by the program: `rule` says where each is from.
"""

import json
from pathlib import Path

import pytest

from tournaments.rulings.domain.desk import Topic, answer
from tournaments.rulings.selectors.answers import lines_of

CASES = Path(__file__).parents[1] / "cases" / "rules"


def cases(name):
    rows = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return [pytest.param(row, id=row["id"]) for row in rows]


def told_of(row):
    """Return the fields of the answer that a case expects, in its form."""
    found = answer(Topic(row["topic"]), row["question"])
    verdict = found.get("verdict") or {}
    pots = [[pot["amount"], pot["players"]] for pot in found.get("pots", ())]
    beside = {"verdict": verdict.get("verdict"), "vleast": verdict.get("least"), "pots": pots}
    return {name: {**found, **beside}[name] for name in row["expect"]}


@pytest.mark.parametrize("row", cases("rulings"))
def test_an_answer_is_that_of_the_rule_book(row):
    assert told_of(row) == row["expect"], row["rule"]


# What the sentences of a case say, and what they must not.
SAID = {
    "T1": (["erhöhen: Spieler 1.", "passen dürfen: Spieler 3."], "darf deshalb nicht"),
    "T2": (["erhöhen: Spieler 1, Spieler 2."], "Nur mitgehen"),
    "T3": (["gelten als voller Call: Es kostet 8.000."], "Leitung"),
    "T4": (["Die Leitung entscheidet: voller Call auf 8.000, oder die 2.000 bleiben"], "gelten"),
}


@pytest.mark.parametrize("row", cases("words"))
def test_a_sentence_says_what_the_rule_book_says(row):
    question = row["question"]
    said = " ".join(lines_of(Topic.BETS, question, answer(Topic.BETS, question)))
    wanted, never = SAID[row["id"]]
    assert all(part in said for part in wanted), said
    assert never not in said
