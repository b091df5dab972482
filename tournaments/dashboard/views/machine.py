"""The state of the computer running the evening, for pages."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from krru.background import schedule
from krru.backups import backup_status, hints
from krru.data import disks
from krru.observing import errors
from tournaments.dashboard.selectors.machine import Backups

# A director should not see it for the rest of the evening.
REMEMBERED = timedelta(minutes=15)


def backups_now() -> Backups:
    """Return the state of the computer and its backups for the due items."""
    statuses = backup_status()
    folders = [status.folder for status in statuses]
    short = [disks.shortage(folder) for folder in (settings.KRRU_DATA, *folders)]
    troubles = [(_("Der Platz wird knapp"), numbers) for numbers in filter(None, short)]
    return Backups(
        is_chosen=bool(statuses),
        errors=tuple(status.sentence for status in statuses if status.sentence),
        hints=hints(statuses),
        troubles=(*_standing_still(), *troubles, *_errors()),
    )


def _errors() -> list[tuple[str, str]]:
    """Return the recent errors of this process."""
    found = errors.recent(REMEMBERED)
    if not found:
        return []
    numbers = {"at": time_format(localtime(found[-1].at), "H:i"), "number": found[-1].number}
    note = _("Zuletzt um %(at)s, Fehlernummer %(number)s. Einzelheiten stehen in log/krru.log.")
    return [(_("Im Programm gab es einen Fehler"), note % numbers)]


def _standing_still() -> list[tuple[str, str]]:
    """Return that automatic work has stopped, if so."""
    if not schedule.is_late():
        return []
    ran_at = schedule.last_ran_at()
    since = time_format(localtime(ran_at), "H:i") if ran_at else _("dem Start")
    return [
        (
            _("Von selbst geschieht nichts mehr"),
            _(
                "Seit %(since)s gibt es keine Sicherung, keine Mails und keinen Start von selbst. "
                "Das Programm neu starten."
            )
            % {"since": since},
        )
    ]
