"""A stream as a browser keeps it: on one connection of HTTP/2, and again after the told pause.

When a process behind the proxy dies, only the stream ends and the connection stays: coming back
costs no handshake. Client and servers share the cores, so of HTTP/2 there is what this takes.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import ssl
import struct
import sys
import threading
import time
from collections import Counter
from typing import Any

import uvloop

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
END_STREAM, END_HEADERS, ACK = 1, 4, 1
INITIAL_WINDOW_SIZE, LARGEST_WINDOW, FIRST_WINDOW = 4, 2**31 - 1, 65_535
# The answer's first field, as the static table of HPACK has it: `:status: 200`.
STATUS_200 = b"\x88"
VERSION = re.compile(rb'(?:^id: |"version":)(\d+)', re.MULTILINE)
RETRY = re.compile(rb"^retry: (\d+)", re.MULTILINE)
# A browser that was refused leaves the matter to the page, which waits so long (`live.js`).
REFUSED_S, UNTOLD_S = 2.0, 1.0
# Handshakes at once: of ten processes of phones, two hundred.
AT_ONCE = 20


def trusting() -> ssl.SSLContext:
    """Return what takes any certificate: the proxy is known by its port."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def frame(kind: int, flags: int, stream: int, payload: bytes = b"") -> bytes:
    """Return a frame of HTTP/2 (RFC 9113, section 4.1)."""
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


def _text(text: str) -> bytes:
    """Return a string of HPACK without compression (RFC 7541, section 5.2)."""
    data, length = text.encode("ascii"), len(text)
    if length < 127:
        return bytes([length]) + data
    head, length = bytearray([127]), length - 127
    while length >= 128:
        head.append(length % 128 + 128)
        length //= 128
    return bytes([*head, length]) + data


def asked_for(path: str, host: str) -> bytes:
    """Return the fields of a request for a path over https."""
    method_get, scheme_https, named_path, named_host = b"\x82", b"\x87", b"\x04", b"\x01"
    return method_get + scheme_https + named_path + _text(path) + named_host + _text(host)


class PhoneStream(asyncio.Protocol):
    """One phone with one stream: what it has heard, and for how long it was away."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, port: int, path: str, context: ssl.SSLContext
    ) -> None:
        self.version = 0
        self.away_s: list[float] = []
        self.is_open = False
        self._loop, self._port, self._context = loop, port, context
        self._fields = asked_for(path, "127.0.0.1")
        self._transport: Any = None
        self._buffer = bytearray()
        self._next, self._retry_s, self._lost_at = 1, UNTOLD_S, 0.0
        # What is heard comes on this one; none while it waits to ask again.
        self._stream: int | None = None

    @property
    def state(self) -> str:
        """Return how it fares: `open`, or what it does to come back."""
        if self.is_open:
            return "open"
        if self._transport is None:
            return "connecting"
        return "waiting" if self._stream is None else "asking"

    async def connect(self) -> None:
        """Open a connection, and the stream on it; try again until it is there."""
        while True:
            try:
                await self._loop.create_connection(
                    lambda: self, "127.0.0.1", self._port, ssl=self._context
                )
            except OSError:
                await asyncio.sleep(self._retry_s)
            else:
                return

    def connection_made(self, transport: Any) -> None:
        self._transport, self._next = transport, 1
        self._buffer.clear()
        window = struct.pack(">HI", INITIAL_WINDOW_SIZE, LARGEST_WINDOW)
        more = struct.pack(">I", LARGEST_WINDOW - FIRST_WINDOW)
        transport.write(PREFACE + frame(SETTINGS, 0, 0, window) + frame(WINDOW_UPDATE, 0, 0, more))
        self._ask(transport)

    def connection_lost(self, _error: Exception | None) -> None:
        self._transport = self._stream = None
        self._lose()
        self._loop.call_later(self._retry_s, lambda: self._loop.create_task(self.connect()))

    def data_received(self, data: bytes) -> None:
        buffer = self._buffer
        buffer += data
        while len(buffer) >= 9:
            length = int.from_bytes(buffer[:3], "big")
            if len(buffer) < 9 + length:
                return
            kind, flags = buffer[3], buffer[4]
            stream = int.from_bytes(buffer[5:9], "big")
            payload = bytes(buffer[9 : 9 + length])
            del buffer[: 9 + length]
            self._take(kind, flags, stream, payload)

    def _take(self, kind: int, flags: int, stream: int, payload: bytes) -> None:
        if kind in {SETTINGS, PING} and not flags & ACK:
            self._transport.write(frame(kind, ACK, 0, payload if kind == PING else b""))
        elif kind == GOAWAY:
            self._transport.close()
        elif stream == self._stream:
            self._hear(kind, flags, payload)

    def _hear(self, kind: int, flags: int, payload: bytes) -> None:
        if kind == HEADERS and payload[:1] != STATUS_200:
            self._come_back(REFUSED_S * (0.5 + random.random()))
        elif kind == DATA:
            for found in VERSION.findall(payload):
                self.version = max(self.version, int(found))
            if told := RETRY.search(payload):
                self._retry_s = int(told[1]) / 1000
            if not self.is_open and payload:
                self._greeted()
        if kind == RST_STREAM or (kind in {DATA, HEADERS} and flags & END_STREAM):
            self._come_back(self._retry_s)

    def _greeted(self) -> None:
        self.is_open = True
        if self._lost_at:
            self.away_s.append(time.monotonic() - self._lost_at)

    def _lose(self) -> None:
        if self.is_open:
            self.is_open, self._lost_at = False, time.monotonic()

    def _come_back(self, after_s: float) -> None:
        """Ask once more, on the same connection. What still comes of the last answer is nothing."""
        self._lose()
        if self._stream is not None:
            self._stream = None
            self._loop.call_later(after_s, self._ask, self._transport)

    def _ask(self, transport: Any) -> None:
        """Open the stream, unless the connection has gone meanwhile."""
        if transport is not self._transport or transport.is_closing():
            return
        self._stream, self._next = self._next, self._next + 2
        transport.write(frame(HEADERS, END_STREAM | END_HEADERS, self._stream, self._fields))


def main(port: int, path: str, count: int) -> None:
    """Keep phones, and tell how they fare for each line that is asked; end with the last line."""
    context = trusting()
    context.set_alpn_protocols(["h2"])
    loop = uvloop.new_event_loop()
    phones = [PhoneStream(loop, port, path, context) for _ in range(count)]

    async def open_all() -> None:
        for start in range(0, count, AT_ONCE):
            await asyncio.gather(*(one.connect() for one in phones[start : start + AT_ONCE]))

    threading.Thread(target=loop.run_forever, daemon=True).start()
    asyncio.run_coroutine_threadsafe(open_all(), loop)
    for _line in sys.stdin:
        state = {
            "away_s": [away for one in phones for away in one.away_s],
            "phones": Counter(f"{one.version} {one.state}" for one in phones),
        }
        print(json.dumps(state), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
