"""One server, and a command beside it that changes an evening: open streams hear of that, too."""

from contextlib import closing

from clock import bus
from clock.realtime import publish
from tests.clock.conftest import Client, serving
from tests.infra.hall_client import HallClient

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
        # Another's change is told, and told once.
        now["event-1"] = 3
        client.read_until(b"id: 3\n")
        told = len(asked)
        streams.wait_until(lambda: len(asked) > told + 1)
        publish("event-1", b"{}", id=4)
        heard = client.read_until(b"id: 4\n")
    assert heard.count(b"event: lost") == 1
    assert heard.count(b"id: 2\n") == heard.count(b"id: 3\n") == 1
