"""What tests begin with, made through the services: the club, its people, events in any state.

Four people in every test: Dora (director), Arno (arbiter), Petra (player), Zeno (a stranger who
must get nowhere). Dora and Arno have devices and grants as they would get them in the hall.
"""

from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count

import pytest
from django.db import connection

from clock.models import ScheduleTemplate
from tests.calling import call_service
from tests.prepared import prepared
from tournaments.changes.access import SYSTEM, VISITOR, Actor, Role
from tournaments.changes.audit import Service
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_first_fault
from tournaments.club.services.staff import device_sign_in, link_make
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registration_create, registrations_import
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_create
from tournaments.models import (
    Action,
    Club,
    Entry,
    Event,
    Registration,
    RulePreset,
    Seating,
    StaffDevice,
    Table,
)
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.practice.services.rehearsal import house_load
from tournaments.seating.selectors.tables import table_counts
from tournaments.seating.services.seats import seats_draw
from tournaments.undo.services.undo import action_undo

ARRIVAL = datetime(2026, 11, 20, 17, tzinfo=UTC)
START = ARRIVAL + timedelta(hours=1)
ZENO = VISITOR
_tokens = count(1)


def after(minutes: float) -> datetime:
    """Return an instant so many minutes after the start of play."""
    return START + timedelta(minutes=minutes)


def evenings(number: int) -> int:
    """Return how many evenings of chance are played: all on SQLite, a sixth on PostgreSQL.

    What comes of them is judged on SQLite. PostgreSQL is asked for its SQL, which repeats itself.
    """
    return number if connection.vendor == "sqlite" else max(2, number // 6)


@prepared
def house() -> Club:
    """Return the club with schedules, chips and presets, and without a sample evening."""
    club = Club.objects.order_by("pk").first()
    if club is None or not RulePreset.objects.exists():
        club = house_load(at=ARRIVAL, with_sample=False)
    return club


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A device somebody signed in on: the actor it is, and the secret in its cookie."""

    actor: Actor
    token: str


@prepared
def sign_in(
    name: str, role: Role, event: Event | None = None, *, at: datetime = ARRIVAL
) -> SignedIn:
    """Sign a device in as the hall does: by a link of the role, for an event or the whole club."""
    club = house()
    link, token = f"link-{next(_tokens)}", f"device-{next(_tokens)}"
    made = {"club": club, "at": at}
    call_service(link_make, **made, by=SYSTEM, token=link, role=role, event=event)
    action = call_service(
        device_sign_in, **made, by=VISITOR, token=link, name=name, device_token=token
    )
    device = StaffDevice.objects.get(pk=action.payload["device"])
    return SignedIn(Actor(role=role, device=device), token)


def sign_browser_in(client, role: Role, event: Event | None = None) -> Actor:
    """Sign a test browser in, and return the actor it is."""
    made = sign_in("Gerät im Test", role, event)
    client.cookies["krru_device"] = made.token
    return made.actor


def make_dora(event: Event | None = None) -> Actor:
    return sign_in("Doras Laptop", Role.DIRECTOR, event).actor


def make_arno(event: Event | None = None) -> Actor:
    return sign_in("Arnos Handy", Role.ARBITER, event).actor


def make_desk(event: Event | None = None) -> Actor:
    return sign_in("Tisch am Eingang", Role.DESK, event).actor


def petra_of(registration: Registration) -> Actor:
    return Actor(role=Role.PLAYER, registration_id=registration.pk)


@prepared
def make_event(
    *,
    seats: int = 10,
    schedule: str = "T200",
    preset: str = "krru-3",
    no_show: str = "",
    by: Actor = SYSTEM,
    at: datetime = ARRIVAL,
    **settings,
) -> Event:
    """Make a planned event; anything `event_create` takes may be given."""
    club, rules = house(), RulePreset.objects.get(key=preset)
    if no_show:
        rules.rules["no_show"] = no_show
    wanted = {
        "name": "Freitagsturnier",
        "starts_at": START,
        "game": "holdem",
        "limit": "no_limit",
        "seats_per_table": seats,
        "capacity": 60,
        "draw_secret": "00ff" * 16,
        **settings,
    }
    action = call_service(
        event_create,
        club=club,
        by=by,
        at=at,
        schedule=ScheduleTemplate.objects.get(name=schedule),
        preset=rules,
        **wanted,
    )
    return fresh(Event(pk=action.payload["event"]))


def fresh(event: Event) -> Event:
    return Event.objects.select_related("club", "clock").get(pk=event.pk)


@prepared
def register(event: Event, name: str = "Petra Probst", *, by: Actor = SYSTEM, at=ARRIVAL, **own):
    action = call_service(registration_create, event=event, by=by, at=at, name=name, **own)
    return Registration.objects.select_related("person").get(pk=action.payload["registration"])


def check_in(event: Event, registration: Registration, *, by: Actor = SYSTEM, at=ARRIVAL) -> Entry:
    """Check in, also who sits at another event: tests give all events the same people."""
    command = Command(event=event, by=by, at=at)
    action = entry_check_in(command, registration=registration, plays_at_both=True)
    return Entry.objects.get(pk=action.payload["entry"])


@prepared
def make_seated_event(players: int = 10, **settings) -> Event:
    """Make an event with so many people checked in and seated, not yet begun."""
    event = make_event(**settings)
    names = [{"name": f"Spieler {number:03}"} for number in range(1, players + 1)]
    registrations_import(Command(event=event, by=SYSTEM, at=ARRIVAL), people=names)
    for registration in Registration.objects.live().filter(event=event).order_by("pk"):
        check_in(event, registration)
    if event.draw_mode == Event.DrawMode.FIELD:
        seats_draw(Command(event=event, by=SYSTEM, at=ARRIVAL))
    return fresh(event)


@prepared
def make_running_event(players: int = 10, **settings) -> Event:
    """Make an event that has begun, at START, with so many players."""
    event = make_seated_event(players, **settings)
    clock_start(Command(event=event, by=SYSTEM, at=START))
    return fresh(event)


def entries_of(event: Event) -> list[Entry]:
    """Return the entries by number."""
    rows = Entry.objects.live().filter(event=event).select_related("registration__person")
    return list(rows.order_by("number"))


def seat_of(entry: Entry) -> tuple[int, int] | None:
    """Return table and seat number, None when the entry sits nowhere."""
    rows = Seating.objects.live().filter(entry=entry)
    return rows.values_list("table__number", "seat").first()


def at_table(event: Event, number: int) -> list[Entry]:
    """Return who sits at a table, by seat."""
    rows = Seating.objects.live().filter(table=table_of(event, number)).order_by("seat")
    return [row.entry for row in rows.select_related("entry__registration__person")]


def table_of(event: Event, number: int) -> Table:
    """Return the table of this number; of a second event in the hall its so-many-th."""
    own = Table.objects.live().filter(event=event).order_by("number")
    return own.filter(number=number).first() or own[number - 1]


def last_action(event: Event) -> Action:
    return Action.objects.filter(event=event).select_related("text").latest("sequence")


@contextmanager
def refused(code: str, event: Event | None = None):
    """Expect a refusal with this code and a sentence, that leaves no trace at the event."""
    version = fresh(event).version if event else None
    with pytest.raises(Refused) as caught:
        yield caught
    assert caught.value.code == code, str(caught.value)
    assert str(caught.value).strip().endswith((".", "?"))
    if event:
        assert fresh(event).version == version
        assert Action.objects.filter(event=event).count() == fresh(event).log_sequence


def assert_logged(event: Event, kind: str, **payload) -> Action:
    """Expect the last log entry to be of this kind, with these numbers, in a whole chain."""
    action, event = last_action(event), fresh(event)
    assert action.kind == kind
    assert {name: action.payload.get(name) for name in payload} == payload
    assert (action.sequence, action.hash) == (event.log_sequence, event.log_hash)
    assert log_first_fault(event) is None
    assert "?" not in describe(action)
    return action


def undo(event: Event, action: Action | None = None, *, by: Actor = SYSTEM, at=None) -> Action:
    """Take an action back, the last one unless another is named."""
    row = action or last_action(event)
    return action_undo(Command(event=event, by=by, at=at or after(90)), action=row)


def out(event: Event, *entries: Entry, at=None, by: Actor = SYSTEM, **own) -> Action:
    """Record that these went out in one hand."""
    moment = at or after(5)
    return call_service(
        entries_eliminate, event=event, by=by, at=moment, entries=list(entries), **own
    )


def sizes(event: Event) -> dict[int, int]:
    """Return how many sit at each table."""
    return {count.number: count.players for count in table_counts(event)}


def seats(event: Event) -> dict[int, tuple[int, int] | None]:
    """Return table and seat by entry."""
    return {entry.pk: seat_of(entry) for entry in entries_of(event)}


@prepared
def make_unbalanced_event(players=30):
    """Three tables of ten; three are out at the second."""
    event = make_running_event(players)
    for entry in at_table(event, 2)[:3]:
        out(event, entry)
    return event


def drive(service, event: Event, minute: float, *, by: Actor = SYSTEM, **own) -> Action:
    """Call a service so many minutes after the start of play."""
    return call_service(service, event=event, by=by, at=after(minute), **own)


def refuses(code: str, act, *given, **own) -> str:
    """Expect a call that takes an event, or a service, to be refused; return the sentence."""
    event = next(one for one in (*given, *own.values()) if isinstance(one, Event))
    with refused(code, event) as caught:
        (partial(drive, act) if isinstance(act, Service) else act)(*given, **own)
    return str(caught.value)
