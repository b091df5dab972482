"""Clients of a server: one browser without a screen, a crowd of them, thousands of streams."""

import http.client
import itertools
import random
import selectors
import socket
import threading
import time
import urllib.parse
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Self

from krru.devtools.serving import trusting

SECRET = "k" * 32
FORM = "application/x-www-form-urlencoded"
GREETING = b"event: hello"
OPENED_AT_ONCE, PIECE, PATIENCE_S = 500, 65_536, 20.0
SYLLABLES = [one + other for one in "bdfgklmnprst" for other in "aeiou"]


class Client:
    """A browser of a signed-in device or of a stranger, on a kept connection."""

    def __init__(
        self, port: int, token: str = "", *, address: str = "", is_https: bool = False
    ) -> None:
        kind = http.client.HTTPSConnection if is_https else http.client.HTTPConnection
        own: Any = {"context": trusting()} if is_https else {}
        self._connection = kind(
            "127.0.0.1", port, timeout=PATIENCE_S, source_address=(address, 0), **own
        )
        device = f"; krru_device={token}" if token else ""
        self._headers = {"Cookie": f"csrftoken={SECRET}{device}", "X-CSRFToken": SECRET}
        self._headers["Referer"] = "https://127.0.0.1/"  # asked for on https
        self.close = self._connection.close

    def __del__(self) -> None:
        self.close()

    def send(self, method: str, path: str, fields: Any = (), **headers: str) -> float:
        """Send a form or a body without waiting for the answer; return the instant."""
        own, body = {"Content-Type": FORM} | self._headers | headers, None
        if method == "POST":
            body = fields if isinstance(fields, str) else urllib.parse.urlencode(fields)
        began = time.perf_counter()
        self._connection.request(method, path, body, own)
        return began

    def answer(self) -> tuple[int, str]:
        answer = self._connection.getresponse()
        return answer.status, answer.read().decode(errors="replace")

    def ask(self, method: str, path: str, **fields: str) -> tuple[int, str]:
        self.send(method, path, fields)
        return self.answer()

    def tried(self, method: str, path: str, fields: Any = (), **headers: str) -> tuple[int, str]:
        """Send a request; return 0 without an answer."""
        try:
            self.send(method, path, fields, **headers)
            return self.answer()
        except (OSError, http.client.HTTPException) as problem:
            self.close()
            return 0, repr(problem)

    def press(self, path: str, **fields: str) -> None:
        """Press a button as htmx does; fail if refused."""
        self.send("POST", path, fields, **{"HX-Request": "true"})
        good(self.answer())


def good(answer: tuple[int, str]) -> str:
    """Return the text of an answer.

    :raises RuntimeError: It is a refusal.
    """
    if answer[0] >= 400:
        raise RuntimeError(f"{answer[0]}: {answer[1][:500]}")
    return answer[1]


class Crowd:
    """Several clients in parallel; records the time of each request, by kind."""

    def __init__(self) -> None:
        self.times_ms: dict[str, list[float]] = defaultdict(list)
        self.seconds = 0.0

    def go(
        self, ports: list[int], clients: int, things: int, act: Callable[[Any, Client, int], None]
    ) -> Self:
        """Work off all things with the clients, spread over the ports."""
        numbers, lock = iter(range(things)), threading.Lock()

        def work(port: int) -> None:
            client = Client(port)
            while True:
                with lock:
                    number = next(numbers, None)
                if number is None:
                    return
                act(self, client, number)

        each = itertools.islice(itertools.cycle(ports), clients)
        self.seconds = timed_threads([partial(work, port) for port in each])
        return self

    def timed(self, kind: str, asked: Callable[[], tuple[int, str]]) -> int:
        """Send a request, record its time, return its status; refusals are `refused`."""
        began = time.perf_counter()
        status, _text = asked()
        took = (time.perf_counter() - began) * 1000
        self.times_ms[kind if status < 400 else "refused"].append(took)
        return status

    def rate(self, kind: str) -> float:
        return len(self.times_ms[kind]) / self.seconds


def timed_threads(work: list[Callable[[], Any]]) -> float:
    """Run all in parallel; return the seconds until the last is done."""
    began = time.perf_counter()
    with ThreadPoolExecutor(len(work)) as pool:
        for running in [pool.submit(one) for one in work]:
            running.result()
    return time.perf_counter() - began


def name_of(number: int) -> str:
    """Return a person's name: unique, some of them similar, as in any crowd."""
    drawn = random.Random(number)
    first, last = ("".join(drawn.choices(SYLLABLES, k=drawn.randint(2, 3))) for _ in range(2))
    letters = ""
    while number:
        number, rest = divmod(number, len(SYLLABLES))
        letters += SYLLABLES[rest]
    return f"{first} {last}{letters}".title()


class Streams:
    """Open streams of one path, read by plain sockets in one loop, as cheaply as possible.

    Client and server share the cores: time spent here is lost to the server.
    """

    def __init__(self, port: int, path: str, address: str = "127.0.0.1") -> None:
        self._address, self._from = ("127.0.0.1", port), (address, 0)
        self._request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        self._selector = selectors.DefaultSelector()
        self._buffer = bytearray(PIECE)

    def open(self, count: int) -> Self:
        """Open streams, some hundred at a time, until each has its first event."""
        for start in range(0, count, OPENED_AT_ONCE):
            fresh = min(OPENED_AT_ONCE, count - start)
            for _ in range(fresh):
                sock = socket.create_connection(self._address, PATIENCE_S, self._from)
                sock.sendall(self._request)
                sock.setblocking(False)
                self._selector.register(sock, selectors.EVENT_READ)
            if len(self.receive(GREETING, fresh, PATIENCE_S)) < fresh:
                raise RuntimeError(f"Not all of {count} streams were opened.")
        return self

    def receive(self, wanted: bytes, count: int, seconds: float) -> list[float]:
        """Read until `count` streams have `wanted`; return the instants (time.perf_counter).

        Each piece is searched alone: `wanted` is short and arrives in one piece.
        """
        received: list[float] = []
        buffer, until = self._buffer, time.perf_counter() + seconds
        while len(received) < count and (left := until - time.perf_counter()) > 0:
            for key, _ in self._selector.select(left):
                length = key.fileobj.recv_into(buffer)
                if not length:
                    raise RuntimeError("The server closed a stream.")
                if buffer.find(wanted, 0, length) >= 0:
                    received.append(time.perf_counter())
        return received

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_details: object) -> None:
        for key in list(self._selector.get_map().values()):
            key.fileobj.close()
        self._selector.close()
