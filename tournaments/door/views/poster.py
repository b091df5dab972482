"""The token of the poster: who shows it may send more registrations from one connection.

It is the same for the whole event, so that what was printed stays good.
"""

import base64

from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

# What the poster's link says it with.
TOKEN, TOKEN_BYTES = "da", 5


def poster_token(slug: str) -> str:
    """Return what the code on an event's poster carries: short, and not to be guessed."""
    digest = salted_hmac("poster", slug).digest()
    return base64.b32encode(digest[:TOKEN_BYTES]).decode().lower()


def shown_token(request: HttpRequest, slug: str) -> str:
    """Return the poster's token if the request has it, else nothing."""
    token = (request.POST if request.method == "POST" else request.GET).get(TOKEN, "")
    good = poster_token(slug)
    return good if constant_time_compare(token, good) else ""
