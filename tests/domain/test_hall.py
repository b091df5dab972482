"""Where tables stand: what is typed is kept, each table has one way or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.hall import (
    LONGEST_TYPED,
    LONGEST_WORDS,
    MOST_AREAS,
    MOST_TABLE,
    HallError,
    areas_text,
    areas_typed,
    check_areas,
    way_to,
)
from tournaments.event.domain.hall_plan import (
    LONGEST_NUMBERS,
    LONGEST_PLAN,
    MOST_IN_A_ROW,
    free_numbers,
    numbers_text,
    numbers_typed,
    plan_drawn,
    plan_typed,
)

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
RUNS = st.lists(st.integers(1, MOST_TABLE), unique=True, max_size=20).map(sorted)


@st.composite
def halls(draw):
    """Return areas as they may be: every second number begins one, the next ends it."""
    marks = draw(RUNS)
    runs = zip(marks[::2], marks[1::2], strict=False)
    return [(first, last, draw(WORDS)[:LONGEST_WORDS]) for first, last in runs]


@given(halls())
def test_what_is_kept_is_typed_again_as_it_was(areas):
    check_areas(areas)
    assert areas_typed(areas_text(areas)) == areas


@given(halls(), st.integers(1, MOST_TABLE))
def test_a_table_stands_in_the_area_that_holds_its_number(areas, table):
    holding = [words for first, last, words in areas if table in range(first, last + 1)]
    assert way_to(areas, table) == "".join(holding)


@pytest.mark.parametrize(
    ("typed", "code", "line"),
    [
        ("Saal", "unreadable", "Saal"),
        ("1-6", "unreadable", "1-6"),
        ("-3: Saal", "unreadable", "-3: Saal"),
        ("x" * 999, "unreadable", "x" * LONGEST_WORDS),
        ("6-1: Saal", "backwards", "6-1"),
        ("0: Saal", "backwards", "0"),
        (f"1-{MOST_TABLE + 1}: Saal", "backwards", f"1-{MOST_TABLE + 1}"),
        ("1-6:  ", "no_words", "1-6"),
        ("4: " + "x" * (LONGEST_WORDS + 1), "long_words", "4"),
        ("6-9: Galerie\n1-6: Saal", "overlap", "6-9"),
        ("3: Saal\n3: Galerie", "overlap", "3"),
        ("\n".join(f"{number}: Saal" for number in range(1, MOST_AREAS + 2)), "too_many", ""),
        (" " * (LONGEST_TYPED + 1), "too_many", ""),
    ],
)
def test_what_cannot_be_is_named_by_its_line(typed, code, line):
    with pytest.raises(HallError) as found:
        areas_typed(typed)
    assert (found.value.code, found.value.line) == (code, line)


@pytest.mark.parametrize("typed", ["", "\n  \n", "1-6: Saal", "1‑6 : Saal", "1 — 6: Saal: links"])
def test_dashes_and_spaces_are_as_people_type_them(typed):
    assert [area[:2] for area in areas_typed(typed)] == ([(1, 6)] if typed.strip() else [])


# --- The plan of the hall: each table has one number and one place, and a number one holder


NUMBERS = st.sets(st.integers(1, MOST_TABLE), max_size=30)


@st.composite
def plans(draw):
    """Return the rows of each area as typed, with 0 for a gap, and the numbers in order."""
    numbers = draw(st.permutations(range(1, 31)))
    areas, at = [], 0
    for name in ("Großer Saal", "Galerie", "Keller 2"):
        rows = []
        for size in draw(st.lists(st.integers(1, 5), max_size=2)):
            gaps = draw(st.lists(st.booleans(), min_size=size, max_size=size))
            row = [0 if gap else number for gap, number in zip(gaps, numbers[at:], strict=False)]
            rows.append(row)
            at += size
        areas.append((name, rows))
    return areas


@given(plans())
def test_each_table_stands_where_it_was_typed(areas):
    lines = []
    for name, rows in areas:
        lines += [name, *(" ".join(str(cell or ".") for cell in row) for row in rows), ""]
    found = {
        (spot.area, spot.row, spot.column): spot.number for spot in plan_typed("\n".join(lines))
    }
    assert found == {
        (name, row, column): number
        for name, rows in areas
        for row, cells in enumerate(rows)
        for column, number in enumerate(cells)
        if number
    }
    drawn = [table for area in plan_drawn(plan_typed("\n".join(lines))) for table in area.tables]
    assert sorted(table.number for table in drawn) == sorted(found.values())


@given(NUMBERS)
def test_numbers_in_short_are_read_as_they_were(numbers):
    short = numbers_text(numbers)
    if len(short) <= LONGEST_NUMBERS:
        assert set(numbers_typed(short)) == numbers


@given(NUMBERS, st.none() | NUMBERS, st.integers(0, 12))
def test_a_number_given_is_free_and_allowed_and_the_lowest(taken, allowed, count):
    found = free_numbers(count, taken, None if allowed is None else sorted(allowed))
    assert found == sorted(set(found))
    assert taken.isdisjoint(found)
    pool = (set(range(1, 100)) if allowed is None else allowed) - taken
    assert found == sorted(pool)[:count]


@given(st.lists(st.tuples(st.sampled_from("AB"), st.integers(1, 4), st.booleans()), max_size=20))
def test_two_events_never_hold_one_number(steps):
    """Two events open tables by turns or end; together they never hold a number twice."""
    held = {"A": [], "B": []}
    for event, count, ends in steps:
        if ends:
            held[event] = []
        else:
            held[event] += free_numbers(count, {*held["A"], *held["B"]})
        numbers = held["A"] + held["B"]
        assert len(numbers) == len(set(numbers))
    if not held["B"]:
        alone = free_numbers(3, held["A"])
        assert alone
        assert min(alone) <= len(held["A"]) + 1


@pytest.mark.parametrize(
    ("typed", "code", "line"),
    [
        ("Saal\n1 2\n2", "twice", "2"),
        ("1-3 2", "twice", "2"),
        ("0", "backwards", "0"),
        ("6-1", "backwards", "6-1"),
        (f"{MOST_TABLE + 1}", "backwards", f"{MOST_TABLE + 1}"),
        ("Saal\n1\nSaal\n2", "area_twice", "Saal"),
        ("x" * 81, "long_words", "x" * 80),
        (f"1-{MOST_IN_A_ROW + 1}", "wide", f"1-{MOST_IN_A_ROW + 1}"),
        ("1--2", "numbers", "1--2"),
        ("\n".join(f"{row * 60 + 1}-{row * 60 + 60}" for row in range(21)), "many_tables", ""),
        ("x" * (LONGEST_PLAN + 1), "too_long", ""),
    ],
)
def test_a_plan_that_cannot_be_is_named_by_its_line(typed, code, line):
    with pytest.raises(HallError) as found:
        plan_typed(typed)
    assert (found.value.code, found.value.line) == (code, line)


@pytest.mark.parametrize(
    ("typed", "code"),
    [("a", "numbers"), ("1-3, 3", "twice"), ("0", "backwards"), ("1 " * 200, "too_long")],
)
def test_numbers_that_cannot_be_are_refused(typed, code):
    with pytest.raises(HallError) as found:
        numbers_typed(typed)
    assert found.value.code == code
