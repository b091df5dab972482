"""What the guide for servers tells to type for nginx, typed on a copy of the system's files."""

import contextlib
import http.client
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar
from uuid import uuid4

import pytest

from krru.data.folder import BASE_DIR
from krru.devtools.cluster import proxy_program
from krru.devtools.postgres import end, free_port
from krru.devtools.serving import trusting
from krru.web.certificates import own_certificate
from tests.infra.laptops import ran
from tests.waits import wait_for

SYSTEMS = Path("/etc/nginx")
pytestmark = [
    pytest.mark.sqlite_only,
    pytest.mark.skipif(
        proxy_program() is None or not (SYSTEMS / "modules-enabled").is_dir(),
        reason="Debian's nginx is missing: apt install nginx",
    ),
]
REFERRED = {"Host": "krru.test", "Referer": "https://krru.test/in/Zeno-wants-this-too-0123456789/"}
GUIDE = (BASE_DIR / "docs" / "guide" / "server.md").read_text("utf-8")


def told() -> list[str]:
    """Return the lines that the guide has for nginx, up to its own test of them."""
    (block,) = re.findall(r"```sh\n(   cp deploy/nginx\.conf .*?)```", GUIDE, re.DOTALL)
    lines = [line.strip() for line in block.strip().splitlines()]
    return lines[: lines.index("nginx -t")]


@pytest.fixture
def typed(tmp_path) -> Path:
    """A copy of the system's files after the guide's lines, with the ports 80 and 443 replaced."""
    copy = tmp_path / "nginx"
    shutil.copytree(SYSTEMS, copy, symlinks=True)
    (copy / "sites-enabled" / "default").unlink(missing_ok=True)
    for line in told():
        here = line.replace("/etc/nginx/", f"{copy}/").replace("DER-EIGENE-NAME", "krru.test")
        subprocess.run(["/bin/sh", "-ec", here], check=True, cwd=BASE_DIR)
    own_certificate(tmp_path)
    places = {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl": f"listen 127.0.0.1:{free_port()} ssl",
        "/etc/letsencrypt/live/krru.test/fullchain.pem": f"{tmp_path}/https.crt",
        "/etc/letsencrypt/live/krru.test/privkey.pem": f"{tmp_path}/https.key",
        "127.0.0.1:8001": f"127.0.0.1:{free_port()}",
        "127.0.0.1:8002": f"127.0.0.1:{free_port()}",
    }
    ours = copy / "conf.d" / "krru.conf"
    text = ours.read_text("utf-8")
    for before, after in places.items():
        assert before in text, before
        text = text.replace(before, after)
    ours.write_text(text, "utf-8")
    for file in (ours, copy / "nginx.conf"):
        text = file.read_text("utf-8").replace("/etc/nginx/", f"{copy}/")
        text = text.replace("/var/log/nginx/", f"{tmp_path}/")
        file.write_text(text.replace("/run/nginx.pid", f"{tmp_path}/nginx.pid"), "utf-8")
    return copy / "nginx.conf"


def nginx(main: Path, *words: str) -> list[object]:
    """Return what starts nginx on this file."""
    return [proxy_program(), *words, "-c", main, "-e", main.parent.parent / "error.log"]


def test_the_guides_lines_make_room_for_what_it_promises(typed) -> None:
    done = ran(*nginx(typed, "-T"))

    assert done.returncode == 0, done.stderr
    assert "test is successful" in done.stderr
    (room,) = re.findall(r"^\s*worker_connections (\d+);", done.stdout, re.MULTILINE)
    (files,) = re.findall(r"^\s*worker_rlimit_nofile (\d+);", done.stdout, re.MULTILINE)
    (phones,) = re.findall(r"25000 reichen für ([\d.]+)\.", GUIDE)
    assert int(room) >= 2 * int(phones.replace(".", "")) + 1000
    assert int(files) > int(room)


@contextlib.contextmanager
def running(typed: Path) -> Iterator[list[int]]:
    """Run nginx on this file; yield where it listens, without TLS and with."""
    text = (typed.parent / "conf.d" / "krru.conf").read_text("utf-8")
    process = subprocess.Popen(nginx(typed, "-g", "daemon off;"))
    ran = typed.parent.parent / "nginx.pid"
    try:
        assert wait_for(lambda: ran.exists() or process.poll() is not None)
        yield [int(port) for port in re.findall(r"listen 127\.0\.0\.1:(\d+)", text)]
    finally:
        end(process)


def test_no_log_names_a_link_while_no_process_answers(typed, tmp_path) -> None:
    own = {"timeout": 60, "context": trusting()}
    with running(typed) as (_plain, port):
        connection = http.client.HTTPSConnection("127.0.0.1", port, **own)
        with contextlib.closing(connection):
            connection.request("GET", "/p/Zeno-wants-this-token-0123456789/", headers=REFERRED)
            assert connection.getresponse().status == 502
        assert wait_for(lambda: "/p/.../" in (tmp_path / "krru.log").read_text("utf-8"))

    logs = [path for path in tmp_path.iterdir() if path.suffix in {".log", ".err"}]
    assert {"krru.log", "krru.err", "error.log"} <= {path.name for path in logs}
    assert not [path.name for path in logs if "Zeno" in path.read_text("utf-8")]


# --- What the file holds off, before processes that note what they are asked


class Process(BaseHTTPRequestHandler):
    """A web process: it counts what comes, lets streams wait, and dies at /dies/."""

    protocol_version = "HTTP/1.1"
    came: ClassVar[list[str]] = []
    hangs: ClassVar[int] = 0

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.came.append(self.path)
        if self.server.server_port == self.hangs:
            time.sleep(30)
        if self.path == "/dies/":
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        self.wfile.write(b"2\r\nok\r\n")
        if not self.path.startswith("/stream/"):
            self.wfile.write(b"0\r\n\r\n")

    do_POST = do_GET  # noqa: N815 - the name that http.server looks for

    def log_message(self, *_words: object) -> None: ...


@pytest.fixture
def hall(typed) -> Iterator["Hall"]:
    """nginx before two processes; a header says which address it is asked from."""
    file = typed.parent / "conf.d" / "krru.conf"
    text = re.sub("rate=[24]0r/s", "rate=1r/m", file.read_text("utf-8"))
    text = text.replace("burst=200", "burst=2").replace("burst=600", "burst=3 nodelay")
    text = text.replace("krru_streams 512", "krru_streams 3")
    faked = "set_real_ip_from 127.0.0.1; real_ip_header X-From; limit_req zone"
    file.write_text(text.replace("limit_req zone", faked, 1), "utf-8")
    ports = map(int, re.findall(r"server 127\.0\.0\.1:(\d+)", text))
    processes = [ThreadingHTTPServer(("127.0.0.1", port), Process) for port in ports]
    for one in processes:
        one.daemon_threads = True
        threading.Thread(target=one.serve_forever, daemon=True).start()
    Process.came.clear()
    try:
        with running(typed) as listening, Hall(*listening) as hall:
            hall.processes = [one.server_port for one in processes]
            yield hall
    finally:
        for one in processes:
            one.shutdown()
            one.server_close()


class Hall(contextlib.ExitStack):
    """Where nginx answers, and the connections to it."""

    def __init__(self, plain: int, secure: int) -> None:
        super().__init__()
        self.plain, self.secure = plain, secure
        self.processes: list[int] = []

    def open(self, path: str, come_from: str, method: str = "GET", **headers: str):
        own = {"timeout": 60, "context": trusting()}
        connection = http.client.HTTPSConnection("127.0.0.1", self.secure, **own)
        self.callback(connection.close)
        given = {"Host": "krru.test", "X-From": come_from, **headers}
        connection.request(method, path, b"x" if method == "POST" else None, given)
        return connection.getresponse()

    def ask(self, *asked: str, **headers: str) -> int:
        return self.open(*asked, **headers).status


GUEST, OTHER, HERE = "203.0.113.5", "203.0.113.6", "127.0.0.1"
# The first two are of one connection to the internet.
HOUSE = ("2a02:8388:1:2::7", "2a02:8388:1:2:aaaa:bbbb:cccc:dddd", "2a02:8388:1:3::7")


def test_an_address_has_so_many_streams_forms_and_pages_and_others_go_on(hall) -> None:
    for one, same, other in ((GUEST, GUEST, OTHER), HOUSE):
        streams = [hall.open("/stream/x", one) for _each in range(3)]
        assert [answer.status for answer in streams] == [200, 200, 200]
        assert hall.ask("/stream/x", same) == 429
        assert hall.ask("/", same) == 200
        assert hall.ask("/stream/x", other) == 200
        assert [hall.ask("/", one, "POST") for _each in range(3)] == [200, 200, 200]
        assert hall.ask("/", same, "POST") == 429
        assert hall.ask("/", other, "POST") == 200
        assert [hall.ask("/t/x/", one) for _each in range(4)] == [200, 200, 200, 429]
        assert hall.ask("/t/x/", other) == 200
    assert {hall.ask("/stream/x", HERE) for _each in range(5)} == {200}
    assert {hall.ask("/", HERE, how) for how in ("POST", "GET") for _each in range(5)} == {200}


def test_checks_and_figures_are_for_the_inside(hall) -> None:
    for path in ("/health/ready", "/metrics"):
        assert [hall.ask(path, one) for one in (GUEST, HERE, "192.168.0.7")] == [403, 200, 200]
    assert hall.ask("/health/live", GUEST) == 200


def test_only_its_own_name_is_answered_and_led_to(hall) -> None:
    assert hall.ask("/", GUEST, Host="evil.example") == 421
    connection = http.client.HTTPConnection("127.0.0.1", hall.plain, timeout=60)
    with contextlib.closing(connection):
        connection.request("GET", "/t/x/", headers={"Host": "evil.example"})
        answer = connection.getresponse()
        assert (answer.status, answer.getheader("Location")) == (301, "https://krru.test/t/x/")


def test_a_process_that_hangs_costs_a_page_no_failure(hall, monkeypatch) -> None:
    # Whichever is asked first: the page comes from the other.
    for port in hall.processes:
        monkeypatch.setattr(Process, "hangs", port)
        Process.came.clear()
        assert [hall.ask("/t/x/", HERE) for _each in range(2)] == [200, 200]


def test_a_change_is_sent_a_second_time_only_with_a_key(hall) -> None:
    key = str(uuid4())
    for method, headers, times in (
        ("GET", {}, 2),
        ("POST", {}, 1),
        ("POST", {"X-Idempotency-Key": "x"}, 1),
        ("POST", {"X-Idempotency-Key": key}, 2),
        ("POST", {"Idempotency-Key": key}, 2),
    ):
        Process.came.clear()
        assert hall.ask("/dies/", HERE, method, **headers) == 502
        assert len(Process.came) == times, (method, headers)
