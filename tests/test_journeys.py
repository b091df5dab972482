"""Whole events played through the services; people, chips, seats and places compared on the way."""

import json
import re
from collections import Counter
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F

from clock.models import Level
from tests import factories as f
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import Action, ChipMovement, Elimination, Entry, Event, Person, Seating
from tournaments.play.domain import ranking
from tournaments.practice.simulation import InvariantBroken, Plan, books, simulate
from tournaments.undo.services.undo import rolled_back

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def patience(db):
    """A whole event is one transaction here; all its constraints are checked at its end."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL statement_timeout = '2min'")


FIGURES = [
    "entries", "tables", "eliminations", "moves", "table_breaks", "undos", "distinct_places",
    "chips_in_play_start", "chips_in_play_end", "log_entries", "seconds", "invariants_checked",
    "differences", "kinds_played",
]  # fmt: skip
FOR_LONG = [pytest.mark.long, pytest.mark.timeout(1200)]
COURSE = {
    "action.undone", "clock.started", "entry.disqualified", "entry.eliminated", "event.created",
    "event.ended", "final_table.drawn", "seat.balanced", "table.broken",
}  # fmt: skip


def command(*arguments):
    output = StringIO()
    call_command("simulatetournament", *arguments, "--json", stdout=output)
    return json.loads(output.getvalue())


@pytest.mark.parametrize(
    ("entries", "seats", "seed"),
    [
        (2, 9, 1), (2, 2, 2), (3, 2, 3), (10, 2, 4), (10, 9, 7),
        # PostgreSQL has no other statements to tell of in smaller or larger ones. A
        # thousand in one transaction are taken back more slowly than a statement may last there.
        pytest.param(37, 4, 9, marks=pytest.mark.postgres),
        (100, 9, 10),
        pytest.param(250, 9, 10, marks=FOR_LONG),
        pytest.param(1000, 9, 11, marks=FOR_LONG),
    ],
)  # fmt: skip
def test_a_whole_event(entries, seats, seed):
    found = command(f"--entries={entries}", f"--seats={seats}", f"--seed={seed}")
    assert list(found) == FIGURES
    assert (found["entries"], found["eliminations"]) == (entries, entries - 1)
    assert found["chips_in_play_start"] == entries * 200
    assert 0 < found["chips_in_play_end"] <= entries * 200
    assert 2 <= found["distinct_places"] <= entries
    assert found["tables"] * seats >= entries * 0.8  # the late ones find some already out
    assert found["invariants_checked"] > 50
    assert found["differences"] == 0
    event = Event.objects.get()
    assert found["log_entries"] == event.log_sequence
    assert event.status == "ended"
    assert found["kinds_played"]["entry.eliminated"] > 0
    if entries >= 100:
        assert found["kinds_played"].keys() >= COURSE
    logged = Counter(Action.objects.values_list("kind", flat=True))
    assert {kind: logged[kind] for kind in found["kinds_played"]} == found["kinds_played"]


@pytest.mark.parametrize(
    ("entries", "flights", "seed"),
    [
        (41, 2, 5),
        pytest.param(63, 3, 2, marks=FOR_LONG),
        pytest.param(420, 3, 3, marks=FOR_LONG),
        pytest.param(30_000, 25, 4, marks=[pytest.mark.long, pytest.mark.timeout(4 * 3600)]),
    ],
)  # fmt: skip
def test_a_satellite_feeds_flights_and_day_two_pays_one_pool(entries, flights, seed):
    """Keep own books of bags, cash and tickets; roll the contest back."""
    arguments = [f"--entries={entries}", f"--flights={flights}", "--seats=6", f"--seed={seed}"]
    found = command(*arguments)
    assert (found["entries"], found["flights"]) == (entries, flights)
    assert found["differences"] == 0
    assert found["tickets"] == (entries // flights) * 3_500 // 10_000
    assert 2 <= found["through"] <= found["bags"] <= -(-entries * 15 // 100) + flights
    assert 0 < found["chips_of_day_two"] <= entries * 200
    assert found["kinds_played"]["day.ended"] == flights
    assert found["kinds_played"]["bag.said"] >= 2 * found["bags"]
    assert found["kinds_played"]["ticket.redeemed"] > 0
    assert not Event.objects.exists()


def test_it_touches_no_other_event_and_takes_other_schedules():
    event = f.make_running_event(5)
    before = (event.version, [f.seat_of(entry) for entry in f.entries_of(event)])
    for schedule in ("T100", "T300"):
        found = command("--entries=6", f"--schedule={schedule}")
        assert found["chips_in_play_start"] == 6 * int(schedule[1:])
    event = f.fresh(event)
    assert (event.version, [f.seat_of(entry) for entry in f.entries_of(event)]) == before
    assert log_first_fault(event) is None
    assert Event.objects.count() == 3


def test_discarded_nothing_stays_but_the_clubs_log():
    command("--entries=10", "--discard")
    assert not Event.objects.exists()
    assert not Person.objects.exists()
    kinds = Action.objects.order_by("id").values_list("kind", flat=True)
    assert list(kinds) == ["event.created", "sample.removed"]


def test_the_same_seed_on_the_same_database_is_the_same_event():
    found = []
    f.house()
    for _ in range(2):
        with rolled_back():
            found.append(command("--entries=12", "--seats=5", "--seed=5"))
        del found[-1]["seconds"]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--entries=1"], "2 bis 10112"),
        (["--entries=10113"], "2 bis 10112"),
        (["--entries=39", "--flights=2"], "40 bis 20224"),
        (["--entries=40", "--flights=1"], "2 bis 50, nicht 1"),
        (["--entries=10", "--seats=1"], "2 bis 10 Plätze"),
        (["--entries=10", "--seats=11"], "2 bis 10 Plätze"),
        (["--entries=10", "--schedule=T50"], "Es gibt .*T100, .*T200, .*T300"),
    ],
)
def test_bad_arguments(arguments, says):
    with pytest.raises(CommandError, match=says) as caught:
        command(*arguments)
    assert caught.value.returncode == 2
    assert not Event.objects.exists()


def test_the_books_rank_by_the_rules_and_not_by_the_program(monkeypatch):
    """Of two who bust in one hand the larger stack before it is placed higher."""
    plan, club = Plan(entries=40, seats=9, seed=2), f.house()
    with rolled_back():
        simulate(plan, club=club)
    monkeypatch.setattr(ranking, "_hand_of", lambda out: ("alone", -out.entry_id))
    with pytest.raises(InvariantBroken, match="places"):
        simulate(plan, club=club)


def imports_of(module):
    text = Path(module.__file__).read_text("utf-8")
    ours = r"^(?:from|import) ((?:tournaments|clock|krru|django)\S*)"
    return set(re.findall(ours, text, re.MULTILINE))


def test_the_ranking_of_the_books_imports_nothing_of_the_program():
    assert imports_of(books) == set()


def void(model, **values):
    row = model.objects.filter(voided_by=None).order_by("pk").last()
    type(row).objects.filter(pk=row.pk).update(**values or {"voided_by": row.made_by})


def put_the_first_out_after_all_others():
    """All of that hand: among several of one hand the time of one alone decides nothing."""
    first = Elimination.objects.filter(voided_by=None).earliest("pk")
    Elimination.objects.filter(made_by=first.made_by).update(at=f.ARRIVAL)


def take_everybody_off_their_seats():
    """One player alone may be the next one out, and then nothing is wrong any more."""
    Seating.objects.filter(voided_by=None).update(voided_by=F("made_by"))


def move_everybody_to_a_wrong_seat():
    Seating.objects.filter(voided_by=None).update(seat=F("seat") + 20)


def shorten_the_levels():
    Level.objects.filter(clock=Event.objects.get().clock_id).update(duration_ms=60_000)


def change_the_log():
    Action.objects.filter(event__isnull=False, sequence=3).update(payload={"chips": 7})


@pytest.mark.parametrize(
    "sabotage",
    [
        take_everybody_off_their_seats,
        lambda: void(Entry),
        lambda: void(ChipMovement),
        lambda: void(ChipMovement, amount=5_000),
        lambda: void(Elimination),
        put_the_first_out_after_all_others,
        move_everybody_to_a_wrong_seat,
        shorten_the_levels,
        change_the_log,
    ],
)
def test_it_fails_loudly(sabotage):
    plan, club, done = Plan(entries=14, seats=5, seed=3), f.house(), []

    def watch(left):
        if left < 11 and not done:
            done.append(left)
            sabotage()

    with pytest.raises((InvariantBroken, ValueError)):
        simulate(plan, club=club, watch=watch)
    assert done
