"""Every address × everybody who may ask for it, taken from the URLconf so that none is forgotten.

A new address without a line in `tests/access_lines.py` fails here. What the pages show and refuse
in detail is tested page by page; here only: who gets in, who is told no with a sentence and
without effect.

Every address is asked by everybody with every method it takes. Of those that it does not take, each
is tried by one of them, at every address by another. A refusal comes as a page to one, to the next
as htmx.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import get_resolver

from tests import factories as f
from tests.access_hall import Hall, make_hall
from tests.access_lines import EVERYBODY, HOLDERS, LINES, METHODS, STRANGERS
from tests.addresses import ADDRESSES, addresses
from tournaments.changes.access import REFUSALS, REFUSED_TO_STRANGERS, actor_of, device_of
from tournaments.models import Action, Drawer, Event, EventHead, Person, Registration, SignInLink
from tournaments.money.services.drawers import drawer_hand, drawer_open

pytestmark = pytest.mark.django_db

LET_IN = {"GET": {200, 204, 302}, "POST": {200, 204, 302, 422}}
HTMX = {"HX-Request": "true"}
UNKNOWN = ("forged cookie", "revoked")
OF_THE_CLUB = {
    "slide", "face_action", "chips", "correction", "league", "person", "device", "plan", "preset",
    "screen", "screen_action", "token", "webhook", "delivery",
}  # fmt: skip
SENTENCES = {str(sentence) for sentence in (*REFUSALS.values(), REFUSED_TO_STRANGERS)}


def test_every_address_has_a_line_and_every_line_an_address():
    found = [pattern.name for pattern in addresses(get_resolver().url_patterns)]
    assert len(found) == len(set(found)), "two addresses of one name"
    assert set(found) == set(LINES)


@pytest.fixture
def hall(caplog: pytest.LogCaptureFixture) -> Hall:
    caplog.set_level("ERROR", "django.request")
    return make_hall()


def state() -> tuple[Any, ...]:
    """Return what a change would change: every one writes a log entry and raises a version."""
    models = (Action, Person, Registration, SignInLink)
    tables = [model._meta.db_table for model in models]
    counts = ", ".join(f"(SELECT count(*) FROM {table})" for table in tables)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT sum(version), {counts} FROM {EventHead._meta.db_table}")
        return tuple(cursor.fetchone())


def ask(client: Client, method: str, url: str, data: dict[str, Any] | None = None, **headers: str):
    """Ask, and undo what came of it, so that one hall serves every question."""
    with transaction.atomic():
        before = state()
        answer = client.generic(method, url, headers=headers) if not data else client.get(url, data)
        if answer.streaming:
            # Read to the end, as a browser does: the file it is sent from is closed then.
            b"".join(answer.streaming_content)
        changed = state() != before
        transaction.set_rollback(True)
    return answer, changed


def methods_asked(who: str, name: str) -> list[str]:
    """Return the methods of an address, for some who ask with one that it refuses besides."""
    line = LINES[name]
    wrong, turn = sorted(METHODS - line.methods), turn_of(who, name) % len(EVERYBODY)
    return [*sorted(line.methods), *wrong[turn : turn + 1]]


def turn_of(who: str, name: str) -> int:
    """Return a number that goes up by one with everybody who asks, and with every address."""
    return sorted(EVERYBODY).index(who) + list(LINES).index(name)


def faults_of(hall: Hall, client: Client, who: str, name: str) -> Iterator[str]:
    line, url = LINES[name], hall.url(name)
    if line.by_token:
        yield from token_faults(hall, client, who, name)
        return
    is_htmx = turn_of(who, name) % 2
    for method in methods_asked(who, name):
        hall.become(client, who)
        if who not in line.who and method in line.methods:
            answer, changed = ask(client, method, url, **(HTMX if is_htmx else {}))
            got = f"{who}: {method} {url} -> {answer.status_code}"
            yield from refusal_faults(got, answer)
        else:
            data = {key: hall.values[value] for key, value in line.ask.items()}
            answer, changed = ask(client, method, url, data if method == "GET" else None)
            got = f"{who}: {method} {url} -> {answer.status_code}"
            if method not in line.methods:
                if answer.status_code != 405:
                    yield f"{got}, not 405"
            elif line.is_ours and answer.status_code not in LET_IN[method]:
                yield f"{got}, not let in"
        if changed and (method == "GET" or who not in line.who or method not in line.methods):
            yield f"{got} changed something"


def token_faults(hall: Hall, client: Client, who: str, name: str) -> Iterator[str]:
    """Ask with a token: 401 if it is good for nothing, 403 with a sentence if not for this."""
    line, url = LINES[name], hall.url(name)
    for method in methods_asked(who, name):
        client.cookies.clear()
        answer, changed = ask(client, method, url, **hall.token_of(who))
        got = f"{who}: {method} {url} -> {answer.status_code}"
        wanted = LET_IN.get(method, set())
        if method not in line.methods:
            wanted = {405}
        elif who in STRANGERS - HOLDERS and (line.who != EVERYBODY or hall.token_of(who)):
            wanted = {401}
        elif who not in line.who:
            wanted = {403}
            if answer.status_code == 403 and answer.json()["reason"] not in SENTENCES:
                yield f"{got} without a sentence"
        if answer.status_code not in wanted:
            yield f"{got}, not {wanted}"
        if method in line.methods:
            hall.become(client, who)
            by_cookie, changed_by_cookie = ask(client, method, url)
            if by_cookie.status_code == 200 and line.who != EVERYBODY:
                yield f"{got} let a cookie in"
            changed = changed or changed_by_cookie
        if changed:
            yield f"{got} changed something"


def refusal_faults(got: str, answer: Any) -> Iterator[str]:
    if answer.status_code != 403:
        yield f"{got}, not 403"
    elif not any(sentence in answer.content.decode() for sentence in SENTENCES):
        yield f"{got} without a sentence"


@pytest.mark.parametrize(
    "who",
    # The director sees every page there is: so PostgreSQL is asked for each of them.
    [*sorted(EVERYBODY - {"director"}), pytest.param("director", marks=pytest.mark.postgres)],
)
def test_who_may_gets_in_and_nobody_else(hall, client, request, who):
    client.raise_request_exception = False
    # An unknown device is refused before any page: they ask in turn, unless for long.
    in_turn = who in UNKNOWN and not request.config.getoption("long")
    asked = list(LINES)[UNKNOWN.index(who) :: len(UNKNOWN)] if in_turn else list(LINES)
    faults = [fault for name in asked for fault in faults_of(hall, client, who, name)]
    assert not faults, "\n".join(faults)


@pytest.mark.parametrize("who", sorted(STRANGERS - HOLDERS))
def test_at_a_demonstration_strangers_only_look(hall, client, settings, who):
    settings.STRANGERS_LOOK_ONLY = True
    allowed = {"sign-in", "sign-in-code", "set_language"}
    pressed = [
        name
        for name, line in LINES.items()
        if "POST" in line.methods and name not in allowed and not name.startswith("api-")
    ]
    assert len(pressed) > 100
    for name in pressed:
        hall.become(client, who)
        headers = HTMX if turn_of(who, name) % 2 else {}
        answer, changed = ask(client, "POST", hall.url(name), **headers)
        assert (answer.status_code, changed) == (422, False), name
        assert "Das ist eine Vorführung." in answer.content.decode(), name


def test_an_arbiter_sees_debts_with_a_drawer_and_the_receipts_of_his_own(hall, client):
    event = Event.objects.get(slug=hall.values["slug"])
    arno, dora = (actor_of(device_of(hall.cookies[who]), event) for who in ("arbiter", "director"))
    hall.become(client, "arbiter")

    def asked(*names: str) -> list[int]:
        return [ask(client, "GET", hall.url(name))[0].status_code for name in names]

    own = f.drive(drawer_open, event, 3, by=dora, float_cents=0, device=arno.device)
    assert asked("fees-open", "fee-pay", "fee-refund", "receipt") == [200, 200, 200, 404]
    assert ask(client, "POST", hall.url("receipt-mail"))[0].status_code == 404
    f.undo(event, own, at=f.after(4))
    others = Drawer.objects.get(pk=hall.values["drawer"])
    f.drive(drawer_hand, event, 5, by=dora, drawer=others, device=arno.device)
    assert asked("fees-open", "receipt") == [200, 200]


def test_an_address_of_another_event_is_nobodys(hall, client):
    """What belongs to one event is not reached through the address of another."""
    other = f.make_running_event(4, name="Nebenan")
    hall.become(client, "director")
    for name, pattern in ADDRESSES.items():
        free = {"slug", "number", "place", "language", "element", *OF_THE_CLUB}
        parts = set(pattern.pattern.converters) - free
        if "slug" in pattern.pattern.converters and parts:
            url = hall.url(name).replace(hall.values["slug"], other.slug)
            token = hall.token_of("director") if LINES[name].by_token else {}
            for method in sorted(LINES[name].methods):
                answer, changed = ask(client, method, url, **HTMX, **token)
                assert answer.status_code in {404, 422}, f"{method} {url}: {answer.status_code}"
                assert not changed
