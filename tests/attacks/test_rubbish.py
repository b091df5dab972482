"""Rubbish that a stranger's phone sends is answered, and nothing breaks."""

import inspect
import os
import pickle
import re
import sys

import pytest
from django.core.cache import caches
from django.core.exceptions import ImproperlyConfigured
from django.db import transaction
from django.forms import BaseForm
from django.urls import reverse
from django.urls.converters import IntConverter
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from clock import bus
from clock.stream import _known_versions
from krru.data.databases import JsonSerializer, redis_url
from krru.data.folder import data_folder
from tests.access_hall import make_hall
from tests.access_lines import LINES
from tests.addresses import ADDRESSES

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
    with pytest.raises(ImproperlyConfigured, match="Rechner ohne Passwort"):
        redis_url(url)
    with pytest.raises(ImproperlyConfigured, match="REDIS_URL ist keine Adresse"):
        redis_url("irgendwo")


def test_strangers_do_not_push_counters_out():
    assert caches["kept"] is not caches["default"]
    caches["kept"].add("flood", 1)
    for number in range(2000):
        caches["default"].add(f"page:{number}", "x")
    assert caches["kept"].get("flood") == 1


# --- No number that is typed or stands in an address ends in an error of the program


pytestmark = pytest.mark.django_db

IS_LONG = settings.get_current_profile_name() == "long"
LIMITS = str(2**63 - 1), str(2**63)
NUMBERS = ["0", "1", "7", "00", "256", "32768", "2147483648", "5000000000", "999999999999"]
NUMBERS += ["-1", "−5", "1.000", "9007199254740993", "9" * 19, "9" * 400, *LIMITS]
TEXTS = ["", "on", "x", "²", "٣", "1e400", "NaN", "1,5", "-0,01", "2026-11-20", "24:61", "1-7"]
# The address `api-nowhere` answers whatever the framework of the interface does not know.
NAMES = [name for name, line in LINES.items() if name not in {"api-nowhere", "health-ready"}]
STAND_IN = 271_828_182_845_904_523


def fields_of(name):
    """Return what may be names of fields: words of the view's module, and its forms' fields."""
    module = sys.modules[inspect.unwrap(ADDRESSES[name].callback).__module__]
    words = set(re.findall(r'"([a-z_]{2,24})"', inspect.getsource(module)))
    for value in vars(module).values():
        if inspect.isclass(value) and issubclass(value, BaseForm):
            words |= set(value.base_fields)
    return sorted(words)


@st.composite
def asked(draw):
    """Return an address, who asks for it, the numbers in it, and what is posted there."""
    name = draw(st.sampled_from(NAMES))
    line = LINES[name]
    who = draw(st.sampled_from(sorted(line.who)))
    words = fields_of(name)
    path = draw(st.lists(st.none() | st.sampled_from(NUMBERS), min_size=3, max_size=3))
    value = st.sampled_from(NUMBERS) | st.sampled_from(TEXTS) | st.sampled_from(words or ["x"])
    typed = draw(st.dictionaries(st.sampled_from(words), value, max_size=12)) if words else {}
    return name, who, path, typed


def url_of(hall, name, numbers):
    """Return an address with these numbers in it, as somebody would type them."""
    args, typed = {}, {}
    for place, (arg, converter) in enumerate(ADDRESSES[name].pattern.converters.items()):
        args[arg] = hall.values[LINES[name].args.get(arg, arg)]
        number = numbers[place % len(numbers)]
        if number is not None and isinstance(converter.to_python("1"), int):
            args[arg] = STAND_IN + place
            typed[str(args[arg])] = number
    url = reverse(name, kwargs=args)
    for stand_in, number in typed.items():
        url = url.replace(stand_in, number)
    return url


@pytest.fixture
def hall(client):
    return make_hall()


def test_no_address_takes_a_number_without_a_bound():
    converters = {name: one.pattern.converters.values() for name, one in ADDRESSES.items()}
    assert [name for name, ones in converters.items() if IntConverter in map(type, ones)] == []


# These four once were errors.
@example(("player-cash", "desk", [None], {"what": "leave", "minutes": "5000000000"}))
@example(("floor-out", "arbiter", [None, LIMITS[1]], {}))
@example(("floor-dealer", "arbiter", [None, LIMITS[1]], {}))
@example(("floor-all-arrived", "arbiter", [None, LIMITS[1]], {}))
@settings(
    max_examples=20_000 if IS_LONG else 150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(asked())
@pytest.mark.postgres
def test_no_number_ends_in_an_error(hall, client, asked):
    """Ask, and undo what came of it."""
    name, who, numbers, typed = asked
    caches["limits"].clear()
    hall.become(client, who)
    headers = hall.token_of(who) if LINES[name].by_token else {}
    ask = client.post if "POST" in LINES[name].methods else client.get
    with transaction.atomic():
        answer = ask(url_of(hall, name, numbers), typed, headers=headers)
        if answer.streaming:
            b"".join(answer.streaming_content)
        transaction.set_rollback(True)
    assert answer.status_code < 500
