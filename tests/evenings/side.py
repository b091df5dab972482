"""An evening that a test plays: made by the services, with chance from a seed."""

from datetime import timedelta
from random import Random
from typing import Any

from tests import factories as f
from tournaments.changes.access import Actor
from tournaments.door.services.registration import registration_create
from tournaments.models import Registration
from tournaments.practice.simulation import Plan
from tournaments.practice.simulation.evening import DESK, Evening
from tournaments.practice.simulation.play import make_evening

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def side_evening(seed: int, name: str, **settings: Any) -> Evening:
    """Make an evening of the house; nobody has come yet."""
    plan = Plan(entries=10, seats=5, seed=seed, begins_at=f.START)
    usual = {"starts_at": f.START + 5 * HOUR, "is_sample": True}
    return make_evening(plan, f.house(), Random(seed), name=name, **usual | settings)


def register(side: Evening, name: str, *, by: Actor = DESK, **own: Any) -> Registration:
    made = side.do(registration_create, by=by, name=name, **own)
    return Registration(pk=made.payload["registration"])
