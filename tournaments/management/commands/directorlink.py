"""`manage.py directorlink`: make a one-time link that signs in a director's device."""

from argparse import ArgumentParser

from django.conf import settings
from django.urls import reverse

from clock.servertime import server_time
from krru.management.ready import ReadyCommand
from krru.web.served import running
from tournaments.club.services.staff import director_link_create


class Command(ReadyCommand):
    help = "Gibt einen Link aus, der genau ein Gerät als Turnierleitung anmeldet."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--base", help="Adresse davor; sonst die des Servers, der läuft.")

    def handle(self, *args: object, **options: object) -> None:
        token = director_link_create(at=server_time.now())
        base = options["base"] or (settings.PUBLIC.origin if settings.PUBLIC else running().here)
        self.stdout.write(f"{base}{reverse('sign-in', args=[token])}")
