"""`manage.py directorlink`: a new one-time link that makes a device the director's."""

from __future__ import annotations

from argparse import ArgumentParser

from django.urls import reverse

from krru.management.ready import ReadyCommand
from tournaments.club.services.staff import director_link_create
from tournaments.timekeeping import present_of_server


class Command(ReadyCommand):
    help = "Gibt einen Link aus, der genau ein Gerät als Turnierleitung anmeldet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--base", default="http://127.0.0.1:8000", help="Adresse davor.")

    def handle(self, *args: object, **options: object) -> None:
        token = director_link_create(at=present_of_server())
        self.stdout.write(f"{options['base']}{reverse('sign-in', args=[token])}")
