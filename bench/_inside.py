"""The parts of `bench contest`, `cost`, `growth` and `floor` inside Django."""

import secrets
import time
from collections.abc import Callable
from datetime import timedelta
from random import Random
from typing import Any

from django.conf import settings
from django.db.models import Value
from django.db.models.functions import Concat
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from bench._harness import percentile, timed_ms
from tests.costs import Prepare, Room, statements
from tests.rooms import NOON, running_room
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.contests.domain.bags import Word
from tournaments.contests.domain.carrying import Terms
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.contests import stacks_to_carry, stage_of
from tournaments.contests.services.bags import day_end
from tournaments.contests.services.contests import contest_save, stage_save
from tournaments.contests.services.days import day_draw
from tournaments.dashboard.selectors.tables import why_move
from tournaments.devtools.made import make_event, sign_in
from tournaments.models import BagWord, Contest, Entry, Event, Person, Ticket
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.domain.seating import balancing_moves
from tournaments.seating.selectors.balancing import suggestions_for
from tournaments.seating.selectors.tables import table_counts

SEATS, AT_A_TABLE, WARM, PARTS = 9, 8, 2, 20
# 1,124 tables of ten with 10,112 players.
SIZES = [4] * 100 + [9] * 528 + [10] * 496
LATER = NOON + timedelta(minutes=6)  # after the start, while the tapped hands are still valid


def costs(tables: int, rounds: int) -> dict[str, Any]:
    settings.ALLOWED_HOSTS.append("testserver")
    room = Room.laid_out(f"{tables} Tische", [AT_A_TABLE] * tables, at=timezone.now())
    return {name: _cost(one, rounds) for name, one in (room.actions() | room.taps()).items()}


def _cost(prepare: Prepare, rounds: int) -> dict[str, float]:
    for _ in range(WARM):
        prepare()()
    do = prepare()
    with statements() as asked:
        do()
    times = [timed_ms(prepare(), time.process_time) for _ in range(rounds)]
    found = {f"p{percent}_ms": percentile(times, percent) for percent in (50, 99)}
    return found | {"statements": len(asked)}


def outs(small: int, large: int, most: int) -> dict[int, Any]:
    """Eliminate `most` of a large field, in turns with small ones; return times of both clocks."""
    hall, found = _Outs(large), {small: ([], []), large: ([], [])}
    for part in range(PARTS):
        hall.go(most * (part + 1) // PARTS - most * part // PARTS, *found[large])
        _Outs(small).go(small - 1, *found[small])
    return found


class _Outs:
    """A field eliminated one by one, in random order."""

    def __init__(self, size: int) -> None:
        full, rest = divmod(size, SEATS)
        sizes = [SEATS] * full + [rest] * bool(rest)
        self._event = running_room(f"{size} {secrets.token_hex(2)}", sizes, seats=SEATS)
        self._entries = list(Entry.objects.filter(event=self._event).order_by("pk"))
        Random(size).shuffle(self._entries)
        self._at = NOON + timedelta(minutes=30)

    def go(self, count: int, wall: list[float], processor: list[float]) -> None:
        for _ in range(count):
            self._at += timedelta(seconds=1)
            command = Command(event=self._event, by=SYSTEM, at=self._at)
            entry, began = self._entries.pop(), time.process_time()
            wall.append(timed_ms(lambda e=entry, c=command: entries_eliminate(c, entries=[e])))
            processor.append((time.process_time() - began) * 1000)


def balance(rounds: int) -> dict[str, Any]:
    """Return each time of computing all suggestions."""
    hall = running_room("Halle", Random(3).sample(SIZES, len(SIZES)), seats=max(SIZES))

    def suggest() -> list[list[str]]:
        transfers = balancing_moves(table_counts(hall), hall.rule_set.balancing_tolerance)
        moves = suggestions_for(hall, transfers, LATER)
        return [why_move(*pair) for pair in zip(moves, transfers, strict=True)]

    suggest()  # so that imports and compilation are not timed
    return {
        "wall_ms": [timed_ms(suggest) for _ in range(rounds)],
        "processor_ms": [timed_ms(suggest, time.process_time) for _ in range(rounds)],
    }


FLIGHTS, THROUGH, CLOSED, TICKETS = 24, 139, 1_162, 2_000


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
