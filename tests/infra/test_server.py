"""The real server process: one a folder, quick to stop, held up by nobody, polite to browsers."""

import contextlib
import gc
import hashlib
import http.client
import json
import os
import re
import signal
import socket
import ssl
import time
import urllib.error
import urllib.request
from ipaddress import ip_address

import pytest
from cryptography import x509
from django.core.exceptions import ImproperlyConfigured
from django.test import RequestFactory

from krru.data.folder import BASE_DIR, Trouble
from krru.devtools.postgres import free_port
from krru.devtools.serving import ServerProcess
from krru.starting import server
from krru.web import certificates, served
from krru.web.hosts import is_answered, own_names, public_site
from krru.web.middleware import language_of
from krru.web.served import listening_socket
from tests.infra.hall_client import get
from tests.laptops import laptop_served_once
from tests.warm import Laptop


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory):
    """One server for the tests that leave it as it was."""
    with ServerProcess(tmp_path_factory.mktemp("server") / "data") as server:
        yield server


@pytest.fixture
def own(tmp_path):
    """A server of the test's own, on a laptop that served before. It loads the program itself."""
    server = ServerProcess(laptop_served_once(tmp_path / "data").folder)
    yield server.start()
    server.kill()


def test_second_process_on_the_same_folder_and_a_taken_port_are_refused(running, tmp_path) -> None:
    wanted = {
        Laptop(running.folder): (free_port(), f"läuft mit dem Datenordner {running.folder} schon"),
        Laptop(tmp_path / "other"): (running.port, "--port"),
    }
    for laptop, (port, said) in wanted.items():
        done = laptop.manage("serve", "--host", "127.0.0.1", "--port", str(port), check=False)
        assert done.returncode == 1
        assert said in done.stderr
        assert "Traceback" not in done.stderr


def stream_path(server: ServerProcess, topic: str = "event-1") -> str:
    code = f"from clock.stream import stream_token; print(stream_token({topic!r}))"
    token = Laptop(server.folder).manage("shell", "--no-imports", "-c", code).stdout.strip()
    return f"/stream/{token}/"


def open_stream(server: ServerProcess, path: str) -> socket.socket:
    """Open a stream and return its socket once the first bytes came."""
    client = socket.create_connection(("127.0.0.1", server.port), timeout=10)
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: [::1]\r\n\r\n".encode())
    assert b"200 OK" in client.recv(4096)
    return client


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_stops_at_once_with_streams_open(own, how) -> None:
    path = stream_path(own)
    clients = [open_stream(own, path) for _ in range(3)]

    os.kill(own.pid, how)
    code = own._process.wait(60)

    for client in clients:
        client.close()
    assert code == 0
    # Waiting for streams in vain, the server would say so.
    assert "timeout graceful shutdown exceeded" not in own.log
    assert "Alles ist gespeichert" in own.log
    assert "Traceback" not in own.log


def test_garbage_is_not_looked_for_among_what_was_loaded(monkeypatch) -> None:
    kept: list[int] = []
    monkeypatch.setattr(
        server.Server, "run", lambda *_own, **_named: kept.append(gc.get_freeze_count())
    )
    gc.unfreeze()
    with listening_socket("127.0.0.1", 0) as listening:
        server.run(listening)
    gc.unfreeze()

    assert kept[0] > 100_000


def test_headers_that_keep_browsers_strict(running) -> None:
    _, headers, _ = get(running.url + "/")
    policy = headers["content-security-policy"]

    for part in ("default-src 'self'", "script-src 'self'", "base-uri 'none'", "object-src 'none'"):
        assert part in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "screen-wake-lock=(self)" in headers["permissions-policy"]
    assert "server" not in headers
    names = json.loads((BASE_DIR / "static-collected" / "staticfiles.json").read_text())["paths"]
    status, headers, _ = get(f"{running.url}/static/{next(iter(names.values()))}")
    assert status == 200
    assert "immutable" in headers["cache-control"]


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ({}, "de"),
        ({"Accept-Language": "en-GB,en;q=0.9"}, "en"),
        ({"Accept-Language": "en,de;q=0.5"}, "de"),
        ({"Accept-Language": "fr"}, "de"),
        ({"Accept-Language": "*;q=x,,"}, "de"),
        ({"Accept-Language": "de", "Cookie": "django_language=en"}, "en"),
        ({"Cookie": "django_language=xx"}, "de"),
    ],
)
def test_language(asked, language) -> None:
    assert language_of(RequestFactory().get("/", headers=asked)) == language


def test_slow_sender_holds_up_nobody(running) -> None:
    request = b"POST /sprache/setlang/ HTTP/1.1\r\nHost: [::1]\r\nContent-Length: 100\r\n\r\nlang"
    with socket.create_connection(("127.0.0.1", running.port)) as slow:
        slow.sendall(request)
        time.sleep(0.2)
        # The one writing thread is free: the answer (no CSRF token) comes, and not 100 bytes later.
        asked = urllib.request.Request(running.url + "/sprache/setlang/", data=b"language=en")
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(asked, timeout=60)
        with refused.value as answer:
            assert answer.code == 403


def test_the_console_shows_the_links_and_the_log_no_personal_ones(running) -> None:
    assert f"{running.url}/" in running.log
    assert "dieser Link gilt ein Mal" in running.log
    assert "Nur auf diesem Gerät erreichbar" in running.log
    token = "Zeno-wants-this-token-0123456789"
    get(f"{running.url}/p/{token}/nowhere/")
    assert token not in running.log
    for path in (running.folder / "secret.key", running.folder):
        assert path.stat().st_mode & 0o077 == 0, "it is for its owner alone"


def test_small_answers_are_sent_at_once() -> None:
    """With this protocol alone asyncio does so. Else each waits 40 ms for the other side."""
    with listening_socket("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def links_of(text: str) -> list[str]:
    return re.findall(r"https?://\S+", text)


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.2", "127.0.0.2"), ("::1", "[::1]")])
def test_what_is_printed_opens_at_the_address_that_is_served(tmp_path, host, shown) -> None:
    server = ServerProcess(laptop_served_once(tmp_path / "data").folder)
    server.host, base = host, f"http://{shown}:{server.port}"
    laptop = Laptop(server.folder)
    with server:
        printed = links_of(server.log)
        assert len(printed) == 3
        assert [get(link)[0] for link in printed] == [200, 200, 200]
        beside = laptop.manage("directorlink").stdout.strip()
        assert get(beside)[0] == 200
        assert {link[: len(base) + 1] for link in (*printed, beside)} == {f"{base}/"}
    asked = laptop.manage("directorlink", "--base", "https://hall.example").stdout
    assert asked.startswith("https://hall.example/in/")
    assert laptop.manage("directorlink").stdout.startswith("http://127.0.0.1:8000/in/")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--port", "99999"), "Einen Port 99999 gibt es nicht. Mit --port einen von 1024"),
        (("--prot", "80"), "kenne ich nicht: --prot 80"),
        (("--port", "acht"), "--port: 'acht' passt nicht"),
        (("--port",), "--port: dahinter fehlt ein Wert"),
    ],
)
def test_what_cannot_be_served_is_said_in_a_sentence(tmp_path, options, words) -> None:
    done = Laptop(tmp_path / "data").manage("serve", *options, check=False)
    assert done.returncode != 0
    assert words in done.stderr
    for foreign in ("Traceback", "usage:", "error:"):
        assert foreign not in done.stderr


@pytest.mark.parametrize(
    ("host", "port", "words"),
    [
        ("127.0.0.1", -1, "Einen Port -1 gibt es nicht."),
        ("192.0.2.7", 8000, "Die Adresse 192.0.2.7 hat dieser Rechner nicht. Mit --host"),
        ("nowhere.invalid", 8000, "Die Adresse nowhere.invalid hat dieser Rechner nicht."),
    ],
)
def test_where_nobody_can_listen_is_said(host, port, words) -> None:
    with pytest.raises(Trouble, match=words):
        listening_socket(host, port)


# --- Names the program answers under, and the laptop's own certificate, by which a phone knows it


@pytest.mark.parametrize(
    "text",
    ["poker.example.org", "ftp://a.example", "https://", "https://a.example/path", "https://a:x/"],
)
def test_what_is_no_public_address_is_refused(text):
    with pytest.raises(ImproperlyConfigured, match="KRRU_PUBLIC_URL"):
        public_site(text)


def test_own_names_are_answered_with_what_a_router_puts_behind():
    name = socket.gethostname().lower().split(".")[0]
    for host in (name, f"{name}.local", f"{name}.fritz.box:8000", "localhost:8000", ""):
        assert is_answered(host, ())
    for host in (f"{name}.evil.example", "evil.example:8000", "192.168.1.5.evil.example", "[evil]"):
        assert not is_answered(host, ())
    assert "localhost" in own_names()


def test_a_certificate_is_made_once_and_again_for_another_address(tmp_path, monkeypatch):
    monkeypatch.setattr(served, "lan_address", lambda: "192.168.1.5")
    first = certificates.own_certificate(tmp_path)
    assert certificates.own_certificate(tmp_path) == first
    assert first.key.stat().st_mode & 0o077 == 0
    key = first.key.read_bytes()
    monkeypatch.setattr(served, "lan_address", lambda: "10.0.0.7")
    second = certificates.own_certificate(tmp_path)
    assert second.fingerprint != first.fingerprint
    assert second.key.read_bytes() == key
    made = x509.load_pem_x509_certificate(second.certificate.read_bytes())
    names = made.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    assert ip_address("10.0.0.7") in names.get_values_for_type(x509.IPAddress)
    assert made.extensions.get_extension_for_class(x509.BasicConstraints).value.ca is False
    monkeypatch.setenv("KRRU_SCHEME", "https")
    monkeypatch.setattr(served, "lan_address", lambda: "10.0.0.8")
    assert certificates.shown(tmp_path) == second  # the server goes on with the one it has
    second.certificate.write_text("Das ist kein Zertifikat.")
    assert certificates.own_certificate(tmp_path).fingerprint


@pytest.fixture(scope="module")
def secure(tmp_path_factory):
    with laptop_served_once(tmp_path_factory.mktemp("https") / "data", None, "--https") as running:
        yield running


def asked(server, path):
    """Return the certificate's fingerprint, and the answer to a request on https."""
    trusting = ssl.create_default_context(cafile=server.folder / "https.crt")
    connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=trusting, timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", path)
        shown = connection.sock.getpeercert(binary_form=True)
        answer = connection.getresponse()
        return hashlib.sha256(shown).hexdigest().upper(), answer.status, answer.read().decode()


def test_the_console_and_the_page_show_the_fingerprint_that_a_browser_shows(secure):
    seen, status, page = asked(secure, "/verbindung/")
    assert status == 200
    printed = re.search(r"Fingerabdruck des Zertifikats: ([0-9A-F:]+)", secure.log)
    assert printed
    assert printed[1].replace(":", "") == seen
    assert printed[1] in page
    assert re.search(r"https://127.0.0.1:\d+/in/", secure.log)
