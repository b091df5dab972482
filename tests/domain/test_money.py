"""Amounts as people type them: whole cents or a refusal, never a float."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.event.domain.prices import amount_typed, cents_of


@given(st.integers(0, 10**10), st.sampled_from(",."))
def test_what_is_typed_comes_back(cents, point):
    assert cents_of(amount_typed(cents, point=point)) == cents


@pytest.mark.parametrize("typed", ["", "zwölf", "-5", "1,234", "1.000,50", "٣", "1e3", "9" * 10])
def test_what_is_no_amount_is_refused(typed):
    with pytest.raises(ValueError, match="No amount"):
        cents_of(typed)
