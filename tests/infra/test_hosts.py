"""Names the program answers under, and the laptop's own certificate, by which a phone knows it."""

import contextlib
import hashlib
import http.client
import re
import socket
import ssl
from ipaddress import ip_address

import pytest
from cryptography import x509
from django.core.exceptions import ImproperlyConfigured

from krru.web import certificates, served
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
def server(tmp_path_factory):
    server = laptop_served_once(tmp_path_factory.mktemp("https") / "data", None, "--https").start()
    yield server
    server.stop()


def asked(server, path):
    """Return the certificate's fingerprint, and the answer to a request on https."""
    trusting = ssl.create_default_context(cafile=server.folder / "https.crt")
    connection = http.client.HTTPSConnection("127.0.0.1", server.port, context=trusting, timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", path)
        shown = connection.sock.getpeercert(binary_form=True)
        answer = connection.getresponse()
        return hashlib.sha256(shown).hexdigest().upper(), answer.status, answer.read().decode()


def test_the_console_and_the_page_show_the_fingerprint_that_a_browser_shows(server):
    seen, status, page = asked(server, "/verbindung/")
    assert status == 200
    printed = re.search(r"Fingerabdruck des Zertifikats: ([0-9A-F:]+)", server.log)
    assert printed
    assert printed[1].replace(":", "") == seen
    assert printed[1] in page
    assert re.search(r"https://127.0.0.1:\d+/in/", server.log)
