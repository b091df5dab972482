"""One hostile phone against a server: one process, one address.

Run as `python -m bench._attacks NAME PORT SLUG SECONDS [https]`. Each attack repeats as fast as the
server answers.
"""

import asyncio
import contextlib
import itertools
import sys
from collections.abc import Awaitable, Callable, Iterator
from typing import Any
from urllib.parse import urlencode

from bench._clients import FORM, SECRET, name_of
from bench._harness import raise_open_files
from krru.devtools.serving import trusting

ADDRESS = "127.0.0.2"
FIELDS, MULTIPART_BYTES, SILENT = 60_000, 5_000_000, 1100
PAUSE_S = 0.01  # pause before a rejected client reconnects
BOUNDARY = "x" * 16
ENDLESS = b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + (b"X-Long: " + b"x" * 60_000 + b"\r\n") * 1000
Requests = Iterator[bytes]


async def _asking(port: int, requests: Requests, context: Any) -> None:
    """Send requests on a kept connection; reconnect when it closes."""
    while True:
        try:
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(ADDRESS, 0), ssl=context
            )
            for request in requests:
                writer.write(request)
                await writer.drain()
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
                length = head.partition("content-length: ")[2].partition("\r\n")[0]
                await reader.readexactly(int(length))
        except (OSError, asyncio.IncompleteReadError, ValueError):
            await asyncio.sleep(PAUSE_S)


def _get(path: str) -> Requests:
    return itertools.repeat(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())


def _post(path: str, body: bytes, kind: str = FORM) -> bytes:
    head = (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nX-CSRFToken: {SECRET}\r\n"
        f"Cookie: csrftoken={SECRET}\r\n\r\n"
    )
    return head.encode() + body


def _fields(path: str) -> Requests:
    return itertools.repeat(_post(path, urlencode({f"f{at}": "" for at in range(FIELDS)}).encode()))


def _parts(path: str) -> Requests:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="f"\r\n\r\n'
    part = head.encode() + b"x" * 16 + b"\r\n"
    body = part * (MULTIPART_BYTES // len(part)) + f"--{BOUNDARY}--\r\n".encode()
    return itertools.repeat(_post(path, body, f"multipart/form-data; boundary={BOUNDARY}"))


def _registrations(path: str) -> Requests:
    for number in itertools.count():
        said = {"name": name_of(number), "is_listed": "on", "agrees_to_rules": "on"}
        yield _post(path, urlencode({**said, "is_other": "alike"}).encode())


ATTACKS: dict[str, Callable[[str], list[Requests]]] = {
    "forms": lambda page: [_fields(f"{page}anmelden/")] * 2 + [_fields("/nirgends/")] * 2,
    "multipart": lambda page: [_parts(f"{page}anmelden/")] * 4,
    "headers": lambda _page: [itertools.repeat(ENDLESS)] * 4,
    "silent": lambda _page: [itertools.repeat(b"GET /")] * SILENT,
    "draws": lambda page: [_get(f"{page}auslosung/")] * 150,
    "codes": lambda _page: [itertools.repeat(_post("/leinwand/", b""))] * 8,
    "registrations": lambda page: [_registrations(f"{page}anmelden/")] * 8,
}


async def _attack(port: int, requests: list[Requests], seconds: float, context: Any) -> None:
    running: list[Awaitable[None]] = [_asking(port, one, context) for one in requests]
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*running), seconds)


def main(name: str, port: str, slug: str, seconds: str, scheme: str = "http") -> None:
    raise_open_files()
    requests, context = ATTACKS[name](f"/t/{slug}/"), trusting() if scheme == "https" else None
    asyncio.run(_attack(int(port), requests, float(seconds), context))


if __name__ == "__main__":
    main(*sys.argv[1:])
