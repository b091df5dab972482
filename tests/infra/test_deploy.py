"""What `deploy/` starts, brought up for real without containers: the full mode and its proxy."""

import http.client
import json
import re
import shutil
import signal
import tempfile
import threading
import time
import urllib.request
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import redis

from bench._scripts import EVENING, FOUND, PLAYERS, Script, compared
from krru.celery import LONGEST_QUEUE, QUEUE
from krru.data import locks
from krru.devtools.cluster import Cluster, answers_counted, proxy_program
from krru.devtools.serving import trusting
from tests.infra.conftest import TOKEN
from tests.infra.hall_client import get
from tests.outside import BotApi, served
from tests.post_office import post_office
from tests.pressing import shows
from tests.waits import wait_for

pytestmark = pytest.mark.sqlite_only
# Caddy waits so long for an answer, and would take every process out of service then.
SECONDS = 10.0
PLANNED = """
import json
from datetime import timedelta
from django.utils import timezone
from tests import factories as f
from tests.outside import TOKEN
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.devtools.made import make_event
from tournaments.event.services.clock import clock_plan_start
from tournaments.notices.selectors.outlet import player_code
from tournaments.notices.services.choosing import notices_choose, outlet_set
at = timezone.now()
event = make_event("Nach der Uhr", at=at, starts_at=at + timedelta(seconds=1), capacity=20)
outlet_set(ClubCommand(club=event.club, by=SYSTEM, at=at), token=TOKEN, name="bot")
for name, email in (("Petra Probst", "petra@example.org"), ("Paul Pan", "")):
    own = f.register(event, name, email=email, at=at)
    command = Command(event=event, by=f.petra_of(own), at=at)
    notices_choose(command, channel="telegram", kinds=["seat"], registration=own,
        address=json.dumps({"chat": own.pk}))
    f.check_in(event, own, at=at)
clock_plan_start(Command(event=event, by=SYSTEM, at=at), by_itself=True)
print(json.dumps([event.pk, player_code(own)]))
"""
STARTS = "SELECT count(*) FROM tournaments_action WHERE event_id = %s AND kind = 'clock.started'"


@pytest.fixture(scope="module")
def office():
    with post_office() as office:
        yield office


@pytest.fixture(scope="module")
def bot():
    with served(BotApi()) as api:
        yield api


@pytest.fixture(scope="module")
def cluster(office, bot):
    if proxy_program() is None:
        pytest.skip("nginx is missing: apt install nginx")
    folder = Path(tempfile.mkdtemp(prefix="krru-cluster-"))
    (folder / "stick").mkdir()
    env = {
        "KRRU_BACKUP": str(folder / "stick"),
        "KRRU_MAIL_URL": f"smtp://127.0.0.1:{office.port}",
        "KRRU_TELEGRAM_URL": bot.url,
        "KRRU_METRICS_TOKEN": TOKEN,
        # Celery's own commands would take their application from APP.
        "APP": "no.such.application",
    }
    try:
        with Cluster(folder, env=env) as running:
            yield running
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def value(cluster):
    """Return a function that asks the database for one value."""
    own = {"autocommit": True, "application_name": "krru test"}
    with psycopg.connect(cluster.database.url, **own) as connection:
        yield lambda query, *given: connection.execute(query, given).fetchone()[0]


def ask(cluster: Cluster, path: str, body: bytes | None = None, **headers: str):
    own = {"timeout": 60, "context": trusting()}
    with closing(http.client.HTTPSConnection("127.0.0.1", cluster.port, **own)) as connection:
        connection.request("POST" if body is not None else "GET", path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()


def test_one_process_tells_the_figures_of_all(cluster) -> None:
    first, second = (web.url for web in cluster.web)
    for one in (first, second, second):
        assert get(f"{one}/verbindung/")[0] == 200
    for one in (first, second):
        told = get(f"{one}/metrics", Authorization=f"Bearer {TOKEN}")[2]
        assert 'krru_requests_total{route="connection",status="200"} 3.0' in told.splitlines()
        shows(told, "krru_tasks_waiting", "krru_answer_seconds_count")


def test_no_header_makes_a_stranger_one_of_this_machine_or_of_staff(cluster) -> None:
    told = {"X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1"}
    assert ask(cluster, "/verein/", **told)[0] == 403
    assert ask(cluster, "/static/../manage.py", **told)[0] in {400, 404}


def test_an_evening_goes_on_while_each_part_is_restarted(cluster) -> None:
    evening = EVENING(cluster.web[0], PLAYERS, 0)
    scripts = [Script(n, cluster.port, evening, is_https=True) for n in range(3)]
    for web in cluster.web:
        time.sleep(0.5)
        web.stop()
        time.sleep(0.5)
        web.start()
    for name in ("work", "schedule"):
        cluster.kill_other(name)
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


def ready(cluster: Cluster) -> dict:
    """Return what a web process tells of its health, with the status and the time it took."""
    began = time.monotonic()
    with urllib.request.urlopen(f"{cluster.web[1].url}/health/ready", timeout=30) as answer:
        told = json.load(answer)
    return {**told, "status": answer.status, "seconds": time.monotonic() - began}


def is_well(cluster: Cluster) -> bool:
    return wait_for(lambda: ready(cluster)["problems"] == [])


def test_everything_is_ready_and_says_so(cluster) -> None:
    assert is_well(cluster), ready(cluster)
    # A busy worker may answer a single question too late.
    assert wait_for(lambda: ready(cluster)["workers"] == 1)
    told = ready(cluster)
    assert told["redis"]
    assert told["schedule_age_s"] <= 30
    assert "`manage work` erledigt, was fällig ist" in cluster.web[0].log
    servers = (cluster.web[0].folder / locks.SERVERS).iterdir()
    assert sum(locks._is_held(one) for one in servers) == 3, "the worker holds off a restore, too"


def test_due_work_is_done_once_by_what_was_killed_and_under_two_schedules(
    cluster, office, bot, value
) -> None:
    left = cluster.web[0].folder / "backup-left"
    left.mkdir()
    for name in ("work", "schedule"):
        cluster.kill_other(name)
        cluster.start_other(name)
    one = cluster.others["schedule"]
    cluster.start_other("schedule")
    for file in (cluster.folder / "stick").iterdir():
        file.unlink()

    event, code = cluster.web[0].shell(PLANNED)
    bot.say(77, f"/start {code}")

    assert wait_for(lambda: value(STARTS, event)), (cluster.folder / "work.log").read_text()
    assert wait_for(lambda: office.letters)
    assert wait_for(lambda: len(bot.messages) == 3), bot.messages
    assert sum("Dein Platz: Tisch" in one["text"] for one in bot.messages) == 2
    assert "Verbunden" in bot.told(77)[0]
    assert wait_for(lambda: list((cluster.folder / "stick").glob("*.zip")), 200)
    assert not left.exists()
    assert one.poll() is None
    cluster.kill_other("schedule")
    cluster.others["schedule"] = one
    assert office.addresses == ["petra@example.org"]
    assert value(STARTS, event) == 1


def test_without_a_worker_health_says_so_and_messages_do_not_pile_up(cluster) -> None:
    cluster.kill_other("work")
    many = f"[backup.delay() for _ in range({LONGEST_QUEUE})]"
    cluster.web[0].manage("shell", "--no-imports", "-c", f"from krru.tasks import backup; {many}")
    with redis.Redis.from_url(cluster.redis.url) as client:
        with client.monitor() as heard:
            asked = 0
            while asked < 5:  # by the schedule, which goes on
                asked += str(heard.next_command()["command"]).startswith("LLEN")
        assert client.llen(QUEUE) == LONGEST_QUEUE
        assert wait_for(lambda: {"schedule", "workers"} <= set(ready(cluster)["problems"]))

        # On one machine the worker carries the schedule, too.
        cluster.kill_other("schedule")
        cluster.start_other("work", "--schedule")
        assert is_well(cluster), ready(cluster)
        assert wait_for(lambda: client.llen(QUEUE) < LONGEST_QUEUE // 2)
    cluster.others["work"].send_signal(signal.SIGTERM)
    assert cluster.others["work"].wait(60) == 0
    for name in ("work", "schedule"):
        cluster.start_other(name)
    assert is_well(cluster)


def test_a_frozen_redis_is_said_in_time_and_no_reason_to_ask_no_process(cluster) -> None:
    cluster.redis.signal(signal.SIGSTOP)
    try:
        found = [ready(cluster) for _ in range(2)]
    finally:
        cluster.redis.signal(signal.SIGCONT)

    assert all({"redis", "workers"} <= set(told["problems"]) for told in found)
    assert [(told["redis"], told["status"]) for told in found] == [(False, 200)] * 2
    assert max(told["seconds"] for told in found) < SECONDS, found
    assert wait_for(lambda: "redis" not in ready(cluster)["problems"])

    # It may freeze while workers are asked.
    asking = threading.Thread(target=lambda: found.append(ready(cluster)))
    with redis.Redis.from_url(cluster.redis.url) as client, client.monitor() as heard:
        asking.start()
        while "pidbox" not in str(heard.next_command()["command"]):
            pass
        cluster.redis.signal(signal.SIGSTOP)
        try:
            asking.join(60)
        finally:
            cluster.redis.signal(signal.SIGCONT)
    assert found[-1]["seconds"] < SECONDS, found
    assert found[-1]["status"] == 200
    assert is_well(cluster), ready(cluster)


def test_after_a_redis_that_was_killed_due_work_goes_on(cluster, value) -> None:
    cluster.redis.signal(signal.SIGKILL)
    cluster.redis.stop()
    cluster.redis.start()
    began = value("SELECT now()")
    # Later than what was at work when it died.
    ran = "SELECT max(ran_at) > %s + interval '5 seconds' FROM krru_schedulerun"
    assert wait_for(lambda: value(ran, began), 120)
    assert is_well(cluster), ready(cluster)


def test_a_large_form_is_refused_by_the_program(cluster) -> None:
    status, body = ask(cluster, "/sprache/setlang/", b"x" * 2_000_000)
    assert status == 413
    assert "Die Anfrage ist zu groß" in body.decode()


def test_connections_to_the_database_have_names(cluster, value) -> None:
    names = (
        "SELECT array_agg(DISTINCT application_name) FROM pg_stat_activity "
        "WHERE datname = current_database() AND backend_type = 'client backend'"
    )
    seen: set[str] = set()

    def are_seen() -> bool:
        # A web process has no connection before its first request.
        ask(cluster, "/")
        seen.update(re.sub(r" \d+$", "", name) for name in value(names))
        return {"krru serve", "krru work"} <= seen

    assert wait_for(are_seen), seen
    assert all(name.startswith("krru ") for name in seen), seen
