"""A hall, its guests and its big screen, for modules that say `pytest_plugins`."""

import pytest
from django.urls import reverse

from tests.clock.hall import hall_open, visitors


@pytest.fixture
def hall(monkeypatch):
    with hall_open(monkeypatch) as hall:
        yield hall


@pytest.fixture
def guests(hall, browser):
    with visitors(hall, browser) as guests:
        yield guests


@pytest.fixture
def screen(guests):
    """Open the big screen of an event that nobody directs."""
    return lambda event, **own: guests.open(reverse("screen", args=[event.slug]), **own)
