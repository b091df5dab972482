"""A mail server for tests: a real one on a port of its own, as kind or unkind as it is told."""

import email
import email.policy
import socketserver
import threading
from contextlib import contextmanager

from tests.outside import served

GREETING, GOODBYE = b"220 post.test ESMTP\r\n", b"221 bye\r\n"


class PostOffice(socketserver.ThreadingTCPServer):
    """Keeps what it is given. `replies` says what it answers to an address or at DATA."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), _Counter)
        self.letters = []
        self.visits = 0
        self.replies = {}
        self.is_reached = threading.Event()
        self.may_go_on = threading.Event()
        self.may_go_on.set()

    @property
    def port(self):
        return self.server_address[1]

    @property
    def addresses(self):
        return [to for to, _letter in self.letters]

    def letter_to(self, address):
        (letter,) = [letter for to, letter in self.letters if to == address]
        return letter


class _Counter(socketserver.StreamRequestHandler):
    def handle(self):
        self.server.visits += 1
        self.wfile.write(GREETING)
        to = ""
        for line in self.rfile:
            word = line.split(b":")[0].split()[0].upper() if line.strip() else b""
            if word == b"QUIT":
                self.wfile.write(GOODBYE)
                return
            if word == b"RCPT":
                to = line.partition(b"<")[2].partition(b">")[0].decode()
                self._say(self.server.replies.get(to, "250 ok"))
            elif word == b"DATA":
                self._take(to)
            elif word == b"EHLO":
                self._say("250 post.test")
            else:
                self._say("250 ok")

    def _take(self, to):
        reply = self.server.replies.get("DATA")
        if reply:
            self._say(reply)
            return
        self._say("354 go on")
        lines = []
        for line in self.rfile:
            if line == b".\r\n":
                break
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        self.server.is_reached.set()
        self.server.may_go_on.wait(30)
        letter = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        self.server.letters.append((to, letter))
        self._say("250 kept")

    def _say(self, text):
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def post_office():
    with served(PostOffice()) as office:
        try:
            yield office
        finally:
            office.may_go_on.set()
