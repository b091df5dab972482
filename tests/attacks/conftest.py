"""What attacks begin with: a tournament to come."""

import pytest

from tests import factories as f


@pytest.fixture
def event():
    """A tournament nobody is registered for yet."""
    return f.make_event(capacity=20)
