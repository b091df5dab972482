"""Blind schedules and a clock that could stand alone; it knows nothing of tournaments."""
