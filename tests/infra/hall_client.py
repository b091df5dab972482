"""Asking a real server: plainly, or as a browser with cookies and forms, without redirects."""

import re
import urllib.error
import urllib.parse
import urllib.request
from http.cookiejar import CookieJar

TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def get(url: str, **headers: str) -> tuple[int, dict[str, str], str]:
    """Return status, headers in lower case, and text of a page."""
    try:
        answer = urllib.request.urlopen(urllib.request.Request(url, headers=headers), timeout=60)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        lowered = {name.lower(): value for name, value in answer.headers.items()}
        return answer.status, lowered, answer.read().decode()


class _Stay(urllib.request.HTTPRedirectHandler):
    """Hand redirects back: what a server acknowledged is in their status and address."""

    def redirect_request(self, *arguments, **named):
        return None


class HallClient:
    """One person's device. `get` and `post` return status and body; posts carry what forms do."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.location = ""
        self._token = ""
        self._opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(CookieJar()), _Stay()
        )

    def get(self, path: str) -> tuple[int, str]:
        status, text = self._ask(urllib.request.Request(self.base + path))
        token = TOKEN.search(text)
        self._token = token.group(1) if token else self._token
        return status, text

    def post(self, path: str, **fields: str) -> tuple[int, str]:
        sent = urllib.parse.urlencode({"csrfmiddlewaretoken": self._token, **fields})
        return self._ask(urllib.request.Request(self.base + path, data=sent.encode()))

    def _ask(self, request: urllib.request.Request) -> tuple[int, str]:
        try:
            with self._opener.open(request, timeout=20) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                self.location = error.headers.get("Location", "")
                return error.code, error.read().decode()
