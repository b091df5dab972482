"""A server of pages and streams in this process, for a browser to look at."""

import asyncio
import socket
import threading
import time

import uvicorn

from clock.realtime import hub
from clock.stream import application as stream
from krru.pages import Pages
from krru.wsgi import application as django_pages


class Hall:
    """Pages and streams on one port, in this process; can be switched off and on again."""

    def __init__(self):
        self.port = None

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def on(self):
        pages = self.pages = Pages(django_pages, writers=1, body_limit=1_000_000)

        async def application(scope, receive, send):
            serve = stream if scope["path"].startswith("/stream/") else pages
            await serve(scope, receive, send)

        self.socket = socket.create_server(("127.0.0.1", self.port or 0))
        self.port = self.socket.getsockname()[1]
        config = uvicorn.Config(
            application,
            log_level="critical",
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self.server = uvicorn.Server(config)
        serve = lambda: asyncio.run(self.server.serve([self.socket]))
        self.thread = threading.Thread(target=serve)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)
        return self

    def off(self):
        hub.close()
        self.server.should_exit = True
        self.thread.join(10)
        self.pages.close()
        self.socket.close()
