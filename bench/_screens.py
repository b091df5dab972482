"""Big screens in a real Chromium, and a note of every second that each of them shows.

Instants are of the machine's monotonic clock (`time.monotonic`), which no override of a page's
`Date` moves: Chromium tells when, by that clock, a page's `performance.now()` was zero.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser, Page, StorageState, sync_playwright

from krru.devtools import chromium

# Every change of what is counted down is noted after the drawing that made it is through, from
# the first one on, while the page is still being read.
NOTE = """(() => {
  const seen = (globalThis.seen = []);
  let last = "";
  const part = (name) => document.querySelector(`[data-part=${name}]`)?.textContent ?? "";
  const note = () => {
    const [level, high, low] = [part("level"), part("time-high"), part("time-low")];
    const text = `${level} ${high}:${low}`;
    if (low === "" || text === last) return;
    last = text;
    seen.push([performance.now(), level, high, low, document.body.dataset.face]);
  };
  const watched = { childList: true, characterData: true, subtree: true };
  new MutationObserver(note).observe(document, watched);
})();"""

# Every sound that began, with when it left the sound card: asked once it is out, because what was
# planned is not what was played. A sound taken back before that is not noted.
NOTE_SOUNDS = """(() => {
  const heard = (globalThis.heard = []);
  const begin = AudioBufferSourceNode.prototype.start;
  AudioBufferSourceNode.prototype.start = function (when = 0, ...rest) {
    const { context, buffer } = this;
    const due = Math.max(when, context.currentTime);
    let isOut = true;
    const end = this.stop.bind(this);
    this.stop = () => { isOut = context.currentTime > due; end(); };
    setTimeout(() => {
      const { contextTime, performanceTime } = context.getOutputTimestamp();
      const at = performanceTime + (due - contextTime) * 1000;
      if (isOut) heard.push([at, buffer.duration]);
    }, (due - context.currentTime) * 1000 + 100);
    return begin.call(this, when, ...rest);
  };
})();"""

WRONG_CLOCK = """(() => {
  const Right = Date;
  const now = () => Right.now() + OFF_MS;
  globalThis.Date = class extends Right {
    constructor(...given) { super(...(given.length ? given : [now()])); }
    static now() { return now(); }
  };
})();"""


# What HTTP puts round each piece of a stream, and the browser does not tell.
CHUNK_FRAME = 8
SOUND_PATIENCE_S = 30.0


@dataclass(frozen=True, slots=True)
class Shown:
    """What a screen began to show at an instant of the monotonic clock."""

    at: float
    level: str
    seconds: int
    face: str

    @property
    def key(self) -> tuple[str, int]:
        return self.level, self.seconds


class Screen:
    """One open big screen."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        *,
        off_ms: int = 0,
        slower: int = 1,
        kept: StorageState | None = None,
    ) -> None:
        size = {"width": 1280, "height": 720}
        self._context = browser.new_context(viewport=size, storage_state=kept)  # type: ignore[arg-type]
        self.page: Page = self._context.new_page()
        self.cdp = self._context.new_cdp_session(self.page)
        self.requests: list[str] = []
        self.bytes_loaded = self.bytes_of_sound = self.bytes_streamed = 0
        self._count_bytes()
        self.page.add_init_script(NOTE)
        self.page.add_init_script(NOTE_SOUNDS)
        if off_ms:
            self.page.add_init_script(WRONG_CLOCK.replace("OFF_MS", str(off_ms)))
        if slower > 1:
            self.cdp.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        self.page.goto(url)
        self.zero = self._zero()

    def _count_bytes(self) -> None:
        streams: set[str] = set()
        sounds: set[str] = set()

        def sent(event: dict[str, Any]) -> None:
            url = event["request"]["url"]
            self.requests.append(url)
            if event.get("type") == "EventSource":
                streams.add(event["requestId"])

        def received(event: dict[str, Any]) -> None:
            if event["requestId"] in streams:
                self.bytes_streamed += event["dataLength"] + CHUNK_FRAME

        def finished(event: dict[str, Any]) -> None:
            length = int(event["encodedDataLength"])
            if event["requestId"] in sounds:
                self.bytes_of_sound += length
            elif event["requestId"] not in streams:
                self.bytes_loaded += length

        def answered(event: dict[str, Any]) -> None:
            if event["response"]["mimeType"].startswith("audio/"):
                sounds.add(event["requestId"])

        self.cdp.on("Network.requestWillBeSent", sent)
        self.cdp.on("Network.responseReceived", answered)
        self.cdp.on("Network.dataReceived", received)
        self.cdp.on("Network.loadingFinished", finished)
        self.cdp.send("Network.enable")

    def _zero(self) -> float:
        self.cdp.send("Performance.enable")
        told = self.cdp.send("Performance.getMetrics")["metrics"]
        metrics = {metric["name"]: metric["value"] for metric in told}
        zero = metrics["NavigationStart"]
        before = time.monotonic()
        now = zero + self.page.evaluate("performance.now()") / 1000
        if not before - 0.05 <= now <= time.monotonic() + 0.05:
            raise RuntimeError("Chromium's clock is not this machine's monotonic one.")
        return float(zero)

    def shown(self) -> list[Shown]:
        """Return what it has shown so far, oldest first."""
        found = []
        for at, level, high, low, face in self.page.evaluate("seen"):
            if low:
                seconds = 60 * int(high) + int(low) if ":" not in high else 0
                found.append(Shown(self.zero + at / 1000, level, seconds, face))
        return found

    def heard(self) -> list[float]:
        """Return when the sounds went out so far, oldest first."""
        return sorted(self.zero + at / 1000 for at, _ in self.page.evaluate("heard"))

    def kept(self) -> StorageState:
        """Return what its browser keeps: cookies, and what the page stored."""
        return self._context.storage_state()

    def wait_for_sound(self) -> None:
        """Wait until all it may have to sound is loaded.

        :raises RuntimeError: it has no sound.
        """
        until = time.monotonic() + SOUND_PATIENCE_S
        while (state := self.page.get_attribute("body", "data-sound-state")) != "ready":
            if time.monotonic() > until:
                raise RuntimeError(f"The screen cannot be heard: {state}.")
            self.wait(0.1)

    def wait(self, seconds: float) -> None:
        """Let time pass, taking in what the browser tells."""
        self.page.wait_for_timeout(seconds * 1000)

    def wait_until(self, at: float) -> None:
        """Wait until an instant of the monotonic clock."""
        self.wait(max(0.0, at - time.monotonic()))

    def close(self) -> None:
        self._context.close()


@contextmanager
def chromium_browser() -> Iterator[Browser]:
    """Run a Chromium.

    :raises RuntimeError: there is none.
    """
    program = chromium.find()
    if program is None:
        raise RuntimeError(chromium.HOW_TO)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=chromium.FLAGS)
        yield browser
        browser.close()


def firsts(shown: list[Shown]) -> dict[tuple[str, int], float]:
    """Return when each second of each level was shown first.

    >>> firsts([Shown(1.0, "Stufe 1", 9, "playing"), Shown(1.5, "Stufe 1", 9, "playing")])
    {('Stufe 1', 9): 1.0}
    """
    found: dict[tuple[str, int], float] = {}
    for one in shown:
        found.setdefault(one.key, one.at)
    return found


def differences_ms(first: list[Shown], second: list[Shown]) -> list[float]:
    """Return by how many milliseconds two screens differ in showing the same seconds.

    >>> one, other = [Shown(1.0, "Stufe 1", 9, "")], [Shown(1.25, "Stufe 1", 9, "")]
    >>> differences_ms(one, other), differences_ms(other, one)
    ([250.0], [250.0])
    """
    here, there = firsts(first), firsts(second)
    return [abs(here[key] - there[key]) * 1000 for key in here if key in there]


def level_starts(shown: list[Shown]) -> dict[int, float]:
    """Return when each level but the first one seen was shown first, by its number.

    >>> level_starts([Shown(1.0, "Stufe 1", 1, ""), Shown(2.0, "Stufe 2", 2, "")])
    {2: 2.0}
    """
    found: dict[int, float] = {}
    for one in shown:
        found.setdefault(int(one.level.split()[-1]), one.at)
    return dict(list(found.items())[1:])
