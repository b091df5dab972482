"""One phone's connections, or one spreadsheet, take neither memory, descriptors nor the evening."""

import asyncio
import io
import os
import resource
import socket
import subprocess
import sys
import threading
import time
import zipfile

import openpyxl
import pytest
import uvicorn

from clock.stream import stream_url
from krru import asgi
from krru.web import connections
from krru.web.connections import BoundedProtocol
from tests.domain.files import rows_of
from tournaments.papers import reading
from tournaments.papers.domain.sheets import LONGEST_CELL, SheetError

ASK = b"GET / HTTP/1.1\r\nHost: [::1]\r\n"


async def app(scope, receive, send):
    while scope["method"] == "POST" and (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"ok"})


@pytest.fixture
def port(monkeypatch):
    """A server with these bounds, the time for a head cut short."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.8)
    monkeypatch.setattr(connections, "is_counted", lambda address: True)
    monkeypatch.setattr(connections.open_connections, "most", 3)
    sock = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_config=None, lifespan="off", http=BoundedProtocol)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [sock]})
    thread.start()
    yield sock.getsockname()[1]
    server.should_exit = True
    thread.join()
    assert not connections.open_connections.open


def call(port):
    return socket.create_connection(("127.0.0.1", port), timeout=10)


def answer(client):
    """Return all that comes until the server hangs up, or until a body of two letters."""
    got = b""
    try:
        while part := client.recv(4096):
            got += part
            if got.endswith((b"ok", b"ok\r\n0\r\n\r\n")):
                break
    except ConnectionError:
        pass
    return got


def test_endless_headers_are_refused(port):
    with call(port) as client:
        client.sendall(ASK)
        try:
            for number in range(2_000):
                client.sendall(b"X-%d: %s\r\n" % (number, b"x" * 1000))
        except ConnectionError:
            return
        assert b" 431 " in answer(client)


def test_a_long_body_is_no_head(port):
    with call(port) as client:
        client.sendall(
            b"POST / HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 200000\r\n\r\n" + b"x" * 9
        )
        time.sleep(1)  # longer than a head may take
        client.sendall(b"x" * (200_000 - 9))
        assert b" 200 " in answer(client)
        client.sendall(ASK + b"\r\n")
        assert b" 200 " in answer(client)


@pytest.mark.parametrize(
    ("whole", "said"),
    [(b"", b""), (b"", ASK), (b"", ASK + b"X-Slow: "), (ASK + b"\r\n", ASK)],
    ids=["nothing", "half", "slow", "after-another"],
)
def test_who_says_nothing_more_is_hung_up_on(port, whole, said):
    with call(port) as client:
        if whole:
            client.sendall(whole)
            assert b" 200 " in answer(client)
        client.sendall(said)
        assert answer(client) == b""


def test_an_address_has_so_many_connections_and_gets_them_back(port):
    clients = [call(port) for _number in range(3)]
    with call(port) as refused:
        assert answer(refused) == b""
    for client in clients:
        client.close()
    while connections.open_connections.open:
        time.sleep(0.01)
    with call(port) as again:
        again.sendall(ASK + b"\r\n")
        assert b" 200 " in answer(again)


def test_an_address_has_so_many_streams_behind_a_proxy_too(monkeypatch):
    monkeypatch.setattr(asgi.open_streams, "most", 2)
    path, codes = stream_url("hall"), []

    async def look(address):
        scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": []}
        opened, never = asyncio.Event(), asyncio.Event()

        async def send(message):
            if "status" in message:
                codes.append(message["status"])
                opened.set()

        looking = asyncio.create_task(
            asgi.stream(scope | {"client": (address, 1)}, never.wait, send)
        )
        await opened.wait()
        return looking

    async def evening():
        everyone = ["203.0.113.5"] * 3 + ["203.0.113.6"] + ["127.0.0.1"] * 3
        looking = [await look(address) for address in everyone]
        for one in looking:
            one.cancel()
        await asyncio.gather(*looking, return_exceptions=True)

    for _time in range(2):
        asyncio.run(evening())
    assert codes == [200, 200, 429, 200, 200, 200, 200] * 2
    assert not asgi.open_streams.open


def test_proxies_are_named_and_this_machine_is_one(monkeypatch):
    monkeypatch.setenv("KRRU_PROXIES", "10.0.0.2, 10.0.0.3")
    assert connections.proxies() == ["127.0.0.1", "::1", "10.0.0.2", "10.0.0.3"]
    counted = ("10.0.0.2", "10.0.0.4", "127.0.0.1", "::1", "unix")
    assert [connections.is_counted(address) for address in counted] == [False, True] + [False] * 3


def test_the_bound_of_all_connections_is_that_of_the_files_the_server_may_open(tmp_path):
    """A system lets a process open 1,024 files unless it asks for more."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if 0 < hard <= 1024:
        pytest.skip("this system lets a process open no more")
    code = (
        "import resource\n"
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (1024, hard))\n"
        "from krru.starting.server import configured\n"
        "print(configured().limit_concurrency, resource.getrlimit(resource.RLIMIT_NOFILE)[0])\n"
    )
    env = {**os.environ, "KRRU_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "krru.settings"}
    told = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    bound, files = map(int, told.stdout.split()[-2:])
    assert bound == int(files * connections.OF_ALL)
    assert files > 1024


# --- Spreadsheets, read in a process of their own

SHEET = "xl/worksheets/sheet1.xml"
SPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"


def workbook_with(text):
    """Return a workbook with one cell of text, as Excel writes one."""
    out, made = io.BytesIO(), io.BytesIO()
    openpyxl.Workbook().save(out)
    cell = f'<row r="1"><c r="A1" t="inlineStr"><is><t>{text}</t></is></c></row>'
    with zipfile.ZipFile(out) as plain, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as changed:
        for name in plain.namelist():
            if name != SHEET:
                changed.writestr(name, plain.read(name))
        sheet = f'<worksheet xmlns="{SPACE}"><sheetData>{cell}</sheetData></worksheet>'
        changed.writestr(SHEET, sheet)
    return made.getvalue()


def test_a_sheet_that_takes_too_long_is_ended(monkeypatch):
    monkeypatch.setattr(reading, "SECONDS", 0.01)
    with pytest.raises(SheetError, match="too_slow"):
        rows_of(workbook_with("Eva"))


@pytest.mark.skipif(sys.platform == "win32", reason="knows no such bound")
def test_a_sheet_that_takes_too_much_memory_is_ended(monkeypatch):
    """A single cell of 40 MB unpacks from 40 KB."""
    data = workbook_with("x" * 40_000_000)
    assert len(data) < 100_000
    assert len(rows_of(data)[0].cells[0]) == LONGEST_CELL
    monkeypatch.setattr(reading, "MEMORY_BYTES", 80 * 1024 * 1024)
    with pytest.raises(SheetError, match=r"too_slow|broken"):
        rows_of(data)
