"""Web push: a payload encrypted for one browser (RFC 8291), signed by the sender (RFC 8292).

Written on `cryptography` alone: `http-ece`, on which the known package rests, has no wheel, and an
installation without the internet takes wheels only.
"""

import base64
import json
import os
import struct
from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from krru.web.outgoing import Answer, Forbidden, ask, is_allowed, parts_of

CURVE = ec.SECP256R1()
RECORD = 4096
LASTS = timedelta(hours=12)
LONGEST_ENDPOINT = 1000
# The push services of the browsers. Any other address could be anybody's.
SERVICES = (
    "fcm.googleapis.com", "push.services.mozilla.com", "notify.windows.com", "push.apple.com",
)  # fmt: skip


class BadSubscription(ValueError):
    """What a browser sent is no subscription of a known push service."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A browser's address for pushes, with its key and secret."""

    endpoint: str
    p256dh: str
    auth: str


def subscription_from(text: str) -> Subscription:
    """Read the subscription of a browser.

    :raises BadSubscription: It is none, or of an unknown push service.
    """
    try:
        told = json.loads(text)
        endpoint, keys = told["endpoint"], told["keys"]
        found = Subscription(endpoint=endpoint, p256dh=keys["p256dh"], auth=keys["auth"])
        host = (parts_of(endpoint).hostname or "").lower()
        _public_key(decoded(found.p256dh))
        is_whole = len(decoded(found.auth)) == 16 and len(endpoint) <= LONGEST_ENDPOINT
    except (Forbidden, ValueError, KeyError, TypeError, AttributeError, UnsupportedAlgorithm):
        raise BadSubscription from None
    is_known = any(host == one or host.endswith(f".{one}") for one in SERVICES)
    if not is_whole or not (is_known or is_allowed(host)):
        raise BadSubscription
    return found


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def decoded(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _public_key(point: bytes) -> ec.EllipticCurvePublicKey:
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, point)


def _point(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )


def private_key(text: str) -> ec.EllipticCurvePrivateKey:
    """Return the key of a text of `new_key`."""
    return ec.derive_private_key(int.from_bytes(decoded(text), "big"), CURVE)


def new_key() -> str:
    number = ec.generate_private_key(CURVE).private_numbers().private_value
    return encoded(number.to_bytes(32, "big"))


def public_text(key: str) -> str:
    return encoded(_point(private_key(key)))


def _derived(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=salt, info=info).derive(secret)


def encrypted(
    text: bytes,
    to: Subscription,
    *,
    salt: bytes | None = None,
    own: ec.EllipticCurvePrivateKey | None = None,
) -> bytes:
    """Return a payload of one record that only this browser can read."""
    salt, own = salt or os.urandom(16), own or ec.generate_private_key(CURVE)
    theirs = decoded(to.p256dh)
    shared = own.exchange(ec.ECDH(), _public_key(theirs))
    info = b"WebPush: info\0" + theirs + _point(own)
    secret = _derived(decoded(to.auth), shared, info, 32)
    key = _derived(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derived(salt, secret, b"Content-Encoding: nonce\0", 12)
    sealed = AESGCM(key).encrypt(nonce, text + b"\2", None)
    return salt + struct.pack("!IB", RECORD, 65) + _point(own) + sealed


def signature(endpoint: str, key: str, *, contact: str, now: datetime) -> str:
    """Return the header by which the push service knows the sender."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": round((now + LASTS).timestamp()),
        "sub": contact,
    }
    signed = ".".join(
        encoded(json.dumps(part, separators=(",", ":")).encode())
        for part in ({"typ": "JWT", "alg": "ES256"}, claims)
    )
    own = private_key(key)
    der = own.sign(signed.encode(), ec.ECDSA(hashes.SHA256()))
    r, s = utils.decode_dss_signature(der)
    token = f"{signed}.{encoded(r.to_bytes(32, 'big') + s.to_bytes(32, 'big'))}"
    return f"vapid t={token}, k={public_text(key)}"


def push(to: Subscription, text: bytes, *, vapid: str, seconds: int, topic: str) -> Answer:
    """Hand a payload to the push service, which keeps it for so many seconds.

    A later one of the same topic takes its place there. The connection stays open.

    :raises Unreachable: Without an answer.
    """
    headers = {
        "Authorization": vapid,
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(seconds),
        "Topic": topic,
        "Urgency": "high",
    }
    return ask("POST", to.endpoint, body=encrypted(text, to), headers=headers, keeps=True)
