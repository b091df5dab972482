"""What the attackers of `bench.attackers` share: a browser without a page, and a list of doors."""

from __future__ import annotations

import http.client
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass, field

from krru.devtools.serving import ServerProcess

TOKEN = "k" * 32
COOKIE = "krru_device"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    text: str
    where: str
    cookies: dict[str, str]


@dataclass(slots=True)
class Doors:
    """What was tried, and what opened."""

    who: str
    tried: int = 0
    opened: list[str] = field(default_factory=list)

    def holds(self, name: str, *, is_shut: bool) -> None:
        """Note one try; a door that is not shut is named."""
        self.tried += 1
        if not is_shut:
            self.opened.append(f"{self.who}: {name}")


@dataclass(slots=True)
class Browser:
    """Somebody's browser: it forges the token of forms, as the owner of any browser can."""

    server: ServerProcess
    device: str = ""

    def get(self, path: str, *, host: str = "") -> Answer:
        return self._ask("GET", path, None, host)

    def post(self, path: str, form: Mapping[str, str] | None = None, *, host: str = "") -> Answer:
        fields = {"csrfmiddlewaretoken": TOKEN, **(form or {})}
        return self._ask("POST", path, urllib.parse.urlencode(fields), host)

    def _ask(self, method: str, path: str, body: str | None, host: str) -> Answer:
        headers = {"Cookie": f"csrftoken={TOKEN}; {COOKIE}={self.device}"}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if host:
            headers["Host"] = host
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=60)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            text = response.read().decode("utf-8", "replace")
            cookies = {}
            for line in response.headers.get_all("Set-Cookie") or ():
                name, _, value = line.split(";")[0].partition("=")
                cookies[name] = value
            return Answer(response.status, text, response.headers.get("Location", ""), cookies)
        finally:
            connection.close()
