"""The wheel, installed without the checkout: `krru` serves, and keeps its data with the user's."""

import os
import re
import subprocess
import sys
import sysconfig
import urllib.request
import venv
from contextlib import contextmanager
from pathlib import Path

import pytest

from krru import __version__
from krru.devtools.postgres import free_port
from krru.devtools.release import build_package
from krru.devtools.serving import NOT_INHERITED
from tests.infra.hall_client import HallClient
from tests.infra.laptops import ran
from tests.waits import wait_for

pytestmark = [
    pytest.mark.sqlite_only,
    pytest.mark.skipif(sys.platform == "win32", reason="its folders are others"),
]

SETTING_UP = 300  # seconds for tables, texts and static files beside other tests


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


def environment(home: Path, **more: str) -> dict[str, str]:
    # The checkout, which tests have in their path, must not be found.
    gone = NOT_INHERITED | {"PYTHONPATH"}
    kept = {name: text for name, text in os.environ.items() if name not in gone}
    kept = {name: text for name, text in kept.items() if not name.startswith("KRRU_")}
    (home / "tmp").mkdir(exist_ok=True)
    own = {"HOME": str(home), "XDG_DATA_HOME": str(home / "share"), "TMPDIR": str(home / "tmp")}
    return kept | own | more


def asked(url: str) -> str:
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return str(answer.read(), "utf-8")
    except OSError:
        return ""


@pytest.fixture(scope="module")
def collected(tmp_path_factory) -> str:
    """Return a folder for static files, which every demonstration would collect anew."""
    return str(tmp_path_factory.mktemp("collected"))


@contextmanager
def running(krru, home, *words, **env):
    """Run the command until it answers, and end it; return its address and its output's file."""
    port, log = free_port(), home / "log"
    command = [krru, *words, "--host", "127.0.0.1", "--port", str(port)]
    with log.open("wb") as said:
        server = subprocess.Popen(
            command, cwd=home, env=environment(home, **env), stdout=said, stderr=said
        )
        try:
            base = f"http://127.0.0.1:{port}"
            is_up = wait_for(lambda: asked(f"{base}/health/live"), SETTING_UP, every=0.5)
            assert is_up, log.read_text("utf-8")
            yield base, log
        finally:
            server.terminate()
            server.wait(SETTING_UP)


def words_of(page: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", page).split())


def test_an_installed_package_serves_with_its_data_in_the_users_folder(krru, tmp_path) -> None:
    assert ran(krru, "version", env=environment(tmp_path)).stdout == f"KRRU {__version__}\n"
    with running(krru, tmp_path) as (base, log):
        page = asked(f"{base}/")
        assert "Beispielabend" in page, log.read_text("utf-8")
        style = page.partition('rel="stylesheet" href="')[2].partition('"')[0]
        assert asked(base + style)
    data = tmp_path / "share" / "krru"
    assert (data / "krru.sqlite3").exists()
    assert f"Daten: {data}" in log.read_text("utf-8")
    assert not list(krru.parents[1].rglob("krru.sqlite3"))


def test_a_demonstration_begins_anew_by_itself_and_leaves_nothing(
    krru, collected, tmp_path
) -> None:
    words = ("demo", "--no-browser", "--renew", "0.05")
    with running(krru, tmp_path, *words, KRRU_STATIC=collected) as (_base, log):
        phones = lambda: set(re.findall("http.*/p/.*/", log.read_text("utf-8")))
        assert wait_for(lambda: len(phones()) > 1, SETTING_UP, every=1), log.read_text("utf-8")
        assert len(list((tmp_path / "tmp").iterdir())) <= 1
    assert not list((tmp_path / "tmp").iterdir())


def test_an_installed_package_plays_an_evening_to_visitors_and_leaves_nothing(
    krru, collected, tmp_path
) -> None:
    words = ("demo", "--speed", "60", "--no-browser")
    with running(krru, tmp_path, *words, KRRU_STATIC=collected) as (_base, log):
        wall = re.search("http.*/screen/", log.read_text("utf-8"))[0]
        page = wall.removesuffix("screen/")
        assert wait_for(
            lambda: re.search("im Spiel 2[0-6] von 27", words_of(asked(page))), SETTING_UP, every=1
        )
        player = re.search("http.*/p/.*/", log.read_text("utf-8"))[0]
        assert "Tisch" in asked(player)
        visitor, path = HallClient(player[: player.index("/p/")]), player[player.index("/p/") :]
        assert visitor.get(path)[0] == 200
        for act in (path + "abmelden/", path + "stapel/", "/neu/", "/t/1/anmelden/"):
            status, said = visitor.post(act)
            assert (status, "Das ist eine Vorführung." in said) == (422, True), act
    assert not (tmp_path / "share").exists()
    assert not list((tmp_path / "tmp").iterdir())
