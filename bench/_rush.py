"""A crowd at the tournament page: so many clients, each doing one thing after another."""

from __future__ import annotations

import http.client
import random
import re
import threading
import time
import urllib.parse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
FORM = "application/x-www-form-urlencoded"

SYLLABLES = [one + other for one in "bdfgklmnprst" for other in "aeiou"]


def name_of(number: int) -> str:
    """Return somebody's name: no two the same, some alike, as in any crowd."""
    drawn = random.Random(number)
    first, last = ("".join(drawn.choices(SYLLABLES, k=drawn.randint(2, 3))) for _ in range(2))
    count, letters = number, ""
    while count:
        count, rest = divmod(count, len(SYLLABLES))
        letters += SYLLABLES[rest]
    return f"{first} {last}{letters}".title()


@dataclass(slots=True)
class Crowd:
    """What a crowd met: how long each answer took, by kind."""

    seconds: float = 0.0
    times_ms: dict[str, list[float]] = field(default_factory=dict)

    def rate(self, kind: str) -> float:
        """Return the answers of a kind a second."""
        return len(self.times_ms.get(kind, ())) / self.seconds


class Client:
    """One browser: a kept connection, its cookie, its form token."""

    def __init__(self, port: int, crowd: Crowd) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._crowd, self._cookie, self._token = crowd, "", ""

    @property
    def has_token(self) -> bool:
        return bool(self._token)

    def get(self, path: str) -> str:
        """Open a page and keep its token."""
        text = self._ask("page", "GET", path)[1]
        found = TOKEN.search(text)
        self._token = found[1] if found else self._token
        return text

    def post(self, kind: str, path: str, **fields: str) -> int:
        """Send a form; return the status. One that was not taken counts as `asked`."""
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": self._token, **fields})
        return self._ask(kind, "POST", path, body)[0]

    def _ask(self, kind: str, method: str, path: str, body: str | None = None) -> tuple[int, str]:
        headers = {"Cookie": self._cookie} | ({"Content-Type": FORM} if body else {})
        began = time.perf_counter()
        self._connection.request(method, path, body, headers)
        answer = self._connection.getresponse()
        text = answer.read().decode()
        taken_ms = 1000 * (time.perf_counter() - began)
        kind = kind if answer.status < 400 else "asked"
        self._crowd.times_ms.setdefault(kind, []).append(taken_ms)
        for line in answer.headers.get_all("Set-Cookie") or ():
            self._cookie = line.split(";")[0]
        return answer.status, text


def crowd(
    port: int,
    clients: int,
    people: Iterator[int],
    act: Callable[[Client, int], None],
    first: Callable[[Client], object] = lambda client: None,
) -> Crowd:
    """Let clients take one person after another from `people` until there is nobody left.

    What each does `first` is not timed.
    """
    met, lock = Crowd(), threading.Lock()
    ready = threading.Barrier(clients + 1)

    def work() -> None:
        client = Client(port, met)
        first(client)
        ready.wait()
        while True:
            with lock:
                number = next(people, None)
            if number is None:
                return
            act(client, number)

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    ready.wait()
    met.times_ms.clear()
    began = time.perf_counter()
    for thread in threads:
        thread.join()
    met.seconds = time.perf_counter() - began
    return met
