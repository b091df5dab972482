"""What checks of a server's health say, and when, while something they ask does not answer."""

import json
import signal
import threading
import time
import urllib.request

import pytest
import redis

from krru.devtools.cluster import Redis
from krru.devtools.serving import ServerProcess
from krru.observing.health import DATABASE_PATIENCE_S, Asker
from tests.infra.test_full_mode import wait_for
from tests.laptops import laptop_served_once

pytestmark = pytest.mark.sqlite_only
# Caddy waits five seconds for an answer, and would take every process out of service then.
SECONDS = 3.0


@pytest.fixture(scope="module")
def frozen_later():
    """A Redis of our own, which goes on whatever the test did."""
    server = Redis()
    server.start()
    yield server
    server.signal(signal.SIGCONT)
    server.stop()


@pytest.fixture(scope="module")
def server(frozen_later, tmp_path_factory):
    env = {"REDIS_URL": frozen_later.url}
    folder = tmp_path_factory.mktemp("frozen") / "data"
    with laptop_served_once(folder, env, "--quiet", "--no-worker") as running:
        yield running


def ready(server: ServerProcess) -> dict:
    """Return what is told, with the status and the time it took."""
    began = time.monotonic()
    with urllib.request.urlopen(f"{server.url}/health/ready", timeout=30) as answer:
        told = json.load(answer)
    return {**told, "status": answer.status, "seconds": time.monotonic() - began}


def test_a_frozen_redis_is_said_in_time_and_no_reason_to_ask_no_process(
    server, frozen_later
) -> None:
    assert ready(server)["redis"] is True

    frozen_later.signal(signal.SIGSTOP)
    try:
        found = [ready(server) for _ in range(3)]
    finally:
        frozen_later.signal(signal.SIGCONT)

    assert [told["redis"] for told in found] == [False] * 3
    assert all({"redis", "workers"} <= set(told["problems"]) for told in found)
    assert [told["status"] for told in found] == [200] * 3
    assert max(told["seconds"] for told in found) < SECONDS, found
    assert wait_for(lambda: ready(server)["redis"]), ready(server)
    assert "redis" not in ready(server)["problems"]


def test_a_redis_that_freezes_while_workers_are_asked_is_said_in_time(server, frozen_later) -> None:
    found: list[dict] = []
    asking = threading.Thread(target=lambda: found.append(ready(server)))
    with redis.Redis.from_url(frozen_later.url) as client, client.monitor() as heard:
        asking.start()
        while "pidbox" not in str(heard.next_command()["command"]):
            pass
        frozen_later.signal(signal.SIGSTOP)
        try:
            asking.join(30)
        finally:
            frozen_later.signal(signal.SIGCONT)

    assert found[0]["seconds"] < SECONDS, found
    assert found[0]["status"] == 200
    assert wait_for(lambda: ready(server)["redis"])


def test_who_asks_at_the_same_time_gets_an_answer_too() -> None:
    asker = Asker("test", 30.0)
    is_asked, may_answer = threading.Event(), threading.Event()
    found: list[str | None] = []

    def slow() -> str:
        is_asked.set()
        may_answer.wait(30)
        return "first"

    first = threading.Thread(target=lambda: found.append(asker.ask(slow)))
    first.start()
    assert is_asked.wait(30)
    second = threading.Thread(target=lambda: found.append(asker.ask(lambda: "second")))
    second.start()
    # It is not sent away because another one asks.
    second.join(0.2)
    may_answer.set()
    first.join(30)
    second.join(30)

    assert sorted(filter(None, found)) == ["first", "second"]


def test_what_hangs_holds_up_nobody_for_longer() -> None:
    asker = Asker("test", 0.2)
    goes_on = threading.Event()
    began = time.monotonic()

    found = [asker.ask(lambda: goes_on.wait(30)), asker.ask(lambda: True)]
    seconds = time.monotonic() - began
    goes_on.set()

    assert found == [None, None]
    assert seconds < DATABASE_PATIENCE_S
    assert wait_for(lambda: asker.ask(lambda: True))
