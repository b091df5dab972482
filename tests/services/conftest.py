"""Fixtures of several services."""

import pytest

from tests import factories as f


@pytest.fixture
def entry(event):
    """Somebody who sits at table 1 of the test's event."""
    return f.at_table(event, 1)[0]
