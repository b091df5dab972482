"""Observers of a harmed cluster: a page requested continuously, and open streams.

A stream behaves like a browser's: on its own TLS connection, reconnecting after the given pause.
Run as `python -m bench._watchers PORT PATH COUNT`, which keeps that many and reports on them for
each line it reads. Phones share no code with the scripts.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import uvloop

from bench._clients import Client
from krru.data.folder import BASE_DIR
from krru.devtools.serving import trusting

PAGE_EVERY_S = 0.05
EACH, AT_ONCE = 1000, 20
VERSION = re.compile(rb'(?:^id: |"version":)(\d+)', re.MULTILINE)
RETRY = re.compile(rb"^retry: (\d+)", re.MULTILINE)
# After a refusal the browser stops; the page retries after this time.
REFUSED_S, UNTOLD_S = 2.0, 1.0


Page = tuple[float, float, int]
"""Time of request and answer, and its status (0: no answer)."""


class Visitor(threading.Thread):
    """Request a page through the proxy, again and again."""

    def __init__(self, port: int, path: str) -> None:
        super().__init__(daemon=True)
        self.pages: list[Page] = []
        self._port, self._path, self._stopping = port, path, threading.Event()
        self.start()

    def run(self) -> None:
        while not self._stopping.wait(PAGE_EVERY_S):
            began, client = time.monotonic(), Client(self._port, is_https=True)
            status, _text = client.tried("GET", self._path)
            client.close()
            self.pages.append((began, time.monotonic(), status))

    def stop(self) -> list[Page]:
        self._stopping.set()
        self.join(30)
        return self.pages


class PhoneStream:
    """One phone with one stream: the last version heard, and its times away."""

    def __init__(self) -> None:
        self.version, self.is_open = 0, False
        self.away_s: list[float] = []
        self._lost_at, self._pause_s = 0.0, UNTOLD_S

    async def listen(self, port: int, request: bytes, context: Any, slots: Any) -> None:
        """Keep the stream open, whatever happens."""
        while True:
            try:
                async with slots:
                    reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context)
                    writer.write(request)
                    head = await reader.readuntil(b"\r\n\r\n")
                if b" 200 " in head[:16]:
                    await self._hear(reader)
                else:
                    self._pause_s = REFUSED_S
                writer.close()
            except (OSError, asyncio.IncompleteReadError):
                pass
            if self.is_open:
                self.is_open, self._lost_at = False, time.monotonic()
            await asyncio.sleep(self._pause_s)

    async def _hear(self, reader: asyncio.StreamReader) -> None:
        while piece := await reader.read(65_536):
            for found in VERSION.findall(piece):
                self.version = max(self.version, int(found))
            if told := RETRY.search(piece):
                self._pause_s = int(told[1]) / 1000
            if not self.is_open:
                self.is_open = True
                if self._lost_at:
                    self.away_s.append(time.monotonic() - self._lost_at)


class Listeners:
    """Open streams through the proxy, a thousand in each process."""

    def __init__(self, port: int, path: str, count: int) -> None:
        parts = [min(EACH, count - first) for first in range(0, count, EACH)]
        self._processes = [
            subprocess.Popen(
                [sys.executable, "-m", "bench._watchers", str(port), path, str(part)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=BASE_DIR,
            )
            for part in parts
        ]  # fmt: skip

    def lacking(self, wanted: Callable[[dict[str, int]], bool], seconds: float) -> int:
        """Return the number not as wanted, waiting at most `seconds`."""
        until = time.monotonic() + seconds
        while lacking := sum(not wanted(one) for one in self.told("phones")):
            if time.monotonic() > until:
                break
            time.sleep(0.2)
        return lacking

    def told(self, what: str) -> list[Any]:
        """Return the phones' report: the state of each, or each absence."""
        for process in self._processes:
            process.stdin.write("state\n")
            process.stdin.flush()
        lines = [process.stdout.readline() for process in self._processes]
        return [one for line in lines for one in json.loads(line)[what]]

    def stop(self) -> None:
        for process in self._processes:
            process.communicate(timeout=60)


def main(port: int, path: str, count: int) -> None:
    """Keep phones, and report on them for each input line; end with the input."""
    loop, phones = uvloop.new_event_loop(), [PhoneStream() for _ in range(count)]
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()

    async def listen() -> None:
        slots, context = asyncio.Semaphore(AT_ONCE), trusting()
        await asyncio.gather(*(one.listen(port, request, context, slots) for one in phones))

    asyncio.run_coroutine_threadsafe(listen(), loop)
    threading.Thread(target=loop.run_forever, daemon=True).start()
    for _line in sys.stdin:
        state = {
            "phones": [{"is_open": one.is_open, "version": one.version} for one in phones],
            "away_s": [away for one in phones for away in one.away_s],
        }
        print(json.dumps(state), flush=True)
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
