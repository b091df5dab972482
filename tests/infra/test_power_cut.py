"""What was acknowledged is there after the process is taken away, at whatever instant."""

import contextlib
import json
import threading
import urllib.error
from datetime import UTC, datetime, timedelta

from krru.devtools.serving import ServerProcess
from tests.infra.hall_client import HallClient
from tests.laptops import laptop_with_tables
from tests.waits import wait_for


def test_settings_synchronise_every_commit(tmp_path) -> None:
    code = (
        "import json; from django.db import connection; c = connection.cursor();"
        "print(json.dumps([c.execute(f'PRAGMA {p}').fetchone()[0]"
        " for p in ('journal_mode', 'synchronous', 'foreign_keys')]))"
    )
    assert laptop_with_tables(tmp_path / "data").shell(code) == ["wal", 2, 1]


EVENING = """
import json
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
    name="Stromausfall", starts_at=now + timedelta(days=1), fee_cents=1000,
    schedule=ScheduleTemplate.objects.get(name="T200"), preset=RulePreset.objects.first(),
    game="holdem", limit="no_limit", seats_per_table=9, capacity=10_000,
)
event = Event.objects.select_related("club", "clock").get(name="Stromausfall")
people = [{"name": f"Zahler {number}"} for number in range(1000)]
registrations_import(Command(event=event, by=SYSTEM, at=now), people=people)
first = Registration.objects.filter(event=event).earliest("pk").pk
link_make(ClubCommand(club=club, by=SYSTEM, at=now), token="eingang", role=Role.DESK, event=event)
print(json.dumps([event.slug, Event.objects.get(is_sample=True).slug, first]))
"""
KEPT = """
import json
from django.db.models import Sum
from tournaments.models import Person, Posting, Receipt
cash = Posting.objects.live().filter(account="cash")
print(json.dumps({
    "names": list(Person.objects.values_list("name", flat=True)),
    "paid": list(cash.values_list("registration").annotate(sum=Sum("amount_cents"))),
    "sum": Posting.objects.aggregate(sum=Sum("amount_cents"))["sum"],
    "receipts": sorted(Receipt.objects.values_list("number", flat=True)),
}))
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


def pay_without_end(hall: ServerProcess, slug: str, rows, acknowledged: set[int]) -> None:
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


def clock_shown(hall: ServerProcess, slug: str) -> tuple[object, timedelta]:
    """Return what the big screen computes from, and how far the server's clock is from ours."""
    _, text = HallClient(hall.url).get(f"/t/{slug}/screen/state.json")
    state = json.loads(text)["clock"]
    apart = datetime.fromtimestamp(state["now"] / 1000, UTC) - datetime.now(UTC)
    return state["anchor"], abs(apart)


def test_registrations_payments_and_the_clock_survive_a_killed_server(make_server) -> None:
    hall = make_server()
    slug, sample, first = hall.shell(EVENING)
    anchor, _ = clock_shown(hall, sample)
    registered: set[str] = set()
    paid: set[int] = set()

    for number in range(2):
        own = range(first + 500 * number, first + 500 * (number + 1))
        people = [
            *((register_without_end, f"{number}x{who}", registered) for who in range(3)),
            *((pay_without_end, own[who::2], paid) for who in range(2)),
        ]
        threads = [
            threading.Thread(target=press, args=(hall, slug, what, acknowledged))
            for press, what, acknowledged in people
        ]
        wanted = len(registered) + 4, len(paid) + 4 * (number + 1)
        for thread in threads:
            thread.start()
        assert wait_for(lambda least=wanted[0]: len(registered) >= least)
        assert wait_for(lambda least=wanted[1]: len(paid) >= least)
        hall.kill()
        for thread in threads:
            thread.join()
        hall.start()

    kept = hall.shell(KEPT)
    assert registered <= set(kept["names"])
    assert paid <= {row for row, _cents in kept["paid"]}
    assert {cents for _row, cents in kept["paid"]} == {1000}
    assert kept["sum"] == 0
    assert kept["receipts"] == list(range(1, len(kept["paid"]) + 1))
    assert hall.manage("verifylog", "--facts", check=False).returncode == 0
    shown, apart = clock_shown(hall, sample)
    assert shown == anchor
    assert apart < timedelta(seconds=2)
