"""The promise before the draws: a hash of the secret they will use, see `seating.domain.draws`."""

import hashlib


def commitment(secret: str) -> str:
    """Return what is published before the draws: the SHA-256 of the secret's text, in hexadecimal.

    >>> commitment("00ff")[:16]
    '8909cde2f411a84e'

    :raises ValueError: If the secret is empty.
    """
    if not secret:
        raise ValueError("The secret is empty.")
    return hashlib.sha256(secret.encode()).hexdigest()
