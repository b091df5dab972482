"""Names in the chain as hashes, salted per person, so that they can be forgotten."""

import hashlib
import hmac

NAMES = "names"  # in the payload: [person, registration, hash], with one of the two possibly 0


def name_hash(salt: str, name: str) -> str:
    """Return the log's hash of a name: HMAC-SHA-256 with the salt as key, in hexadecimal.

    >>> name_hash("00ff", "Petra Probst")[:16]
    'b3e42bc4d782ba1d'
    """
    return hmac.new(salt.encode(), name.encode(), hashlib.sha256).hexdigest()
