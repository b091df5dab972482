"""Secrets that the program must be able to show again, kept so that a backup does not show them.

What is sealed is enciphered and signed (Fernet of `cryptography`) with a key made of the
installation's own secret, which a backup without a passphrase does not hold.
"""

import base64
import hashlib
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings


@lru_cache(maxsize=4)
def _box(secret: str) -> Fernet:
    key = hashlib.sha256(b"krru: sealed columns\n" + secret.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))


def seal(text: str) -> str:
    """Return a text as it is kept in the database; an empty one stays empty."""
    return _box(settings.SECRET_KEY).encrypt(text.encode()).decode("ascii") if text else ""


def unseal(sealed: str) -> str:
    """Return the text; empty where nothing was sealed, or where another installation sealed it."""
    try:
        return _box(settings.SECRET_KEY).decrypt(sealed).decode() if sealed else ""
    except InvalidToken:
        return ""
