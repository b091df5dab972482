"""The archive of a release: on a bare machine without internet, with last release's data."""

import lzma
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import zipfile
from contextlib import closing
from pathlib import Path

import pytest

from krru import __version__
from krru.data.folder import BASE_DIR, DATABASE_FILE
from krru.devtools import packages, release
from krru.devtools.postgres import free_port
from krru.devtools.serving import NOT_INHERITED

pytestmark = pytest.mark.sqlite_only
LATEST = max((BASE_DIR / "fixtures" / "releases").glob("*.sql.xz"))


def repository(folder: Path) -> Path:
    """A project of a few files, under version control."""
    for name, text in {
        "start.py": "print()",
        "krru/__init__.py": '__version__ = "0.2.0"\n',
        "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Something.\n",
        "tests/test_x.py": "",
        "var/krru.sqlite3": "people",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / ".gitignore").write_text("var/\n")
    for command in (["init", "-q"], ["add", "-A"]):
        subprocess.run(["git", *command], cwd=folder, check=True)
    return folder


def test_a_release_raises_the_version_and_its_archive_holds_no_data(tmp_path) -> None:
    base = repository(tmp_path / "project")
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "django-5.2-py3-none-any.whl").write_text("wheel")

    release.raise_version("0.3.0", base)

    assert '__version__ = "0.3.0"' in (base / "krru" / "__init__.py").read_text()
    changelog = (base / "CHANGELOG.md").read_text()
    order = ("## [Unreleased]", "## [0.3.0] - ", "- Something.")
    assert [changelog.index(line) for line in order] == sorted(map(changelog.index, order))
    assert release.notes("0.3.0", base) == "### Added\n\n- Something.\n"
    archive = release.write_archive(tmp_path / "krru-0.3.0.zip", wheels, base)
    with zipfile.ZipFile(archive) as found:
        assert set(found.namelist()) == {
            "krru-0.3.0/start.py",
            "krru-0.3.0/krru/__init__.py",
            "krru-0.3.0/CHANGELOG.md",
            "krru-0.3.0/wheels/django-5.2-py3-none-any.whl",
        }


def test_the_folder_for_windows_finds_its_packages_and_has_a_file_to_double_click(tmp_path) -> None:
    python, site = tmp_path / "python-3.13.1-embed-amd64.zip", tmp_path / "site"
    with zipfile.ZipFile(python, "w") as embedded:
        embedded.writestr("python.exe", b"MZ")
        embedded.writestr("python313._pth", "python313.zip\r\n.\r\n")
    (site / "krru").mkdir(parents=True)
    (site / "krru" / "__main__.py").write_text("")
    target = release.write_windows_folder(tmp_path / "krru-windows.zip", python, site)
    with zipfile.ZipFile(target) as found:
        names = set(found.namelist())
        path = found.read("KRRU/python/python313._pth").decode().split()
        start = found.read("KRRU/KRRU.bat").decode()
    assert names == {
        "KRRU/python/python.exe",
        "KRRU/python/python313._pth",
        "KRRU/site/krru/__main__.py",
        "KRRU/KRRU.bat",
    }
    assert path == ["python313.zip", ".", "..\\site"]
    assert '"%~dp0python\\python.exe" -m krru %*' in start
    assert start.count("\r\n") == start.count("\n")


def test_the_changelog_names_the_version() -> None:
    assert f"\n## [{__version__}] - " in (BASE_DIR / "CHANGELOG.md").read_text("utf-8")


def without_network() -> list[str]:
    """Return what runs a command where there is no network but this machine's own."""
    inner = ["unshare", "--net", "sh", "-c", 'ip link set lo up 2>/dev/null; exec "$@"', "sh"]
    if shutil.which("unshare") and not subprocess.run([*inner, "true"], check=False).returncode:
        return inner
    return []


@pytest.mark.long
def test_a_bare_machine_without_internet_goes_on_with_last_releases_data(tmp_path) -> None:
    wheels = tmp_path / "wheels"
    if packages.wheels(wheels):
        pytest.skip("The packages cannot be fetched here.")
    archive = release.write_archive(tmp_path / "krru-9.9.9.zip", wheels)
    with zipfile.ZipFile(archive) as found:
        found.extractall(tmp_path)
    program = tmp_path / "krru-9.9.9"
    data = program / "var"
    data.mkdir(mode=0o700)
    with closing(sqlite3.connect(data / DATABASE_FILE)) as database:
        database.executescript(lzma.decompress(LATEST.read_bytes()).decode())
    offline = without_network()
    port = free_port()
    env = {name: text for name, text in os.environ.items() if name not in NOT_INHERITED}
    env |= {"PIP_NO_INDEX": "1", "KRRU_NO_UV": "1"}
    # Asked from inside: there is no way from here into a machine without a network.
    ask = [sys.executable, "-c", ASK.format(port=port)]
    log = (tmp_path / "log").open("wb")
    server = subprocess.Popen(
        [*offline, sys.executable, str(program / "start.py"), "--port", str(port)],
        cwd=program, env=env, stdout=log, stderr=log, start_new_session=True,
    )  # fmt: skip
    try:
        deadline = time.monotonic() + 240
        into = ["nsenter", "--net", "--target", str(server.pid)] if offline else []
        while time.monotonic() < deadline and server.poll() is None:
            done = subprocess.run([*into, *ask], check=False, capture_output=True, text=True)
            if done.returncode == 0:
                break
            time.sleep(1)
        assert done.stdout.strip() == "200", (tmp_path / "log").read_text()
        assert list((data / "backups").glob("krru-*-upgrade.zip"))
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(30)
        log.close()


ASK = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:{port}/', timeout=10).status)"
