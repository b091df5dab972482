"""What tests of the machinery begin with."""

from pathlib import Path

import pytest

from krru.data.folder import SECRET_FILE
from krru.devtools.serving import ServerProcess
from tests.laptops import laptop_with_tables


@pytest.fixture
def laptop(tmp_path: Path) -> ServerProcess:
    """A data folder with tables, and the commands on it; no server is running."""
    return laptop_with_tables(tmp_path / "laptop")


@pytest.fixture
def stick(tmp_path: Path, settings) -> Path:
    """A data folder of the test's own, and a stick that takes its backups."""
    settings.KRRU_DATA = tmp_path / "data"
    settings.KRRU_DATA.mkdir()
    (settings.KRRU_DATA / SECRET_FILE).write_text("secret")
    folder = tmp_path / "stick"
    folder.mkdir()
    settings.KRRU_BACKUP = str(folder)
    return folder
