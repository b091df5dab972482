"""`manage.py simulatetournament`: play a whole event through the services, and check it."""

from __future__ import annotations

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
from tournaments.practice.services.rehearsal import FEWEST_PLAYERS, MOST_PLAYERS
from tournaments.practice.services.sample import house_load, sample_remove
from tournaments.practice.simulation import InvariantBroken, Plan, simulate

DIFFERS = 1
BAD_ARGUMENTS = 2


class Command(ReadyCommand):
    help = (
        "Spielt ein ganzes Turnier über dieselben Dienste wie die Seiten, führt eigene Bücher und "
        "vergleicht. Das Turnier bleibt als Beispiel in der Datenbank, außer mit --discard."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--entries", type=int, required=True, help="Teilnehmer, ab 2.")
        parser.add_argument("--seats", type=int, default=9, help="Plätze an einem Tisch (9).")
        parser.add_argument("--seed", type=int, default=1, help="Startwert des Zufalls (1).")
        parser.add_argument("--schedule", default="T200", help="Blindplan (T200).")
        parser.add_argument("--discard", action="store_true", help="Danach wieder löschen.")
        parser.add_argument("--json", action="store_true", help="Eine JSON-Zeile ausgeben.")

    def handle(self, *args: object, **options: Any) -> None:
        _check(options)
        club = house_load(at=timezone.now(), with_sample=False)
        _check_schedule(options["schedule"])
        asked = {name: options[name] for name in ("entries", "seats", "seed", "schedule")}
        try:
            outcome = simulate(Plan(**asked), club=club)
        except InvariantBroken as broken:
            raise CommandError(
                f"Programm und Bücher sind verschieden: {broken}", returncode=DIFFERS
            ) from broken
        if options["discard"]:
            command = ClubCommand(club=club, by=SYSTEM, at=timezone.now())
            sample_remove(command, event=outcome.event)
        if options["json"]:
            self.stdout.write(json.dumps(outcome.figures))
            return
        for name, value in outcome.figures.items():
            self.stdout.write(f"{name}: {_in_words(value)}")


def _in_words(value: Any) -> str:
    """Return a figure in one line, or with one line per part."""
    if isinstance(value, dict):
        return "".join(f"\n  {name}: {one}" for name, one in value.items())
    return str(value)


def _check(options: dict[str, Any]) -> None:
    if not FEWEST_PLAYERS <= options["entries"] <= MOST_PLAYERS:
        raise CommandError(
            f"--entries: möglich sind {FEWEST_PLAYERS} bis {MOST_PLAYERS} Teilnehmer, "
            f"nicht {options['entries']}.",
            returncode=BAD_ARGUMENTS,
        )
    if not FEWEST_SEATS <= options["seats"] <= MOST_SEATS:
        raise CommandError(
            f"--seats: an einem Tisch sind {FEWEST_SEATS} bis {MOST_SEATS} Plätze, "
            f"nicht {options['seats']}.",
            returncode=BAD_ARGUMENTS,
        )


def _check_schedule(name: str) -> None:
    names = sorted(ScheduleTemplate.objects.values_list("name", flat=True))
    if name not in names:
        raise CommandError(
            f"--schedule: einen Blindplan „{name}“ gibt es nicht. Es gibt {', '.join(names)}.",
            returncode=BAD_ARGUMENTS,
        )
