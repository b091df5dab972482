"""Where tables stand: what is typed is kept, each table has one way or none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain import hall_plan as hall

WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=1)
RUNS = st.lists(st.integers(1, hall.MOST_TABLE), unique=True, max_size=20).map(sorted)


@st.composite
def halls(draw):
    """Return areas as they may be: every second number begins one, the next ends it."""
    marks = draw(RUNS)
    runs = zip(marks[::2], marks[1::2], strict=False)
    return [(first, last, draw(WORDS)[: hall.LONGEST_WORDS]) for first, last in runs]


@given(halls())
def test_what_is_kept_is_typed_again_as_it_was(areas):
    hall.check_areas(areas)
    assert hall.areas_typed(hall.areas_text(areas)) == areas


@given(halls(), st.integers(1, hall.MOST_TABLE))
def test_a_table_stands_in_the_area_that_holds_its_number(areas, table):
    holding = [words for first, last, words in areas if table in range(first, last + 1)]
    assert hall.way_to(areas, table) == "".join(holding)


@pytest.mark.parametrize("typed", ["", "\n  \n", "1-6: Saal", "1‑6 : Saal", "1 — 6: Saal: links"])
def test_dashes_and_spaces_are_as_people_type_them(typed):
    assert [area[:2] for area in hall.areas_typed(typed)] == ([(1, 6)] if typed.strip() else [])


# --- The plan of the hall: each table has one number and one place, and a number one holder


NUMBERS = st.sets(st.integers(1, hall.MOST_TABLE), max_size=30)


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
    plan = hall.plan_typed("\n".join(lines))
    found = {(spot.area, spot.row, spot.column): spot.number for spot in plan}
    assert found == {
        (name, row, column): number
        for name, rows in areas
        for row, cells in enumerate(rows)
        for column, number in enumerate(cells)
        if number
    }
    drawn = [table for area in hall.plan_drawn(plan) for table in area.tables]
    assert sorted(table.number for table in drawn) == sorted(found.values())


@given(NUMBERS)
def test_numbers_in_short_are_read_as_they_were(numbers):
    short = hall.numbers_text(numbers)
    if len(short) <= hall.LONGEST_NUMBERS:
        assert set(hall.numbers_typed(short)) == numbers


@given(NUMBERS, st.none() | NUMBERS, st.integers(0, 12))
def test_a_number_given_is_free_and_allowed_and_the_lowest(taken, allowed, count):
    found = hall.free_numbers(count, taken, None if allowed is None else sorted(allowed))
    assert found == sorted(set(found))
    assert taken.isdisjoint(found)
    pool = (set(range(1, 100)) if allowed is None else allowed) - taken
    assert found == sorted(pool)[:count]


@pytest.mark.parametrize(
    ("what", "typed", "code", "line"),
    [
        ("areas", "Saal", "unreadable", "Saal"),
        ("areas", "1-6", "unreadable", "1-6"),
        ("areas", "-3: Saal", "unreadable", "-3: Saal"),
        ("areas", "x" * 999, "unreadable", "x" * 80),
        ("areas", "6-1: Saal", "backwards", "6-1"),
        ("areas", "0: Saal", "backwards", "0"),
        ("areas", "1-10000: Saal", "backwards", "1-10000"),
        ("areas", "1-6:  ", "no_words", "1-6"),
        ("areas", "4: " + "x" * 81, "long_words", "4"),
        ("areas", "6-9: Galerie\n1-6: Saal", "overlap", "6-9"),
        ("areas", "3: Saal\n3: Galerie", "overlap", "3"),
        ("areas", "\n".join(f"{n}: Saal" for n in range(1, 102)), "too_many", ""),
        ("areas", " " * (hall.LONGEST_TYPED + 1), "too_many", ""),
        ("plan", "Saal\n1 2\n2", "twice", "2"),
        ("plan", "1-3 2", "twice", "2"),
        ("plan", "0", "backwards", "0"),
        ("plan", "6-1", "backwards", "6-1"),
        ("plan", "10000", "backwards", "10000"),
        ("plan", "Saal\n1\nSaal\n2", "area_twice", "Saal"),
        ("plan", "x" * 81, "long_words", "x" * 80),
        ("plan", "1-61", "wide", "1-61"),
        ("plan", "1--2", "numbers", "1--2"),
        ("plan", "\n".join(f"{n * 60 + 1}-{n * 60 + 60}" for n in range(21)), "many_tables", ""),
        ("plan", "x" * (hall.LONGEST_PLAN + 1), "too_long", ""),
        ("numbers", "a", "numbers", "a"),
        ("numbers", "1-3, 3", "twice", "3"),
        ("numbers", "0", "backwards", "0"),
        ("numbers", "1 " * 200, "too_long", ""),
    ],
)
def test_what_cannot_be_is_named_by_its_line(what, typed, code, line):
    with pytest.raises(hall.HallError) as found:
        getattr(hall, f"{what}_typed")(typed)
    assert (found.value.code, found.value.line) == (code, line)
