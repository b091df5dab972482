"""Whole events played by the engine, checked against books outside the database.

The command `simulatetournament` and the tests call `simulate`. The present time is not read: the
instants of a simulated event advance from a given start.
"""

from tournaments.practice.simulation.contest import simulate_contest
from tournaments.practice.simulation.evening import InvariantBroken, Plan
from tournaments.practice.simulation.play import simulate

__all__ = ["InvariantBroken", "Plan", "simulate", "simulate_contest"]
