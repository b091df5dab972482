"""What tests of the machinery begin with."""

from pathlib import Path

import pytest

from krru.devtools.serving import ServerProcess
from tests.laptops import laptop_with_tables


@pytest.fixture
def laptop(tmp_path: Path) -> ServerProcess:
    """A data folder with tables, and the commands on it; no server is running."""
    return laptop_with_tables(tmp_path / "laptop")
