"""`manage.py clublogo`: remove the club's logo without a browser."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from clock.servertime import server_time
from krru.management.ready import ReadyCommand
from tournaments.changes.access import SYSTEM
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.changes.domain.errors import Refused
from tournaments.club.services.club import club_logo_remove
from tournaments.models import ClubLogo


class Command(ReadyCommand):
    help = "Sagt, welches Logo der Verein hat, und entfernt es."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="Das Logo entfernen.")

    def handle(self, *args: object, **options: object) -> None:
        club = club_get()
        if options["remove"]:
            try:
                club_logo_remove(ClubCommand(club=club, by=SYSTEM, at=server_time.now()))
            except Refused as refusal:
                raise CommandError(str(refusal)) from refusal
            self.stdout.write("Das Logo ist entfernt.")
            return
        logo = ClubLogo.objects.filter(club=club).first()
        shown = (
            f"{logo.media_type}, {len(logo.data)} Bytes" if logo else "Der Verein hat kein Logo."
        )
        self.stdout.write(shown)
