"""Plans and stacks against answers from outside the program, by the id of each case."""

import json
from pathlib import Path

import pytest

from tournaments.event.domain.dealing import Need, best_pieces, dealt_to, most_players
from tournaments.event.domain.planning.planner import Wish
from tournaments.forecast.domain.end import evening_foreseen

CASES = Path(__file__).parents[1] / "cases" / "rules"


def cases(name):
    rows = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return [pytest.param(row, id=row["id"]) for row in rows]


def pieces_in(row, name):
    return {int(value): count for value, count in row[name].items()}


@pytest.mark.parametrize("row", cases("planner"))
def test_a_plan_begins_as_deep_as_wished(row):
    wish = Wish(**row["wish"])
    evening = evening_foreseen(wish, pieces_in(row, "chip_set")).evening
    first = evening.levels[0]
    assert abs(wish.stack / first.big_blind - row["wished_big_blinds"]) <= 0.1 * wish.depth
    assert evening.dealt.sets <= row["possible"]["sets"]
    plan = [f"{one.small_blind}/{one.big_blind}" for one in evening.levels if not one.is_break]
    assert " ".join(plan[:9]) == row["possible"]["begins"]


@pytest.mark.parametrize("row", cases("chips"))
def test_a_case_that_suffices_is_enough(row):
    need = Need(stack=row["stack"], small_blind=row["small_blind"], big_blind=row["big_blind"])
    have, players = pieces_in(row, "set"), row["players"]
    dealt = dealt_to(have, players, need)
    assert dealt.sets == row.get("expect_sets", 1)
    assert sum(value * count for value, count in dealt.pieces.items()) == need.stack
    assert all(count * players <= have[value] for value, count in dealt.pieces.items())
    # Everyone can post both blinds without change.
    assert sum(v * n for v, n in dealt.pieces.items() if v <= need.small_blind) >= need.big_blind
    assert most_players(have, need) >= players


def test_sets_are_missing_only_where_the_blinds_cannot_be_posted():
    need = Need(stack=100, small_blind=1, big_blind=2)
    case = {1: 150, 5: 150, 10: 100, 25: 50, 100: 50}
    most = most_players(case, need)
    assert best_pieces(case, most, need)[1] >= need.big_blind
    assert [dealt_to(case, players, need).sets for players in (most, most + 1)] == [1, 2]
    # Where no piece is small enough for the blinds, a stack that sums is enough.
    assert dealt_to({25: 100}, 10, Need(stack=100, small_blind=5, big_blind=10)).sets == 1
