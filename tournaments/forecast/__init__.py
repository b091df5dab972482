"""Forecast of an event's end, from the rate of eliminations."""
