"""The log: its lines, its file, what is said once only, and what a service manager hears."""

import logging
import socket
from pathlib import Path

import pytest
from django.db import DatabaseError, OperationalError

from krru.observing import logs
from krru.observing.logs import Lines, OneOfMany, SharedFile
from tests.laptops import laptop_served_once

pytestmark = pytest.mark.sqlite_only
LINK = "/p/ThisLinkIsSomebodysOwn"


def entry(text: str, error: Exception | None = None) -> logging.LogRecord:
    told = None if error is None else (type(error), error, None)
    return logging.LogRecord("krru", logging.ERROR, "", 1, text, (), told)


@pytest.mark.parametrize("behind", [",/", ")", ".", '"', "~", "/", "?x=1", "%2F", ""])
def test_a_link_is_hidden_in_the_text_and_in_the_error_whatever_stands_behind_it(behind):
    link = f"{LINK}{behind}"
    line = Lines().format(entry(f"Not Found: {link}", ValueError(f"no such page {link}")))

    assert line.count("/p/…") == 2
    assert "Somebody" not in line


def test_an_outage_is_one_line_and_a_bug_keeps_its_traceback() -> None:
    one_of_many = OneOfMany()
    locked = OperationalError("database is locked")

    first, second = entry("Error", locked), entry("Error", locked)
    bug = entry("Error", DatabaseError("no such table"))
    # Two handlers ask about each entry.
    assert one_of_many.filter(first)
    assert one_of_many.filter(first)
    assert first.getMessage() == "Datenbank: database is locked"
    assert first.exc_info is None
    assert not one_of_many.filter(second)
    assert one_of_many.filter(bug)
    assert bug.exc_info


def test_the_logs_file_is_put_aside_by_one_process_and_followed_by_the_others(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.setattr(logs, "FILE_BYTES", 2000)
    path = tmp_path / "krru.log"
    one, other = (SharedFile(path, encoding="utf-8", delay=True) for _ in range(2))

    for number in range(100):
        one.emit(entry(f"one {number} {'x' * 40}"))
        other.emit(entry(f"other {number} {'x' * 40}"))
    one.close()
    other.close()

    kept = sorted(file.name for file in tmp_path.glob("krru.log*") if file.suffix != ".lock")
    assert kept == ["krru.log", "krru.log.1"]
    latest = path.read_text() + Path(f"{path}.1").read_text()
    assert "one 99" in latest
    assert "other 99" in latest
    assert path.stat().st_size < 2200


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is full")
def test_a_log_that_cannot_be_written_disturbs_nobody() -> None:
    SharedFile("/dev/full").emit(entry("text"))


def test_a_service_is_told_when_pages_are_answered_and_its_console_shows_no_link(tmp_path) -> None:
    """Its log gets no file, and a backup was killed before: both are dealt with at the start."""
    (tmp_path / "file").touch()
    log = tmp_path / "file" / "log"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        env = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "KRRU_LOG": str(log)}
        server = laptop_served_once(tmp_path / "data", env, "--quiet")
        left = [server.folder / name for name in ("backup-x1y2", "restore-x1y2")]
        for folder in left:
            folder.mkdir()
            (folder / "krru.sqlite3").write_text("alle Daten")
        with server:
            assert manager.recv(64) == b"READY=1"
            assert f"In {log} lässt sich nicht schreiben" in server.log
            assert "KRRU ist bereit." in server.log
            assert "http" not in server.log
            assert "█" not in server.log
            assert not any(folder.exists() for folder in left)
    assert (server.folder / "krru.sqlite3").exists()
    assert logs.log_folder(str(tmp_path), tmp_path) == str(tmp_path)
