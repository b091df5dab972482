"""Prepare the data folder and serve: the main command."""

import os
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection, connections

from krru import backups
from krru.data import locks
from krru.starting import prepare, texts
from krru.web import certificates
from krru.web.served import ANYWHERE, DEFAULT_PORT, Served, listening_socket, telling


class Command(BaseCommand):
    help = "Bereitet den Datenordner vor und startet den Server."
    requires_system_checks: list[str] = []
    farewell = "Beendet. Alles ist gespeichert."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=DEFAULT_PORT, help="Port (8000)")
        parser.add_argument(
            "--host", default=ANYWHERE, help="Adresse; 127.0.0.1 nur für dieses Gerät"
        )
        parser.add_argument(
            "--quiet", action="store_true", help="ohne Links und QR-Codes, für Dienste"
        )
        parser.add_argument(
            "--https",
            action="store_true",
            help="mit eigenem Zertifikat, dessen Fingerabdruck die Konsole zeigt",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
        holder = locks.only_server if settings.EMBEDDED else locks.one_of_many
        with holder(settings.KRRU_DATA):
            self.serve(**options)

    def serve(
        self,
        *,
        port: int,
        host: str,
        https: bool = False,
        quiet: bool = False,
        **options: Any,
    ) -> None:
        """Serve until stopped, with the data folder locked."""
        texts.compile_texts()
        # Behind a balancer no client is to wait for a process that is not ready.
        sock = listening_socket(host, port, at_once=settings.EMBEDDED)
        with ExitStack() as stack:
            stack.callback(sock.close)
            self.make_ready()
            # Imported here: building the application looks for the static files.
            from krru.starting import server  # noqa: PLC0415

            stack.enter_context(server.stopped_by_signals())
            address = Served("https" if https else "http", host, sock.getsockname()[1])
            stack.enter_context(telling(address))
            own = certificates.own_certificate(settings.KRRU_DATA) if https else None
            self.greet(address, own=own, quiet=quiet)
            if not settings.EMBEDDED:
                self.stdout.write(
                    "Mit REDIS_URL läuft daneben: `manage work` erledigt, was fällig ist, "
                    "`manage schedule` hält den Zeitplan ein."
                )
            self.warn()
            connections.close_all()
            server.run(sock, own)
        self.stdout.write(self.farewell)

    def greet(self, address: Served, *, own: certificates.Certificate | None, quiet: bool) -> None:
        """Print that it is ready, and the links unless quiet."""
        from krru.starting import welcome  # noqa: PLC0415 - its imports need ready tables

        if quiet:
            self.stdout.write("KRRU ist bereit.")
        else:
            welcome.show(self.stdout, address, own)

    def make_ready(self) -> None:
        """Migrate and load the data folder for this program."""
        backups.sweep()
        if prepare.prepare_database(self.stdout.write):
            self.stdout.write("Die Datenbank ist eingerichtet.")
        with prepare.one_at_a_time():
            call_command("loadhouse", verbosity=0)
            # A server with a different secret must not undo the others' work.
            call_command("settlein", look=not settings.EMBEDDED)
        prepare.prepare_static()

    def warn(self) -> None:
        """Warn of doubtful settings that still allow serving."""
        wanted = os.environ.get("KRRU_LOG") or str(settings.KRRU_DATA / "log")
        if wanted != "-" and not settings.LOG_FOLDER:
            self.stderr.write(
                f"In {wanted} lässt sich nicht schreiben; was zu melden ist, steht nur hier auf "
                "der Konsole. Mit KRRU_LOG einen anderen Ordner wählen."
            )
        if not settings.EMBEDDED and connection.vendor == "sqlite":
            self.stderr.write(
                "REDIS_URL ohne DATABASE_URL: Für mehrere Prozesse ist PostgreSQL gedacht."
            )
