"""What tests of mail begin with: an event, people with addresses, and a run of the worker."""

from datetime import timedelta

from tests import factories as f
from tournaments.post.services.mail import mails_send

MINUTE = timedelta(minutes=1)
BASE = "http://hall.test"
PETRA = "petra@example.org"


def use(settings, port):
    """Make the server at this port the one that mails go to."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
    settings.EMAIL_TIMEOUT = 5
    settings.DEFAULT_FROM_EMAIL = "club@example.org"


def send(minutes=1.0):
    return mails_send(now=f.ARRIVAL + minutes * MINUTE, base=BASE)


def register(event, name="Petra Probst", email=PETRA, minute=0, **own):
    return f.register(event, name, email=email, at=f.ARRIVAL + minute * MINUTE, **own)
