"""What tests of the machinery begin with."""

from pathlib import Path

import pytest

from krru.devtools.serving import ServerProcess
from tests.infra.laptops import new_laptop


@pytest.fixture
def laptop(tmp_path: Path) -> ServerProcess:
    """A data folder with tables, and the commands on it; no server is running."""
    return new_laptop(tmp_path / "laptop")
