"""Rubbish that a stranger's phone sends is answered, and nothing breaks."""

import os
import pickle

import pytest
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured

from clock import bus
from clock.stream import _known_versions
from krru.data.databases import JsonSerializer, redis_url
from krru.data.folder import data_folder

NUL_PATHS = ("/p/%00/", "/p/a%00b/daten.json", "/t/%00/", "/?x=%00")


@pytest.mark.postgres
@pytest.mark.django_db
def test_a_nul_is_refused(client, event):
    for path in NUL_PATHS:
        assert client.get(path).status_code == 400, path
    answer = client.post(f"/t/{event.slug}/anmelden/", {"name": "Anna\0Probst"})
    assert answer.status_code == 400
    assert not event.registrations.exists()


@pytest.mark.parametrize("asked", ["9" * 5000, "²", "-1", "x", ""])
def test_a_version_that_is_none_is_not_read(asked):
    scope = {"headers": [], "query_string": f"v={asked}".encode()}
    assert _known_versions(scope, 1) == [None]


@pytest.mark.skipif(os.name == "nt", reason="rights of files are others there")
def test_a_data_folder_that_was_open_to_all_is_closed(tmp_path, monkeypatch):
    folder = tmp_path / "var"
    folder.mkdir()
    folder.chmod(0o755)
    monkeypatch.setenv("KRRU_DATA", str(folder))
    assert data_folder() == folder
    assert folder.stat().st_mode & 0o777 == 0o700


class Heard:
    """What a hub hears."""

    def __init__(self):
        self.told = []

    def hear(self, name, version, frame):
        self.told.append((name, version, frame))


@pytest.mark.parametrize("data", [b"rubbish", b"a b c", b"\xff 1 x", b"", 7])
def test_rubbish_from_redis_is_left_out(data, caplog):
    hub = Heard()
    bus._hear(hub, data)
    assert not hub.told
    assert "Unlesbares" in caplog.text
    bus._hear(hub, b"event-1 5 frame of it")
    assert hub.told == [("event-1", 5, b"frame of it")]


class Exploit:
    """Runs code where it is unpickled."""

    def __reduce__(self):
        return (pytest.fail, ("code ran",))


def test_what_redis_keeps_is_never_code():
    serializer = JsonSerializer()
    with pytest.raises(UnicodeDecodeError):
        serializer.loads(pickle.dumps(Exploit()))
    for value in (7, "text", True, [[1, 2], 3.5, "<p>"], None):
        kept = serializer.dumps(value)
        raw = str(kept).encode() if isinstance(kept, int) else kept
        assert serializer.loads(raw) == value


@pytest.mark.parametrize("url", ["redis://10.0.0.7:6379", "redis://cache", "rediss://u@far:1/0"])
def test_a_redis_elsewhere_needs_a_password(url):
    with pytest.raises(ImproperlyConfigured, match="Passwort"):
        redis_url(url)


def test_strangers_do_not_push_counters_out():
    assert caches["kept"] is not caches["default"]
    caches["kept"].add("flood", 1)
    for number in range(2000):
        caches["default"].add(f"page:{number}", "x")
    assert caches["kept"].get("flood") == 1
