"""Logging to the console and to a file in the data folder, without personal links.

A reader of the log must not be able to act as a player. The file has a limited size and reports a
database outage once in a while, not for each request.
"""

import contextlib
import logging
import os
import re
import sys
import time
from logging.handlers import WatchedFileHandler
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from filelock import FileLock

# Personal pages, sign-in links and streams carry their secret as a long part of the path. The
# desk's search also takes such a link, with its slashes as %2F. Text after it does not count:
# messengers append commas and brackets.
SECRET_PART = re.compile(r"(?:(?<=/)|(?<=%2F))[A-Za-z0-9_:\-]{16,}", re.IGNORECASE)
QUIET_SECONDS = 30.0
FILE_BYTES = 10 * 1024 * 1024
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
FORM = "%(asctime)s %(levelname)s %(name)s %(process)d %(request)s: %(message)s"


class Lines(logging.Formatter):
    """Format an entry with its time and request number, without personal links."""

    def format(self, record: logging.LogRecord) -> str:
        requests = sys.modules.get("krru.observing.requests")
        record.request = requests.request_id() if requests else "-"
        return SECRET_PART.sub("…", super().format(record))


class OneOfMany(logging.Filter):
    """Log one line for a database outage, not one for each request."""

    _quiet_until = 0.0

    def filter(self, record: logging.LogRecord) -> bool:
        from krru.data.outages import outage_of  # noqa: PLC0415 - needs the settings

        error = record.exc_info[1] if record.exc_info else None
        if error is None or outage_of(error) is None:
            return True
        if time.monotonic() < self._quiet_until:
            return False
        self._quiet_until = time.monotonic() + QUIET_SECONDS
        record.msg, record.args = "Datenbank: %s", (str(error).strip().rpartition("\n")[2],)
        record.exc_info = record.exc_text = None
        return True


class SharedFile(WatchedFileHandler):
    """A log file shared by several processes. One of them rotates it when full.

    Logging never disturbs: with a full or read-only disk only the console gets the entry.
    """

    def emit(self, record: logging.LogRecord) -> None:
        # A lock held by another process also raises an OSError.
        with contextlib.suppress(OSError):
            super().emit(record)
            if self.stream is not None and self.stream.tell() > FILE_BYTES:
                self.stream.close()
                self.stream = None  # the next entry opens it again
                path = Path(self.baseFilename)
                with FileLock(f"{path}.lock", timeout=0):
                    if path.stat().st_size > FILE_BYTES:
                        path.replace(f"{path}.1")

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - logging's name
        return


def log_folder(chosen: str | None, data: Path) -> str:
    """Return the folder of the log file; empty if no file can or shall be written.

    >>> log_folder("-", Path("var"))
    ''
    """
    if chosen == "-":
        return ""
    folder = Path(chosen).expanduser() if chosen else data / "log"
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(folder) if os.access(folder, os.W_OK) and folder.is_dir() else ""


def log_level(chosen: str | None) -> str:
    """Return the lowest level to log.

    >>> log_level("info"), log_level(None)
    ('INFO', 'WARNING')

    :raises ImproperlyConfigured: There is no such level.
    """
    level = (chosen or "WARNING").upper()
    if level not in LEVELS:
        raise ImproperlyConfigured(f"KRRU_LOG_LEVEL ist eines von {', '.join(LEVELS)}.")
    return level


def logging_of(folder: str, level: str) -> dict[str, object]:
    """Return Django's settings for logging: the console, and a file if a folder is given."""
    both = {"filters": ["one_of_many"], "formatter": "lines"}
    handlers: dict[str, object] = {"console": {"class": "logging.StreamHandler", **both}}
    if folder:
        handlers["file"] = {
            "class": "krru.observing.logs.SharedFile",
            "filename": str(Path(folder) / "krru.log"),
            "encoding": "utf-8",
            "delay": True,
            **both,
        }
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {"one_of_many": {"()": "krru.observing.logs.OneOfMany"}},
        "formatters": {
            "lines": {
                "()": "krru.observing.logs.Lines", "fmt": FORM, "datefmt": "%Y-%m-%d %H:%M:%S%z",
            }
        },
        "handlers": handlers,
        "root": {"handlers": list(handlers), "level": level},
        "loggers": {
            "django": {"handlers": list(handlers), "level": level, "propagate": False},
            "krru": {"level": min(level, "INFO", key=logging.getLevelNamesMapping().__getitem__)},
        },
    }  # fmt: skip
