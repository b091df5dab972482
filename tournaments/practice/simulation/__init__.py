"""Whole events played through the services, against books kept apart from the database.

`simulate` is what the command `simulatetournament`, the suite and the benchmark call. Nothing here
reads the present time: the instants of a simulated event advance from a given start.
"""

from tournaments.practice.simulation.checks import InvariantBroken
from tournaments.practice.simulation.evening import Plan
from tournaments.practice.simulation.play import ROOM_TO_SPARE, simulate

__all__ = ["ROOM_TO_SPARE", "InvariantBroken", "Plan", "simulate"]
