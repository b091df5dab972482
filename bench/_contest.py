"""The part of `bench contest` inside Django."""

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bench._harness import percentile, timed_ms
from tests.rooms import running_room
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.contests.domain.bags import Word
from tournaments.contests.domain.carrying import Terms
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.contests import stacks_to_carry, stage_of
from tournaments.contests.services.bags import day_end
from tournaments.contests.services.contests import contest_save, stage_save
from tournaments.contests.services.days import day_draw
from tournaments.devtools.made import make_event, sign_in
from tournaments.models import BagWord, Contest, Entry, Event, Person, Ticket

SEATS, FLIGHTS, THROUGH, CLOSED, TICKETS = 9, 24, 139, 1_162, 2_000


def contest(rounds: int) -> dict[str, float]:
    """Return the processor times in milliseconds; 4,498 are through."""
    settings.ALLOWED_HOSTS.append("testserver")
    now = timezone.now()
    club, made = _contest(now)
    sizes = [*[THROUGH] * FLIGHTS, CLOSED]
    flights = [_flight(made, f"1.{number}", size, now) for number, size in enumerate(sizes)]
    closing = [_cpu_ms(lambda event=event: day_end(_by(event, now))) for event in flights]
    day = make_event("Tag 2", at=now, starts_at=now + timedelta(days=1), capacity=9_000)
    _add(made, day, "Tag 2", 2, now)
    stage = stage_of(day)
    assert stage is not None
    assert len(stacks_to_carry(stage)) == FLIGHTS * THROUGH + CLOSED
    times = {
        "close": closing[-1],
        "carried": _median(rounds, lambda: stacks_to_carry(stage)),
        "draw": _cpu_ms(lambda: day_draw(_by(day, now))),
    }
    return times | _pages(club, flights[0], rounds, now)


def _pages(club: Any, event: Event, rounds: int, now: Any) -> dict[str, float]:
    winner, own = Entry.objects.filter(event=event)[0], {"event": event, "worth_cents": 25_000}
    own |= {"registration": winner.registration, "made_by": winner.made_by}
    Ticket.objects.bulk_create(Ticket(**own) for _number in range(TICKETS))
    client = Client()
    client.cookies["krru_device"] = sign_in(club, Role.DIRECTOR, "Messung", at=now)
    pages = {
        "bags_page": reverse("bag-list", args=[event.slug]),
        "tickets_page": reverse("tickets"),
    }
    assert all(client.get(at).status_code == 200 for at in pages.values())
    return {name: _median(rounds, lambda at=at: client.get(at)) for name, at in pages.items()}


def _contest(now: Any) -> tuple[Any, Contest]:
    club = make_event("Probe", at=now, starts_at=now, capacity=9).club
    command = ClubCommand(club=club, by=SYSTEM, at=now)
    action = contest_save(command, name="Main Event", terms=Terms())
    return club, Contest.objects.get(pk=action.payload["contest"])


def _add(made: Contest, event: Event, label: str, order: int, now: Any) -> None:
    command = ClubCommand(club=made.club, by=SYSTEM, at=now)
    stop = StopRule(players=2) if order == 1 else StopRule()
    stage_save(command, contest=made, event=event, label=label, order=order, stop=stop)


def _flight(made: Contest, label: str, size: int, now: Any) -> Event:
    """Return a flight without outs, each bag counted twice."""
    full, rest = divmod(size, SEATS)
    tables = [SEATS] * full + [rest] * bool(rest)
    event = running_room(label, tables, seats=SEATS, at=now - timedelta(hours=1))
    # Each is another person, whom the list would know by name.
    Person.objects.filter(name__startswith="Spieler").update(
        plain_name=Concat(Value(label), "plain_name")
    )
    _add(made, event, label, 1, now)
    stack, entries = event.starting_stack, list(Entry.objects.filter(event=event))
    BagWord.objects.bulk_create(
        BagWord(event=event, entry=entry, by=by, amount=stack, made_by=entry.made_by)
        for entry in entries
        for by in (Word.PLAYER, Word.STAFF)
    )
    return event


def _by(event: Event, now: Any) -> Command:
    return Command(event=event, by=SYSTEM, at=now)


def _cpu_ms(do: Callable[[], Any]) -> float:
    return timed_ms(do, time.process_time)


def _median(rounds: int, do: Callable[[], Any]) -> float:
    do()
    return percentile([_cpu_ms(do) for _ in range(rounds)], 50)
