"""`deploy/Caddyfile` as it is, before two web processes: restarts, style sheets, streams, its log.

It makes its own certificate for this machine's address.
"""

import contextlib
import http.client
import json
import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from krru.data.folder import BASE_DIR, static_folder
from krru.devtools.cluster import caddy_program
from krru.devtools.postgres import end, free_port
from krru.devtools.serving import ServerProcess, trusting
from tests.infra.laptops import ran
from tests.laptops import has_spoken, laptop_served_once
from tests.waits import wait_for

pytestmark = [
    pytest.mark.sqlite_only,
    pytest.mark.skipif(caddy_program() is None, reason="caddy is missing: apt install caddy"),
]
# Nothing of this machine is touched: no certificate is installed, no other port is taken.
ALONE = "{\n\tadmin off\n\tskip_install_trust\n"
WEB = ("--quiet",)
OWN = "only-{}.0123456789ab.css"
HASTY = {"lb_try_duration 10s": "lb_try_duration 1ms"}


class Caddy:
    """The proxy with the file of `deploy`; `port` is where it answers."""

    def __init__(self, folder: Path, first: int, second: int, **other: str) -> None:
        self.port, self.log = free_port(), folder / "caddy.log"
        given = (BASE_DIR / "deploy" / "Caddyfile").read_text("utf-8")
        self.plain = free_port()
        text = given.replace("\n{\n", f"\n{ALONE}\thttp_port {self.plain}\n", 1)
        for before, after in other.items():
            assert before in text
            text = text.replace(before, after)
        self._file = folder / "Caddyfile"
        self._file.write_text(text, "utf-8")
        self._env = {
            "HOME": str(folder), "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder),
            "KRRU_NAME": f"127.0.0.1:{self.port}",
            "KRRU_FIRST": f"127.0.0.1:{first}", "KRRU_SECOND": f"127.0.0.1:{second}",
        }  # fmt: skip

    @contextlib.contextmanager
    def running(self) -> Iterator["Caddy"]:
        command = [caddy_program(), "run", "--adapter", "caddyfile", "--config", self._file]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, env=self._env, stdout=log, stderr=log)
        try:
            assert wait_for(lambda: self.answers() or process.poll() is not None)
            assert process.poll() is None, self.log.read_text("utf-8")
            yield self
        finally:
            end(process)

    def answers(self) -> bool:
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.ask("/health/live")[0] > 0
        return False

    def connection(self) -> http.client.HTTPSConnection:
        own = {"timeout": 60, "context": trusting()}
        return http.client.HTTPSConnection("127.0.0.1", self.port, **own)

    def ask(self, path: str, body: bytes | None = None) -> tuple[int, str]:
        with contextlib.closing(self.connection()) as connection:
            connection.request("GET" if body is None else "POST", path, body)
            answer = connection.getresponse()
            return answer.status, answer.read().decode(errors="replace")

    def logged(self) -> list[dict]:
        """Return the answers it gave."""
        lines = self.log.read_text("utf-8").splitlines()
        entries = [json.loads(line) for line in lines if line.startswith("{")]
        return [entry for entry in entries if "status" in entry]


@pytest.fixture(scope="module")
def web(tmp_path_factory, redis_url) -> Iterator[list[ServerProcess]]:
    """Two processes on one folder, each with a style sheet that the other has not."""
    folder = tmp_path_factory.mktemp("caddy")
    url = redis_url.rsplit("/", 1)[0] + f"/{1 + os.getpid() % 14}"
    envs = [{"REDIS_URL": url, "KRRU_STATIC": str(folder / f"static-{n}")} for n in range(2)]
    first = has_spoken(laptop_served_once(folder / "data", envs[0], *WEB))
    second = ServerProcess(folder / "data", envs[1], *WEB)
    for number, env in enumerate(envs):
        made = shutil.copytree(static_folder(), env["KRRU_STATIC"])
        (Path(made) / OWN.format(number)).write_text(".a{}")
    with first, second:
        yield [first, second]


@pytest.fixture(scope="module")
def caddy(web, tmp_path_factory) -> Iterator[Caddy]:
    with Caddy(tmp_path_factory.mktemp("proxy"), web[0].port, web[1].port).running() as running:
        yield running


def test_what_one_process_does_not_know_the_other_is_asked_for(caddy, web) -> None:
    for number in range(2):
        path = "/static/" + OWN.format(number)
        direct = [http_status(server, path) for server in web]
        assert direct == [200 if each == number else 404 for each in range(2)]

        assert caddy.ask(path) == (200, ".a{}")
    assert caddy.ask("/static/nowhere.css")[0] == 404


def http_status(server: ServerProcess, path: str) -> int:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", server.port)) as connection:
        connection.request("GET", path)
        return connection.getresponse().status


def test_pages_go_on_while_each_process_is_restarted(caddy, web) -> None:
    found: list[int] = []
    ended = threading.Event()

    def look() -> None:
        while not ended.is_set():
            found.append(caddy.ask("/")[0])

    looker = threading.Thread(target=look)
    looker.start()
    try:
        for server in web:
            server.stop()
            seen = len(found)
            assert wait_for(lambda seen=seen: len(found) > seen + 2)
            server.start()
    finally:
        ended.set()
        looker.join(30)

    assert len(found) > 10
    assert set(found) == {200}, found
    assert not [entry for entry in caddy.logged() if entry["status"] >= 500]


def test_a_stream_is_written_through_at_once(caddy, web) -> None:
    code = "import json; from clock.stream import stream_url; print(json.dumps(stream_url('x')))"
    path = web[0].shell(code)
    with contextlib.closing(caddy.connection()) as connection:
        connection.request("GET", path)
        answer = connection.getresponse()
        heard = b""
        while b"event: hello" not in heard:
            piece = answer.read1()
            assert piece, heard
            heard += piece
    assert answer.status == 200
    assert b"event: now" not in heard, "held back, it comes with the next keep-alive"


def test_a_form_that_is_too_large_takes_no_process_out_of_service(web, tmp_path) -> None:
    """Without patience, a proxy that counts both out refuses the next page at once."""
    refused: list[int] = []
    with Caddy(tmp_path, web[0].port, web[1].port, **HASTY).running() as caddy:
        while len(refused) < 100 and len(refused) - refused.count(413) < 4:
            refused.append(too_large(caddy))
            assert refused[-1] in {0, 413, 502}, refused

        assert caddy.ask("/")[0] == 200


def too_large(caddy: Caddy) -> int:
    """Return what is answered to such a form: the program ends its connection while it is sent.

    Caddy reads the answer before, or calls it a bad gateway, or ends the connection as well.
    """
    try:
        return caddy.ask("/sprache/setlang/", b"x" * 2_000_000)[0]
    except OSError:
        return 0


def test_its_log_holds_no_link(caddy, tmp_path) -> None:
    path = "/p/Zeno-wants-this-token-0123456789/daten/?x=secret"
    alone = Caddy(tmp_path, free_port(), free_port(), **HASTY)
    with alone.running():
        assert alone.ask(path)[0] in {502, 503}
    caddy.ask(path)

    for one in (caddy, alone):
        assert wait_for(lambda one=one: "/p/…/daten/" in one.log.read_text("utf-8"))
        text = one.log.read_text("utf-8")
        assert not [word for word in ("Zeno", "secret") if word in text]


def test_checks_and_figures_are_for_the_inside(caddy, web, tmp_path) -> None:
    assert caddy.ask("/health/ready")[0] == 200
    far = {"private_ranges": "203.0.113.0/24"}
    with Caddy(tmp_path, web[0].port, web[1].port, **far).running() as seen_from_outside:
        asked = ("/health/ready", "/metrics", "/health/live", "/")
        assert [seen_from_outside.ask(path)[0] for path in asked] == [403, 403, 200, 200]


def test_it_leads_to_its_own_name_alone(caddy) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", caddy.plain, timeout=60)
    with contextlib.closing(connection):
        connection.request("GET", "/t/x/", headers={"Host": "evil.example"})
        answer = connection.getresponse()
        led_to = f"https://127.0.0.1:{caddy.port}/t/x/"
        assert (answer.status, answer.getheader("Location")) == (301, led_to)


def test_the_guides_lines_make_a_file_that_is_valid(tmp_path) -> None:
    guide = (BASE_DIR / "docs" / "guide" / "server.md").read_text("utf-8")
    (block,) = re.findall(r"```sh\n(   cp deploy/Caddyfile .*?)```", guide, re.DOTALL)
    typed = [line.strip() for line in block.strip().splitlines()]
    assert typed.pop() == "systemctl restart caddy"
    for line in typed:
        here = line.replace("/etc/caddy/", f"{tmp_path}/").replace("DER-EIGENE-NAME", "a.example")
        subprocess.run(["/bin/sh", "-ec", here], check=True, cwd=BASE_DIR)

    file = tmp_path / "Caddyfile"
    command = ("validate", "--adapter", "caddyfile", "--config", file)
    done = ran(caddy_program(), *command, env={"HOME": str(tmp_path)})

    assert "\na.example {" in file.read_text("utf-8")
    assert done.returncode == 0, done.stderr
