"""The files of `deploy/` and what the guide for servers says of them, and settings of a server."""

import os
import re
import shutil
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from krru.data.folder import BASE_DIR
from tests.infra.laptops import ran
from tests.warm import Laptop

pytestmark = pytest.mark.sqlite_only
DEPLOY = BASE_DIR / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("krru-*.service"))
CLUB = DEPLOY / "systemd" / "krru@.service"
LASTING = [unit for unit in UNITS if "migrate" not in unit.name]
GUIDE = (BASE_DIR / "docs" / "guide" / "server.md").read_text("utf-8")


def of(unit: Path, setting: str) -> set[str]:
    """Return the words that a setting of a unit has."""
    found = re.findall(rf"^{setting}=(.*)$", unit.read_text("utf-8"), re.MULTILINE)
    return set(" ".join(found).split())


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is missing")
def test_the_service_manager_finds_no_fault(tmp_path) -> None:
    for unit in (*UNITS, CLUB):
        text = unit.read_text("utf-8")
        (python,) = re.findall(r"^ExecStart=(\S+/\.venv/bin/python) manage\.py", text, re.MULTILINE)
        (tmp_path / unit.name).write_text(text.replace(python, sys.executable))

    files = [tmp_path / unit.name for unit in UNITS] + [tmp_path / "krru@anna.service"]
    files[-1].symlink_to(tmp_path / CLUB.name)
    here = {"SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    done = ran("systemd-analyze", "verify", "--man=no", *files, env=here)

    assert done.returncode == 0, done.stderr
    assert not done.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_a_service_is_a_command_there_is_and_waits_for_what_it_needs(unit, tmp_path) -> None:
    text = unit.read_text("utf-8")
    (line,) = re.findall(r"^ExecStart=\S+ manage\.py (.*)$", text, re.MULTILINE)
    told = Laptop(tmp_path).manage(line.split()[0], "--help").stdout
    assert [option for option in re.findall(r"--[a-z-]+", line) if option not in told] == []
    assert {"network-online.target", "postgresql.service"} <= of(unit, "After")
    # Without it nobody waits for the network: the order alone brings about nothing.
    assert "network-online.target" in of(unit, "Wants")
    assert "Requires=" not in text, "tables made anew would stop it"


@pytest.mark.parametrize("unit", LASTING, ids=lambda unit: unit.name)
def test_a_database_that_comes_late_is_waited_for(unit) -> None:
    assert of(unit, "Restart") == {"always"}
    # Five failures in ten seconds would be the last ones.
    assert of(unit, "StartLimitIntervalSec") == {"0"}
    assert of(unit, "WantedBy") == {"multi-user.target"}
    assert "krru-migrate.service" in of(unit, "After") & of(unit, "Wants")


def test_the_guide_makes_what_a_bare_debian_has_not() -> None:
    packages = re.findall(r"apt install -y (.*)", GUIDE)[0]

    # systemd-run speaks through the bus, which its package does not start.
    assert "systemd-run" in GUIDE
    assert "dbus" in packages.split()
    assert "systemctl start dbus.socket" in GUIDE
    made = GUIDE.index("install -D -m 600 deploy/krru.env.example /etc/krru/krru.env")
    assert made < GUIDE.index("EnvironmentFile=/etc/krru/krru.env")
    # Debian starts nginx when it is installed; certbot keeps the hooks for its renewals.
    (certbot,) = re.findall(r"certbot certonly(?:.*\\\n)*.*", GUIDE)
    assert "--pre-hook" in certbot
    assert "--post-hook" in certbot


def block_of(heading: str) -> str:
    """Return what the guide tells to type below a heading."""
    (chapter,) = re.findall(rf"^## {heading}\n(.*?)^## ", GUIDE, re.MULTILINE | re.DOTALL)
    return "\n".join(re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL))


def test_who_makes_backups_and_who_tells_of_them_knows_where_they_go() -> None:
    restarted = " ".join(re.findall(r"systemctl restart (.*)", block_of("Sichern"))).split()
    assert set(restarted) == {"krru-worker", "krru-web@8001", "krru-web@8002"}
    may_write = {unit.name for unit in UNITS if "-/var/backups/krru" in of(unit, "ReadWritePaths")}
    assert may_write == {unit.name for unit in UNITS} - {"krru-schedule.service"}


def test_a_new_version_keeps_no_file_of_the_old_one() -> None:
    told = block_of("Eine neue Version")

    # Copied over it, what the new one dropped would stay: a migration, say.
    assert not re.search(r"cp -\S+ \S*/\. /opt/krru/", told)
    # Prepared before anything stops; what open pages ask for comes along; each process anew.
    steps = (
        "start.py manage prepare",
        "cp -ru /opt/krru/static-collected/. static-collected/",
        "systemctl stop",
        "ln -sfn krru-0.4.0 /opt/krru",
        "systemctl restart krru-migrate",
        "systemctl restart krru-web@8001",
        "systemctl restart krru-web@8002",
        "rm -r /opt/krru-0.3.0",
    )
    assert [told.index(step) for step in steps] == sorted(told.index(step) for step in steps)


def test_settings_named_in_deploy_are_documented_and_the_image_is_built_from_the_lock() -> None:
    documented = (BASE_DIR / "docs" / "reference" / "settings.md").read_text("utf-8")
    files = [one for one in DEPLOY.rglob("*") if one.is_file() and one.suffix != ".pyc"]
    text = "".join(file.read_text("utf-8") for file in files)
    own = {"KRRU_NAME", "KRRU_FIRST", "KRRU_SECOND", "KRRU_BACKUPS"}  # of the compose file itself
    named = set(re.findall(r"KRRU_[A-Z_]+", text)) - own
    assert [name for name in named if f"`{name}`" not in documented] == []

    image = (DEPLOY / "Dockerfile").read_text("utf-8")
    assert "--require-hashes -r requirements/base.txt" in image
    assert image.index("USER krru") < image.index("ENTRYPOINT")


def test_an_image_takes_no_password_key_or_database_along() -> None:
    ignored = (BASE_DIR / ".dockerignore").read_text("utf-8").split()
    compose = (DEPLOY / "compose.yml").read_text("utf-8")
    settings = set(re.findall(r"install -m 600 \S+ (\S+)", block_of("Mit Containern")))
    assert settings == {"deploy/krru.env", "deploy/.env"}
    for kept_out in (*settings, "krru.env", "secret.key", "data/krru.sqlite3", "krru.sqlite3-wal"):
        assert any(fnmatch(f"/{kept_out}", one.replace("**", "*")) for one in ignored), kept_out
    # Whoever reads the one password knows nothing of the other.
    told = re.findall(r"(postgres|redis)://\w*:\$\{(\w+)", compose)
    assert len(dict(told)) == len(set(dict(told).values())) == 2


def test_images_are_named_by_their_digest_and_containers_tell_whether_they_hang() -> None:
    compose = (DEPLOY / "compose.yml").read_text("utf-8")
    bases = re.findall(
        r"^\s*(?:image: |FROM )(.*)", compose + (DEPLOY / "Dockerfile").read_text(), re.MULTILINE
    )
    foreign = [one for one in bases if one != "krru"]
    assert len(foreign) == 4
    assert all(re.fullmatch(r"[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}", one) for one in foreign)
    assert "disable" not in compose


@pytest.mark.skipif(os.name != "posix", reason="typed into a shell of Linux")
def test_the_guides_lines_for_containers_make_the_settings_and_name_what_there_is(tmp_path) -> None:
    told = block_of("Mit Containern").splitlines()
    (tmp_path / "deploy").mkdir()
    shutil.copy(DEPLOY / "krru.env.example", tmp_path / "deploy")
    for line in told[: told.index("export COMPOSE_FILE=deploy/compose.yml")]:
        here = line.replace("-o 10001 -g 10001", "").replace("/var/", f"{tmp_path}/var/")
        subprocess.run(["/bin/sh", "-ec", here], check=True, cwd=tmp_path)
    compose = (DEPLOY / "compose.yml").read_text("utf-8")
    asked = set(re.findall(r"\$\{(\w+)", compose))
    said = re.findall(r"^(\w+)=(.+)$", (tmp_path / "deploy" / ".env").read_text(), re.MULTILINE)
    assert {name for name, _value in said} == asked
    kept = (tmp_path / "deploy" / "krru.env").read_text()
    assert not re.search(r"^(DATABASE_URL|REDIS_URL|KRRU_DATA)=", kept, re.MULTILINE)
    services = set(re.findall(r"^  (\w+):(?: &\w+| \*\w+)?$", compose, re.MULTILINE))
    for named in re.findall(
        r"docker compose (?:stop|exec|run --rm|logs --tail 100) (.*)", "\n".join(told)
    ):
        words = named.partition(" python ")[0].partition(" restore ")[0]
        assert set(words.split()) <= services


def test_check_deploy_is_clean(tmp_path, monkeypatch) -> None:
    server = Laptop(tmp_path, {"KRRU_PUBLIC_URL": "https://poker.example.org"})

    # The tests set it for themselves.
    monkeypatch.delenv("DJANGO_ALLOW_ASYNC_UNSAFE", raising=False)

    done = server.manage("check", "--deploy", "--fail-level", "WARNING", check=False)

    assert done.returncode == 0, done.stderr


def test_machines_share_a_secret(tmp_path) -> None:
    secret = tmp_path / "shared.key"
    env = {"KRRU_SECRET_FILE": str(secret)}
    server = Laptop(tmp_path / "data", env)

    missing = server.manage("migrate", check=False)
    assert "KRRU_SECRET_FILE" in missing.stderr
    assert "Traceback" not in missing.stderr

    secret.write_text("x" * 64)
    code = "import json; from django.conf import settings; print(json.dumps(settings.SECRET_KEY))"
    assert server.shell(code) == "x" * 64
    assert not (server.folder / "secret.key").exists()


@pytest.mark.skipif(os.name != "posix", reason="asks for permissions")
def test_static_files_collected_elsewhere_need_no_writing(tmp_path) -> None:
    static = tmp_path / "static"
    server = Laptop(tmp_path / "data", {"KRRU_STATIC": str(static)})

    server.manage("prepare")

    assert (static / "staticfiles.json").exists()
    before = {path: path.stat().st_mtime_ns for path in static.iterdir()}
    (static / ".lock").unlink()
    server.manage("prepare")
    assert not (static / ".lock").exists(), "nothing was due, so nothing is locked"
    assert {path: path.stat().st_mtime_ns for path in static.iterdir()}.items() <= before.items()
