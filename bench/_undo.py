"""How long a look at an undo takes, and how long everybody who writes waits for it.

An evening is built through the services in the database of this process; then an out of long ago
is asked about, again and again.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from bench._report import Report, percentile
from tournaments.changes.commands import Command

ENTRIES, ACTIONS_BACK, SEATS = 1000, 2000, 9
OUTS = 500  # of the actions since; the others are hands that began
PREVIEWS, UNDOS = 15, 40
NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)
GOAL_MS, GOAL_LOCK_MS = 2000.0, 200.0
Measured = dict[str, list[float]]


def add(report: Report, prefix: str, measured: Measured) -> None:
    """Add the figures of `measure` to a report."""
    for name, goal in (
        ("undo_preview", GOAL_MS),
        ("undo_preview_lock", GOAL_LOCK_MS),
        ("chain_preview", GOAL_MS),
        ("chain_preview_lock", GOAL_LOCK_MS),
        ("undo", None),
    ):
        worst = max(measured[name])
        report.add(f"{prefix}{name}_worst", worst, "ms", goal=goal)
        report.add(f"{prefix}{name}_p50", percentile(measured[name], 50), "ms", goal=None)


def measure(*, entries: int = ENTRIES, actions_back: int = ACTIONS_BACK) -> Measured:
    """Build the evening and return every single time, in milliseconds.

    Django is set up, and the tables are made, by the caller.
    """
    from tournaments.models import Action

    event = _evening(entries)
    target = _play(event, actions_back)
    first = Action.objects.filter(event=event, kind="entry.checked_in").order_by("pk")[0]
    found: Measured = {}
    found["undo_preview"], found["undo_preview_lock"] = _previews(event, target)
    found["chain_preview"], found["chain_preview_lock"] = _previews(event, first)
    found["undo"] = _undos(event)
    return found


def _evening(entries: int) -> Any:
    """Return an event under way, with so many seated."""
    from tournaments.changes.access import SYSTEM
    from tournaments.devtools.made import make_event
    from tournaments.door.services.check_in import entry_check_in
    from tournaments.door.services.registration import registrations_import
    from tournaments.event.services.clock import clock_start
    from tournaments.models import Registration

    event = make_event(
        "Rücknahmen",
        at=NOON,
        starts_at=NOON,
        seats_per_table=SEATS,
        capacity=entries + 10,
        draw_secret="00" * 32,
    )
    people = [{"name": f"Spieler {number:05}"} for number in range(entries)]
    registrations_import(Command(event=event, by=SYSTEM, at=NOON), people=people)
    for registration in Registration.objects.filter(event=event).order_by("pk"):
        entry_check_in(Command(event=event, by=SYSTEM, at=NOON), registration=registration)
    clock_start(Command(event=event, by=SYSTEM, at=NOON))
    return event


def _play(event: Any, actions: int) -> Any:
    """Put somebody out, let so many actions follow, and return that out."""
    from tournaments.changes.access import SYSTEM
    from tournaments.models import Entry, Table
    from tournaments.play.services.eliminations import entries_eliminate
    from tournaments.play.services.hands import hand_begin

    commanded = partial(Command, event=event, by=SYSTEM)
    players = list(Entry.objects.filter(event=event).order_by("-number"))
    # The earlier tables keep all of theirs, so that hands can begin there.
    tables = list(Table.objects.filter(event=event).order_by("number")[:SEATS])
    target = entries_eliminate(commanded(at=NOON), entries=[players.pop(0)])
    outs = min(OUTS, actions // 2, len(players) // 2)
    at = NOON
    for number in range(actions):
        at += timedelta(seconds=1)
        if number < outs:
            entries_eliminate(commanded(at=at), entries=[players[number]])
        else:
            at += timedelta(minutes=1)
            hand_begin(commanded(at=at), table=tables[number % len(tables)])
    return target


def _previews(event: Any, action: Any) -> tuple[list[float], list[float]]:
    """Return how long each preview took, and how long it kept the others from writing."""
    from tournaments.changes.access import SYSTEM
    from tournaments.undo.services import preview
    from tournaments.undo.views.preview_context import preview_shown

    whole, locked, rolled_back = [], [], preview.rolled_back

    @contextmanager
    def timed() -> Iterator[None]:
        began = time.perf_counter()
        with rolled_back():
            yield
        locked.append(_ms_since(began))

    preview.rolled_back = timed
    try:
        for _round in range(PREVIEWS):
            began = time.perf_counter()
            at = event.__class__.objects.get(pk=event.pk).log_recorded_at
            found = preview.undo_preview(event=event, by=SYSTEM, at=at, action=action)
            preview_shown(found, action, SYSTEM)
            whole.append(_ms_since(began))
    finally:
        preview.rolled_back = rolled_back
    return whole, locked


def _undos(event: Any) -> list[float]:
    """Return how long it took to take back an out just made, each time anew."""
    from tournaments.changes.access import SYSTEM
    from tournaments.models import Seating
    from tournaments.play.services.eliminations import entries_eliminate
    from tournaments.undo.services.undo import action_undo

    times = []
    entry = Seating.objects.live().filter(event=event).order_by("-pk")[0].entry
    at = event.__class__.objects.get(pk=event.pk).log_recorded_at
    for _round in range(UNDOS):
        made = entries_eliminate(Command(event=event, by=SYSTEM, at=at), entries=[entry])
        began = time.perf_counter()
        action_undo(Command(event=event, by=SYSTEM, at=at), action=made)
        times.append(_ms_since(began))
    return times


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000
