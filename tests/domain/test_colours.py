"""A club's colour made readable, whatever colour it is."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.club.domain.colours import (
    AAA,
    FELT,
    NIGHT,
    PAPER,
    colour_read,
    contrast,
    shades_of,
)

COLOURS = st.integers(0, 0xFFFFFF).map("#{:06x}".format)


@given(COLOURS)
def test_wcag_2_2_aaa_every_colour_becomes_readable_on_the_night_and_under_paper_white(colour):
    shades = shades_of(colour)
    assert contrast(shades.accent, NIGHT) >= AAA
    assert contrast(shades.bright, FELT) >= AAA
    assert contrast(shades.deep, PAPER) >= AAA
    # Written on the accent is the night, on the other side of the same contrast.
    assert re.fullmatch("#[0-9a-f]{6}", shades.accent)


@given(COLOURS)
def test_a_colour_that_can_be_read_stays_as_it_is(colour):
    shades = shades_of(colour)
    assert (shades.accent == colour) == (contrast(colour, NIGHT) >= AAA)
    assert (shades.deep == colour) == (contrast(colour, PAPER) >= AAA)


@given(COLOURS)
def test_what_is_readable_already_is_made_no_lighter(colour):
    accent = shades_of(colour).accent
    assert shades_of(accent).accent == accent


@given(st.text(max_size=9))
def test_whatever_is_typed_is_a_colour_nothing_or_none(typed):
    read = colour_read(typed)
    assert read is None or read == "" or contrast(read, read) == 1


@pytest.mark.parametrize(
    "typed", ["rot", "#12345", "#1234567", "12", "#gggggg", "rgb(1,2,3)", "#12345\u0661"]
)
def test_what_is_no_colour_is_none(typed):
    assert colour_read(typed) is None
