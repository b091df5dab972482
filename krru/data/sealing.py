"""Encrypt secrets that the program must show again, so that a backup does not reveal them.

Encrypted and signed (Fernet of `cryptography`) with a key from the installation's own secret. A
backup without a passphrase does not hold that secret.
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
    """Encrypt a text for the database; an empty one stays empty."""
    return _box(settings.SECRET_KEY).encrypt(text.encode()).decode("ascii") if text else ""


def unseal(sealed: str) -> str:
    """Decrypt a text; empty if there is none or another installation sealed it."""
    try:
        return _box(settings.SECRET_KEY).decrypt(sealed).decode() if sealed else ""
    except InvalidToken:
        return ""
