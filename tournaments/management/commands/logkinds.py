"""`manage.py logkinds`: list the kinds of log entries as they are declared."""

from django.core.management.base import BaseCommand

from tournaments.changes import audit


class Command(BaseCommand):
    help = "Zählt die Arten der Einträge im Protokoll auf: Name, Recht, Rücknahme, was geschah."

    def handle(self, *args: object, **options: object) -> None:
        for name, service in sorted(audit.services().items()):
            undo = "own" if audit.undo_of(name) else "none" if service.kind.is_final else "facts"
            what = (service.__doc__ or "").partition("\n")[0]
            self.stdout.write(f"{name}\t{service.permission.value}\t{undo}\t{what}")
