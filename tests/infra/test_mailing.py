"""Where mail goes out, as the environment says it."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from krru.background.mailing import CONSOLE, SMTP, base_url, mail_server
from krru.web import served
from krru.web.hosts import public_site


def test_without_an_address_mails_are_shown_on_the_console():
    assert mail_server(None) == mail_server("") == {"EMAIL_BACKEND": CONSOLE}


@pytest.mark.parametrize(
    ("url", "port", "use_tls", "use_ssl"),
    [
        ("smtp://mail.example.org", 25, False, False),
        ("smtp+tls://mail.example.org", 587, True, False),
        # Name and password may hold any character.
        ("smtps://club%40example.org:a%2Fb%3A@mail.example.org", 465, False, True),
        ("smtp://mail.example.org:2525", 2525, False, False),
    ],
)
def test_the_scheme_says_how_it_is_spoken_to(url, port, use_tls, use_ssl):
    assert mail_server(url) == {
        "EMAIL_BACKEND": SMTP,
        "EMAIL_HOST": "mail.example.org",
        "EMAIL_PORT": port,
        "EMAIL_HOST_USER": "club@example.org" if use_ssl else "",
        "EMAIL_HOST_PASSWORD": "a/b:" if use_ssl else "",
        "EMAIL_USE_TLS": use_tls,
        "EMAIL_USE_SSL": use_ssl,
    }


@pytest.mark.parametrize(
    "url", ["club:secret@post.test", "http://post.test", "smtp://x:y:z", "smtp://"]
)
def test_what_is_no_address_is_refused_without_telling_it(url):
    with pytest.raises(ImproperlyConfigured, match="KRRU_MAIL_URL") as refusal:
        mail_server(url)
    assert not {"secret", "post.test", "x:y:z"} & set(str(refusal.value).split())


def test_links_begin_with_what_was_chosen_or_this_machine_in_the_hall(monkeypatch, settings):
    settings.PUBLIC = public_site("https://poker.example.org/")
    assert base_url() == "https://poker.example.org"
    settings.PUBLIC = None
    monkeypatch.setenv("KRRU_PORT", "8123")
    for address, base in (("10.0.0.7", "http://10.0.0.7:8123"), (None, "http://127.0.0.1:8123")):
        monkeypatch.setattr(served, "lan_address", lambda address=address: address)
        assert base_url() == base
