"""Logging: to the console and to a file in the data folder, without personal links.

Who reads a log must not be able to act as the people in it. The file is of lines of JSON, one an
entry, and does not grow for ever. A database that is away is one line, not one for each request.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import re
import sys
import time
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from filelock import FileLock, Timeout

# Personal pages, sign-in links and streams carry their secret as a long part of the path.
# The desk's search takes such a link too: then its slashes are written %2F. What follows does not
# count: messengers hang commas and brackets on a link.
SECRET_PART = re.compile(r"(?:(?<=/)|(?<=%2F))[A-Za-z0-9_:\-]{16,}", re.IGNORECASE)
QUIET_SECONDS = 30.0
FILE_BYTES = 5 * 1024 * 1024
FILES_KEPT = 5
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")


class HideLinks(logging.Filter):
    """Replace long path parts in a message by an ellipsis."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        hidden = SECRET_PART.sub("…", message)
        if hidden != message:
            record.msg, record.args = hidden, ()
        return True


class NumberRequests(logging.Filter):
    """Tell in each entry which request it belongs to."""

    def filter(self, record: logging.LogRecord) -> bool:
        requests = sys.modules.get("krru.observing.requests")
        record.request = requests.request_id() if requests else "-"
        return True


class OneOfMany(logging.Filter):
    """Write one line about a database that is away, and none for each request that meets it."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.exc_info or record.exc_info[1] is None:
            return True
        from krru.data.outages import outage_of  # noqa: PLC0415 - needs Django set up

        outage = outage_of(record.exc_info[1])
        if outage is None:
            return True
        # Each handler filters the same record in turn.
        if getattr(record, "is_outage", False):
            return True
        now = time.monotonic()
        if now - self._said.get(outage.code, -QUIET_SECONDS) < QUIET_SECONDS:
            return False
        self._said[outage.code] = now
        reason = str(record.exc_info[1]).strip().splitlines()
        record.msg, record.args = "Datenbank: %s", (reason[-1] if reason else outage.code,)
        record.exc_info = record.exc_text = None
        record.is_outage = True
        return True


class Lines(logging.Formatter):
    """An entry as one line of JSON, its instant with the zone."""

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "from": record.name,
            "request": getattr(record, "request", "-"),
            "pid": record.process,
            "message": record.getMessage(),
        }
        if record.exc_info:
            entry["error"] = SECRET_PART.sub("…", self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)


class SharedFile(RotatingFileHandler):
    """A file that several processes write, one of which puts it aside when it is full.

    Logging never disturbs: on a disk that is full or read-only the console alone is told.
    """

    def emit(self, record: logging.LogRecord) -> None:
        with contextlib.suppress(OSError):
            self._follow()
            super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        return

    def _follow(self) -> None:
        """Go on in the new file, where another process has put the old one aside."""
        stream = self.stream
        if stream is None:
            return
        try:
            is_same = os.fstat(stream.fileno()).st_ino == Path(self.baseFilename).stat().st_ino
        except FileNotFoundError:
            is_same = False
        if not is_same:
            stream.close()
            self.stream = None  # opened anew by the next entry

    def doRollover(self) -> None:  # noqa: N802 - logging's name
        try:
            with FileLock(f"{self.baseFilename}.lock", timeout=0):
                if Path(self.baseFilename).stat().st_size >= self.maxBytes / 2:
                    super().doRollover()
        except Timeout:
            pass  # another process is at it


def log_folder(chosen: str | None, data: Path) -> str:
    """Return where the log's file lies; empty when it is to be written to the console alone.

    >>> log_folder("-", Path("var")), log_folder("/var/log/krru", Path("var"))
    ('', '/var/log/krru')
    """
    folder = _wanted_folder(chosen, data)
    if folder is None:
        return ""
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(folder) if folder.is_dir() else ""


def without_file(chosen: str | None, data: Path) -> str:
    """Return the sentence about a log that was to be in a file and cannot be; else nothing."""
    folder = _wanted_folder(chosen, data)
    if folder is None or (folder.is_dir() and os.access(folder, os.W_OK)):
        return ""
    return (
        f"In {folder} lässt sich nicht schreiben; was zu melden ist, steht nur hier auf der "
        "Konsole. Mit KRRU_LOG einen anderen Ordner wählen."
    )


def _wanted_folder(chosen: str | None, data: Path) -> Path | None:
    """Return where the log's file is to lie; None if it is to be written to the console alone."""
    if chosen == "-":
        return None
    return Path(chosen).expanduser() if chosen else data / "log"


def log_level(chosen: str | None) -> str:
    """Return from which level on entries are written.

    >>> log_level("info"), log_level(None)
    ('INFO', 'WARNING')

    :raises ImproperlyConfigured: There is no such level.
    """
    level = (chosen or "WARNING").upper()
    if level not in LEVELS:
        raise ImproperlyConfigured(f"KRRU_LOG_LEVEL ist eines von {', '.join(LEVELS)}.")
    return level


def logging_of(folder: str, level: str) -> dict[str, object]:
    """Return Django's settings for logging: the console, and a file in a folder if one is named."""
    filters = ["one_of_many", "hide_links", "number_requests"]
    handlers: dict[str, object] = {
        "console": {"class": "logging.StreamHandler", "filters": filters, "formatter": "plain"},
    }
    if folder:
        handlers["file"] = {
            "class": "krru.observing.logs.SharedFile",
            "filename": os.path.join(folder, "krru.log"),  # noqa: PTH118 - a setting's text
            "maxBytes": FILE_BYTES,
            "backupCount": FILES_KEPT,
            "encoding": "utf-8",
            "delay": True,
            "filters": filters,
            "formatter": "lines",
        }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "hide_links": {"()": "krru.observing.logs.HideLinks"},
            "number_requests": {"()": "krru.observing.logs.NumberRequests"},
            "one_of_many": {"()": "krru.observing.logs.OneOfMany"},
        },
        "formatters": {
            "plain": {
                "format": "%(asctime)s %(levelname)s %(name)s %(request)s: %(message)s",
                "datefmt": "%Y-%m-%d %H:%M:%S%z",
            },
            "lines": {"()": "krru.observing.logs.Lines"},
        },
        "handlers": handlers,
        "root": {"handlers": list(handlers), "level": level},
        "loggers": {
            "django": {"handlers": list(handlers), "level": level, "propagate": False},
            "krru": {"level": min(level, "INFO", key=logging.getLevelNamesMapping().__getitem__)},
        },
    }
