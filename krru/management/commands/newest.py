"""Say whether a newer release is there."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from krru import __version__
from krru.background.updates import newest_release
from krru.data.folder import Trouble
from krru.web.outgoing import Unreachable


class Command(BaseCommand):
    help = "Fragt, ob eine neuere Version erschienen ist; ändert nichts."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.RELEASES_URL:
            raise Trouble(
                "Es ist keine Adresse gesetzt: KRRU_RELEASES_URL nennt, wo zu fragen ist."
            )
        try:
            found = newest_release()
        except Unreachable as error:
            raise Trouble(f"Keine Auskunft von {settings.RELEASES_URL}: {error}") from None
        if found.is_newer:
            self.stdout.write(f"Version {found.version} ist erschienen. {found.notes}".strip())
        else:
            self.stdout.write(f"{__version__} ist die neueste Version.")
