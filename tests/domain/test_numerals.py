"""Numbers in words: hand-written cases, and what holds for all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clock.domain.numerals import LARGEST, english, german

CASES = [
    (0, "null", "zero"),
    (1, "eins", "one"),
    (16, "sechzehn", "sixteen"),
    (17, "siebzehn", "seventeen"),
    (21, "einundzwanzig", "twenty-one"),
    (30, "dreißig", "thirty"),
    (100, "einhundert", "one hundred"),
    (101, "einhunderteins", "one hundred and one"),
    (650, "sechshundertfünfzig", "six hundred and fifty"),
    (1000, "eintausend", "one thousand"),
    (1001, "eintausendeins", "one thousand and one"),
    (1300, "eintausenddreihundert", "one thousand three hundred"),
    (21_000, "einundzwanzigtausend", "twenty-one thousand"),
    (101_000, "einhunderteintausend", "one hundred and one thousand"),
    (201_001, "zweihunderteintausendeins", "two hundred and one thousand and one"),
    (1_000_000, "eine Million", "one million"),
    (1_000_001, "eine Million eins", "one million and one"),
    (
        2_500_000,
        "zwei Millionen fünfhunderttausend",
        "two million five hundred thousand",
    ),
]


@pytest.mark.parametrize(("number", "in_german", "in_english"), CASES)
def test_numbers_as_they_are_said(number, in_german, in_english):
    assert german(number) == in_german
    assert english(number) == in_english


@given(st.integers(0, LARGEST), st.integers(0, LARGEST))
def test_different_numbers_are_said_differently(one, other):
    for say in (german, english):
        assert (say(one) == say(other)) == (one == other)


@pytest.mark.parametrize("number", [-1, LARGEST + 1])
@pytest.mark.parametrize("say", [german, english])
def test_numbers_without_words_are_refused(say, number):
    with pytest.raises(ValueError, match="is not between"):
        say(number)
