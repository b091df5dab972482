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
