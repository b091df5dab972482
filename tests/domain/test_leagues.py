"""Points, drops, ties and standings of a league; formulas that people type."""

from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.seasons.domain.formula import FUNCTIONS, NAMES, FormulaError, formula_from
from tournaments.seasons.domain.pictures import HEIGHT, WIDTH, bars
from tournaments.seasons.domain.points import (
    Counts,
    Start,
    Terms,
    TieBreak,
    Ties,
    Way,
    evening_scores,
    people_places,
    place_points,
)
from tournaments.seasons.domain.standings import (
    Evening,
    points_after_each,
    points_to_pass,
    standings,
    starting_stack,
    team_standings,
)
from tournaments.seasons.domain.terms import as_json, preview, terms_from

VALUES = {"place": 3, "players": 40, "entries": 52, "knockouts": 2}


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
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("2 ^ 10 / 4", 256),
        ("-2 ^ 2", -4),
        ("2 ^ -1", "0.5"),
        ("--3 - -1", 4),
        ("10 / 4 / 5", "0.5"),
        ("7,5 + 0.25", "7.75"),
        ("wurzel(spieler + 9)", 7),
        ("MAX(platz; ko; 2)", 3),
        ("min(einstiege; 50) - runden(2,5)", 47),
        ("round(log(1)) + sqrt(0)", 0),
        ("players - place + knockouts", None),
    ],
)
def test_a_formula_is_worth_what_it_says(text, value):
    if value is None:
        with pytest.raises(FormulaError) as caught:
            formula_from(text)
        assert (caught.value.code, caught.value.what) == ("unknown", "knockouts")
    else:
        assert formula_from(text).value(**VALUES) == Decimal(value)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("1" * 201, "too_long"),
        ("1+" * 60 + "1", "too_long"),
        ("(" * 30 + "1" + ")" * 30, "too_long"),
        ("+".join(["log(platz) ^ 0,1"] * 5), "too_long"),
        ("1 +", "syntax"),
        ("1 2", "syntax"),
        ("(1", "syntax"),
        ("1)", "syntax"),
        ("2 ^ 2 ^ 2", "syntax"),
        ("platz.real", "syntax"),
        ("platz[0]", "syntax"),
        ("'a' * 9", "syntax"),
        ("1 if 1 else 2", "syntax"),
        ("lambda", "unknown"),
        ("__import__('os')", "syntax"),
        ("eval(1)", "unknown"),
        ("wurzel(1; 2)", "arguments"),
        ("max(1,5)", "arguments"),
        ("wurzel 4", "syntax"),
    ],
)
def test_what_is_no_formula_is_refused_before_it_is_reckoned(text, code):
    with pytest.raises(FormulaError) as caught:
        formula_from(text)
    assert caught.value.code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1 / (platz - 3)", "zero"),
        ("0 ^ -1", "zero"),
        ("wurzel(0 - platz)", "negative"),
        ("log(0)", "negative"),
        ("(0 - 2) ^ 0,5", "negative"),
        ("spieler ^ 10", "too_large"),
        ("2 ^ 11", "too_large"),
        ("999999999 * 2", "too_large"),
        ("runden(" + "9" * 40 + ")", "too_large"),
        ("-runden(-" + "9" * 40 + ")", "too_large"),
    ],
)
def test_a_formula_without_a_value_says_why(text, code):
    with pytest.raises(FormulaError) as caught:
        formula_from(text).value(**VALUES)
    assert caught.value.code == code


@given(st.text(alphabet="0123456789.,;()+-*/^ platzspielerwurzelmaxko", max_size=60))
def test_whatever_is_typed_has_a_value_or_a_reason(text):
    try:
        value = formula_from(text).value(**VALUES)
    except FormulaError:
        return
    assert value.is_finite()


def test_names_and_functions_do_not_collide():
    assert not NAMES.keys() & FUNCTIONS.keys()


@given(st.integers(1, 2000), st.integers(1, 2000))
def test_the_root_preset_is_the_nearest_hundredth(players, place):
    place = min(place, players)
    found = place_points(Terms(way=Way.ROOT), place, players, players)
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
    own = [place_points(how, at, len(scores), len(starts)) for at in range(1, len(scores) + 1)]
    assert abs(sum(score.points for score in scores.values()) - sum(own)) <= len(scores)


@given(st.lists(fields(12), max_size=5), terms, st.dictionaries(st.integers(1, 12), st.integers()))
def test_standings_are_in_order_and_every_total_is_its_parts(evenings, how, corrections):
    rows = standings(
        how, [Evening(key, tuple(starts)) for key, starts in enumerate(evenings)], corrections
    )
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


@given(st.lists(fields(8), min_size=1, max_size=4), terms)
def test_who_gets_what_is_needed_stands_before_and_with_less_does_not(evenings, how):
    played = [Evening(key, tuple(starts)) for key, starts in enumerate(evenings)]
    rows = standings(how, played)
    for row in rows[1:]:
        ahead = next((other for other in rows if other.rank < row.rank), None)
        if ahead is None:
            continue
        needed = points_to_pass(how, row, ahead)
        own = sorted([*(score.points for score in row.scores.values()), needed])
        best = sum(own[::-1][: how.best or None]) + how.attendance * len(own)
        assert best > ahead.points
        if needed:
            less = sorted([*(score.points for score in row.scores.values()), needed - 1])
            assert sum(less[::-1][: how.best or None]) + how.attendance * len(less) <= ahead.points


def test_ties_are_broken_in_the_order_that_was_set():
    first = Evening(1, (Start(7, 1, 1), Start(8, 2, 2), Start(9, 3, 3)))
    second = Evening(2, (Start(9, 1, 1), Start(8, 2, 2), Start(7, 3, 3)))
    evenings = [first, second]
    by_wins = standings(Terms(tie_breaks=(TieBreak.WINS,)), evenings)
    assert [(row.rank, row.person) for row in by_wins] == [(1, 7), (1, 9), (3, 8)]
    unbroken = standings(Terms(tie_breaks=()), evenings)
    assert {row.rank for row in unbroken} == {1}


def test_places_are_compared_from_the_first_one_on():
    table = Terms(way=Way.TABLE, table=(100, 100, 100, 100), tie_breaks=(TieBreak.PLACES,))
    first = Evening(1, (Start(1, 1, 1), Start(2, 2, 2), Start(3, 3, 3)))
    second = Evening(2, (Start(2, 1, 1), Start(3, 2, 2), Start(1, 3, 3)))
    assert [row.person for row in standings(table, [first, second])] == [2, 1, 3]


def test_knock_outs_in_a_formula_are_each_ones_own():
    terms = Terms(way=Way.FORMULA, formula="ko * 10")
    scores = evening_scores(terms, [Start(1, 1, 1, 2), Start(2, 2, 2, Fraction(1, 2))])
    assert {person: row.points for person, row in scores.items()} == {1: 2000, 2: 500}


@given(terms)
def test_terms_are_read_as_they_were_written(how):
    assert terms_from(as_json(how)) == how


def test_a_preview_is_no_longer_than_the_field():
    assert preview(Terms(), 3) == [(1, 300), (2, 200), (3, 100)]


@given(st.integers(-500, 10**7), st.integers(1, 10**5), st.integers(0, 500), st.integers(1, 500))
def test_a_starting_stack_is_of_whole_units_and_near(points, base, per_point, unit):
    stack = starting_stack(points, base=base, per_point=per_point, unit=unit)
    assert stack % unit == 0
    assert stack >= unit
    exact = base + max(0, points) * per_point / 100
    assert abs(stack - exact) <= max(unit / 2, unit - exact) + 1e-6


@given(st.lists(fields(8), max_size=4))
def test_teams_with_all_their_members_have_the_sum(evenings):
    rows = standings(Terms(), [Evening(key, tuple(row)) for key, row in enumerate(evenings)])
    found = team_standings(rows, {row.person: row.person % 2 for row in rows}, 0)
    assert sum(team.points for team in found) == sum(row.points for row in rows)


@given(st.lists(st.integers(-5, 900), max_size=200))
def test_bars_stay_within_the_picture(values):
    for bar in bars(values):
        assert 0 <= bar.x <= WIDTH
        assert bar.y + bar.height == HEIGHT
        assert bar.height >= 0


def test_a_picture_of_nothing_is_empty():
    assert bars([]) == []
