"""Where mail goes out, as the environment says it."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from krru.background.mailing import CONSOLE, SMTP, base_url, mail_server
from krru.web import served
from krru.web.hosts import public_site


def test_without_an_address_mails_are_shown_on_the_console():
    assert mail_server(None) == mail_server("")
    assert mail_server(None).backend == CONSOLE


@pytest.mark.parametrize(
    ("url", "port", "use_tls", "use_ssl"),
    [
        ("smtp://mail.example.org", 25, False, False),
        ("smtp+tls://mail.example.org", 587, True, False),
        ("smtps://mail.example.org", 465, False, True),
        ("smtp://mail.example.org:2525", 2525, False, False),
    ],
)
def test_the_scheme_says_how_it_is_spoken_to(url, port, use_tls, use_ssl):
    server = mail_server(url)
    assert (server.backend, server.host) == (SMTP, "mail.example.org")
    assert (server.port, server.use_tls, server.use_ssl) == (port, use_tls, use_ssl)


def test_name_and_password_may_hold_any_character():
    server = mail_server("smtps://club%40example.org:a%2Fb%3A@mail.example.org")
    assert (server.user, server.password) == ("club@example.org", "a/b:")


@pytest.mark.parametrize(
    "url", ["club:secret@post.test", "http://post.test", "smtp://x:y:z", "smtp://"]
)
def test_what_is_no_address_is_refused_without_telling_it(url):
    with pytest.raises(ImproperlyConfigured) as refusal:
        mail_server(url)
    assert "KRRU_MAIL_URL" in str(refusal.value)
    assert not {"secret", "post.test", "x:y:z"} & set(str(refusal.value).split())


def test_links_begin_with_what_was_chosen_or_this_machine_in_the_hall(monkeypatch, settings):
    settings.PUBLIC = public_site("https://poker.example.org/")
    assert base_url() == "https://poker.example.org"
    settings.PUBLIC = None
    monkeypatch.setenv("KRRU_PORT", "8123")
    monkeypatch.setattr(served, "lan_address", lambda: "10.0.0.7")
    assert base_url() == "http://10.0.0.7:8123"
    monkeypatch.setattr(served, "lan_address", lambda: None)
    assert base_url() == "http://127.0.0.1:8123"
