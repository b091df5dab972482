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
from krru.observing.health import answered
from tests.laptops import laptop_served_once
from tests.waits import wait_for

pytestmark = pytest.mark.sqlite_only
# Caddy waits so long for an answer, and would take every process out of service then.
SECONDS = 10.0


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
        found = [ready(server) for _ in range(2)]
    finally:
        frozen_later.signal(signal.SIGCONT)

    assert all({"redis", "workers"} <= set(told["problems"]) for told in found)
    assert [(told["redis"], told["status"]) for told in found] == [(False, 200)] * 2
    assert max(told["seconds"] for told in found) < SECONDS, found
    assert wait_for(lambda: "redis" not in ready(server)["problems"])

    # It may freeze while workers are asked.
    asking = threading.Thread(target=lambda: found.append(ready(server)))
    with redis.Redis.from_url(frozen_later.url) as client, client.monitor() as heard:
        asking.start()
        while "pidbox" not in str(heard.next_command()["command"]):
            pass
        frozen_later.signal(signal.SIGSTOP)
        try:
            asking.join(60)
        finally:
            frozen_later.signal(signal.SIGCONT)
    assert found[-1]["seconds"] < SECONDS, found
    assert found[-1]["status"] == 200
    assert wait_for(lambda: ready(server)["redis"])


def test_what_hangs_holds_up_nobody_for_longer() -> None:
    goes_on = threading.Event()
    began = time.monotonic()

    found = [answered(lambda: goes_on.wait(30), 0.2), answered(lambda: True, 20.0)]
    seconds = time.monotonic() - began
    goes_on.set()

    assert found == [None, True]
    assert seconds < 20
