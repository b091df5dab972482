"""A data folder of an earlier release under the present program: moved on, shown, proven, restored.

`fixtures/releases/make.py` made each of them, under the program of its release.
"""

import lzma
import re
import sqlite3
import urllib.request

import pytest

from krru.datafolder import BASE_DIR, DATABASE_FILE
from tests.warm import Laptop

pytestmark = pytest.mark.sqlite_only
RELEASES = sorted((BASE_DIR / "fixtures" / "releases").glob("*.sql.xz"))


EVENTS = "SELECT id, name, rules FROM tournaments_event ORDER BY id"


@pytest.fixture(scope="module", params=RELEASES, ids=lambda path: path.name[: -len(".sql.xz")])
def moved_on(request, tmp_path_factory):
    """A server on the folder of that release, started once, and the events that were there."""
    folder = tmp_path_factory.mktemp("release") / "data"
    folder.mkdir(mode=0o700)
    database = sqlite3.connect(folder / DATABASE_FILE)
    database.executescript(lzma.decompress(request.param.read_bytes()).decode())
    database.close()
    server = Laptop(folder)
    before = asked(server, EVENTS)
    server.start()
    yield server, before
    server.stop()


def asked(server, statement):
    database = sqlite3.connect(server.folder / DATABASE_FILE)
    try:
        return database.execute(statement).fetchall()
    finally:
        database.close()


def test_an_installation_goes_on_under_the_present_program(moved_on) -> None:
    server, before = moved_on

    home = page(server, "/")
    for slug, name, is_sample in asked(
        server, "SELECT slug, name, is_sample FROM tournaments_event"
    ):
        # A sample to come stands beside real evenings for the staff alone.
        assert is_sample or f"/t/{slug}/" in home
        assert name in page(server, f"/t/{slug}/")
        assert name in page(server, f"/t/{slug}/ergebnis/")
    server.stop()

    assert before
    assert asked(server, EVENTS) == before
    assert server.manage("verifylog", check=False).returncode == 0
    for table in ("clock_scheduletemplate", "tournaments_rulepreset", "tournaments_chipset"):
        assert not asked(server, f"SELECT * FROM {table} WHERE revision IS NULL")
    assert not migrations_due(server)


def migrations_due(server) -> list[str]:
    return re.findall(r"^ \[ \]", server.manage("showmigrations").stdout, re.MULTILINE)


def test_the_backup_made_before_moving_on_can_be_put_back(moved_on) -> None:
    server, _before = moved_on
    server.stop()
    (file,) = (server.folder / "backups").glob("*.zip")

    done = server.manage("restore", str(file), check=False)

    assert done.returncode == 0, done.stderr
    assert not migrations_due(server)
    assert server.manage("verifylog", check=False).returncode == 0


def page(server, path: str) -> str:
    with urllib.request.urlopen(f"{server.url}{path}", timeout=30) as answer:
        return answer.read().decode()
