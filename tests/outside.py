"""Stand-ins for the outside on loopback: Telegram's Bot API, a push service, a web server.

Each speaks the real protocol over HTTP and keeps what it was told.
"""

import base64
import json
import struct
import sys
import threading
import time
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

TOKEN = "123456789:" + "A" * 35


class Outside(ThreadingHTTPServer):
    """A server whose `answer(path, headers, body)` gives a status, headers and a body."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        self.heard = []

    def handle_error(self, request, address):
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, address)

    def answer(self, path, headers, body):
        self.heard.append((path, headers, body))
        return 200, {}, b""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, headers, text = self.server.answer(self.path, dict(self.headers), body)
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(text))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST  # noqa: N815 - the library's name

    def log_message(self, *args):
        pass


class BotApi(Outside):
    """Telegram's Bot API for one bot. `errors` says what it answers to a chat."""

    def __init__(self):
        super().__init__()
        self.messages, self.errors, self.updates = [], {}, []
        self.news = threading.Condition()

    def say(self, chat, text, kind="private"):
        """Let a chat say something to the bot."""
        with self.news:
            number = 700 + len(self.updates)
            message = {"message_id": 1, "chat": {"id": chat, "type": kind}, "text": text}
            self.updates.append({"update_id": number, "message": message})
            self.news.notify_all()

    def told(self, chat):
        return [one["text"] for one in self.messages if one["chat_id"] == chat]

    def answer(self, path, headers, body):
        _empty, bot, method = path.split("/")
        if bot != f"bot{TOKEN}":
            return self._error(401, "Unauthorized")
        values = json.loads(body or b"{}")
        if method == "getMe":
            return self._ok({"id": 123456789, "is_bot": True, "username": "club_bot"})
        if method == "getUpdates":
            return self._ok(self._wait(values["offset"], values["timeout"]))
        if method == "sendMessage":
            if error := self.errors.get(values["chat_id"]):
                return self._error(*error)
            self.messages.append(values)
            return self._ok({"message_id": len(self.messages)})
        return self._error(404, "Not Found")

    def _wait(self, offset, seconds):
        ends = time.monotonic() + seconds
        with self.news:
            while True:
                found = [one for one in self.updates if one["update_id"] >= offset]
                left = ends - time.monotonic()
                if found or left <= 0:
                    return found
                self.news.wait(left)

    def _ok(self, result):
        return 200, {}, json.dumps({"ok": True, "result": result}).encode()

    def _error(self, code, words, **parameters):
        told = {"ok": False, "error_code": code, "description": words, "parameters": parameters}
        return code, {}, json.dumps(told).encode()


class PushService(Outside):
    """A push service with its browsers. It checks who sends, and each browser decrypts."""

    def __init__(self):
        super().__init__()
        self.browsers, self.statuses, self.faults = {}, {}, []

    def subscribe(self, sender):
        """Return what a new browser hands to the page that asks with this key."""
        name, key, auth = (
            f"b{len(self.browsers)}",
            ec.generate_private_key(ec.SECP256R1()),
            b"s" * 16,
        )
        self.browsers[name] = (key, auth, sender, [])
        keys = {"p256dh": encoded(point_of(key.public_key())), "auth": encoded(auth)}
        return json.dumps({"endpoint": f"{self.url}/{name}", "expirationTime": None, "keys": keys})

    @property
    def shown(self):
        return [one for *_others, shown in self.browsers.values() for one in shown]

    def answer(self, path, headers, body):
        name = path.strip("/")
        if name in self.statuses:
            status, own = self.statuses[name]
            return status, own, b"{}"
        key, auth, sender, shown = self.browsers[name]
        try:
            self._check(headers, sender)
            shown.append(json.loads(decrypted(body, key, auth)) | {"ttl": int(headers["TTL"])})
        except Exception as error:
            self.faults.append(error)
            return 403, {}, b"{}"
        return 201, {}, b""

    def _check(self, headers, sender):
        scheme, _space, rest = headers["Authorization"].partition(" ")
        told = dict(part.strip().split("=", 1) for part in rest.split(","))
        assert (scheme, told["k"]) == ("vapid", sender)
        signed, _dot, signature = told["t"].rpartition(".")
        raw = decoded(signature)
        r, s = (int.from_bytes(half, "big") for half in (raw[:32], raw[32:]))
        key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decoded(sender))
        der = utils.encode_dss_signature(r, s)
        key.verify(der, signed.encode(), ec.ECDSA(hashes.SHA256()))
        head, claims = (json.loads(decoded(part)) for part in signed.split("."))
        assert head == {"typ": "JWT", "alg": "ES256"}
        assert claims["aud"] == self.url
        assert claims["sub"].startswith(("https://", "mailto:"))


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point_of(key):
    form = serialization.PublicFormat.UncompressedPoint
    return key.public_bytes(serialization.Encoding.X962, form)


def decrypted(body, key, auth):
    """Read one record as a browser does (RFC 8188, RFC 8291)."""
    salt, (record, length) = body[:16], struct.unpack("!IB", body[16:21])
    point, sealed = body[21 : 21 + length], body[21 + length :]
    assert len(sealed) <= record
    theirs = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
    info = b"WebPush: info\0" + point_of(key.public_key()) + point
    secret = _hkdf(auth, key.exchange(ec.ECDH(), theirs), info, 32)
    content = _hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
    text = AESGCM(content).decrypt(nonce, sealed, None)
    assert text.endswith(b"\2")
    return text[:-1]


def _hkdf(salt, secret, info, length):
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


@contextmanager
def served(server):
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
