"""Which kinds of entries a simulation made, and why not the others: by the registry of kinds."""

from __future__ import annotations

from typing import Any

from tournaments.changes.access import Role
from tournaments.changes.kinds import kinds
from tournaments.practice.simulation.deeds.deed import When, deeds
from tournaments.practice.simulation.evening import WHOLE, Played

NO_DEED = "niemand tut in der Simulation etwas, woraus dieser Eintrag folgt"
NO_OCCASION = "an diesem Abend gab es dazu keine Gelegenheit"
TOO_SMALL = f"wird erst ab {WHOLE} Teilnehmern gespielt"


def kinds_in_figures(played: Played, *, is_whole: bool) -> dict[str, Any]:
    """Return what was played how often, what the program alone does, and what was not played."""
    program = {str(Role.SYSTEM)}
    return {
        "differences": 0,
        "kinds_played": dict(sorted(played.kinds.items())),
        "kinds_by_the_program": sorted(
            kind for kind, roles in played.roles.items() if roles == program
        ),
        "kinds_not_played": {
            kind.name: _why_not(kind.name, is_whole=is_whole)
            for kind in kinds()
            if kind.name not in played.kinds
        },
    }


def _why_not(kind: str, *, is_whole: bool) -> str:
    places = {row.when for row in deeds() if kind in row.kinds}
    if not places:
        return NO_DEED
    return NO_OCCASION if is_whole or places != {When.ELSEWHERE} else TOO_SMALL
