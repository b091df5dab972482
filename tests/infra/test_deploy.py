"""What `deploy/` starts, brought up for real without containers; an evening through its proxy."""

import http.client
import json
import os
import re
import shutil
import signal
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pytest

from bench._scripts import EVENING, FOUND, PLAYERS, Script, compared
from krru.devtools.cluster import Cluster, answers_counted, proxy_program
from krru.devtools.serving import trusting
from tests.waits import wait_for

pytestmark = pytest.mark.sqlite_only


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
    own = {"timeout": 60, "context": trusting()}
    with closing(http.client.HTTPSConnection("127.0.0.1", cluster.port, **own)) as connection:
        connection.request("POST" if body is not None else "GET", path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_an_evening_goes_on_while_each_part_is_restarted(cluster) -> None:
    evening = EVENING(cluster.web[0], PLAYERS, 0)
    scripts = [Script(n, cluster.port, evening, is_https=True) for n in range(3)]
    for web in cluster.web:
        time.sleep(0.5)
        web.stop()
        time.sleep(0.5)
        web.start()
    for name in ("work", "schedule"):
        os.killpg(cluster.others[name].pid, signal.SIGKILL)
        cluster.start_other(name)

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

    assert wait_for(lambda: ready()["problems"] == []), ready()
    told = ready()
    assert told["redis"] is True
    assert told["workers"] >= 1
    assert told["schedule_age_s"] <= 30


def test_the_proxys_log_holds_no_link_and_a_large_form_is_refused_by_the_program(cluster) -> None:
    ask(cluster, "/p/Zeno-wants-this-token-0123456789/daten/?x=secret", Referer="/in/secret/")
    log = cluster.folder / "access.log"
    assert wait_for(lambda: "/p/.../daten/" in log.read_text("utf-8"))
    assert not [word for word in ("Zeno", "secret") if word in log.read_text("utf-8")]

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
