"""The type checker knows what every service takes: a misspelt or a missing argument is found."""

import pytest
from mypy import api

from krru.data.folder import BASE_DIR

CALLS = """
from tournaments.changes.commands import ClubCommand, Command
from tournaments.models import Entry, Table
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.services.tables import entry_move
from tournaments.club.services.club import club_colour_set


def act(command: Command, of_club: ClubCommand, entry: Entry, table: Table) -> None:
    entry_move(command, entry=entry, table=table, seat=4)
    entry_move(command, entry=entry, table=table, saet=4)
    entry_move(command, entry=entry, table=table, seat="4")
    entries_eliminate(command)
    entries_eliminate(entries=[entry])
    club_colour_set(command, colour="#aa0000")
    club_colour_set(of_club, colour="#aa0000")
"""


@pytest.mark.long  # the checker reads the whole program
@pytest.mark.sqlite_only
def test_a_misspelt_argument_of_a_service_fails_the_type_checker(tmp_path):
    file = tmp_path / "calls.py"
    file.write_text(CALLS)
    config = ["--config-file", str(BASE_DIR / "pyproject.toml")]
    report, faults, _status = api.run([*config, "--no-error-summary", str(file)])
    assert faults == ""
    lines = {int(line.split(":")[1]) for line in report.splitlines() if ": error:" in line}
    marks = ("saet", '"4"', "(command)", "(entries", "(command, c")
    numbered = enumerate(CALLS.splitlines(), start=1)
    wrong = {number for number, line in numbered if any(mark in line for mark in marks)}
    assert len(wrong) == 5
    assert lines == wrong
