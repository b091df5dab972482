"""The yardstick of `bench fanout`: the least an ASGI application under uvicorn can do.

`GET /stream/` is an open stream; `POST /publish` sends its body to all of them and answers the
instant at which it did. No topics, no resume, no keep-alives, no limit to what a slow reader costs.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

Message = dict[str, Any]
HEADERS = [(b"content-type", b"text/event-stream")]
GREETING = b"event: hello\ndata: {}\n\n"

queues: set[asyncio.Queue[bytes]] = set()


async def application(
    scope: Message,
    receive: Callable[[], Awaitable[Message]],
    send: Callable[[Message], Awaitable[None]],
) -> None:
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
    await send({"type": "http.response.body", "body": GREETING, "more_body": True})
    while True:
        await send({"type": "http.response.body", "body": await queue.get(), "more_body": True})


def main(port: int) -> None:
    """Serve on the loopback until terminated."""
    sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    sock.bind(("127.0.0.1", port))
    sock.listen(2048)
    config = uvicorn.Config(
        application, lifespan="off", log_config=None, access_log=False, timeout_graceful_shutdown=1
    )
    uvicorn.Server(config).run(sockets=[sock])


if __name__ == "__main__":
    main(int(sys.argv[1]))
