"""The poster's token: permits more registrations from one connection.

It is the same for the whole event, so that printed posters stay valid.
"""

import base64

from django.http import HttpRequest
from django.utils.crypto import constant_time_compare, salted_hmac

# The poster link's parameter.
TOKEN, TOKEN_BYTES = "da", 5


def poster_token(slug: str) -> str:
    """Return the token on an event's poster: short and not guessable."""
    digest = salted_hmac("poster", slug).digest()
    return base64.b32encode(digest[:TOKEN_BYTES]).decode().lower()


def shown_token(request: HttpRequest, slug: str) -> str:
    """Return the poster's token if the request has it, else an empty text."""
    token = (request.POST if request.method == "POST" else request.GET).get(TOKEN, "")
    good = poster_token(slug)
    return good if constant_time_compare(token, good) else ""
