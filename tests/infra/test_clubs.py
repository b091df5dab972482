"""Several clubs on one server by `deploy/clubs.py`: real processes, started as its unit says."""

import contextlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import clubs
from krru.data.folder import BASE_DIR
from krru.devtools.cluster import caddy_program, proxy_program
from krru.devtools.postgres import end, free_port
from krru.devtools.serving import NOT_INHERITED
from tests.infra.laptops import ran
from tests.laptops import laptop_served_once

pytestmark = pytest.mark.sqlite_only
BROKEN = """
import os
if os.environ["KRRU_DATA"].endswith("anna"):
    raise SystemExit("Kaputt.")
"""


class System:
    """What `systemctl` and the other commands do, on this machine and as its user."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        self.reloaded: list[str] = []

    def __call__(self, command: str, *words: str) -> None:
        getattr(self, command)(*words)

    def adduser(self, *words: str) -> None: ...

    def install(self, *words: str) -> None:
        """Make the folders; a club's has the tables already, which are made elsewhere."""
        for word in words:
            if word.startswith(f"{self.root}/var/lib"):
                laptop_served_once(Path(word))
            elif word.startswith("/"):
                Path(word).mkdir(parents=True, exist_ok=True)

    def runuser(self, *words: str) -> None:
        subprocess.run(words[words.index("--") + 1 :], check=True)

    def systemctl(self, verb: str, *words: str) -> None:
        name = words[-1].removeprefix("krru@") if words else ""
        if verb == "reload":
            self.reloaded.append(name)
        elif verb != "daemon-reload":
            self.stop(name)
            self.start(name)

    def start(self, name: str) -> None:
        """Start what the unit says, and wait as `Type=notify` does only for one that ends."""
        unit = (self.root / "etc/systemd/system/krru@.service").read_text("utf-8")
        lines = (self.root / f"etc/krru/clubs/{name}.env").read_text("utf-8").split()
        (command,) = re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE)
        own = dict(line.split("=", 1) for line in lines)
        words = command.replace("%i", name).replace("${KRRU_PORT}", own["KRRU_PORT"]).split()
        inherited = {key: os.environ[key] for key in os.environ.keys() - NOT_INHERITED}
        self.processes[name] = subprocess.Popen(
            [str(self.root) + words[0], *words[1:]],
            cwd=self.root / f"etc/krru/clubs/{name}", env=inherited | own,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.processes[name].wait(2)
            raise clubs.Refused("Das ist nicht gelungen.")

    def stop(self, name: str) -> None:
        if name in self.processes:
            end(self.processes.pop(name))


@pytest.fixture
def server(tmp_path):
    root = tmp_path / "root"
    for folder in ("etc/systemd/system", "etc/caddy", "var/lib"):
        (root / folder).mkdir(parents=True)
    (root / "etc/caddy/Caddyfile").write_text("of before")
    system = System(root)
    yield clubs.Server(root, system)
    for name in list(system.processes):
        system.stop(name)


def version(folder: Path, monkeypatch, before: str = "") -> None:
    """Let this folder be the one from which the command is run: the present program."""
    folder.mkdir()
    (folder / ".venv").symlink_to(sys.prefix)
    (folder / "deploy").symlink_to(BASE_DIR / "deploy")
    where = f"import sys\nsys.path.insert(0, {str(BASE_DIR)!r})\n"
    text = (BASE_DIR / "manage.py").read_text("utf-8")
    (folder / "manage.py").write_text(where + before + text)
    monkeypatch.setattr(clubs, "BASE", folder)


def told(capsys, server, *arguments: str) -> tuple[int, str]:
    code = clubs.main([*arguments], server)
    said = capsys.readouterr()
    return code, said.out + said.err


def test_clubs_are_added_told_of_and_moved_until_one_fails(
    server, tmp_path, monkeypatch, capsys
) -> None:
    monkeypatch.chdir(tmp_path)  # `manage` goes to the program's folder
    version(tmp_path / "krru-1", monkeypatch)
    names = ("anna", "berta")
    for name in names:
        code, said = told(capsys, server, "add", name, "--host", f"{name}.example.org")
        assert (code, f"https://{name}.example.org" in said) == (0, True), said
    code, said = told(capsys, server, "list")
    assert (code, said.count("krru-1"), said.count("gesund")) == (0, 2, 2)
    for setting in ("KRRU_PORT", "KRRU_DATA", "KRRU_BACKUP"):
        assert len({club.settings[setting] for club in server.clubs()}) == 2
    assert all((server.root / f"var/lib/krru-{name}/krru.sqlite3").exists() for name in names)
    assert server.run.reloaded == ["caddy"] * 2
    for name, host in (("anna", "other.example.org"), ("other", "anna.example.org")):
        code, said = told(capsys, server, "add", name, "--host", host)
        assert (code, "gibt es schon" in said) == (1, True)

    version(tmp_path / "krru-2", monkeypatch, BROKEN)
    code, said = told(capsys, server, "upgrade")
    assert code == 1
    assert "anna läuft mit krru-2 nicht, vorher krru-1" in said
    assert "Nicht umgestellt: berta." in said
    assert [club.version for club in server.clubs()] == ["krru-2", "krru-1"]
    code, said = told(capsys, server, "list")
    assert (code, said.count("gesund"), said.count("antwortet nicht")) == (1, 1, 1)

    monkeypatch.setattr(clubs, "BASE", tmp_path / "krru-1")
    assert told(capsys, server, "upgrade", "anna") == (0, "anna: krru-2 → krru-1\n")
    assert told(capsys, server, "manage", "anna", "backup")[0] == 0
    (file,) = (server.root / "var/backups/krru/anna").glob("*-demand.zip")
    assert file.stat().st_size


@pytest.mark.parametrize(
    ("named", "why"),
    [
        ("Anna a.example.org", "geht nicht als Name"),
        ("../anna a.example.org", "geht nicht als Name"),
        ("anna localhost", "kein Name im Internet"),
        ("anna https://a.example.org", "kein Name im Internet"),
        ("anna a.example.org/x", "kein Name im Internet"),
        ("anna a.example.org", "Caddy oder nginx"),
    ],
)
def test_a_club_that_does_not_go_is_refused_and_leaves_nothing(
    named, why, tmp_path, capsys, monkeypatch
) -> None:
    version(tmp_path / "krru-1", monkeypatch)
    name, host = named.split()
    code, said = told(capsys, clubs.Server(tmp_path / "root"), "add", name, "--host", host)
    assert (code, why in said) == (1, True), said
    assert not (tmp_path / "root").exists()


def test_nobody_knows_a_club_that_there_is_not(server, capsys) -> None:
    code, said = told(capsys, server, "upgrade", "zeno")
    assert (code, said) == (1, "Einen Verein zeno gibt es hier nicht (noch keiner).\n")


def entered(server, proxy: str) -> None:
    """Let a proxy lead to two clubs."""
    server.folder.mkdir(parents=True)
    for number, name in enumerate(("anna", "berta")):
        file = server.folder / f"{name}.env"
        settings = {"KRRU_PUBLIC_URL": f"https://{name}.example.org", "KRRU_PORT": 8101 + number}
        file.write_text("".join(f"{key}={text}\n" for key, text in settings.items()))
        getattr(server, f"enter_{proxy}")(clubs.Club(file))


@pytest.mark.skipif(caddy_program() is None, reason="caddy is missing: apt install caddy")
def test_caddy_leads_to_each_club_by_its_name(server, tmp_path) -> None:
    entered(server, "caddy")

    main = server.root / "etc/caddy/Caddyfile"
    command = ("adapt", "--adapter", "caddyfile", "--config", main)
    done = ran(caddy_program(), *command, env={"HOME": str(tmp_path)})
    for number, name in enumerate(("anna", "berta")):
        assert f'"{name}.example.org"' in done.stdout
        assert f'"127.0.0.1:{8101 + number}"' in done.stdout
    assert "127.0.0.1:8002" not in done.stdout
    assert (main.parent / "Caddyfile.before").read_text() == "of before"


@pytest.mark.skipif(proxy_program() is None, reason="nginx is missing: apt install nginx")
def test_nginx_leads_to_each_club_by_its_name(server, tmp_path) -> None:
    shutil.rmtree(server.root / "etc/caddy")
    folder = server.root / "etc/nginx/conf.d"
    folder.mkdir(parents=True)
    entered(server, "nginx")

    for file in folder.iterdir():
        port = f"listen 127.0.0.1:{free_port()};"
        text = re.sub(r"listen (80|443 ssl http2);", port, file.read_text("utf-8"))
        text = re.sub(r"ssl_certificate.*", "", text).replace("/var/log/nginx", str(tmp_path))
        file.write_text(text)
    main = tmp_path / "nginx.conf"
    main.write_text(f"pid {tmp_path}/pid; events {{}} http {{ include {folder}/*.conf; }}")
    done = ran(proxy_program(), "-t", "-c", main, "-e", tmp_path / "error.log")
    assert "test is successful" in done.stderr, done.stderr
    assert "127.0.0.1:8002" not in "".join(file.read_text() for file in folder.iterdir())


def test_the_guide_names_commands_that_there_are() -> None:
    guide = (BASE_DIR / "docs" / "guide" / "server.md").read_text("utf-8")
    named = re.findall(r"^python3 \S*deploy/clubs\.py (.*)$", guide, re.MULTILINE)
    assert {clubs.asked(line.split()).command for line in named} == {
        "add", "list", "manage", "upgrade",
    }  # fmt: skip
