"""No number that is typed or stands in an address ends in an error of the program."""

import inspect
import re
import sys

import pytest
from django.core.cache import caches
from django.db import transaction
from django.forms import BaseForm
from django.urls import reverse
from django.urls.converters import IntConverter
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.access_hall import make_hall
from tests.access_lines import LINES
from tests.addresses import ADDRESSES

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
