"""The log: its lines, its file, and what is said once only."""

import logging
import re
from pathlib import Path

import pytest
from django.db import DatabaseError, OperationalError

from krru.observing import logs
from krru.observing.logs import OneOfMany, SharedFile, logging_of
from tests.laptops import laptop_served_once

pytestmark = pytest.mark.sqlite_only


def test_the_consoles_times_have_their_zone() -> None:
    formatter = logging.Formatter(
        **{
            {"format": "fmt"}.get(name, name): text
            for name, text in logging_of("", "INFO")["formatters"]["plain"].items()
        }
    )
    record = logging.LogRecord("krru", logging.INFO, "", 1, "text", (), None)
    record.request = "-"

    assert re.match(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[+-]\d{4} INFO", formatter.format(record))


def test_an_outage_is_one_line_and_a_bug_keeps_its_traceback() -> None:
    one_of_many = OneOfMany()
    locked = OperationalError("database is locked")

    def record(error: Exception) -> logging.LogRecord:
        told = (type(error), error, None)
        return logging.LogRecord("django.request", logging.ERROR, "", 1, "Error", (), told)

    first, second, bug = record(locked), record(locked), record(DatabaseError("no such table"))
    assert one_of_many.filter(first)
    assert first.getMessage() == "Datenbank: database is locked"
    assert first.exc_info is None
    assert not one_of_many.filter(second)
    assert one_of_many.filter(bug)
    assert bug.exc_info


def test_the_logs_file_is_put_aside_by_one_process_and_followed_by_the_others(tmp_path) -> None:
    path = tmp_path / "krru.log"
    one, other = (
        SharedFile(path, maxBytes=2000, backupCount=2, encoding="utf-8") for _ in range(2)
    )

    def write(handler: SharedFile, text: str) -> None:
        handler.emit(logging.LogRecord("krru", logging.INFO, "", 1, text, (), None))

    for number in range(100):
        write(one, f"one {number} {'x' * 40}")
        write(other, f"other {number} {'x' * 40}")
    one.close()
    other.close()

    kept = sorted(file.name for file in tmp_path.glob("krru.log*") if file.suffix != ".lock")
    assert kept == ["krru.log", "krru.log.1", "krru.log.2"]
    latest = path.read_text() + Path(f"{path}.1").read_text()
    assert "one 99" in latest
    assert "other 99" in latest
    assert path.stat().st_size < 2200


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_log_that_cannot_be_written_disturbs_nobody() -> None:
    handler = SharedFile("/dev/full", maxBytes=0)

    handler.emit(logging.LogRecord("krru", logging.INFO, "", 1, "text", (), None))


def test_a_log_that_gets_no_file_is_said_at_the_start(tmp_path) -> None:
    (tmp_path / "file").touch()
    server = laptop_served_once(tmp_path / "data", {"KRRU_LOG": str(tmp_path / "file" / "log")})

    with server:
        assert f"In {tmp_path / 'file' / 'log'} lässt sich nicht schreiben" in server.log
    assert logs.without_file("-", tmp_path) == ""
    assert logs.without_file(str(tmp_path), server.folder) == ""
