"""An evening that a test plays: made by the services, with chance from a seed."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

from clock.models import ScheduleTemplate
from tests import factories as f
from tournaments.changes.access import Actor
from tournaments.changes.commands import ClubCommand
from tournaments.door.services.registration import registration_create
from tournaments.event.domain.games import Game, LimitKind
from tournaments.event.services.lifecycle import event_create
from tournaments.models import Elimination, Entry, Event, LostStack, Registration, RulePreset
from tournaments.play.services.elimination_details import knockout_set
from tournaments.practice.simulation import Plan
from tournaments.practice.simulation.evening import ARBITER, DESK, DIRECTOR, Evening

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)


def side_evening(seed: int, name: str, **settings: Any) -> Evening:
    """Make an evening of the house; nobody has come yet."""
    club, plan = f.house(), Plan(entries=10, seed=seed)
    usual: dict[str, Any] = {
        "starts_at": f.START + 5 * HOUR,
        "schedule": ScheduleTemplate.objects.get(name=plan.schedule),
        "preset": RulePreset.objects.get(key=plan.preset),
        "game": Game.HOLDEM,
        "limit": LimitKind.NO_LIMIT,
        "seats_per_table": 5,
        "capacity": 10,
        "draw_secret": hashlib.sha256(f"{name} {seed}".encode()).hexdigest(),
        "is_sample": True,
    }
    command = ClubCommand(club=club, by=DIRECTOR, at=f.START)
    made = event_create(command, name=name, **usual | settings)
    event = Event.objects.select_related("clock", "club").get(pk=made.payload["event"])
    return Evening(plan=plan, rng=Random(seed), event=event, now=f.START)


def register(side: Evening, name: str, *, by: Actor = DESK, **own: Any) -> Registration:
    made = side.do(registration_create, by=by, name=name, **own)
    return Registration(pk=made.payload["registration"])


def entry_read(entry: int) -> Entry:
    """Return an entry as a page has it that has read it."""
    return Entry.objects.select_related("registration__person").get(pk=entry)


def registration_of(entry: int) -> Registration:
    return entry_read(entry).registration


@dataclass(slots=True)
class BountyBooks:
    """Bounties by entry in cents: on heads, won, and without a taker yet."""

    kind: str
    heads: dict[int, int]
    won: dict[int, int] = field(default_factory=dict)
    waiting: dict[int, int] = field(default_factory=dict)

    def lose(self, entry: int) -> None:
        """Take a head with its stack; the taker follows."""
        self.waiting[entry] = self.heads.pop(entry)

    def put_on(self, entry: int, cents: int) -> None:
        """Put a price on a head, which may have one already."""
        self.heads[entry] = self.heads.get(entry, 0) + cents

    def take(self, out: int, takers: Sequence[int], worth: int | None = None) -> None:
        """Give a head away; halves go onto heads where they grow, odd cents to the first."""
        head = self.waiting.pop(out) if out in self.waiting else self.heads.pop(out)
        worth = head if worth is None else worth
        for place, taker in enumerate(sorted(takers)):
            part = worth // len(takers) + (1 if place < worth % len(takers) else 0)
            cash = part // 2 if self.kind == "progressive" else part
            self.won[taker] = self.won.get(taker, 0) + cash
            if self.kind == "progressive":
                self.heads[taker] += part - cash


def tell_takers(side: Evening, out: int, takers: Iterable[int]) -> None:
    """Tell who took somebody's stack, at once, later, or otherwise than before."""
    outs = Elimination.objects.live().filter(event=side.event, entry=out)
    found = list(outs.select_related("entry__registration__person"))
    lost = LostStack.objects.live().filter(event=side.event, entry=out).order_by("-pk")[:1]
    by = [entry_read(taker) for taker in takers]
    stack = {"eliminations": found} if found else {"lost": list(lost)}
    side.do(knockout_set, by=ARBITER, takers=by, **stack)
