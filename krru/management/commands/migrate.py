"""Migrate in one process at a time and after a backup: for servers, before they start."""

from typing import Any

from django.core.management.commands.migrate import Command as CoreMigrate

from krru.starting import prepare


class Command(CoreMigrate):
    help = "Bringt die Tabellen auf den Stand dieser Version, nach einer Sicherung."

    def handle(self, *args: Any, **options: Any) -> None:
        """Migrate. A second process waits and finds it done."""
        # Django itself creates a test database, with `run_syncdb`.
        is_part = ("app_label", "plan", "check_unapplied", "run_syncdb")
        if not any(options[name] for name in is_part):
            prepare.prepare_database(self.stdout.write)
        with prepare.one_at_a_time():
            super().handle(*args, **options)
