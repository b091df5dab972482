"""The wheel, installed without the checkout: `krru` serves, and keeps its data with the user's."""

import os
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from pathlib import Path

import pytest

from krru import __version__
from krru.devtools.postgres import free_port
from krru.devtools.release import build_package
from krru.devtools.serving import NOT_INHERITED
from tests.waits import wait_for

pytestmark = pytest.mark.sqlite_only


@pytest.fixture(scope="module")
def krru(tmp_path_factory) -> Path:
    """Return the command of a package installed beside the locked packages, far from here."""
    folder = tmp_path_factory.mktemp("installed")
    wheel = build_package(folder)
    venv.create(folder / "env", with_pip=True, symlinks=True)
    program = folder / "env" / "bin" / "python"
    install = [str(program), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*install, str(wheel)], check=True)
    own = next((folder / "env" / "lib").glob("python*")) / "site-packages"
    (own / "locked.pth").write_text(sysconfig.get_path("purelib"))
    return folder / "env" / "bin" / "krru"


def environment(home: Path) -> dict[str, str]:
    kept = {name: text for name, text in os.environ.items() if name not in NOT_INHERITED}
    kept = {name: text for name, text in kept.items() if not name.startswith("KRRU_")}
    return kept | {"HOME": str(home), "XDG_DATA_HOME": str(home / "share")}


def asked(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return str(answer.read(), "utf-8")
    except OSError:
        return ""


@pytest.mark.skipif(sys.platform == "win32", reason="its folders are others")
def test_an_installed_package_serves_with_its_data_in_the_users_folder(krru, tmp_path) -> None:
    env, port = environment(tmp_path), free_port()
    said = subprocess.run([krru, "version"], env=env, capture_output=True, text=True, check=True)
    assert said.stdout == f"KRRU {__version__}\n"
    with (tmp_path / "log").open("wb") as log:
        server = subprocess.Popen(
            [krru, "--host", "127.0.0.1", "--port", str(port)],
            cwd=tmp_path, env=env, stdout=log, stderr=log,
        )  # fmt: skip
        try:
            base = f"http://127.0.0.1:{port}"
            assert wait_for(lambda: asked(f"{base}/health/live") or server.poll(), every=0.5)
            page = asked(f"{base}/")
            assert "Beispielabend" in page, (tmp_path / "log").read_text("utf-8")
            style = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
            assert asked(base + style)
        finally:
            server.terminate()
            server.wait(60)
    data = tmp_path / "share" / "krru"
    assert (data / "krru.sqlite3").exists()
    assert f"Daten: {data}" in (tmp_path / "log").read_text("utf-8")
    assert not list(krru.parents[1].rglob("krru.sqlite3"))
