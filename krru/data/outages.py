"""Errors that are no bug: the database is away, busy or full."""

from dataclasses import dataclass

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

# Seconds until a page tries again.
RETRY_SECONDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Outage:
    """The state of a database that cannot answer; `reason` is for people."""

    code: str
    reason: str | Promise


AWAY = Outage(
    code="database_away",
    reason=lazy("Die Datenbank antwortet gerade nicht. Was bestätigt wurde, ist gespeichert."),
)
BUSY = Outage(
    code="database_busy",
    reason=lazy("Die Datenbank ist gerade beschäftigt. Die letzte Eingabe ist nicht gespeichert."),
)
FULL = Outage(
    code="disk_full",
    reason=lazy("Der Datenträger ist voll. Die letzte Eingabe ist nicht gespeichert."),
)
UNWRITABLE = Outage(
    code="disk_read_only",
    reason=lazy("Der Datenträger lässt sich nicht beschreiben."),
)
# SQLite's messages.
BY_WORDS = (
    (("is locked",), BUSY),
    (("is full", "disk I/O error"), FULL),
    (("readonly database",), UNWRITABLE),
    (("unable to open",), AWAY),
)
# PostgreSQL's error classes: connection, shutdown or start, too many connections.
AWAY_CLASSES = ("08", "57P", "53300")
BUSY_CLASSES = ("57014", "55P03", "40P01")
FULL_CLASSES = ("53100",)


def outage_of(error: BaseException | None) -> Outage | None:
    """Return the outage behind an error; None if it is a bug."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    state = getattr(error.__cause__, "sqlstate", None)
    if state is not None:
        found = ((AWAY_CLASSES, AWAY), (BUSY_CLASSES, BUSY), (FULL_CLASSES, FULL))
        return next((outage for classes, outage in found if state.startswith(classes)), None)
    for words, outage in BY_WORDS:
        if any(word in str(error) for word in words):
            return outage
    is_server = type(error.__cause__).__module__.startswith("psycopg")
    # Without a state the connection failed.
    return AWAY if is_server and isinstance(error, OperationalError | InterfaceError) else None
