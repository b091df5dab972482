"""Leagues and evenings told afterwards: formulas that people type, points, standings, pictures."""

import json
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seasons.domain.formula import FormulaError, formula_from
from tournaments.seasons.domain.points import (
    Counts,
    Field,
    Own,
    Stakes,
    Start,
    Terms,
    TieBreak,
    Ties,
    Way,
    as_json,
    evening_scores,
    fault_of,
    formula_points,
    people_places,
    place_points,
    terms_from,
)
from tournaments.seasons.domain.review import (
    BARS_HEIGHT,
    BARS_WIDTH,
    BOTTOM,
    HEIGHT,
    LEFT,
    MOST_HUNTERS,
    MOST_ROWS,
    RADIUS,
    RIGHT,
    TOP,
    WIDTH,
    bars,
    curve_of,
    evening_hours,
    hunt_of,
    left_at,
    rows_of,
    steps_of,
)
from tournaments.seasons.domain.standings import (
    Evening,
    points_after_each,
    points_to_pass,
    standings,
    starting_stack,
    team_standings,
)

VALUES = {"place": 3, "players": 40, "entries": 52, "knockouts": 2, "rebuys": 0}
CASES = Path(__file__).parents[1] / "cases"
FORMULA_CASES = {
    row["id"]: row for row in json.loads((CASES / "rules/league.json").read_text("utf-8"))
}


def formulas_of_clubs():
    """Return the formulas in use elsewhere, each with its values and its points."""
    for line in (CASES / "people/10-ligaformeln.csv").read_text("utf-8").splitlines()[1:]:
        name, rest = line.split(";", 1)
        text, *numbers, expected = rest.rsplit(";", 7)
        players, place, entries, fee, spent, heads = map(int, numbers)
        own = Own(heads, spent=spent * 100, rebuys=(spent - fee) // fee)
        field = Field(players, entries, Stakes(fee * 100))
        yield pytest.param(text, place, field, own, expected.split()[0], id=name)


@pytest.mark.parametrize(("text", "place", "field", "own", "expected"), list(formulas_of_clubs()))
def test_formulas_of_clubs_give_their_published_points(text, place, field, own, expected):
    found = formula_points(text, place, field, own)
    assert round(found, 2) == Fraction(expected.replace(",", "."))


@pytest.mark.parametrize("name", ["F1", "F2"])
def test_published_formulas_give_the_published_figure(name):
    case = FORMULA_CASES[name]
    terms = Terms(way=Way.FORMULA, formula=case["formula"])
    assert fault_of(terms) == ""
    found = place_points(terms, case["place"], Field(case["players"], case["players"]))
    assert found == round(case["expect"] * 100)


def test_shared_points_are_rounded_once():
    case = FORMULA_CASES["F4"]
    starts = [Start(number, number, place) for number, place in enumerate(case["places"], 1)]
    scores = evening_scores(Terms(way=Way(case["way"]), ties=Ties(case["ties"])), starts)
    assert [scores[2].points, scores[3].points] == [round(case["expect"]["2"] * 100)] * 2


def test_the_default_of_the_tournament_director_is_read_as_published():
    base = "10*(sqrt(n)/sqrt({}))*(1+log(avgBC+0.25))"
    third = "round(n/3)"
    text = (
        f"if(floor(n*0.9) > r and {third} < r, "
        f"round(({base.format(third + '+1')})*pow(0.66, (r-{third}))) + numberofHits*10, "
        f"if({third} >= r, round({base.format('r')}) + numberofHits*10, 1))"
    )
    field = Field(20, 20, Stakes(2000, average=2000))
    found = [formula_points(text, place, field, Own(1)) for place in (1, 3, 12, 19)]
    assert found == [113, 70, 15, 1]


@pytest.mark.parametrize(
    ("text", "starts", "points"),
    [
        (
            "preis / ausgaben + rebuys - add-ons + topf / schnitt",
            [Start(1, 1, 1, spent=2000, prize=6000), Start(2, 2, 2, spent=4000, rebuys=1)],
            [500, 300],
        ),
        ("ko * 10", [Start(1, 1, 1, 2), Start(2, 2, 2, Fraction(1, 2))], [2000, 500]),
    ],
    ids=["money", "knockouts"],
)
def test_what_a_formula_asks_is_each_ones_own(text, starts, points):
    terms = Terms(way=Way.FORMULA, formula=text)
    scores = evening_scores(terms, starts, Stakes(2000, 6000))
    assert [score.points for score in scores.values()] == points


@st.composite
def fields(draw, most=30):
    """Return the entries of an evening with places as a weak order, some people twice."""
    count = draw(st.integers(1, most))
    people = [draw(st.integers(1, count)) for _ in range(count)]
    ranks = sorted(draw(st.integers(1, count)) for _ in range(count))
    places = [1 + sum(other < rank for other in ranks) for rank in ranks]
    return [
        Start(person, number, place, draw(st.sampled_from([0, 1, 2, Fraction(1, 3)])))
        for number, (person, place) in enumerate(zip(people, places, strict=True), 1)
    ]


def played(evenings):
    return [Evening(key, tuple(starts)) for key, starts in enumerate(evenings)]


terms = st.builds(
    Terms,
    way=st.sampled_from([Way.LINEAR, Way.ROOT, Way.TABLE, Way.POOL]),
    table=st.just((5000, 3000, 2000)),
    ties=st.sampled_from(Ties),
    counts=st.sampled_from(Counts),
    best=st.integers(0, 4),
    attendance=st.integers(0, 300),
    knockout=st.integers(0, 100),
    tie_breaks=st.sampled_from([(), tuple(TieBreak), (TieBreak.PLACES,)]),
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *[("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("2 ^ 10 / 4", 256), ("-2 ^ 2", -4)],
        *[("2 ^ -1", "0.5"), ("--3 - -1", 4), ("10 / 4 / 5", "0.5")],
        ("7,5 + 0.25", "7.75"),
        ("wurzel(spieler + 9)", 7),
        ("MAX(platz; ko; 2)", 3),
        ("min(einstiege; 50) - runden(2,5)", 47),
        ("round(log(1)) + sqrt(0)", 0),
        *[("log(1000) + log10(10)", 4), ("runden(ln(7,389))", 2), ("hoch(2; 3)", 8)],
        *[("abrunden(-2,5)", -3), ("aufrunden(2,1)", 3), ("10 × (4 − 2) ÷ 5", 4)],
        *[("wenn(platz = 3 und ko > 1; 5; 1/0)", 5), ("if(r > 3 or n <= 39, 5, 1)", 1)],
        *[("(platz <> 3) + (ko ≥ 2) * 2", 2), ("spieler - platz + 1 - 2 * re-buys", 38)],
    ],
)
def test_a_formula_is_worth_what_it_says(text, value):
    assert formula_from(text).value(**VALUES) == Decimal(value)


NO_FORMULA = {
    "empty": ["", "   "],
    "too_long": [
        *("1" * 401, "1+" * 90 + "1", "(" * 30 + "1" + ")" * 30),
        "+".join(["log(platz) ^ 0,1"] * 5),
    ],
    "syntax": [
        *("1 +", "1 2", "(1", "1)", "2 ^ 2 ^ 2", "platz.real", "platz[0]", "'a' * 9"),
        *("1 if 1 else 2", "__import__('os')", "wurzel 4"),
    ],
    "unknown": ["lambda", "eval(1)", "players - place + heads"],
    "arguments": ["wurzel(1; 2)", "max(1,5)"],
    "zero": ["1 / (platz - 3)", "0 ^ -1"],
    "negative": ["wurzel(0 - platz)", "log(0)", "(0 - 2) ^ 0,5"],
    "too_large": [
        *("spieler ^ 10", "1,1 ^ 1001", "2 ^ 1000", "999999999 * 2"),
        *("runden(" + "9" * 40 + ")", "-runden(-" + "9" * 40 + ")"),
    ],
}


@pytest.mark.parametrize(
    ("text", "code"), [(text, code) for code, those in NO_FORMULA.items() for text in those]
)
def test_what_is_no_formula_or_has_no_value_says_why(text, code):
    with pytest.raises(FormulaError) as caught:
        formula_from(text).value(**VALUES)
    assert caught.value.code == code


@given(st.text(alphabet="0123456789.,;()+-*/^ platzspielerwurzelmaxko", max_size=60))
def test_whatever_is_typed_has_a_value_or_a_reason(text):
    with suppress(FormulaError):
        assert formula_from(text).value(**VALUES).is_finite()


@given(st.integers(1, 2000), st.integers(1, 2000))
def test_the_root_preset_is_the_nearest_hundredth(players, place):
    place = min(place, players)
    found = place_points(Terms(way=Way.ROOT), place, Field(players, players))
    assert abs(found / 100 - 10 * sqrt(players) / sqrt(place)) <= 0.00500001


@given(fields(), st.sampled_from(Counts))
def test_peoples_places_are_a_weak_order_without_gaps(starts, counts):
    placed = people_places(counts, starts)
    assert placed.keys() == {start.person for start in starts}
    values = sorted(placed.values())
    assert all(place == 1 + sum(other < place for other in values) for place in values)


@given(fields(), terms)
def test_shared_places_take_up_the_same_points_as_places_of_ones_own(starts, how):
    if how.ties is Ties.BEST:
        return
    scores = evening_scores(Terms(way=how.way, table=how.table, counts=how.counts), starts)
    field = Field(len(scores), len(starts))
    own = [place_points(how, at, field) for at in range(1, len(scores) + 1)]
    assert abs(sum(score.points for score in scores.values()) - sum(own)) <= len(scores)


@given(st.lists(fields(12), max_size=5), terms, st.dictionaries(st.integers(1, 12), st.integers()))
def test_standings_are_in_order_and_every_total_is_its_parts(evenings, how, corrections):
    rows = standings(how, played(evenings), corrections)
    for one, other in pairwise(rows):
        assert one.points >= other.points
        assert one.rank <= other.rank
    for row in rows:
        assert len(row.counted) == min(row.evenings, how.best or row.evenings)
        counted = [row.scores[key].points for key in row.counted]
        dropped = [row.scores[key].points for key in row.scores if key not in row.counted]
        assert not dropped or max(dropped) <= min(counted)
        assert row.points == sum(counted) + how.attendance * row.evenings + row.correction
        assert row.correction == corrections.get(row.person, 0)
        if row.scores:
            assert points_after_each(how, row)[-1] == row.points - row.correction
    found = team_standings(rows, {row.person: row.person % 2 for row in rows}, 0)
    assert sum(team.points for team in found) == sum(row.points for row in rows)


def best_of(how, row, more):
    """Return what somebody has after one more evening of so many points."""
    own = sorted([*(score.points for score in row.scores.values()), more], reverse=True)
    return sum(own[: how.best or None]) + how.attendance * len(own)


@given(st.lists(fields(8), min_size=1, max_size=4), terms)
def test_who_gets_what_is_needed_stands_before_and_with_less_does_not(evenings, how):
    rows = standings(how, played(evenings))
    for row in rows[1:]:
        ahead = next((other for other in rows if other.rank < row.rank), None)
        if ahead is None:
            continue
        needed = points_to_pass(how, row, ahead)
        assert best_of(how, row, needed) > ahead.points
        if needed:
            assert best_of(how, row, needed - 1) <= ahead.points


def rounds(*orders):
    """Return evenings at which these people came first, second and so on."""
    return [
        Evening(key, tuple(Start(person, at, at) for at, person in enumerate(order, 1)))
        for key, order in enumerate(orders, 1)
    ]


@pytest.mark.parametrize(
    ("own", "orders", "ranked"),
    [
        ({"tie_breaks": (TieBreak.WINS,)}, [(7, 8, 9), (9, 8, 7)], [(1, 7), (1, 9), (3, 8)]),
        ({"tie_breaks": ()}, [(7, 8, 9), (9, 8, 7)], [(1, 7), (1, 8), (1, 9)]),
        # Places are compared from the first one on.
        (
            {"way": Way.TABLE, "table": (100,) * 4, "tie_breaks": (TieBreak.PLACES,)},
            [(1, 2, 3), (2, 3, 1)],
            [(1, 2), (2, 1), (3, 3)],
        ),
    ],
)
def test_ties_are_broken_in_the_order_that_was_set(own, orders, ranked):
    rows = standings(Terms(**own), rounds(*orders))
    assert [(row.rank, row.person) for row in rows] == ranked


@given(terms)
def test_terms_are_read_as_they_were_written(how):
    assert terms_from(as_json(how)) == how


@given(st.integers(-500, 10**7), st.integers(1, 10**5), st.integers(0, 500), st.integers(1, 500))
def test_a_starting_stack_is_of_whole_units_and_near(points, base, per_point, unit):
    stack = starting_stack(points, base=base, per_point=per_point, unit=unit)
    assert stack % unit == 0
    assert stack >= unit
    exact = base + max(0, points) * per_point / 100
    assert abs(stack - exact) <= max(unit / 2, unit - exact) + 1e-6


@given(st.lists(st.integers(-5, 900), max_size=200))
def test_bars_stay_within_the_picture(values):
    for bar in bars(values):
        assert 0 <= bar.x <= BARS_WIDTH
        assert bar.y + bar.height == BARS_HEIGHT
        assert bar.height >= 0


# --- An evening as pictures: nothing lies outside, and nobody is lost


minutes = st.floats(-600, 2000, allow_nan=False)


@given(st.lists(minutes, max_size=30), st.data(), st.floats(1, 1500), st.integers(0, 59))
def test_the_curve_ends_with_who_was_left_and_stays_in_its_picture(ins, data, end, first):
    outs = data.draw(st.lists(minutes, max_size=len(ins)))
    steps = steps_of(ins, outs, end)
    assert steps[-1][1] == left_at(steps, end) == len(ins) - len(outs)
    assert all(0 <= at <= end for at, _left in steps)
    assert steps == sorted(steps)
    curve = curve_of(steps, end, first)
    if curve is not None:
        assert all(TOP <= y <= HEIGHT - BOTTOM for y, _left in curve.levels)
        assert all(LEFT <= x <= WIDTH - RIGHT for x, _at in curve.marks)
        assert curve.area.startswith(curve.line)


@given(st.integers(0, 5000))
def test_the_table_has_both_ends_and_few_rows(end):
    rows = rows_of(end)
    assert (rows[0], rows[-1]) == (0, end)
    assert len(rows) <= MOST_ROWS
    assert rows == sorted(set(rows))


@given(st.lists(st.integers(1, 60), min_size=1, max_size=30))
def test_every_disc_has_its_place(numbers):
    hunt = hunt_of([("Anna", [("BB", False)] * number) for number in numbers])
    discs = [(disc.x, disc.y) for row in hunt.rows for disc in row.discs]
    assert len(discs) == len(set(discs)) == sum(numbers[:MOST_HUNTERS])
    assert all(RADIUS <= x <= WIDTH - RADIUS for x, _y in discs)
    assert all(RADIUS <= y <= hunt.height - RADIUS for _x, y in discs)
    for before, row in zip(hunt.rows, hunt.rows[1:], strict=False):
        assert max(disc.y for disc in before.discs) + RADIUS < row.y - 10


@given(st.sets(st.integers(0, 23), min_size=1))
def test_hours_hold_all_that_were_and_none_twice(hours):
    found = evening_hours(hours)
    assert hours <= set(found)
    assert len(found) == len(set(found)) <= 24
