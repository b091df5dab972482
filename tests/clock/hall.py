"""A server of pages and streams in this process, and browsers that open them as in a hall."""

import asyncio
import contextlib
import socket
import threading
import time

import uvicorn
from django.db import connections
from django.utils import timezone

from clock.realtime import hub, publish
from clock.selectors import anchor_payload
from clock.stream import application as stream
from krru.web.pages import Pages
from krru.wsgi import application as django_pages
from tests.clock.evening import bump, make_event, start
from tests.waits import until
from tournaments.changes.access import COOKIE

SIZES = {"beamer": (1024, 768), "tv": (1920, 1080), "4k": (3840, 2160), "upright": (1080, 1920),
         "phone": (390, 664)}  # fmt: skip
# What the browser says by itself about a request that failed; which one is noted with its address.
# And a page may be left while it still asks for something.
TOLD_OTHERWISE = ("Failed to load resource", "htmx:sendAbort", "htmx:afterRequest")


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


@contextlib.contextmanager
def hall_open(monkeypatch):
    """Run a hall for one test. Its threads end with it, and so must their connections."""
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)
    hall = Hall().on()
    try:
        yield hall
    finally:
        with contextlib.suppress(OSError):
            hall.off()
        connections.close_all()


class Visitors:
    """Browsers in a hall. Whatever one complains about, or is answered with an error, is kept.

    `may_fail` names parts of addresses that a test expects to be refused.
    """

    def __init__(self, hall, browser, *, script=""):
        self.hall, self.browser, self.script = hall, browser, script
        self.complaints, self.contexts, self.may_fail = [], [], []

    def open(self, path, *, size="tv", cookie=None, browser=None, prepare=None):
        """Open an address in a browser of its own; `prepare` gets the page before that."""
        width, height = SIZES[size]
        context = (browser or self.browser).new_context(
            viewport={"width": width, "height": height},
            locale="de-DE",
            timezone_id="Europe/Vienna",
        )
        self.contexts.append(context)
        if cookie:
            context.add_cookies([{"name": COOKIE, "value": cookie, "url": self.hall.url("/")}])
        page = context.new_page()
        if self.script:
            page.add_init_script(self.script)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._note)
        page.on("response", self._check)
        if prepare:
            prepare(page)
        page.goto(self.hall.url(path))
        return page

    def _note(self, message):
        if message.type in {"error", "warning"} and not message.text.startswith(TOLD_OTHERWISE):
            self.complaints.append(message.text)

    def _check(self, answer):
        is_expected = any(part in answer.url for part in self.may_fail)
        if answer.status >= 400 and not is_expected:
            self.complaints.append(f"{answer.status} {answer.url}")

    def leave(self):
        """Close them all; fails if one had something to complain about."""
        for context in self.contexts:
            context.close()
        assert self.complaints == [], self.complaints


@contextlib.contextmanager
def visitors(hall, browser, **own):
    found = Visitors(hall, browser, **own)
    try:
        yield found
    finally:
        found.leave()


def running(ago, **own):
    """Return an event whose clock was started some time ago."""
    event = make_event(timezone.now() - ago, **own)
    start(event, timezone.now() - ago)
    return event


def push(event, *changed):
    """Tell of a change as services do."""
    version = bump(event)
    payload = {"version": version, "changed": list(changed), "anchor": anchor_payload(event.clock)}
    publish(f"event-{event.pk}", payload, id=version)


def face(page, wanted, timeout=30_000):
    page.wait_for_selector(f"body[data-face={wanted}]", timeout=timeout)


def shown_time(page):
    high, low = (page.inner_text(f"[data-part=time-{part}]") for part in ("high", "low"))
    return f"{high}:{low}"


# What is seen of a page, in shares of the screen's height; texts outside it, and over each other.
MEASURE = """(within) => {
  const height = innerHeight;
  const isSeen = (node) => node.checkVisibility({ visibilityProperty: true })
    && node.getBoundingClientRect().width > 0;
  const texts = [...document.querySelectorAll(`${within} *`)].filter((node) =>
    !["SCRIPT", "svg", "path"].includes(node.tagName) && isSeen(node)
    && [...node.childNodes].some((child) => child.nodeType === 3 && child.data.trim()));
  const boxOf = (node) => {
    if (getComputedStyle(node).overflow === "hidden") return node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  const share = (selector) => {
    const node = document.querySelector(selector);
    return node && isSeen(node) ? node.getBoundingClientRect().height / height : 0;
  };
  const isOutside = (box) => (
    box.right > innerWidth + 1 || box.bottom > height + 1 || box.left < -1 || box.top < -1
  );
  const overlap = (one, other) => {
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const high = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return wide > 2 && high > 0.35 * Math.min(one.height, other.height);
  };
  // The boxes of large figures are higher than what is seen of them.
  const apart = ".takeover, .hall, .sounding, .time, .blinds";
  const plain = texts.filter((node) => !node.closest(apart));
  const page = document.documentElement;
  return {
    time: share(".time"),
    ready: share(".ready"),
    blinds: share(".blinds"),
    takeover: share("[data-part=takeover] .takeover-blinds"),
    smallest: Math.min(...texts.map((n) => parseFloat(getComputedStyle(n).fontSize))) / height,
    outside: texts.filter((node) => isOutside(boxOf(node))).map((node) => node.outerHTML),
    covered: plain.flatMap((one, index) => plain.slice(index + 1)
      .filter((other) => !one.contains(other) && overlap(boxOf(one), boxOf(other)))
      .map((other) => `${one.textContent} / ${other.textContent}`)),
    scrolls: page.scrollHeight > height || page.scrollWidth > innerWidth,
    pointer: getComputedStyle(document.body).cursor,
  };
}"""


STILL = """() => document.getAnimations().every((each) => each.playState !== "running"
    || each.effect.getComputedTiming().iterations === Infinity)"""


def measured(page, within="body"):
    page.evaluate("document.fonts.ready")
    until(page, STILL)  # what slides in is outside until it is there
    return page.evaluate(MEASURE, within)
