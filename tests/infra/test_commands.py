"""Management commands in a data folder that was never served, and how the tests call them."""

import pytest
from django.core.management import load_command_class

from krru.devtools.serving import ServerProcess
from krru.management.ready import ReadyCommand
from tests.warm import CAN_COPY, Laptop


def test_commands_find_their_tables(tmp_path) -> None:
    for name in ("directorlink", "loadhouse", "simulatetournament", "verifylog"):
        assert isinstance(load_command_class("tournaments", name), ReadyCommand)
    laptop = Laptop(tmp_path, {"KRRU_PUBLIC_URL": "https://poker.example.org"})
    assert laptop.manage("directorlink").stdout.startswith("https://poker.example.org/in/")


READ = """
from django.conf import settings
from django.db import connection
from krru.backups import keeping
from krru.background import schedule
import time
print([time.monotonic() - one._began < 20 for one in (keeping, schedule)])
print(settings.SECRET_KEY, settings.STATIC_ROOT, settings.KRRU_BACKUP, settings.LOGGING)
print(connection.settings_dict, connection.cursor().execute("PRAGMA synchronous").fetchone())
raise SystemExit(7)
"""


@pytest.mark.skipif(not CAN_COPY, reason="copies are made where a process can be copied")
def test_a_copy_of_the_loaded_program_does_what_the_program_does(tmp_path) -> None:
    env = {"KRRU_BACKUP": str(tmp_path / "stick"), "KRRU_STATIC": str(tmp_path / "static")}
    # Others have been there before, elsewhere.
    Laptop(tmp_path / "other").manage("check")
    done = [
        cls(tmp_path / "data", env).manage("shell", "--no-imports", "-c", READ, check=False)
        for cls in (Laptop, ServerProcess)
    ]
    copied, loaded = ((one.returncode, one.stdout, one.stderr) for one in done)
    assert copied == loaded
    assert copied[0] == 7
