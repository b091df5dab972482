"""A real server of streams in a thread, and clients that are bare sockets."""

import asyncio
import contextlib
import json
import socket
import threading

import pytest
import uvicorn

from clock import realtime
from clock.stream import application, stream_url
from tests.waits import wait_for


class Client:
    """One open stream, read as the bytes come."""

    def __init__(self, address, path, headers="", buffer=None):
        self.socket = socket.socket()
        if buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(10)
        self.socket.connect(address)
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: [::1]\r\n{headers}\r\n".encode())
        self.received = b""

    def read_until(self, wanted):
        while wanted not in self.received:
            piece = self.socket.recv(65536)
            if not piece:
                raise AssertionError(f"The stream ended without {wanted!r}: {self.received!r}")
            self.received += piece
        return self.received

    def read_to_end(self):
        while piece := self.socket.recv(65536):
            self.received += piece
        return self.received

    def close(self):
        self.socket.close()


class Streams:
    """The running server: opens clients, and waits for what happens in the other thread."""

    def __init__(self, address):
        self.address = address
        self.clients = []

    def get(self, path, headers="", buffer=None):
        client = Client(self.address, path, headers, buffer)
        self.clients.append(client)
        return client

    def open(self, topic="event-1", version=None, headers="", buffer=None):
        query = "" if version is None else f"?v={version}"
        client = self.get(stream_url(topic) + query, headers, buffer)
        client.read_until(b"event: hello")
        return client

    def wait_until(self, condition):
        assert wait_for(condition, every=0.01)


@pytest.fixture
def fresh_hub(monkeypatch):
    """A hub that knows nothing yet, in the place of the process's own."""
    hub = realtime.Hub()
    monkeypatch.setattr("clock.realtime.hub", hub)
    monkeypatch.setattr("clock.stream.hub", hub)
    return hub


@contextlib.contextmanager
def serving(hub):
    sock = socket.create_server(("127.0.0.1", 0))
    config = uvicorn.Config(
        application, log_level="critical", lifespan="off", ws="none", timeout_keep_alive=1
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([sock])))
    thread.start()
    streams = Streams(sock.getsockname())
    try:
        streams.wait_until(lambda: server.started)
        yield streams
    finally:
        hub.close()
        for client in streams.clients:
            client.close()
        server.should_exit = True
        thread.join(10)
        sock.close()
        assert not thread.is_alive()


@pytest.fixture
def streams(fresh_hub):
    with serving(fresh_hub) as streams:
        yield streams


def frame(version, *changed):
    payload = json.dumps({"version": version, "changed": list(changed)}, separators=(",", ":"))
    return f"id: {version}\ndata: {payload}\n\n".encode()
