"""What `deploy/` starts, brought up for real without containers; an evening through its proxy."""

import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from bench._scripts import EVENING, FOUND, PLAYERS, Script, compared
from krru.data.folder import BASE_DIR
from krru.devtools.cluster import Cluster, answers_counted, proxy_program
from tests.laptops import laptop_served_once
from tests.waits import wait_for
from tests.warm import Laptop

pytestmark = pytest.mark.sqlite_only
DEPLOY = BASE_DIR / "deploy"


@pytest.fixture(scope="module")
def cluster():
    if proxy_program() is None:
        pytest.skip("nginx is missing: apt install nginx")
    folder = Path(tempfile.mkdtemp(prefix="krru-cluster-"))
    try:
        with Cluster(folder) as running:
            yield running
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def ask(cluster: Cluster, path: str, body: bytes | None = None, **headers: str):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", cluster.port, timeout=15, context=context)
    try:
        connection.request("POST" if body is not None else "GET", path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_an_evening_goes_on_while_each_part_is_restarted(cluster) -> None:
    evening = EVENING(cluster.web[0], PLAYERS, 0)
    scripts = [Script(n, cluster.port, evening, is_https=True) for n in range(3)]
    time.sleep(1)
    for web in cluster.web:
        web.stop()
        time.sleep(0.5)
        web.start()
    for name in ("work", "schedule"):
        os.killpg(cluster.others[name].pid, signal.SIGKILL)
    time.sleep(1)
    cluster.start_other("work")
    cluster.start_other("schedule")

    done = [script.stop() for script in scripts]

    assert sum(len(one.registered) for one in done) > 10
    assert not [one.refused for one in done if one.refused]
    counts = compared(done, FOUND(cluster.web[0]))
    assert counts == {"lost": 0, "doubled": 0, "refused": 0}
    assert cluster.web[0].manage("verifylog", check=False).returncode == 0
    log = answers_counted(cluster.folder / "access.log")
    failed = sum(count for status, count in log.items() if status.startswith("5"))
    assert failed == 0, log


def test_everything_is_ready_and_says_so(cluster) -> None:
    def ready() -> dict:
        return json.loads(ask(cluster, "/health/ready")[1])

    assert wait_for(lambda: ready()["problems"] == [], 40), ready()
    told = ready()
    assert told["redis"] is True
    assert told["workers"] >= 1
    assert told["schedule_age_s"] <= 30


def test_the_proxys_log_holds_no_link(cluster) -> None:
    ask(cluster, "/p/Zeno-wants-this-token-0123456789/daten/?x=secret", Referer="/in/secret/")

    assert wait_for(lambda: "/p/.../daten/" in (cluster.folder / "access.log").read_text("utf-8"))
    text = (cluster.folder / "access.log").read_text("utf-8")
    assert "Zeno" not in text
    assert "secret" not in text


def test_a_large_form_is_refused_by_the_program_and_not_by_the_proxy(cluster) -> None:
    status, body = ask(cluster, "/sprache/setlang/", b"x" * 2_000_000)

    assert status == 413
    assert "Die Anfrage ist zu groß" in body.decode()


def test_connections_to_the_database_have_names(cluster) -> None:
    code = (
        "import json; from django.db import connection; c = connection.cursor();"
        "c.execute('SELECT DISTINCT application_name FROM pg_stat_activity "
        "WHERE datname = current_database()');"
        "print(json.dumps([name for (name,) in c.fetchall()]))"
    )
    names = cluster.web[0].shell(code)

    assert all(name.startswith("krru ") for name in names), names
    assert {"krru serve", "krru schedule"} <= {re.sub(r" \d+$", "", name) for name in names}


# --- The files themselves


def test_every_service_is_a_command_there_is() -> None:
    units = sorted((DEPLOY / "systemd").glob("*.service"))
    assert len(units) == 4
    for unit in units:
        (line,) = re.findall(r"^ExecStart=\S+ (manage\.py .*)$", unit.read_text(), re.MULTILINE)
        help_of = [sys.executable, *line.split()[:2], "--help"]
        text = subprocess.run(help_of, check=True, capture_output=True, text=True, cwd=BASE_DIR)
        for option in re.findall(r"--[a-z-]+", line):
            assert option in text.stdout, f"{unit.name}: {option}"


def test_the_guide_makes_what_a_bare_debian_has_not() -> None:
    guide = (BASE_DIR / "docs" / "guide" / "server.md").read_text("utf-8")
    (packages,) = re.findall(r"apt install -y (.*)", guide)

    # systemd-run speaks through the bus, which its package does not start.
    assert "systemd-run" in guide
    assert "dbus" in packages.split()
    assert "systemctl start dbus.socket" in guide
    made = guide.index("install -D -m 600 deploy/krru.env.example /etc/krru/krru.env")
    assert made < guide.index("EnvironmentFile=/etc/krru/krru.env")
    # Debian starts nginx when it is installed; certbot keeps the hooks for its renewals.
    (certbot,) = re.findall(r"certbot certonly(?:.*\\\n)*.*", guide)
    assert "--pre-hook" in certbot
    assert "--post-hook" in certbot


def block_of(heading: str) -> str:
    """Return what the guide tells to type below a heading."""
    guide = (BASE_DIR / "docs" / "guide" / "server.md").read_text("utf-8")
    (chapter,) = re.findall(rf"^## {heading}\n(.*?)^## ", guide, re.MULTILINE | re.DOTALL)
    return "\n".join(re.findall(r"```sh\n(.*?)```", chapter, re.DOTALL))


def test_whoever_may_keep_the_schedule_knows_where_backups_go() -> None:
    told = block_of("Sichern")
    restarted = " ".join(re.findall(r"systemctl restart (.*)", told)).split()

    # Any process leads when another one is restarted; one without the folder would back up nothing.
    assert {"krru-schedule", "krru-web@8001", "krru-web@8002"} <= set(restarted)


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


def test_settings_named_in_deploy_are_documented() -> None:
    documented = (BASE_DIR / "docs" / "reference" / "settings.md").read_text("utf-8")
    text = "".join(path.read_text("utf-8") for path in DEPLOY.rglob("*") if path.is_file())
    own = {"KRRU_NAME", "KRRU_FIRST", "KRRU_SECOND"}  # of the compose file itself

    for name in set(re.findall(r"KRRU_[A-Z_]+", text)) - own:
        assert f"`{name}`" in documented, name


def test_the_image_is_built_from_the_lock() -> None:
    text = (DEPLOY / "Dockerfile").read_text("utf-8")

    assert "--require-hashes -r requirements/base.txt" in text
    assert text.index("USER krru") < text.index("ENTRYPOINT")
    (minor,) = re.findall(r"^FROM python:3\.(\d+)", text, re.MULTILINE)
    assert int(minor) >= 11


# --- The settings a server needs


def test_check_deploy_is_clean(tmp_path, monkeypatch) -> None:
    server = Laptop(tmp_path, {"KRRU_PUBLIC_URL": "https://poker.example.org"})

    # The tests set it for themselves.
    monkeypatch.delenv("DJANGO_ALLOW_ASYNC_UNSAFE", raising=False)

    done = server.manage("check", "--deploy", "--fail-level", "WARNING", check=False)

    assert done.returncode == 0, done.stderr


def test_a_quiet_start_says_no_links(tmp_path) -> None:
    server = laptop_served_once(tmp_path / "quiet", None, "--quiet")
    with server:
        assert "KRRU ist bereit." in server.log
        assert "http" not in server.log
        assert "█" not in server.log


def test_a_service_manager_is_told_when_pages_are_answered(tmp_path) -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(60)
        env = {"NOTIFY_SOCKET": str(tmp_path / "notify")}
        with laptop_served_once(tmp_path / "data", env, "--quiet"):
            assert manager.recv(64) == b"READY=1"


def test_tables_made_anew_stop_no_service() -> None:
    for unit in (DEPLOY / "systemd").glob("*.service"):
        assert "Requires=" not in unit.read_text("utf-8"), unit.name


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
