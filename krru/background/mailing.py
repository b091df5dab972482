"""Read the mail server and the base of links from the environment.

A link in a mail never uses the Host header of a request: the sender chose it.
"""

from typing import Any
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.mail import EmailMessage
from django.core.mail.backends.console import EmailBackend as ConsoleBackend

from krru.web.served import served

CONSOLE = "krru.background.mailing.SubjectsOnly"
SMTP = "django.core.mail.backends.smtp.EmailBackend"
# Default port of each scheme.
PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}


class SubjectsOnly(ConsoleBackend):
    """Print each mail's subject only: a personal link is a key, and others read terminals."""

    def write_message(self, message: EmailMessage) -> None:
        self.stream.write(f"Mail ohne Mailserver, Text und Link unterdrückt: {message.subject}\n")


def sends_mail() -> bool:
    return bool(settings.EMAIL_BACKEND != CONSOLE)


def mail_server(url: str | None) -> dict[str, Any]:
    """Return Django's settings for the mail server of a URL; without one the console's.

    >>> server = mail_server("smtp+tls://club%40example.org:secret@mail.example.org")
    >>> server["EMAIL_HOST"], server["EMAIL_PORT"], server["EMAIL_USE_TLS"]
    ('mail.example.org', 587, True)

    :raises ImproperlyConfigured: When it names no server.
    """
    if not url:
        return {"EMAIL_BACKEND": CONSOLE}
    parts = urlsplit(url)
    try:
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if parts.scheme not in PORTS or not host:
        # Not the URL itself: it holds the password.
        raise ImproperlyConfigured(
            "KRRU_MAIL_URL ist keine Adresse wie smtp+tls://name:passwort@mail.example.org:587."
        )
    return {
        "EMAIL_BACKEND": SMTP,
        "EMAIL_HOST": host,
        "EMAIL_PORT": port or PORTS[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }


def base_url() -> str:
    """Return the base of absolute links: KRRU_PUBLIC_URL, else this machine in the hall."""
    if settings.PUBLIC:
        origin: str = settings.PUBLIC.origin
        return origin
    own = served()
    return own.hall or own.here
