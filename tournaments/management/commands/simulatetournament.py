"""`manage.py simulatetournament`: play a whole event through the services, and check it."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError
from django.utils import timezone

from clock.models import ScheduleTemplate
from krru.management.ready import ReadyCommand
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.event.domain.games import FEWEST_SEATS, MOST_SEATS
from tournaments.event.services.trying import rolled_back
from tournaments.models import Club
from tournaments.practice.services.rehearsal import (
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    house_load,
    sample_remove,
)
from tournaments.practice.simulation import InvariantBroken, Plan, simulate, simulate_contest
from tournaments.practice.simulation.contest import FEWEST_EACH, FEWEST_FLIGHTS, MOST_FLIGHTS

DIFFERS = 1
BAD_ARGUMENTS = 2
WAYS = ("flights", "discard")


class Command(ReadyCommand):
    help = (
        "Spielt ein ganzes Turnier über dieselben Dienste wie die Seiten, führt eigene Bücher und "
        "vergleicht. Das Turnier bleibt als Beispiel in der Datenbank, außer mit --discard. Mit "
        "--flights: ein Satellit, die Flights und Tag 2. Davon bleibt nichts."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--entries", type=int, required=True, help="Teilnehmer, ab 2.")
        parser.add_argument(
            "--flights", type=int, default=0, help="So viele Flights und ein Tag 2."
        )
        parser.add_argument("--seats", type=int, default=9, help="Plätze an einem Tisch (9).")
        parser.add_argument("--seed", type=int, default=1, help="Startwert des Zufalls (1).")
        parser.add_argument("--schedule", default="T200", help="Blindplan (T200).")
        parser.add_argument("--discard", action="store_true", help="Danach wieder löschen.")
        parser.add_argument("--json", action="store_true", help="Eine JSON-Zeile ausgeben.")

    def handle(self, *args: object, **options: Any) -> None:
        _check(options)
        club = house_load(at=timezone.now(), with_sample=False)
        names = sorted(ScheduleTemplate.objects.values_list("name", flat=True))
        if options["schedule"] not in names:
            raise CommandError(
                f"--schedule: einen Blindplan „{options['schedule']}“ gibt es nicht. "
                f"Es gibt {', '.join(names)}.",
                returncode=BAD_ARGUMENTS,
            )
        asked = {name: options[name] for name in ("entries", "seats", "seed", "schedule")}
        try:
            figures = _played(Plan(**asked), club, **{name: options[name] for name in WAYS})
        except InvariantBroken as broken:
            raise CommandError(
                f"Programm und Bücher sind verschieden: {broken}", returncode=DIFFERS
            ) from broken
        if options["json"]:
            self.stdout.write(json.dumps(figures))
            return
        for name, value in figures.items():
            self.stdout.write(f"{name}: {_in_words(value)}")


def _played(plan: Plan, club: Club, *, flights: int, discard: bool) -> dict[str, Any]:
    """Play it and return the figures; a contest belongs to the club and is rolled back."""
    if flights:
        with rolled_back():
            return simulate_contest(plan, flights=flights, club=club)
    outcome = simulate(plan, club=club)
    if discard:
        command = ClubCommand(club=club, by=SYSTEM, at=timezone.now())
        sample_remove(command, event=outcome.event)
    return outcome.figures


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"\n  {name}: {one}" for name, one in value.items())
    return str(value)


def _check(options: dict[str, Any]) -> None:
    flights = options["flights"]
    if flights and not FEWEST_FLIGHTS <= flights <= MOST_FLIGHTS:
        raise CommandError(
            f"--flights: möglich sind {FEWEST_FLIGHTS} bis {MOST_FLIGHTS}, nicht {flights}.",
            returncode=BAD_ARGUMENTS,
        )
    fewest = flights * FEWEST_EACH or FEWEST_PLAYERS
    most = (flights or 1) * MOST_PLAYERS
    if not fewest <= options["entries"] <= most:
        raise CommandError(
            f"--entries: möglich sind {fewest} bis {most} Teilnehmer, nicht {options['entries']}.",
            returncode=BAD_ARGUMENTS,
        )
    if not FEWEST_SEATS <= options["seats"] <= MOST_SEATS:
        raise CommandError(
            f"--seats: an einem Tisch sind {FEWEST_SEATS} bis {MOST_SEATS} Plätze, "
            f"nicht {options['seats']}.",
            returncode=BAD_ARGUMENTS,
        )
