"""One phone that asks without end waits behind itself: staff come first, addresses by turns."""

import asyncio
import contextlib
import time

import pytest

from krru.web import connections, known, turns
from krru.web.known import KnownDevices
from krru.web.pages import Pages
from krru.web.turns import STRANGER_EVERY_S, Overrun, Sender, Staff, Turns
from tests import factories as f
from tournaments.changes.access import Role, token_hash
from tournaments.changes.signed_in import hashes_signed_in
from tournaments.models import Grant

PHONE, OTHER = Sender("192.168.0.9"), Sender("192.168.0.10")
DORA, ARNO = Sender("dora", is_staff=True), Sender("arno", is_staff=True)
HERE = Sender("127.0.0.1", is_bounded=False)


def played(senders, *, places=1, guests=1, each=1, first=()):
    """Return in which order they are answered; `first` had their turn before all came."""

    async def run():
        hall, begun, go_on = Turns(places, guests=guests, each=each, staff=Staff()), [], {}

        async def ask(sender, number):
            async with hall.turn(sender):
                begun.append(sender.name)
                await go_on.setdefault(number, asyncio.Event()).wait()

        everybody = [*first, *senders]
        tasks = [asyncio.create_task(ask(sender, at)) for at, sender in enumerate(everybody)]
        while not all(task.done() for task in tasks):
            for _ in range(3):
                await asyncio.sleep(0)
            for event in go_on.values():
                event.set()
        return begun

    return asyncio.run(run())


def test_a_phone_that_asks_a_hundred_times_waits_behind_itself():
    order = played([PHONE] * 100 + [OTHER])
    assert order.index(OTHER.name) <= 2
    assert len(order) == 101


def test_staff_come_before_every_stranger(monkeypatch):
    monkeypatch.setattr(turns, "STRANGER_EVERY_S", 0.0)
    assert played([PHONE, OTHER, DORA, ARNO, DORA])[1:4] == ["dora", "arno", "dora"]


def test_places_are_left_for_staff():
    """A stranger holds a place for ever: staff have another one."""

    async def run():
        hall = Turns(2, guests=1, each=2, staff=Staff())
        async with hall.turn(PHONE):
            waits = asyncio.create_task(anext(_turn(hall, OTHER)))
            async with asyncio.timeout(1), hall.turn(DORA):
                assert not waits.done()
            waits.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await waits
        async with asyncio.timeout(1), hall.turn(OTHER):
            assert not hall.waiting

    asyncio.run(run())


async def _turn(hall, sender):
    async with hall.turn(sender):
        yield


def test_while_staff_are_answered_strangers_wait_in_every_pool_but_not_for_ever(monkeypatch):
    async def run(every_s):
        monkeypatch.setattr(turns, "STRANGER_EVERY_S", every_s)
        staff = Staff()
        readers, writers = (Turns(2, guests=1, each=1, staff=staff) for _ in range(2))
        readers._guest_began = time.monotonic()
        async with writers.turn(DORA):
            asking = asyncio.create_task(anext(_turn(readers, PHONE)))
            await asyncio.sleep(0.01)
            was_let_in = asking.done()
        await asyncio.wait_for(asking, 1)
        return was_let_in

    assert [asyncio.run(run(every_s)) for every_s in (60.0, 0.0)] == [False, True]


def test_one_address_has_so_many_places_and_this_machine_all():
    assert played([PHONE] * 3 + [OTHER], places=4, guests=4, each=2)[:3] == [
        PHONE.name, PHONE.name, OTHER.name,
    ]  # fmt: skip
    assert played([HERE] * 3 + [OTHER], places=4, guests=4, each=1)[:3] == [HERE.name] * 3


def test_who_asks_faster_than_he_is_answered_is_refused(monkeypatch):
    monkeypatch.setattr(turns, "MOST_WAITING", 3)

    async def run():
        hall = Turns(1, guests=1, each=1, staff=Staff())
        asking = [asyncio.create_task(anext(_turn(hall, PHONE))) for _ in range(4)]
        await asyncio.sleep(0)
        with pytest.raises(Overrun):
            await anext(_turn(hall, PHONE))
        for one in asking:
            one.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        assert not hall.waiting

    asyncio.run(run())


def test_a_director_is_answered_while_a_stranger_fills_every_reader():
    """Through the bridge itself, in real threads; what strangers ask takes a while."""

    def app(environ, start_response):
        time.sleep(0.05 if environ["REMOTE_ADDR"] == PHONE.name else 0)
        start_response("200 OK", [])
        return [b""]

    async def sender_of(scope):
        return DORA if scope["client"][0] == DORA.name else Sender(scope["client"][0])

    async def run():
        pages = Pages(app, writers=1, body_limit=100, sender_of=sender_of)

        async def ask(name, method="GET"):
            scope = {"type": "http", "method": method, "path": "/", "query_string": b"",
                     "http_version": "1.1", "headers": [], "client": (name, 1),
                     "server": ("h", 1), "scheme": "http"}  # fmt: skip
            began = time.perf_counter()
            await pages(scope, _nothing, _ignore)
            return time.perf_counter() - began

        flood = [asyncio.create_task(ask(PHONE.name, method)) for method in ("GET", "POST") * 60]
        await asyncio.sleep(0.02)
        try:
            return [await ask("dora"), await ask("dora", "POST"), await ask(OTHER.name)]
        finally:
            for one in flood:
                one.cancel()
            await asyncio.gather(*flood, return_exceptions=True)
            pages.close()

    assert max(asyncio.run(run())) < 0.3  # behind the flood it would be three seconds


async def _nothing():
    return {"type": "http.request", "body": b"", "more_body": False}


async def _ignore(message):
    pass


@pytest.mark.django_db
def test_a_device_is_known_while_it_is_signed_in_and_a_forged_cookie_never(client):
    f.make_event()
    f.sign_browser_in(client, Role.DIRECTOR)
    token = client.cookies["krru_device"].value
    assert hashes_signed_in() == {token_hash(token)}
    Grant.objects.update(revoked_at=f.ARRIVAL)
    assert hashes_signed_in() == set()


def test_an_unknown_cookie_makes_nobody_read_the_devices_again_and_again(monkeypatch):
    reads = []

    def read():
        reads.append(1)
        return frozenset({"dora"})

    async def run():
        devices = KnownDevices(read)
        found = [await devices.among([one]) for one in ("dora", "forged", "forged", "dora")]
        assert found == ["dora", None, None, "dora"]
        assert await devices.among([]) is None
        assert len(reads) == 1
        monkeypatch.setattr(known, "FRESH_SECONDS", 0.0)
        assert await devices.among(["forged"]) is None
        assert len(reads) == 2

    asyncio.run(run())


def test_strangers_leave_descriptors_for_staff_and_the_backup(monkeypatch):
    monkeypatch.setattr(connections, "open_files", lambda: 1000)
    opened = connections.BoundedProtocol.open
    held = connections.BoundedProtocol.__new__(connections.BoundedProtocol)

    def is_refused(address, *, of_it, of_all):
        held._address = address
        opened.update({address: of_it, "10.0.0.1": of_all - of_it})
        try:
            return held._is_too_many()
        finally:
            opened.clear()

    assert not is_refused("192.168.0.9", of_it=250, of_all=700)
    assert is_refused("192.168.0.9", of_it=251, of_all=700)
    assert is_refused("192.168.0.9", of_it=1, of_all=751)
    connections.note_staff("192.168.0.8")
    assert not is_refused("192.168.0.8", of_it=1, of_all=751)
    assert is_refused("192.168.0.8", of_it=1, of_all=876)


def test_a_stranger_comes_in_though_staff_are_busy_elsewhere_without_a_pause() -> None:
    """Staff who write all the time leave no instant at which nobody of them is answered."""

    async def evening() -> float:
        staff = Staff()
        readers, writers = (Turns(2, guests=1, each=2, staff=staff) for _ in range(2))
        stopping = asyncio.Event()

        async def write(name: str) -> None:
            while not stopping.is_set():
                async with writers.turn(Sender(name, is_staff=True)):
                    await asyncio.sleep(0.02)

        busy = [asyncio.create_task(write(name)) for name in ("Dora", "Arno")]
        await asyncio.sleep(0.01)
        loop = asyncio.get_running_loop()
        async with readers.turn(Sender("the first visitor")):
            pass
        began = loop.time()
        async with readers.turn(Sender("the next visitor")):
            waited = loop.time() - began
        stopping.set()
        await asyncio.gather(*busy)
        return waited

    waited = asyncio.run(asyncio.wait_for(evening(), 5))

    assert waited < 2 * STRANGER_EVERY_S + 0.2
