"""Renew secrets that cannot be opened on this machine, after the data came from another."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clock.servertime import server_time
from krru.data.folder import COMMAND
from tournaments.club.services.moving import has_moved, settle_in


class Command(BaseCommand):
    help = "Macht neu, was sich auf diesem Gerät nicht öffnen lässt, wenn die Daten umgezogen sind."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--elsewhere", action="store_true", help="die Daten kommen von einem anderen Gerät"
        )
        parser.add_argument(
            "--look", action="store_true", help="nur sagen, ob das Geheimnis zur Datenbank passt"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if options["look"]:
            if has_moved():
                raise CommandError(
                    "secret.key gehört nicht zu dieser Datenbank: Links und Auslosungen lassen "
                    "sich nicht öffnen. Die richtige Datei einsetzen, oder, wenn es sie nicht mehr "
                    f"gibt: {COMMAND} manage settlein"
                )
            return
        moved = settle_in(at=server_time.now(), is_elsewhere=options["elsewhere"])
        if moved is None:
            return
        self.stdout.write(
            "Die Daten kommen von einem anderen Gerät. Deshalb sind hier alle Geräte abgemeldet; "
            "die persönlichen Links der Spieler gelten weiter."
        )
        if moved.promised:
            self.stdout.write(
                "Das Geheimnis der Auslosungen blieb auf dem anderen Gerät: Was dort gelost wurde, "
                "lässt sich hier nicht nachrechnen, und für die nächsten gilt ein neues Geheimnis."
            )
