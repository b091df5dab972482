"""Every seeded fault still finds the text that it spoils: else it says nothing about the suite."""

import pytest

from tests.faults import FAULTS
from tests.seeded_faults import BASE, place_of


@pytest.mark.sqlite_only
def test_the_text_of_every_fault_stands_once_in_the_program():
    assert len(FAULTS) >= 30
    for one in FAULTS:
        assert place_of(one, BASE).exists(), one.name
        assert one.right != one.wrong
