"""Those who look on while a cluster is harmed: pages asked for all the time, and open streams."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import re
import ssl
import threading
import time
from concurrent.futures import Future
from dataclasses import dataclass, field

PAGE_EVERY_S = 0.05
BACK_AFTER_S = 0.2
AT_ONCE, OPEN_WITHIN_S = 100, 180
VERSION = re.compile(rb'(?:^id: |"version":)(\d+)', re.MULTILINE)


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


@dataclass(slots=True)
class Listener:
    """One open stream, which comes back by itself: for how long it was away, what it has heard."""

    version: int = 0
    away_s: list[float] = field(default_factory=list)


class Listeners:
    """Open streams through the proxy, in a thread of their own."""

    def __init__(self, port: int, path: str, count: int) -> None:
        self.all = [Listener() for _ in range(count)]
        self._port, self._path = port, path
        self._context = trusting()
        # Ten thousand handshakes at once would all be given up as too slow.
        self._opening = asyncio.Semaphore(AT_ONCE)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self.open_count = 0
        # The loop itself does not hold on to what it runs.
        self._listening: list[Future[None]] = []

    def start(self) -> Listeners:
        self._thread.start()
        self._listening = [
            asyncio.run_coroutine_threadsafe(self._listen(listener), self._loop)
            for listener in self.all
        ]
        until = time.monotonic() + OPEN_WITHIN_S
        while self.open_count < len(self.all) and time.monotonic() < until:
            time.sleep(0.05)
        return self

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
        listening = asyncio.all_tasks() - {asyncio.current_task()}
        for task in listening:
            task.cancel()
        await asyncio.gather(*listening, return_exceptions=True)

    async def _listen(self, listener: Listener) -> None:
        lost_at = 0.0
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                async with self._opening:
                    reader, writer, is_open = await self._open()
                if is_open:
                    if lost_at:
                        listener.away_s.append(time.monotonic() - lost_at)
                    self.open_count += 1
                    await self._hear(reader, listener)
                    self.open_count -= 1
                    lost_at = time.monotonic()
                writer.close()
            await asyncio.sleep(BACK_AFTER_S)

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter, bool]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, ssl=self._context)
        writer.write(f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        return reader, writer, b" 200 " in head.split(b"\r\n", 1)[0]

    async def _hear(self, reader: asyncio.StreamReader, listener: Listener) -> None:
        with contextlib.suppress(OSError):
            while piece := await reader.read(65_536):
                for found in VERSION.findall(piece):
                    listener.version = max(listener.version, int(found))
