"""Tasks inside Django: create events in a server's database, and read the results."""

from collections import Counter, defaultdict
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from clock.domain import ActionKind, instant_ms
from clock.models import ClockAction, Level
from clock.selectors import clock_actions
from clock.services import action_append
from clock.stream import stream_url
from krru.data.sealing import unseal
from krru.web.webpush import encoded, public_text
from tests.rooms import running_room
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.devtools.made import make_event, sign_in
from tournaments.door.services.arrivals import entry_check_in
from tournaments.door.services.registration import registrations_import
from tournaments.event.services.clock import clock_start
from tournaments.models import (
    Action,
    Entry,
    Event,
    Listener,
    Purchase,
    Receipt,
    Registration,
    Seating,
    Table,
    Waiting,
)
from tournaments.notices.domain.notices import Channel, NoticeKind
from tournaments.notices.selectors.outlet import outlet_of
from tournaments.notices.services.choosing import push_key_ensure
from tournaments.payouts.selectors.payees import payees
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.prizes.domain.plans import PrizePlan, Shape, Way

SEATS, AT_A_TABLE = 9, 8
REBUYS = {"fee_cents": 1000, "rebuy_level": 20, "rebuy_cents": 500, "rebuy_chips": 300}


def sample() -> dict[str, str]:
    """Sign a director in at the sample event."""
    event = Event.objects.select_related("club").get()
    token = sign_in(event.club, Role.DIRECTOR, "Messung")
    return {"slug": event.slug, "token": token, "stream": stream_url(event.stream_topic)}


@transaction.atomic
def levels(seconds: float, starts_in: float) -> int:
    """Set the length of every level, and the start in so many seconds (or ago, below 0).

    Return the start in milliseconds. Levels in seconds are not possible on the pages.
    """
    event = _counted_up()
    ClockAction.objects.filter(clock=event.clock).delete()
    rows = Level.objects.filter(clock=event.clock)
    rows.update(kind=Level.Kind.PLAY, hands=None, duration_ms=int(seconds * 1000))
    at = timezone.now() + timedelta(seconds=starts_in)
    return instant_ms(action_append(clock=event.clock, kind=ActionKind.STARTED, at=at).at)


@transaction.atomic
def pause() -> None:
    """Pause the clock, like another process of the program."""
    action_append(clock=_counted_up().clock, kind=ActionKind.PAUSED, at=timezone.now())


def actions() -> list[tuple[str, int]]:
    clock = Event.objects.select_related("clock").get().clock
    return [(action.kind.value, instant_ms(action.at)) for action in clock_actions(clock)]


def _counted_up() -> Event:
    """Return the event with its version increased, as every service does."""
    event = Event.objects.locked(Event.objects.get().pk)
    event.version += 1
    event.head.save(update_fields=["version"])
    return event


@transaction.atomic
def planned(registered: int) -> dict[str, str]:
    """Announce a tournament as a club does, with so many registered."""
    now = timezone.now()
    own = {"starts_at": now + timedelta(days=5), "capacity": 2 * registered}
    event = make_event("Vereinsabend im Dezember", at=now, **own)
    people = [{"name": f"Anna Beispiel {number}"} for number in range(1, registered + 1)]
    registrations_import(Command(event=event, by=SYSTEM, at=now), people=people)
    return {"slug": event.slug}


@transaction.atomic
def running(players: int) -> dict[str, Any]:
    """Make a running tournament; return the player to move, watched with two of a third table."""
    tables = [AT_A_TABLE] * (players // AT_A_TABLE)
    event = running_room("Saal", tables, seats=SEATS, at=timezone.now())
    found = Seating.objects.filter(event=event).select_related("entry__registration", "table")
    rows = list(found.order_by("table__number", "seat")[: 3 * AT_A_TABLE])
    taken = {row.seat for row in rows if row.table.number == 2}
    free = next(seat for seat in range(1, SEATS + 1) if seat not in taken)
    return {
        "slug": event.slug,
        "stream": stream_url(event.stream_topic),
        "entry": rows[0].entry_id,
        "seats": [[1, rows[0].seat], [2, free]],
        "links": [rows[at].entry.registration.link_token for at in (0, -2, -1)],
        "token": sign_in(event.club, Role.DIRECTOR, "Laptop"),
    }


def hall(tables: int, arbiters: int) -> dict[str, Any]:
    """Make a running tournament of ten at each table, all its buttons known."""
    event = running_room("Halle", [10] * tables, seats=10, at=timezone.now() - timedelta(hours=1))
    seated: dict[int, list[int]] = defaultdict(list)
    for table, entry in Seating.objects.filter(event=event).values_list("table__number", "entry"):
        seated[table].append(entry)
    names = [f"Arbiter {number}" for number in range(arbiters)]
    return {
        "slug": event.slug,
        "stream": stream_url(event.stream_topic),
        "tables": sorted(seated.items()),
        "arbiters": [sign_in(event.club, Role.ARBITER, name, event=event) for name in names],
        "director": sign_in(event.club, Role.DIRECTOR, "Laptop"),
        "player": f"/p/{Registration.objects.filter(event=event)[0].link_token}/",
    }


def listening(phones: int, url: str) -> dict[str, Any]:
    """Make a running tournament; all its players want pushes at a push service."""
    told = running(phones)
    event = Event.objects.get(slug=told["slug"])
    key = public_text(unseal(push_key_ensure(outlet_of(event.club)).push_sealed))
    to = {"endpoint": url, "p256dh": key, "auth": encoded(b"s" * 16)}
    own = {
        "event": event,
        "channel": Channel.PUSH,
        "kinds": [NoticeKind.NEWS],
        "made_at": event.starts_at,
    }
    rows = [Listener(registration=one, **own) for one in Registration.objects.filter(event=event)]
    for row in rows:
        row.address = to
    Listener.objects.bulk_create(rows)
    return told


def evening(players: int, later: int) -> dict[str, Any]:
    """Make a running tournament with staff signed in; return the people left to check in."""
    now = timezone.now()
    before = now - timedelta(hours=1)
    own = {"starts_at": now, "capacity": 5000, "late_registration_level": 20}
    event = make_event("Abend", at=before, **own, **REBUYS)
    people = [{"name": f"Gast {number:04}"} for number in range(players + later)]
    registrations_import(Command(event=event, by=SYSTEM, at=before), people=people)
    rows = list(Registration.objects.filter(event=event).order_by("pk"))
    for row in rows[:players]:
        entry_check_in(Command(event=event, by=SYSTEM, at=before), registration=row)
    clock_start(Command(event=event, by=SYSTEM, at=now))
    roles = {"director": Role.DIRECTOR, "desk": Role.DESK, "spare": Role.DESK}
    tokens = {name: sign_in(event.club, role, name) for name, role in roles.items()}
    return {
        "slug": event.slug,
        "tokens": tokens,
        "entries": list(Entry.objects.filter(event=event).values_list("pk", flat=True)),
        "later": [row.pk for row in rows[players:]],
        "stream": stream_url(event.stream_topic),
    }


def prizes(players: int) -> list[tuple[str, int, int]]:
    """Play a tournament with a prize for each; return address, player and cents of the payouts."""
    tables = players // AT_A_TABLE
    event = running_room("Kasse", [AT_A_TABLE] * tables, seats=SEATS, at=timezone.now())
    Event.objects.filter(pk=event.pk).update(late_registration_level=0)
    event = Event.objects.select_related("club", "clock").get(pk=event.pk)
    plan = PrizePlan(
        way=Way.CURVE, shape=Shape.USUAL, places_percent=100, added_cents=players * 5_000
    )
    said = {"event": event, "by": SYSTEM, "at": timezone.now()}
    prizes_plan(Command(**said), plan=plan)
    for table in Table.objects.filter(event=event).order_by("number"):
        out = list(Entry.objects.filter(event=event, seatings__table=table))
        entries_eliminate(Command(**said), entries=out[table.number == tables :])
    prizes_freeze(Command(**said))
    page = f"/t/{event.slug}/auszahlen/"
    rows = payees(Event.objects.get(pk=event.pk))
    return [(page, row.registration, row.amount) for row in rows if row.amount]


def found() -> dict[str, Any]:
    """Return the registrations and entries of that tournament, counted by name."""
    event = Event.objects.get(name="Abend")
    registered = Registration.objects.filter(event=event).values_list("person__name", flat=True)
    entered = Entry.objects.filter(registration__event=event)
    paid = Receipt.objects.filter(event__name="Kasse")
    return {
        "registered": Counter(registered),
        "entered": Counter(entered.values_list("registration__person__name", flat=True)),
        "shifts": Action.objects.filter(event=event, kind="clock.adjusted").count(),
        "rebuys": Purchase.objects.live().filter(event=event).count(),
        "paid": Counter(paid.values_list("registration", flat=True)),
        "version": event.version,
    }


def doors(places: int) -> list[str]:
    """Announce two tournaments: one with these few places, one with many."""
    now = timezone.now()
    rooms = {"Andrang": places, "Formulare": 50_000}
    own = {"at": now, "starts_at": now + timedelta(days=2)}
    return [make_event(name, capacity=most, **own).slug for name, most in rooms.items()]


def admitted() -> dict[str, Any]:
    """Return places, waiting list and its order at the tournament with few places."""
    event = Event.objects.get(name="Andrang")
    live = Registration.objects.live().filter(event=event)
    waiting = Waiting.objects.live().filter(event=event).order_by("since", "pk")
    order = list(waiting.values_list("registration__made_by__sequence", flat=True))
    placed = live.exclude(pk__in=waiting.values("registration"))
    last = max(placed.values_list("made_by__sequence", flat=True))
    return {
        "people": live.count(),
        "names": live.values("person__name").distinct().count(),
        "placed": placed.count(),
        "waiting": len(order),
        "in_order": order == sorted(order) and last < order[0],
        "sound": log_first_fault(event) is None,
    }
