"""Waits of the browser tests: events with room for a machine five times slower."""

from playwright.sync_api import expect

expect.set_options(timeout=30_000)
