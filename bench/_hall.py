"""What benchmarks do to a server of their own: sign in, press buttons, look at the sample."""

from __future__ import annotations

import http.client
import json
import re
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar
from typing import Any

from krru.devtools.serving import ServerProcess

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')
SAMPLE = re.compile(r'href="(/t/[\w-]+/)')
STREAM = re.compile(r'data-stream="([^"]+)"')


class Director:
    """The director's laptop, at the sample evening of a running server."""

    def __init__(self, server: ServerProcess) -> None:
        self._server = server
        self._jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))
        link = server.manage("directorlink", "--base", server.url).stdout.strip()
        found = TOKEN.search(self.get(link.removeprefix(server.url)))
        assert found is not None
        self._token = found[1]
        self._form(link, name="Dora")
        home = SAMPLE.search(self.get("/"))
        assert home is not None
        self.event = home[1]
        page = self.get(self.event + "leitung/")
        again, stream = TOKEN.search(page), STREAM.search(page)
        if again is not None:
            self._token = again[1]
        assert stream is not None
        self.stream = stream[1]

    def get(self, path: str) -> str:
        with self._opener.open(self._server.url + path, timeout=30) as answer:
            return answer.read().decode()

    def state(self) -> dict[str, Any]:
        """Return what a big screen fetches."""
        return json.loads(self.get(f"{self.event}screen/state.json"))

    def voice_after_s(self) -> float:
        """Return how long after the usual signal a screen begins to speak."""
        sounds = json.loads(self.get(self.state()["sounds"]["urls"]["de"]))
        return float(sounds["signals"]["gong"]["voice_after"]) / 1000

    def claim(self, code: str) -> None:
        """Take in the big screen that shows a code."""
        self._form(f"{self._server.url}{self.event}leinwaende/code/", code=code, name="Messung")

    def _form(self, url: str, **fields: str) -> None:
        sent = urllib.parse.urlencode({"csrfmiddlewaretoken": self._token, **fields})
        with self._opener.open(url, data=sent.encode(), timeout=30) as answer:
            answer.read()

    def press(self, control: str, **fields: str) -> http.client.HTTPConnection:
        """Press a control of the clock (start, pause, stellen …), without waiting for the answer.

        Give what comes back to `answered`.
        """
        body = urllib.parse.urlencode({"csrfmiddlewaretoken": self._token, **fields})
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._jar)
        connection = http.client.HTTPConnection("127.0.0.1", self._server.port, timeout=60)
        connection.request(
            "POST",
            f"{self.event}leitung/uhr/{control}/",
            body,
            {"Content-Type": "application/x-www-form-urlencoded", "Cookie": cookies},
        )
        return connection


def answered(connection: http.client.HTTPConnection) -> None:
    """Read the answer to a control that was pressed.

    :raises RuntimeError: it was refused.
    """
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    if answer.status >= 400:
        raise RuntimeError(f"{answer.status}: {text[:500]}")
