"""Blind schedules and a clock that could stand alone, without tournaments."""
