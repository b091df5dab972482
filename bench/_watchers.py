"""Those who look on while a cluster is harmed: pages asked for all the time, and open streams."""

from __future__ import annotations

import asyncio
import http.client
import ssl
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass

import uvloop

from bench._phone_streams import PhoneStream

PAGE_EVERY_S = 0.05
AT_ONCE, OPEN_WITHIN_S = 100, 180


def trusting() -> ssl.SSLContext:
    """Return what takes any certificate: the proxy is known by its port."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


@dataclass(frozen=True, slots=True)
class Page:
    """One page: when it was asked for, how long it took, what came (0: nothing)."""

    at: float
    seconds: float
    status: int
    said: str = ""


class Visitor:
    """Asks for a page through the proxy, again and again."""

    def __init__(self, port: int, path: str) -> None:
        self.pages: list[Page] = []
        self._port, self._path, self._stopping = port, path, threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)

    def start(self) -> Visitor:
        self._thread.start()
        return self

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(30)

    def _go_on(self) -> None:
        context = trusting()
        while not self._stopping.wait(PAGE_EVERY_S):
            began = time.monotonic()
            client = http.client.HTTPSConnection(
                "127.0.0.1", self._port, timeout=20, context=context
            )
            try:
                client.request("GET", self._path)
                answer = client.getresponse()
                text = answer.read().decode(errors="replace")
                status, said = answer.status, text[-400:] if answer.status != 200 else ""
            except (OSError, http.client.HTTPException) as error:
                status, said = 0, repr(error)
            finally:
                client.close()
            self.pages.append(Page(began, time.monotonic() - began, status, said))


class Listeners:
    """Open streams through the proxy, in a thread of their own; each as a browser keeps it."""

    def __init__(self, port: int, path: str, count: int) -> None:
        context = trusting()
        context.set_alpn_protocols(["h2"])
        self._loop = uvloop.new_event_loop()
        self.all = [PhoneStream(self._loop, port, path, context) for _ in range(count)]
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    @property
    def open_count(self) -> int:
        return sum(one.is_open for one in self.all)

    def start(self) -> Listeners:
        """Open all; return when they are, or after three minutes."""
        self._thread.start()
        opening: Future[None] = asyncio.run_coroutine_threadsafe(self._open(), self._loop)
        opening.result(OPEN_WITHIN_S)
        until = time.monotonic() + OPEN_WITHIN_S
        while self.open_count < len(self.all) and time.monotonic() < until:
            time.sleep(0.05)
        return self

    async def _open(self) -> None:
        # Ten thousand handshakes at once would all be given up as too slow.
        for start in range(0, len(self.all), AT_ONCE):
            await asyncio.gather(*(one.connect() for one in self.all[start : start + AT_ONCE]))

    def behind(self, version: int, seconds: float) -> int:
        """Return how many have not heard of a version after so many seconds."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and any(one.version < version for one in self.all):
            time.sleep(0.05)
        return sum(one.version < version for one in self.all)

    def stop(self) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    async def _end(self) -> None:
        for one in self.all:
            one.end()
