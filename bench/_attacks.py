"""What one hostile phone does to a server, in a process of its own and from one address.

Run as `python -m bench._attacks NAME PORT SLUG TOKEN SECONDS`; prints how often it was answered,
by status. `0` counts connections that the server hung up on. TOKEN is the cookie of a desk, for
the one attack that comes from a device of staff. Each attack is repeated as fast as it is answered.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import itertools
import json
import sys
import zipfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from urllib.parse import urlencode

from bench._arbiters import SECRET
from bench._rush import name_of
from bench._streams import raise_open_files

ADDRESS = "127.0.0.2"
FIELDS, MULTIPART_BYTES, ENDLESS_BYTES, SILENT = 60_000, 5_000_000, 200_000_000, 1100
ROWS = 1_048_574
PAUSE_S = 0.01  # before somebody who was hung up on comes again
FORM = "application/x-www-form-urlencoded"
BOUNDARY = "x" * 16
Requests = Iterator[bytes]


class Phone:
    """Where it sends to, and what it was answered."""

    def __init__(self, port: int, slug: str, token: str) -> None:
        self.port, self.slug, self.token = port, slug, token
        self.answers: Counter[int] = Counter()

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=(ADDRESS, 0))

    async def keep_asking(self, requests: Requests) -> None:
        """Send one request after another on a kept connection, which is opened anew if it ends."""
        while True:
            try:
                reader, writer = await self.connect()
                for request in requests:
                    writer.write(request)
                    await writer.drain()
                    self.answers[await _answer(reader)] += 1
            except (OSError, asyncio.IncompleteReadError, ValueError):
                self.answers[0] += 1
                await asyncio.sleep(PAUSE_S)

    async def endless_head(self) -> None:
        """Send headers without an end."""
        line = b"X-Long: " + b"x" * 60_000 + b"\r\n"
        sent = 0
        while sent < ENDLESS_BYTES:
            try:
                _reader, writer = await self.connect()
                writer.write(b"GET / HTTP/1.1\r\nHost: [::1]\r\n")
                while sent < ENDLESS_BYTES:
                    writer.write(line)
                    await writer.drain()
                    sent += len(line)
            except OSError:
                self.answers[0] += 1
                await asyncio.sleep(PAUSE_S)

    async def say_nothing(self) -> None:
        """Hold a connection open, and open another whenever it is ended."""
        while True:
            try:
                reader, _writer = await self.connect()
                await reader.read()
            except OSError:
                pass
            self.answers[0] += 1
            await asyncio.sleep(1)


async def _answer(reader: asyncio.StreamReader) -> int:
    head = await reader.readuntil(b"\r\n\r\n")
    lines = head.decode("latin-1").split("\r\n")
    fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
    await reader.readexactly(int(fields["content-length"]))
    return int(lines[0].split()[1])


def _get(path: str) -> Requests:
    head = f"GET {path} HTTP/1.1\r\nHost: [::1]\r\nAccept-Encoding: gzip\r\n\r\n"
    return itertools.repeat(head.encode())


def _post(path: str, body: bytes, kind: str = FORM, cookie: str = "") -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: [::1]\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nX-CSRFToken: {SECRET}\r\n"
        f"Cookie: csrftoken={SECRET}{cookie}\r\n\r\n"
    )
    return head.encode() + body


def _forms(path: str) -> Requests:
    return itertools.repeat(_post(path, urlencode({f"f{at}": "" for at in range(FIELDS)}).encode()))


def _multipart(path: str, parts: bytes, **own: str) -> bytes:
    body = parts + f"--{BOUNDARY}--\r\n".encode()
    return _post(path, body, f"multipart/form-data; boundary={BOUNDARY}", **own)


def _part(name: str, rest: str = "") -> bytes:
    return f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{rest}\r\n\r\n'.encode()


def _registrations(slug: str) -> Requests:
    for number in itertools.count():
        said = {"name": name_of(number), "is_listed": "on", "agrees_to_rules": "on"}
        yield _post(f"/t/{slug}/anmelden/", urlencode({**said, "is_other": "alike"}).encode())


def workbook() -> bytes:
    """Return a workbook of a million rows that hold nothing, in some KB."""
    import openpyxl

    empty, made = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(empty)
    rows = "".join(f'<row r="{number}"/>' for number in range(1, ROWS))
    space = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    sheet = f'<worksheet xmlns="{space}"><sheetData>{rows}</sheetData></worksheet>'
    with (
        zipfile.ZipFile(empty) as source,
        zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as target,
    ):
        for name in source.namelist():
            is_sheet = name == "xl/worksheets/sheet1.xml"
            target.writestr(name, sheet if is_sheet else source.read(name))
    return made.getvalue()


def _workbooks(phone: Phone) -> Requests:
    part = _part("file", '; filename="l.xlsx"') + workbook() + b"\r\n"
    cookie = f"; krru_device={phone.token}"
    return itertools.repeat(_multipart(f"/t/{phone.slug}/einlesen/", part, cookie=cookie))


def _many(count: int, phone: Phone, requests: Callable[[], Requests]) -> list[Awaitable[None]]:
    return [phone.keep_asking(requests()) for _ in range(count)]


def _parts(slug: str) -> Requests:
    part = _part("f") + b"x" * 16 + b"\r\n"
    return itertools.repeat(
        _multipart(f"/t/{slug}/anmelden/", part * (MULTIPART_BYTES // len(part)))
    )


def _registering(phone: Phone) -> list[Awaitable[None]]:
    people = _registrations(phone.slug)
    return _many(8, phone, lambda: people)


ATTACKS: dict[str, Callable[[Phone], list[Awaitable[None]]]] = {
    "forms": lambda phone: [
        *_many(2, phone, lambda: _forms(f"/t/{phone.slug}/anmelden/")),
        *_many(2, phone, lambda: _forms("/nirgends/")),
    ],
    "multipart": lambda phone: _many(4, phone, lambda: _parts(phone.slug)),
    "workbook": lambda phone: _many(2, phone, lambda: _workbooks(phone)),
    "headers": lambda phone: [phone.endless_head()],
    "silent": lambda phone: [phone.say_nothing() for _ in range(SILENT)],
    "draws": lambda phone: _many(150, phone, lambda: _get(f"/t/{phone.slug}/auslosung/")),
    "codes": lambda phone: _many(8, phone, lambda: itertools.repeat(_post("/leinwand/", b""))),
    "registrations": _registering,
    "swagger": lambda phone: _many(24, phone, lambda: _get("/api/v1/docs/swagger-ui-bundle.js")),
}


async def _attack(name: str, phone: Phone, seconds: float) -> None:
    running = asyncio.gather(*ATTACKS[name](phone))
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(running, seconds)


def main(arguments: list[str]) -> None:
    """Attack for so long, and print the answers."""
    name, port, slug, token, seconds = arguments
    raise_open_files()
    phone = Phone(int(port), slug, token)
    asyncio.run(_attack(name, phone, float(seconds)))
    print(json.dumps(phone.answers))


if __name__ == "__main__":
    main(sys.argv[1:])
