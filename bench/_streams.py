"""Many open streams to one server, read by bare sockets in one loop: as cheap as a client can be.

Client and server share the cores, so every microsecond spent here is missing there.
"""

from __future__ import annotations

import os
import selectors
import socket
import time
from pathlib import Path

OPENED_AT_ONCE = 500
PIECE = 65_536
OPEN_SECONDS = 60.0
FILES_WANTED = 16_000


def raise_open_files(wanted: int = FILES_WANTED) -> None:
    """Raise this process's limit of open files, and that of the servers it starts."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


class Streams:
    """Open streams of one path. With a small `buffer` little waits for a client that reads not."""

    def __init__(self, port: int, path: str, buffer: int | None = None) -> None:
        self._receive_buffer = buffer
        self._address = ("127.0.0.1", port)
        self._request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        self._selector = selectors.DefaultSelector()
        self._sockets: list[socket.socket] = []
        self._buffer = bytearray(PIECE)

    def open(self, count: int, greeting: bytes) -> float:
        """Open streams, some hundred at a time, until each was greeted; return the seconds."""
        began = time.perf_counter()
        for start in range(0, count, OPENED_AT_ONCE):
            fresh = [self._connect() for _ in range(min(OPENED_AT_ONCE, count - start))]
            seen = self.receive(greeting, len(fresh), OPEN_SECONDS)
            if len(seen) < len(fresh):
                raise RuntimeError(f"Only {start + len(seen)} of {count} streams were opened.")
        return time.perf_counter() - began

    def _connect(self) -> socket.socket:
        sock = socket.socket()
        if self._receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self._receive_buffer)
        sock.settimeout(OPEN_SECONDS)
        sock.connect(self._address)
        sock.sendall(self._request)
        sock.setblocking(False)
        self._sockets.append(sock)
        self._selector.register(sock, selectors.EVENT_READ)
        return sock

    def receive(self, wanted: bytes, count: int, seconds: float) -> list[float]:
        """Read until so many streams had `wanted`; return the instants (time.perf_counter).

        A piece is looked at alone: what is waited for is small, and comes in one.
        """
        received: list[float] = []
        buffer, until = self._buffer, time.perf_counter() + seconds
        while len(received) < count and (left := until - time.perf_counter()) > 0:
            for key, _ in self._selector.select(left):
                sock: socket.socket = key.fileobj  # type: ignore[assignment]
                length = sock.recv_into(buffer)
                if not length:
                    raise RuntimeError("The server closed a stream.")
                if buffer.find(wanted, 0, length) >= 0:
                    received.append(time.perf_counter())
        return received

    def close(self) -> None:
        self._selector.close()
        for sock in self._sockets:
            sock.close()


def memory_kb(pid: int) -> int:
    """Return the resident memory of a process, in KB."""
    return _status_kb(pid, "VmRSS:")


def memory_most_kb(pid: int) -> int:
    """Return the most resident memory a process ever had, in KB."""
    return _status_kb(pid, "VmHWM:")


def _status_kb(pid: int, field: str) -> int:
    for line in Path(f"/proc/{pid}/status").read_text("ascii").splitlines():
        if line.startswith(field):
            return int(line.split()[1])
    raise RuntimeError("The system does not tell a process's memory.")


def cpu_seconds(pid: int) -> float:
    """Return the processor time a process has used, in user and system mode."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def share_of_a_core(pid: int, began: float, used: float) -> float:
    """Return how much of one core a process took since an instant at which it had used `used`."""
    return (cpu_seconds(pid) - used) / (time.perf_counter() - began)
