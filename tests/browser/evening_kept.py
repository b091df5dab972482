"""The whole evening, made by the services once a worker and put back by its rows after that."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from tests.browser import whole_evening
from tests.services.mailing import use

# Pages tell of what goes on now. So an evening is made anew before its level is over.
KEPT_FOR = timedelta(minutes=10)


@dataclass(frozen=True)
class Kept:
    """An evening, and its rows as they were when the services had made it."""

    evening: whole_evening.Evening
    rows: sqlite3.Connection
    at: datetime
    mail_port: int


KEPT: list[Kept] = []


def at_hand(now: datetime, settings: Any) -> whole_evening.Evening:
    """Return an evening in an empty database."""
    if KEPT and now - KEPT[0].at < KEPT_FOR:
        KEPT[0].rows.backup(connection.connection)
        use(settings, KEPT[0].mail_port)
        return KEPT[0].evening
    evening = whole_evening.make(now, settings)
    rows = sqlite3.connect(":memory:")
    connection.connection.backup(rows)
    while KEPT:
        KEPT.pop().rows.close()
    KEPT.append(Kept(evening, rows, now, settings.EMAIL_PORT))
    return evening
