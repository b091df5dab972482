"""`manage.py verifylog`: recompute the chain of every log and name the first broken entry."""

from __future__ import annotations

from django.core.management.base import CommandError

from krru.management.ready import ReadyCommand
from tournaments.models import Club, Event
from tournaments.selectors.log import log_first_fault


class Command(ReadyCommand):
    help = "Rechnet die Kette jedes Protokolls nach."

    def handle(self, *args: object, **options: object) -> None:
        broken = 0
        subjects: list[Club | Event] = [*Club.objects.all(), *Event.objects.all()]
        for subject in subjects:
            fault = log_first_fault(subject)
            if fault is not None:
                broken += 1
                self.stderr.write(f"{subject}: Eintrag {fault} stimmt nicht.")
        if broken:
            raise CommandError(f"{broken} Protokolle sind beschädigt.")
        self.stdout.write("Alle Protokolle stimmen.")
