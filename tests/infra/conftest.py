"""What tests of the machinery begin with."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from krru.data.folder import SECRET_FILE
from krru.devtools.serving import ServerProcess
from tests.laptops import laptop_served_once, laptop_with_tables

TOKEN = "only-prometheus-knows-it"
WATCHED = {
    "KRRU_METRICS_TOKEN": TOKEN, "KRRU_LOG_LEVEL": "INFO",
    "KRRU_PUBLIC_URL": "https://poker.example.org", "KRRU_HOSTS": "club.example",
}  # fmt: skip


@pytest.fixture(scope="session")
def running(tmp_path_factory) -> Iterator[ServerProcess]:
    """A server on the internet, with a token for its figures."""
    with laptop_served_once(tmp_path_factory.mktemp("watched") / "data", WATCHED) as server:
        yield server


@pytest.fixture
def laptop(tmp_path: Path) -> ServerProcess:
    """A data folder with tables, and the commands on it; no server is running."""
    return laptop_with_tables(tmp_path / "laptop")


@pytest.fixture
def own_folder(tmp_path: Path, settings) -> Path:
    """A data folder of the test's own for the program in this process."""
    settings.KRRU_DATA = tmp_path / "data"
    settings.KRRU_DATA.mkdir()
    (settings.KRRU_DATA / SECRET_FILE).write_text("secret")
    return settings.KRRU_DATA


@pytest.fixture
def stick_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "stick"
    folder.mkdir()
    return folder


@pytest.fixture
def stick(stick_folder: Path, own_folder: Path, settings) -> Path:
    """A stick that takes the backups of this process."""
    settings.KRRU_BACKUP = str(stick_folder)
    return stick_folder
