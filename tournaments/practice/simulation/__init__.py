"""Whole events played by the engine, against books kept apart from the database.

`simulate` is what the command `simulatetournament` and the tests call. Nothing here reads the
present time: the instants of a simulated event advance from a given start.
"""

from tournaments.practice.simulation.evening import InvariantBroken, Plan
from tournaments.practice.simulation.play import simulate

__all__ = ["InvariantBroken", "Plan", "simulate"]
