"""Waits of the browser tests: events with room for a machine five times slower. And devices."""

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser import evening_kept
from tests.browser.devices import Devices

expect.set_options(timeout=30_000)


@pytest.fixture
def devices(live_server):
    return Devices(live_server.url)


@pytest.fixture
def evening(settings):
    return evening_kept.at_hand(timezone.now(), settings)


@pytest.fixture
def open_page(guests):
    return guests.open
