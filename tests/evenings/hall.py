"""Staff by chance: any service of an event, at whatever row there is, dead or alive.

What a service is given is found by the name and the type of each argument, so that a new service
is tried at once; one with an argument that is unknown in `deeds` says so.
"""

import inspect
import re
from datetime import timedelta
from functools import cache
from random import Random
from typing import Any

from django.apps import apps
from django.db.models import Model

from tests import factories as f
from tests.calling import call_service
from tests.evenings.deeds import ABOUT, GIVEN, RARE, SPECIAL, VALUES, WAITS
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.changes.audit import Service, services
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registrations_import
from tournaments.event.selectors.event import chips_in_play, event_alive_entry_ids
from tournaments.models import Action, ChipMovement, DrawerHolding, Event, Grant, PlaceOffer
from tournaments.practice.services.engine import next_deed

# Terms of an evening. What is bought again brings as many chips as a stack has at the start.
BUYS_AGAIN = {
    "rebuy_level": 9, "rebuy_cents": 500, "rebuy_most": 3, "rebuy_double": True,
    "addon_level": 9, "addon_cents": 300, "reentry_most": 2,
    "fee_rates": [["Mitglied", 600, None]],
}  # fmt: skip
HEADS = {"fee_parts": [["bounty", 501, ""]]}
HEADS_AGAIN = HEADS | {"rebuy_parts": [["bounty", 203, ""]], "addon_parts": [["bounty", 50, ""]]}
# Everything ends with the planned break; in the last of these seats are held for long.
TO_THE_BREAK = {
    "breaks": {2: 10}, "rebuy_break": 1, "rebuy_level": 0, "addon_break": 1, "addon_level": 0,
    "late_registration_break": 1, "late_registration_level": 0,
}  # fmt: skip
KINDS = ("fixed", "progressive", "mystery")
TERMS = [
    {},
    BUYS_AGAIN,
    BUYS_AGAIN | TO_THE_BREAK,
    *({"bounty_kind": kind} | HEADS for kind in KINDS),
    *({"bounty_kind": kind, "preset": "tda-2024"} | BUYS_AGAIN | HEADS_AGAIN for kind in KINDS),
    BUYS_AGAIN | HEADS_AGAIN | TO_THE_BREAK | {"bounty_kind": "fixed", "rebuy_hold_minutes": 60},
]


# Left to tests of their own: they make no fact, or belong before the start, to a rehearsal, to
# nameless or past events, or to several events at once.
LEFT_OUT = {
    "seats.drawn", "event.schedule_set", "event.schedule_planned", "chips.chosen",
    "clock.start_planned", "start.announced", "announcement.start_called", "rehearsal.filled",
    "rehearsal.announced", "rehearsal.halted", "rehearsal.played", "rehearsal.time_passed",
    "count.changed", "stacks.given", "event.entered_afterwards", "notices.chosen",
    "ticket.redeemed", "seat.won", "pool.carried", "live.posted", "stack.said",
}  # fmt: skip


def deeds() -> dict[str, Service]:
    """Return every service of an event by its kind, but for those that are left out."""
    found = services().items()
    return {kind: one for kind, one in found if isinstance(one, Service) and kind not in LEFT_OUT}


def kinds_of(is_cash: bool) -> list[str]:
    """Return the kinds of deeds at cash tables, or all others."""
    return sorted(kind for kind in deeds() if kind.startswith("cash_") is is_cash)


@cache
def _parameters(service: Service) -> list[inspect.Parameter]:
    return list(inspect.signature(service.body).parameters.values())[1:]


def _words(annotation: Any) -> str:
    """Return a type as a module that imports it writes it."""
    return re.sub(r"[\w.]+\.|'", "", inspect.formatannotation(annotation))


class Hall:
    """An evening; `rng` says what is chosen next, `minute` how late it is."""

    def __init__(self, event: Event, rng: Random, minute: int = 0) -> None:
        self.event, self.rng, self.minute = event, rng, minute

    @classmethod
    def playing(cls, rng: Random, terms: dict[str, Any] | None = None) -> "Hall":
        """Begin to play a tournament of a few tables."""
        players = rng.choice([7, 12, 14])
        usual = {
            "seats": 5, "capacity": players + 2, "paid_places": rng.choice([5, 5, players - 2]),
            "late_registration_level": 9, "no_show_minutes": 10, "fee_cents": 1000,
        }  # fmt: skip
        wanted = usual | (rng.choice(TERMS) if terms is None else terms)
        return cls(f.make_running_event(players, **wanted), rng)

    @classmethod
    def at_the_door(cls, rng: Random) -> "Hall":
        """Open the door of a tournament for more people than it has places."""
        at = f.after(-180)
        event = f.make_event(
            seats=5, capacity=6, at=at, preset=rng.choice(["krru-3", "tda-2024"]),
            late_registration_level=9, no_show_minutes=5, fee_cents=1000,
            reserved_places=rng.choice([0, 1]), offer_minutes=rng.choice([0, 5, 30]),
            members_first_until=rng.choice([None, at + timedelta(hours=1)]),
        )  # fmt: skip
        people = [{"name": f"Person {number}", "email": "p@example.org"} for number in range(8)]
        registrations_import(Command(event=event, by=SYSTEM, at=at), people=people)
        return cls(event, rng, -180)

    @classmethod
    def of_cash(cls, rng: Random) -> "Hall":
        """Let a few people come for a cash game."""
        hall = cls(f.make_event(kind="cash_game"), rng)
        for number in range(8):
            f.register(hall.event, f"Gast {number}")
        return hall

    def one_in(self, number: int) -> bool:
        return not self.rng.randrange(number)

    @property
    def now(self):
        return f.after(self.minute)

    def play_on(self) -> Action | None:
        """Let the engine do what comes next; without anything to do, time passes."""
        event = f.fresh(self.event)
        deed = next_deed(event, self.now, self.rng)
        if deed is None:
            self.minute += 3
            return self.do("clock.started")
        made = deed.carry_out(Command(event=event, by=SYSTEM, at=self.now))
        self.minute += min(round(deed.takes / 60), 5)
        return made

    def do(self, kind: str) -> Action | None:
        """Do something of a kind; None where there is nothing to do it with.

        :raises Refused: It cannot be.
        """
        if not self.one_in(RARE.get(kind, 1)):
            return None
        service = services()[kind]
        self.minute += self.rng.choice([0, 10, 30] if kind in WAITS else [0, 1, 2])
        own = self._own(kind, service)
        if any(
            value is None or (isinstance(value, list) and None in value) for value in own.values()
        ):
            return None
        by = self._holder() if kind.startswith(("fee.", "drawer.")) else SYSTEM
        return call_service(service, event=self.event, by=by, at=self.now, **own)

    def _own(self, kind: str, service: Service) -> dict[str, Any]:
        """Return what the service is given."""
        about = self._about(kind)
        own = dict(SPECIAL[kind](self)) if kind in SPECIAL else {}
        if None in own.values():
            return own
        for parameter in _parameters(service):
            name, is_free = parameter.name, parameter.default is not parameter.empty
            is_left = is_free and name != "reason" and (name not in GIVEN or self.one_in(2))
            if name in own or is_left or parameter.kind is parameter.VAR_KEYWORD:
                continue
            taken = getattr(about, name, None)
            is_taken = isinstance(taken, Model) or (name == "seat" and taken is not None)
            own[name] = taken if is_taken else self.value(name, _words(parameter.annotation))
        return own

    def _about(self, kind: str) -> Any:
        """Return a row that the deed is about, mostly one that holds."""
        model = ABOUT.get(kind)
        if model is None or self.one_in(5):
            return None
        uncounted = {"amount": None} if model is ChipMovement else {}
        row = self.pick(model, voided_by=None, **uncounted)
        return row.waiting if isinstance(row, PlaceOffer) else row

    def value(self, name: str, annotation: str) -> Any:
        """Return a value for an argument by its type, then by its name."""
        many = annotation.startswith("Sequence[")
        kind = annotation.removeprefix("Sequence[").removesuffix("]").removesuffix(" | None")
        if kind == "Action":
            return self.some_action()
        if kind == "RulePreset":
            return apps.get_model("tournaments", kind).objects.get(key="krru-3")
        if kind == "StaffDevice":
            return self.device().device
        if kind in {model.__name__ for model in apps.get_app_config("tournaments").get_models()}:
            row = self.pick(apps.get_model("tournaments", kind), **self._mostly(kind))
            return [row] if many else row
        if kind == "bool":
            return self.rng.choice([True, False])
        if kind == "datetime":
            return f.after(max(0, self.minute) + self.rng.randrange(1, 90))
        return VALUES[name](self.rng)

    def _mostly(self, kind: str) -> dict[str, Any]:
        """Return what rows are mostly chosen: such as hold, and of people such as are in."""
        if kind in {"Mail", "StaffDevice", "Event"}:
            return {}
        if kind == "Entry" and self.one_in(2):
            return {"eliminations__isnull": True}
        return {} if self.one_in(5) else {"voided_by": None}

    def pick(self, model: Any, **where: Any) -> Any:
        path = "registration__event" if model.__name__ == "Mail" else "made_by__event"
        rows = list(model.objects.filter(**{path: self.event}, **where).order_by("pk"))
        return self.rng.choice(rows) if rows else None

    def some_action(self) -> Action:
        """Return a late action rather than an early one: these can be taken back."""
        rows = list(Action.objects.filter(event=self.event).order_by("-sequence")[:12])
        return self.rng.choice(rows[: self.rng.choice([1, 3, 12])])

    def device(self) -> Actor:
        """Return one of two devices of the desk."""
        grants = list(Grant.objects.filter(event=self.event, role=Role.DESK).order_by("pk"))
        if len(grants) < 2:
            return f.sign_in(f"Eingang {len(grants)}", Role.DESK, self.event).actor
        return Actor(role=Role.DESK, device=self.rng.choice(grants).device)

    def _holder(self) -> Actor:
        """Return a device with a drawer; without one, the program or a device that may open one."""
        held = self.pick(DrawerHolding, voided_by=None)
        if held and not self.one_in(4):
            return Actor(role=Role.DESK, device=held.device)
        return self.rng.choice([SYSTEM, self.device()])

    def stacks(self) -> dict[int, int]:
        """Return stacks of all players; they mostly sum to what is in play."""
        alive, (chips, _is_exact) = event_alive_entry_ids(self.event), chips_in_play(self.event)
        stacks = dict.fromkeys(alive, max(1, chips // max(1, len(alive))))
        if alive and not self.one_in(5):
            stacks[alive[0]] += chips - sum(stacks.values())
        return stacks
