"""The yardstick of `bench fanout`: a minimal ASGI application under uvicorn.

`GET /stream/` is an open stream; `POST /publish` sends its body to all of them and answers its
instant. No topics, no resume, no keep-alives, no limit for slow readers.
"""

import asyncio
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from krru.data.folder import BASE_DIR

HEADERS = [(b"content-type", b"text/event-stream")]
queues: set[asyncio.Queue[bytes]] = set()


async def application(scope: Any, receive: Any, send: Any) -> None:
    """Serve one stream, or one publication."""
    await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
    if scope["method"] == "POST":
        body, at = (await receive())["body"], time.perf_counter()
        for queue in queues:
            queue.put_nowait(body)
        await send({"type": "http.response.body", "body": str(at).encode()})
        return
    queue: asyncio.Queue[bytes] = asyncio.Queue()
    queues.add(queue)
    queue.put_nowait(b"event: hello\ndata: {}\n\n")
    while True:
        await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})


@contextmanager
def bare() -> Iterator[int]:
    """Run the yardstick in its own process, and yield its port."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as sock:
        sock.bind(("127.0.0.1", 0))
        sock.listen(2048)
        port = sock.getsockname()[1]
        command = [sys.executable, "-m", "bench._bare", str(sock.fileno())]
        process = subprocess.Popen(command, pass_fds=[sock.fileno()], cwd=BASE_DIR)
    try:
        yield port
    finally:
        process.kill()
        process.wait()


if __name__ == "__main__":
    config = uvicorn.Config(application, lifespan="off", log_config=None, access_log=False)
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(sys.argv[1]))])
