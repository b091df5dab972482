"""`manage.py loadhouse`: load schedules, chips, rule presets and, if empty, the sample."""

from argparse import ArgumentParser

from django.utils import timezone

from krru.management.ready import ReadyCommand
from tournaments.practice.services.rehearsal import house_load


class Command(ReadyCommand):
    help = "Lädt Blindpläne, Chipsatz, Regelwerke und bei leerem Datenordner den Beispielabend."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-sample", action="store_true", help="Kein Beispielabend.")

    def handle(self, *args: object, **options: object) -> None:
        house_load(at=timezone.now(), with_sample=not options["no_sample"])
