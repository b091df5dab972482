"""One payment at the desk: how long it takes, on an evening of 60 and among 10,112 entries.

Everybody is checked in and pays into an opened drawer: the fee, then by the sheet of amounts what
is bought again. Timed are the change alone, and the whole press of the desk's button with its
answer. In a new data folder: a real file, WAL, every commit synchronised to the disk. The runs of
the small evening are pooled. Beside them a bare write, to tell what the machine itself needs.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from datetime import UTC, datetime
from typing import Any

from bench._child import in_child, set_up
from bench._report import Report, percentile

SMALL_FIELD, SMALL_RUNS, LARGE_FIELD, SEATS = 60, 5, 10_112, 9
SEATED = 600  # in the large field so many are checked in, and all are registered
PAYERS, AGAIN, FEE = 60, 2, 2_000
GOAL_MS, GOAL_RATIO = 50.0, 1.5
NOON = datetime(2026, 1, 10, 12, tzinfo=UTC)
MEASURE = "--measure"
Measured = dict[str, list[float]]


def main(arguments: list[str]) -> int:
    """Measure in a child process with a data folder of its own, and show the figures."""
    if arguments == [MEASURE]:
        print(json.dumps(_measure()))
        return 0
    report = Report("drawer")
    measured = in_child("bench.drawer", MEASURE)
    for name in ("payment", "press"):
        small, large = measured["small"][name], measured["large"][name]
        report.add(f"{name}_p99_{SMALL_FIELD}", percentile(small, 99), "ms", goal=GOAL_MS)
        report.add(f"{name}_p50_{SMALL_FIELD}", percentile(small, 50), "ms", goal=None)
        report.add(f"{name}_p99_{LARGE_FIELD}", percentile(large, 99), "ms", goal=None)
        report.add(f"{name}_p50_{LARGE_FIELD}", percentile(large, 50), "ms", goal=None)
        ratio = percentile(large, 50) / percentile(small, 50)
        report.add(f"{name}_p50_ratio", ratio, "times", goal=GOAL_RATIO)
    yardstick = measured["bare"]["commit"]
    report.add("bare_commit_p50", percentile(yardstick, 50), "ms", goal=None)
    report.add("bare_commit_p99", percentile(yardstick, 99), "ms", goal=None)
    report.add("payments_timed", len(measured["small"]["payment"]), "payments", goal=None)
    return report.show()


def _measure() -> dict[str, Measured]:
    set_up()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]
    small: Measured = {"payment": [], "press": []}
    for run in range(SMALL_RUNS):
        for name, times in _evening(SMALL_FIELD, f"Abend {run}").items():
            small[name] += times
    large = _evening(LARGE_FIELD, "Großer Abend")
    return {"small": small, "large": large, "bare": {"commit": _bare_commits()}}


def _bare_commits() -> list[float]:
    """Return how long it takes to write one number and commit: what the machine itself needs."""
    from django.db.models import F

    from tournaments.models import ReceiptCount

    found = []
    for _turn in range(300):
        began = time.perf_counter()
        ReceiptCount.objects.update(year=F("year"))
        found.append((time.perf_counter() - began) * 1000)
    return found


def _evening(entries: int, name: str) -> Measured:
    """Let people come, open a drawer, and time each of the payments of sixty of them."""
    from tournaments.cash.services.drawers import drawer_open
    from tournaments.changes.access import SYSTEM, Actor, Role
    from tournaments.changes.commands import Command
    from tournaments.devtools.made import make_event, sign_in
    from tournaments.door.services.check_in import entry_check_in
    from tournaments.door.services.registration import registrations_import
    from tournaments.models import Registration, StaffDevice

    event = make_event(
        name, at=NOON, starts_at=NOON, seats_per_table=SEATS, capacity=entries + 10, fee_cents=FEE
    )
    people = [{"name": f"{name} Spieler {number:05}"} for number in range(entries)]
    registrations_import(Command(event=event, by=SYSTEM, at=NOON), people=people)
    rows = list(Registration.objects.filter(event=event).order_by("pk"))
    for row in rows[:SEATED]:
        entry_check_in(Command(event=event, by=SYSTEM, at=NOON), registration=row)
    token = sign_in(event.club, Role.DESK, f"{name} Eingang", event=event, at=NOON)
    device = StaffDevice.objects.get(name=f"{name} Eingang")
    desk = Actor(role=Role.DESK, device=device)
    drawer_open(Command(event=event, by=desk, at=NOON), float_cents=10_000)
    payers = rows[:PAYERS]
    # As the server does once it has started: what stays is not looked at again and again.
    gc.collect()
    gc.freeze()
    return {
        "payment": _payments(event, desk, payers[::2]),
        "press": _presses(event, token, payers[1::2]),
    }


def _payments(event: Any, desk: Any, payers: list[Any]) -> list[float]:
    from tournaments.changes.commands import Command
    from tournaments.door.services.fees import fee_pay

    found = []
    for turn in range(1 + AGAIN):
        for row in payers:
            own = {"amount_cents": FEE} if turn else {}
            began = time.perf_counter()
            fee_pay(Command(event=event, by=desk, at=NOON), registration=row, **own)
            found.append((time.perf_counter() - began) * 1000)
    return found


def _presses(event: Any, token: str, payers: list[Any]) -> list[float]:
    from django.test import Client
    from django.urls import reverse

    from tournaments.changes.middleware import COOKIE

    client = Client()
    client.cookies[COOKIE] = token
    found = []
    for turn in range(1 + AGAIN):
        for row in payers:
            url = reverse("fee-pay", args=[event.slug, row.pk])
            data = {"amount": "20", "given": "50"} if turn else {}
            began = time.perf_counter()
            answer = client.post(url, data, headers={"HX-Request": "true"})
            found.append((time.perf_counter() - began) * 1000)
            assert answer.status_code == 200, answer.content.decode()
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
