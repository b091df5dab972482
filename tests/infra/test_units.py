"""The services of `deploy/systemd`, as the service manager reads them, and after a reboot."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from krru.data.folder import BASE_DIR

pytestmark = pytest.mark.sqlite_only
UNITS = sorted((BASE_DIR / "deploy" / "systemd").glob("*.service"))
LASTING = [unit for unit in UNITS if "migrate" not in unit.name]


def of(unit: Path, setting: str) -> set[str]:
    """Return the words that a setting of a unit has."""
    found = re.findall(rf"^{setting}=(.*)$", unit.read_text("utf-8"), re.MULTILINE)
    return set(" ".join(found).split())


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is missing")
def test_the_service_manager_finds_no_fault(tmp_path) -> None:
    for unit in UNITS:
        text = unit.read_text("utf-8")
        assert "/opt/krru/.venv/bin/python" in text
        (tmp_path / unit.name).write_text(
            text.replace("/opt/krru/.venv/bin/python", sys.executable)
        )

    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *(tmp_path / unit.name for unit in UNITS)],
        capture_output=True, text=True, check=False, env={"SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    assert not done.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_after_a_reboot_it_waits_for_what_it_needs(unit) -> None:
    assert {"network-online.target", "postgresql.service"} <= of(unit, "After")
    # Without it nobody waits for the network: the order alone brings about nothing.
    assert "network-online.target" in of(unit, "Wants")


@pytest.mark.parametrize("unit", LASTING, ids=lambda unit: unit.name)
def test_a_database_that_comes_late_is_waited_for(unit) -> None:
    assert of(unit, "Restart") == {"always"}
    # Five failures in ten seconds would be the last ones.
    assert of(unit, "StartLimitIntervalSec") == {"0"}
    assert of(unit, "WantedBy") == {"multi-user.target"}
    assert "krru-migrate.service" in of(unit, "After") & of(unit, "Wants")
