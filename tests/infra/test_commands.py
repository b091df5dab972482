"""Management commands in a data folder that was never served."""

import pytest

from krru.devtools.serving import ServerProcess


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["directorlink", "--base", "http://krru.test"], "http://krru.test/in/"),
        (["verifylog"], "Alle Protokolle stimmen."),
        (["simulatetournament", "--entries=3", "--json"], '"distinct_places": 3'),
    ],
)
def test_commands_find_their_tables(tmp_path, command, said) -> None:
    folder = ServerProcess(tmp_path / "data")
    folder.folder.mkdir()
    assert said in folder.manage(*command).stdout
