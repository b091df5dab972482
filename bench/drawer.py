"""One payment at the desk: how long it takes, on an evening of 60 and among 10,112 entries.

Everybody is checked in and pays into an opened drawer: the fee, then by the sheet of amounts what
is bought again. Timed are the change alone, and the whole press of the desk's button with its
answer. In a new data folder: a real file, WAL, every commit synchronised to the disk. The runs of
the small evening, before the large one and after it, are pooled. Processor time tells what the
program itself needs, the clock also how long it waits for disk and machine; a bare write beside
them tells of the machine alone.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from bench._child import in_child, set_up
from bench._report import Report, percentile

SMALL_FIELD, LARGE_FIELD, SEATS = 60, 10_112, 9
BEFORE, AFTER = 3, 2  # So many small evenings before the large one, and after it.
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
        _processor(report, name, measured)
    yardstick = measured["bare"]["commit"]
    report.add("bare_commit_p50", percentile(yardstick, 50), "ms", goal=None)
    report.add("bare_commit_p99", percentile(yardstick, 99), "ms", goal=None)
    report.add("payments_timed", len(measured["small"]["payment"]), "payments", goal=None)
    return report.show()


def _processor(report: Report, name: str, measured: Any) -> None:
    small, large = (measured[field][f"{name}_cpu"] for field in ("small", "large"))
    report.add(f"{name}_cpu_p50_{SMALL_FIELD}", percentile(small, 50), "ms", goal=None)
    report.add(f"{name}_cpu_p99_{SMALL_FIELD}", percentile(small, 99), "ms", goal=GOAL_MS)
    ratio = percentile(large, 50) / percentile(small, 50)
    report.add(f"{name}_cpu_p50_ratio", ratio, "times", goal=GOAL_RATIO)


def _measure() -> dict[str, Measured]:
    set_up()
    from django.conf import settings

    settings.ALLOWED_HOSTS = ["*"]
    small: Measured = {}
    large: Measured = {}
    for run in range(BEFORE):
        _evening(SMALL_FIELD, f"Abend {run}", small)
    _evening(LARGE_FIELD, "Großer Abend", large)
    for run in range(BEFORE, BEFORE + AFTER):
        _evening(SMALL_FIELD, f"Abend {run}", small)
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


def _timed(found: Measured, name: str, do: Callable[[], Any]) -> Any:
    """Do it, and note how long it took by the clock and on the processor."""
    began, busy = time.perf_counter(), time.process_time()
    answer = do()
    found.setdefault(f"{name}_cpu", []).append((time.process_time() - busy) * 1000)
    found.setdefault(name, []).append((time.perf_counter() - began) * 1000)
    return answer


def _evening(entries: int, name: str, found: Measured) -> None:
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
    _payments(event, desk, payers[::2], found)
    _presses(event, token, payers[1::2], found)


def _payments(event: Any, desk: Any, payers: list[Any], found: Measured) -> None:
    from tournaments.changes.commands import Command
    from tournaments.door.services.fees import fee_pay

    for turn in range(1 + AGAIN):
        for row in payers:
            own = {"amount_cents": FEE} if turn else {}
            command = Command(event=event, by=desk, at=NOON)
            _timed(found, "payment", partial(fee_pay, command, registration=row, **own))


def _presses(event: Any, token: str, payers: list[Any], found: Measured) -> None:
    from django.test import Client
    from django.urls import reverse

    from tournaments.changes.access import COOKIE

    client = Client()
    client.cookies[COOKIE] = token
    # The desk has its page open: what a server loads once, with the first page, is no payment.
    assert client.get(reverse("desk", args=[event.slug])).status_code == 200
    for turn in range(1 + AGAIN):
        for row in payers:
            url = reverse("fee-pay", args=[event.slug, row.pk])
            data = {"amount": "20", "given": "50"} if turn else {}
            press = partial(client.post, url, data, headers={"HX-Request": "true"})
            answer = _timed(found, "press", press)
            assert answer.status_code == 200, answer.content.decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
