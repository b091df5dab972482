"""What was acknowledged is there after the process is taken away, at whatever instant."""

import contextlib
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.error
from datetime import UTC, datetime, timedelta

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess
from tests.infra.hall_client import HallClient
from tests.warm import Laptop

# Two writers at once, each saying a name once it is committed.
WRITERS = """
import django, os, sys, threading
django.setup()
from django.db import transaction
from tournaments.models import Club
def write(who):
    for number in range(1_000_000):
        name = f"{sys.argv[1]}-{who}-{number}"
        with transaction.atomic():
            Club.objects.create(name=name)
        os.write(1, (name + "\\n").encode())
for who in range(2):
    threading.Thread(target=write, args=(who,)).start()
"""


def test_acknowledged_rows_survive_being_killed(tmp_path) -> None:
    laptop = Laptop(tmp_path / "data")
    laptop.folder.mkdir()
    laptop.manage("migrate", "--verbosity", "0")
    rng = random.Random(7)
    acknowledged: set[str] = set()

    for round_number in range(4):
        process = subprocess.Popen(
            [sys.executable, "-c", WRITERS, str(round_number)],
            env={**laptop.env, "DJANGO_SETTINGS_MODULE": "krru.settings"},
            cwd=BASE_DIR,
            stdout=subprocess.PIPE,
        )
        assert process.stdout
        first = process.stdout.readline()
        time.sleep(rng.uniform(0.05, 0.4))
        os.kill(process.pid, signal.SIGKILL)
        rest, _ = process.communicate()
        lines = (first + rest).decode().splitlines()
        assert len(lines) > 3
        acknowledged |= set(lines)

    with contextlib.closing(sqlite3.connect(laptop.folder / "krru.sqlite3")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        kept = {name for (name,) in database.execute("SELECT name FROM tournaments_club")}
    assert acknowledged <= kept


EVENING = """
from datetime import timedelta
from django.utils import timezone
from clock.models import ScheduleTemplate
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.models import Club, Event, RulePreset
from tournaments.event.services.lifecycle import event_create
now = timezone.now()
event_create(
    ClubCommand(club=Club.objects.get(), by=SYSTEM, at=now),
    name="Stromausfall", starts_at=now + timedelta(days=1),
    schedule=ScheduleTemplate.objects.get(name="T200"), preset=RulePreset.objects.first(),
    game="holdem", limit="no_limit", seats_per_table=9, capacity=10_000,
)
print(Event.objects.get(name="Stromausfall").slug, Event.objects.get(is_sample=True).slug)
"""
NAMES = """
from tournaments.models import Person
print(*Person.objects.values_list("name", flat=True), sep="|")
"""


def register_without_end(hall: ServerProcess, slug: str, who: str, acknowledged: set[str]) -> None:
    """Register one person after the other, until the server is gone."""
    client = HallClient(hall.url)
    with contextlib.suppress(urllib.error.URLError, OSError):
        for number in range(100_000):
            name = f"Person {who}x{number}"  # in one word: the same words are the same name
            client.get(f"/t/{slug}/")
            status, text = client.post(f"/t/{slug}/anmelden/", name=name, agrees_to_rules="on")
            assert status == 302, text
            acknowledged.add(name)


def clock_shown(hall: ServerProcess, slug: str) -> tuple[object, timedelta]:
    """Return what the big screen computes from, and how far the server's clock is from ours."""
    _, text = HallClient(hall.url).get(f"/t/{slug}/screen/state.json")
    state = json.loads(text)["clock"]
    apart = datetime.fromtimestamp(state["now"] / 1000, UTC) - datetime.now(UTC)
    return state["anchor"], abs(apart)


def test_registrations_and_the_clock_survive_a_killed_server(make_server) -> None:
    hall = make_server()
    slug, sample = hall.manage("shell", "--no-imports", "-c", EVENING).stdout.split()
    anchor, _ = clock_shown(hall, sample)
    acknowledged: set[str] = set()

    for round_number in range(3):
        people = [
            threading.Thread(
                target=register_without_end,
                args=(hall, slug, f"{round_number}x{who}", acknowledged),
            )
            for who in range(4)
        ]
        before = len(acknowledged)
        for person in people:
            person.start()
        time.sleep(1 + round_number / 3)
        hall.kill()
        for person in people:
            person.join()
        assert len(acknowledged) > before + 3
        hall.start()

    kept = set(hall.manage("shell", "--no-imports", "-c", NAMES).stdout.strip().split("|"))
    assert acknowledged <= kept
    assert hall.manage("verifylog", check=False).returncode == 0
    shown, apart = clock_shown(hall, sample)
    assert shown == anchor
    assert apart < timedelta(seconds=2)


def test_settings_synchronise_every_commit(tmp_path) -> None:
    laptop = Laptop(tmp_path / "data")
    laptop.folder.mkdir()
    code = (
        "from django.db import connection; c = connection.cursor();"
        "print([c.execute(f'PRAGMA {p}').fetchone()[0]"
        " for p in ('journal_mode', 'synchronous', 'foreign_keys')])"
    )

    done = laptop.manage("shell", "--no-imports", "-c", code)

    assert done.stdout.strip() == "['wal', 2, 1]"


PAYING = """
from datetime import timedelta
from django.utils import timezone
from clock.models import ScheduleTemplate
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import ClubCommand, Command
from tournaments.club.services.staff import link_make
from tournaments.door.services.registration import registrations_import
from tournaments.event.services.lifecycle import event_create
from tournaments.models import Club, Event, Registration, RulePreset
now = timezone.now()
club = Club.objects.get()
event_create(
    ClubCommand(club=club, by=SYSTEM, at=now),
    name="Zahltag", starts_at=now + timedelta(days=1), fee_cents=1000,
    schedule=ScheduleTemplate.objects.get(name="T200"), preset=RulePreset.objects.first(),
    game="holdem", limit="no_limit", seats_per_table=9, capacity=10_000,
)
event = Event.objects.select_related("club", "clock").get(name="Zahltag")
people = [{"name": f"Zahler {number}"} for number in range(2000)]
registrations_import(Command(event=event, by=SYSTEM, at=now), people=people)
rows = Registration.objects.filter(event=event).order_by("pk").values_list("pk", flat=True)
link_make(ClubCommand(club=club, by=SYSTEM, at=now), token="eingang", role=Role.DESK, event=event)
print(event.slug, rows[0])
"""
PAID = """
import json
from django.db.models import Sum
from tournaments.models import Posting, Receipt
cash = Posting.objects.live().filter(account="cash")
print(json.dumps({
    "paid": dict(cash.values_list("registration").annotate(sum=Sum("amount_cents"))),
    "sum": Posting.objects.aggregate(sum=Sum("amount_cents"))["sum"],
    "receipts": sorted(Receipt.objects.values_list("number", flat=True)),
}))
"""


def pay_without_end(hall: ServerProcess, slug: str, rows, acknowledged) -> None:
    """Take one payment after the other, until the server is gone."""
    client = HallClient(hall.url)
    with contextlib.suppress(urllib.error.URLError, OSError):
        client.get("/in/eingang/")
        assert client.post("/in/eingang/", name="Eingang")[0] < 400
        client.get(f"/t/{slug}/anmeldung/")
        for row in rows:
            status, text = client.post(f"/t/{slug}/anmeldung/{row}/bezahlt/")
            assert status == 302, text
            acknowledged.add(row)


def test_payments_and_their_receipts_survive_a_killed_server(make_server) -> None:
    hall = make_server()
    slug, first = hall.manage("shell", "--no-imports", "-c", PAYING).stdout.split()
    acknowledged: set[int] = set()

    for round_number in range(3):
        start = int(first) + 600 * round_number
        desks = [
            threading.Thread(
                target=pay_without_end,
                args=(hall, slug, range(start + who, start + 600, 2), acknowledged),
            )
            for who in range(2)
        ]
        before = len(acknowledged)
        for desk in desks:
            desk.start()
        while len(acknowledged) < before + 4 * (round_number + 1):
            time.sleep(0.01)
        hall.kill()
        for desk in desks:
            desk.join()
        hall.start()

    kept = json.loads(hall.manage("shell", "--no-imports", "-c", PAID).stdout)
    assert acknowledged <= {int(row) for row in kept["paid"]}
    assert set(kept["paid"].values()) == {1000}
    assert kept["sum"] == 0
    assert kept["receipts"] == list(range(1, len(kept["paid"]) + 1))
    assert hall.manage("verifylog", "--facts", check=False).returncode == 0
