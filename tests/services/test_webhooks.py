"""Webhooks: each change in order, signed, again until taken, never into the own network."""

import hashlib
import hmac
import json
import socket
import threading
import time
from datetime import timedelta

import pytest

from krru.web import outgoing
from krru.web.outgoing import MOST_BYTES, Forbidden, Unreachable, ask
from tests import factories as f
from tests.calling import call_service
from tests.outside import Outside, served
from tournaments.changes.access import SYSTEM
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Delivery, Webhook
from tournaments.notices.services import hooks
from tournaments.notices.services.hooks import (
    MOST_HOOKS,
    deliveries_forget,
    delivery_resend,
    hooks_gather,
    hooks_send,
    webhook_add,
    webhook_remove,
)
from tournaments.post.domain.mail import GIVES_UP_AFTER

pytestmark = pytest.mark.django_db


class Program(Outside):
    """A club's own program that takes changes, or fails as it is told."""

    status = 204

    def answer(self, path, headers, body):
        super().answer(path, headers, body)
        return self.status, {}, b""

    @property
    def bodies(self):
        return [json.loads(body) for _path, _headers, body in self.heard]


@pytest.fixture
def program(settings):
    settings.OUTGOING_HOSTS = frozenset({"127.0.0.1"})
    with served(Program()) as server:
        yield server


def add(url, minute=0.5):
    call_service(webhook_add, club=f.house(), by=SYSTEM, at=f.after(minute), url=url)
    return Webhook.objects.latest("pk")


def run(minute):
    hooks_gather(f.after(minute))
    return hooks_send(now=f.after(minute))


def test_each_change_is_told_once_in_order_with_version_and_signature(program):
    event = f.make_running_event(4)
    hook = add(f"{program.url}/krru")
    out = f.out(event, f.entries_of(event)[0], at=f.after(1))
    f.undo(event, out, at=f.after(2))
    assert [run(3), run(3)] == [2, 0]
    first, second = program.bodies
    version = f.fresh(event).version
    assert (first["kind"], first["version"]) == (out.kind, version - 1)
    assert (second["version"], second["undoes"]) == (version, first["sequence"])
    assert first["event"] == event.slug
    assert "Spieler" not in json.dumps(program.bodies)
    for path, headers, body in program.heard:
        signed = f"{headers['X-KRRU-Timestamp']}.".encode() + body
        own = hmac.new(hook.secret.encode(), signed, hashlib.sha256).hexdigest()
        assert (path, headers["X-KRRU-Signature"]) == ("/krru", f"sha256={own}")


def test_the_next_waits_until_the_one_before_is_taken(program):
    event = f.make_running_event(4)
    add(program.url)
    program.status = 500
    for minute, entry in enumerate(f.entries_of(event)[:2], start=1):
        f.out(event, entry, at=f.after(minute))
    assert run(3) == 0
    assert len(program.heard) == 1
    first = Delivery.objects.earliest("pk")
    assert (first.error, first.due_at) == ("500", f.after(4))
    program.status = 200
    assert run(3.9) == 0
    assert run(4) == 2
    sequences = [body["sequence"] for body in program.bodies]
    assert sequences == [first.sequence, first.sequence, first.sequence + 1]


def test_a_slow_receiver_holds_up_neither_the_other_ones_nor_what_is_due(program, monkeypatch):
    monkeypatch.setattr(hooks, "SECONDS_A_RUN", 0.05)
    event = f.make_running_event(4)
    add(f"{program.url}/slow")
    add(f"{program.url}/quick")
    program.answer = lambda path, *_told: (path == "/slow" and time.sleep(0.1)) or (204, {}, b"")
    for minute, entry in enumerate(f.entries_of(event)[:3], start=1):
        f.out(event, entry, at=f.after(minute))

    found = [run(4)]
    of_slow = Delivery.objects.exclude(sent_at=None).filter(webhook__url__endswith="/slow")
    assert of_slow.count() == 1
    while Delivery.objects.filter(sent_at=None).exists():
        found.append(run(4))

    assert sum(found) == 6
    assert min(found) > 0


def test_after_a_day_it_is_given_up_and_can_be_sent_again(program):
    event = f.make_running_event(4)
    add(program.url)
    program.status = 503
    f.out(event, f.entries_of(event)[0], at=f.after(1))
    run(1)
    late = f.after(2) + GIVES_UP_AFTER
    while hooks_send(now=late) or Delivery.objects.get().due_at <= late:
        pass
    before = len(program.heard)
    assert hooks_send(now=late + GIVES_UP_AFTER) == 0
    assert len(program.heard) == before
    program.status = 200
    row, later = Delivery.objects.get(), late + timedelta(hours=2)
    call_service(delivery_resend, club=event.club, by=SYSTEM, at=later, delivery=row)
    assert hooks_send(now=later) == 1
    call_service(delivery_resend, club=event.club, by=SYSTEM, at=later, delivery=row)
    assert hooks_send(now=later) == 1
    deliveries_forget(now=later + timedelta(days=15))
    with f.refused("gone"):
        call_service(delivery_resend, club=event.club, by=SYSTEM, at=later, delivery=row)


def test_what_was_before_a_sample_and_a_removed_hook_tell_nothing(program):
    event = f.make_running_event(4)
    hook = add(program.url, 1)
    assert run(2) == 0
    event.is_sample = True
    event.save(update_fields=["is_sample"])
    f.out(event, f.entries_of(event)[0], at=f.after(3))
    assert run(4) == 0
    call_service(webhook_remove, club=event.club, by=SYSTEM, at=f.after(5), webhook=hook)
    with f.refused("gone"):
        call_service(webhook_remove, club=event.club, by=SYSTEM, at=f.after(5), webhook=hook)
    assert not Webhook.objects.exists()


def test_no_request_goes_into_the_own_network(settings):
    settings.OUTGOING_HOSTS = frozenset()
    with served(Outside()) as inside:
        port = inside.server_address[1]
        for host in (
            "127.0.0.1",
            "localhost",
            "[::1]",
            "[::ffff:127.0.0.1]",
            "0.0.0.0",
            "2130706433",
        ):
            with pytest.raises(Unreachable):
                ask("POST", f"https://{host}:{port}/")
        for url in (
            inside.url,
            "ftp://club.test",
            "https://",
            "https://a@b.test",
            "//x",
            "https://a b",
            "https://a.test/\ud800",
            "https://a.test/\u202egpj.exe",
        ):
            with pytest.raises(Forbidden):
                ask("POST", url)
        assert inside.heard == []
        settings.OUTGOING_HOSTS = frozenset({"127.0.0.1"})
        assert ask("POST", inside.url).status == 200


def test_a_hook_into_the_own_network_says_so_on_its_delivery():
    event = f.make_event()
    add("https://127.0.0.1:1/", -50)
    petra = f.register(event, at=f.after(-40))
    f.drive(registration_withdraw, event, -30, registration=petra)
    assert run(-20) == 0
    assert Delivery.objects.earliest("pk").error == "private address"


def test_an_answer_is_bounded_in_time_and_size_and_leads_nowhere_else(program):
    program.answer = lambda *_told: (
        302,
        {"Location": "http://127.0.0.1:1/"},
        b"x" * 2 * MOST_BYTES,
    )
    answer = ask("POST", program.url)
    assert (answer.status, len(answer.body)) == (302, MOST_BYTES)
    waits = threading.Event()
    program.answer = lambda *_told: (waits.wait(30) and 200, {}, b"")
    with pytest.raises(Unreachable):
        ask("POST", program.url, seconds=0.2)
    waits.set()


def test_bad_addresses_and_too_many_are_refused(program):
    for url in (
        "",
        "http://club.example.org/",
        "javascript:alert(1)",
        "https://" + "a" * 600 + ".at",
    ):
        with f.refused("bad_url"):
            add(url)
    for number in range(MOST_HOOKS):
        add(f"{program.url}/{number}")
    with f.refused("too_many"):
        add(program.url)


def test_the_body_of_a_request_does_not_wait_for_an_answer_to_its_head(program):
    ask("POST", program.url, body=b"{}", keeps=True)
    [line] = outgoing._idle["http", program.url.removeprefix("http://"), False]
    assert line.sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
    outgoing.close_idle()
