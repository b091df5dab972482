"""Read the mail server and the base of links from the environment.

A link in a mail never uses the Host header of a request: the sender chose it.
"""

from dataclasses import dataclass
from urllib.parse import unquote, urlsplit

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from krru.web.served import served

CONSOLE = "krru.background.console_mail.EmailBackend"
SMTP = "django.core.mail.backends.smtp.EmailBackend"
# Default port of each scheme.
PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
TIMEOUT_SECONDS = 20


def sends_mail() -> bool:
    """Tell whether mail is sent by a mail server."""
    return bool(settings.EMAIL_BACKEND != CONSOLE)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailServer:
    """Django's mail settings."""

    backend: str = CONSOLE
    host: str = ""
    port: int = 25
    user: str = ""
    password: str = ""
    use_tls: bool = False
    use_ssl: bool = False


def mail_server(url: str | None) -> MailServer:
    """Return the mail server of a URL. Without one mails go to the console.

    >>> server = mail_server("smtp+tls://club%40example.org:secret@mail.example.org")
    >>> server.host, server.port, server.user, server.use_tls
    ('mail.example.org', 587, 'club@example.org', True)

    :raises ImproperlyConfigured: When it names no server.
    """
    if not url:
        return MailServer()
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
    return MailServer(
        backend=SMTP,
        host=host,
        port=port or PORTS[parts.scheme],
        user=unquote(parts.username or ""),
        password=unquote(parts.password or ""),
        use_tls=parts.scheme == "smtp+tls",
        use_ssl=parts.scheme == "smtps",
    )


def base_url() -> str:
    """Return the base of absolute links: KRRU_PUBLIC_URL, else this machine in the hall."""
    if settings.PUBLIC:
        origin: str = settings.PUBLIC.origin
        return origin
    own = served()
    return own.hall or own.here
