"""The commitment before the draws: a hash of their secret, see `seating.domain.draws`."""

import hashlib

from tournaments.changes.domain.logchain import head_of


def commitment(secret: str) -> str:
    """Return the commitment to a secret: the SHA-256 of its text, in hexadecimal.

    >>> commitment("00ff")[:16]
    '8909cde2f411a84e'

    :raises ValueError: If the secret is empty.
    """
    if not secret:
        raise ValueError("The secret is empty.")
    return hashlib.sha256(secret.encode()).hexdigest()


def in_fours(digest: str) -> str:
    """Return the first 16 digits of a hash for reading aloud: in groups of four.

    >>> in_fours("c837135d3c73c0c9dadc0971f9b73b5a")
    'c837 135d 3c73 c0c9'
    """
    return head_of(digest)
