"""The signature of a webhook, by which its receiver knows that the club sent it."""

import hashlib
import hmac


def signed(secret: str, at: int, body: bytes) -> str:
    """Return the signature of a body sent at a second since 1970.

    >>> signed("secret", 1, b"{}")[:20]
    'sha256=1122767b19311'
    """
    text = str(at).encode() + b"." + body
    return "sha256=" + hmac.new(secret.encode(), text, hashlib.sha256).hexdigest()
