"""A desk that sends a list of people, and another that works meanwhile, over HTTP."""

from __future__ import annotations

import http.client
import io
import re
import threading
import time
import urllib.parse
from typing import Any

import openpyxl

from bench._arbiters import SECRET
from tournaments.files.domain.sheets import csv_text

HEADINGS = ["Vorname", "Nachname", "E-Mail", "Telefon", "Mitglied", "Bemerkung"]
TOKEN = re.compile(rb'name="csrfmiddlewaretoken" value="(\w+)"')
PEOPLE = re.compile(rb'name="people" value="([^"]+)"')
BOUNDARY = "benchmark-of-imports"
PAUSE_SECONDS = 0.05


class Desk:
    """The browser of the director's laptop."""

    def __init__(self, port: int, device: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._device = f"krru_device={device}"

    def take_over(self, slug: str, kind: str, file: bytes) -> tuple[float, float]:
        """Send a list and confirm its preview; return the seconds of both."""
        path = f"/t/{slug}/einlesen/"
        status, page, cookie = self._ask("GET", path, self._device)
        cookie, token = f"{self._device}; {cookie}", TOKEN.findall(page)[0].decode()
        began = time.perf_counter()
        fields = {"csrfmiddlewaretoken": token}
        status, page, _cookie = self._ask("POST", path, cookie, fields, (f"liste.{kind}", file))
        preview = time.perf_counter() - began
        people = PEOPLE.search(page)
        if status != 200 or people is None:
            raise RuntimeError(f"A list was answered by {status}: {page[:2000]!r}")
        fields |= {"people": people[1].decode(), "is_listed": "on"}
        began = time.perf_counter()
        status, page, _cookie = self._ask("POST", f"{path}uebernehmen/", cookie, fields)
        if status != 302:
            raise RuntimeError(f"A preview was confirmed by {status}: {page[:2000]!r}")
        return preview, time.perf_counter() - began

    def _ask(
        self,
        method: str,
        path: str,
        cookie: str,
        fields: dict[str, str] | None = None,
        file: tuple[str, bytes] | None = None,
    ) -> tuple[int, bytes, str]:
        headers = {"Cookie": cookie, "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}
        self._connection.request(method, path, _body(fields or {}, file), headers)
        answer = self._connection.getresponse()
        page = answer.read()
        return answer.status, page, (answer.headers.get("Set-Cookie") or "").split(";")[0]


def _body(fields: dict[str, str], file: tuple[str, bytes] | None) -> bytes:
    """Return a form as multipart/form-data."""
    begin, disposition = f"--{BOUNDARY}\r\n", 'Content-Disposition: form-data; name="'
    parts = [f'{begin}{disposition}{key}"\r\n\r\n{value}\r\n' for key, value in fields.items()]
    if file is None:
        return ("".join(parts) + f"--{BOUNDARY}--\r\n").encode()
    head = f'{begin}{disposition}file"; filename="{file[0]}"\r\n\r\n'
    return ("".join(parts) + head).encode() + file[1] + f"\r\n--{BOUNDARY}--\r\n".encode()


class OtherDesk:
    """A second desk: it registers one person after another while a list is taken over."""

    def __init__(self, port: int, device: str, slug: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._cookie = f"krru_device={device}; csrftoken={SECRET}"
        self._path, self._stop = f"/t/{slug}/anmeldung/neu/", threading.Event()
        self._thread = threading.Thread(target=self._work)
        self._statuses: set[int] = set()
        self.worst = 0.0

    def __enter__(self) -> OtherDesk:
        self._register()
        self._thread.start()
        return self

    def __exit__(self, *details: object) -> None:
        self._stop.set()
        self._thread.join()
        if self._statuses != {200}:
            raise RuntimeError(f"The other desk was answered by {self._statuses}.")

    def _work(self) -> None:
        while not self._stop.is_set():
            self.worst = max(self.worst, self._register())
            self._stop.wait(PAUSE_SECONDS)

    def _register(self) -> float:
        """Register somebody; return the seconds it took."""
        name = f"Gast {time.monotonic_ns()}"
        body = urllib.parse.urlencode({"name": name, "is_listed": "on", "only": "1"})
        headers = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": self._cookie,
            "X-CSRFToken": SECRET,
            "HX-Request": "true",
        }
        began = time.perf_counter()
        self._connection.request("POST", self._path, body, headers)
        answer = self._connection.getresponse()
        answer.read()
        self._statuses.add(answer.status)
        return time.perf_counter() - began


def list_file(kind: str, rows: int) -> bytes:
    """Return a list of so many people as CSV or XLSX."""
    lines: list[list[Any]] = [HEADINGS]
    lines += [
        [f"Vorname{n}", f"Nachname{n:05}", f"person{n}@example.org", f"0660 {n:07}", "ja", "Rad"]
        for n in range(rows)
    ]
    if kind == "csv":
        return csv_text(lines).encode()
    book, out = openpyxl.Workbook(write_only=True), io.BytesIO()
    sheet = book.create_sheet()
    for line in lines:
        sheet.append(line)
    book.save(out)
    return out.getvalue()
