"""The names the program answers under: in a hall only its own, on the internet the public one."""

import socket

import pytest
from django.core.exceptions import ImproperlyConfigured

from krru.web.hosts import is_answered, own_names, public_site
from tests.laptops import laptop_served_once


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


@pytest.fixture(scope="module")
def public(tmp_path_factory):
    server = laptop_served_once(
        tmp_path_factory.mktemp("public") / "data",
        {"KRRU_PUBLIC_URL": "https://poker.example.org", "KRRU_HOSTS": "club.example"},
    ).start()
    yield server
    server.stop()


def asked(server, path, *headers, method="GET", body=""):
    """Return the status line and the headers of one request, sent as it is written here."""
    lines = [f"{method} {path} HTTP/1.1", *headers, "Connection: close"]
    if body:
        lines += [
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body)}",
        ]
    with socket.create_connection(("127.0.0.1", server.port), timeout=20) as connection:
        connection.sendall(("\r\n".join([*lines, "", ""]) + body).encode())
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    head = answer.partition(b"\r\n\r\n")[0].decode()
    return int(head.split()[1]), head.lower()


def test_a_name_that_a_page_of_the_internet_has_borrowed_is_not_answered(public):
    for path in ("/", "/static/x.css", "/stream/?topics=x", "/health/"):
        assert asked(public, path, "Host: evil.example")[0] == 421
    for host in ("poker.example.org", "club.example", f"127.0.0.1:{public.port}", "10.0.0.9"):
        assert asked(public, "/", f"Host: {host}")[0] in {200, 302}


TOKEN = "a" * 32
FORM = f"csrfmiddlewaretoken={TOKEN}&language=en&next=/"


def language_chosen(server, *headers, origin="https://poker.example.org"):
    """Return the answer to a form that sets a cookie."""
    sent = ("Host: poker.example.org", f"Origin: {origin}", f"Cookie: csrftoken={TOKEN}", *headers)
    return asked(server, "/sprache/setlang/", *sent, method="POST", body=FORM)


def test_on_https_cookies_are_marked_and_the_browser_is_told_to_stay_there(public):
    status, head = language_chosen(public, "X-Forwarded-Proto: https", "X-Forwarded-For: 84.1.2.3")
    assert status == 302
    assert "strict-transport-security: max-age=15552000" in head
    cookies = [line for line in head.splitlines() if line.startswith("set-cookie:")]
    assert cookies
    assert all("; secure" in line for line in cookies)
    assert "strict-transport-security" not in asked(public, "/", "Host: 10.0.0.9")[1]


def test_forms_are_taken_behind_a_proxy_that_nobody_has_named(public):
    """The proxy speaks https, the program hears http: the origin is one that was set."""
    assert language_chosen(public)[0] == 302
    assert language_chosen(public, origin="https://evil.example")[0] == 403
