"""How soon do thousands of open streams hear of a change, and what do they cost the server?

A director's tap on "a second more" goes through the whole application of a real server process;
every open stream hears of it. Timed is from the hand-over to the hub until each stream has it: the
median of several rounds' p99. The yardstick is the least an ASGI application can do, `bench._bare`,
under the same uvicorn, in turns with the server. Clients run in this process, on the same cores.
"""

from __future__ import annotations

import http.client
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from bench._hall import Director, answered
from bench._report import Report, percentile
from bench._streams import Streams, cpu_seconds, memory_kb, raise_open_files, share_of_a_core
from bench._timed import TimedServer
from krru.data.folder import BASE_DIR
from krru.devtools.postgres import free_port
from krru.devtools.serving import ServerProcess
from krru.devtools.valkey import valkey

LARGE, SMALL = 10_000, 1_000
PASSES, ROUNDS = 2, 6
REST_S = 0.3
GREETING, NEWS = b"event: hello", b'"version"'
PATIENCE_S = 30.0
IDLE, IDLE_S = 100, 30.0
QUICK, BIG_FRAME, BIG_FRAMES = 200, 20_000, 40
MOST_BIG_FRAMES = 1_500

LIKE_OURS = {
    "version": 999,
    "changed": ["clock"],
    "anchor": {
        "level": 46, "elapsed": 123456, "since": 1795248000000, "hands": 0, "started": True,
        "began": 1795248000000,
    },
}  # fmt: skip
FRAME = b"id: 999\ndata: " + json.dumps(LIKE_OURS, separators=(",", ":")).encode() + b"\n\n"

Rounds = list[list[float]]
Act = Callable[[], Callable[[], float]]
"""Makes a change; what it returns tells, once all have heard of it, when it was published."""


def main(arguments: list[str]) -> int:
    """Measure, and show the figures. `--full` takes three times as many rounds."""
    raise_open_files()
    rounds = ROUNDS * (3 if "--full" in arguments else 1)
    report = Report("fanout")
    for count, goal in ((LARGE, 250.0), (SMALL, 40.0)):
        ours: Rounds = []
        bare: Rounds = []
        memory = []
        for _ in range(PASSES):
            times, kilobytes = _ours(count, rounds)
            ours += times
            memory.append(kilobytes)
            bare += _bare(count, rounds)
        _add(report, count, ours, bare, goal)
        name = f"memory_per_stream_{count}"
        report.add(name, max(memory), "KB", goal=16 if count == LARGE else None)
    _add_idle(report)
    _add_slow_reader(report)
    return report.show()


def _add(report: Report, count: int, ours: Rounds, bare: Rounds, goal: float) -> None:
    p99, bare_p99 = _typical(ours, 99), _typical(bare, 99)
    report.add(f"p99_ratio_{count}", p99 / bare_p99, "times", goal=1.5)
    report.add(f"p50_{count}", _typical(ours, 50), "ms", goal=None)
    report.add(f"p99_{count}", p99, "ms", goal=goal)
    each = [percentile(times, 99) for times in ours]
    report.add(f"p99_{count}_best_round", min(each), "ms", goal=None)
    report.add(f"p99_{count}_worst_round", max(each), "ms", goal=None)
    report.add(f"bare_p50_{count}", _typical(bare, 50), "ms", goal=None)
    report.add(f"bare_p99_{count}", bare_p99, "ms", goal=None)


def _typical(rounds: Rounds, percent: float) -> float:
    """Return the median of the rounds' percentiles: one round disturbed does not decide."""
    return percentile([percentile(times, percent) for times in rounds], 50)


def _ours(count: int, rounds: int) -> tuple[Rounds, float]:
    """Return the delays of each round in milliseconds, and the KB of memory a stream took."""
    with _folder() as folder, TimedServer(folder) as server:
        director = Director(server)
        before = memory_kb(server.pid)
        seconds = -1

        def tap() -> Callable[[], float]:
            nonlocal seconds
            seconds = -seconds
            answer = director.press("stellen", seconds=str(seconds))

            def published_at() -> float:
                answered(answer)
                return server.published_at()[-1]

            return published_at

        with _open(server.port, director.stream, count) as streams:
            times = rounds_of(streams, count, rounds, tap)
            taken = memory_kb(server.pid) - before
    _say(f"{count} streams, p99 {_typical(times, 99):.0f} ms")
    return times, taken / count


def _bare(count: int, rounds: int) -> Rounds:
    with Bare() as bare, _open(bare.port, "/stream/", count) as streams:
        times = rounds_of(streams, count, rounds, bare.post)
    _say(f"{count} streams, bare, p99 {_typical(times, 99):.0f} ms")
    return times


class Bare:
    """The yardstick as a process of its own."""

    def __init__(self) -> None:
        self.port = free_port()

    def __enter__(self) -> Bare:
        command = [sys.executable, "-m", "bench._bare", str(self.port)]
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL, cwd=BASE_DIR)
        _wait_for_port(self.port)
        return self

    def __exit__(self, *details: object) -> None:
        self._process.kill()
        self._process.wait()

    def post(self) -> Callable[[], float]:
        """Publish as much as a tap on the clock does."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        connection.request("POST", "/publish", FRAME)

        def published_at() -> float:
            at = float(connection.getresponse().read())
            connection.close()
            return at

        return published_at


@contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        yield Path(folder)


@contextmanager
def _open(port: int, path: str, count: int) -> Iterator[Streams]:
    streams = Streams(port, path)
    try:
        seconds = streams.open(count, GREETING)
        _say(f"{count} streams opened in {seconds:.1f} s")
        time.sleep(1)
        yield streams
    finally:
        streams.close()


def rounds_of(streams: Streams, count: int, rounds: int, act: Act) -> Rounds:
    """Act again and again, and return after how many milliseconds each stream had heard of it.

    :raises RuntimeError: some stream heard nothing.
    """
    times = []
    for _ in range(rounds):
        published_at = act()
        received = streams.receive(NEWS, count, PATIENCE_S)
        if len(received) < count:
            raise RuntimeError(f"Only {len(received)} of {count} streams heard of the change.")
        began = published_at()
        times.append([(at - began) * 1000 for at in received])
        time.sleep(REST_S)
    return times


def _add_idle(report: Report) -> None:
    """What do screens cost that only listen? Two keep-alives each are among it."""
    with (
        _folder() as folder,
        ServerProcess(folder) as server,
        _open(server.port, Director(server).stream, IDLE) as streams,
    ):
        began, used = time.perf_counter(), cpu_seconds(server.pid)
        ticks = streams.receive(b"event: now", IDLE * 10, IDLE_S)
        share = share_of_a_core(server.pid, began, used)
    report.add(f"idle_{IDLE}_streams_share_of_a_core", share * 100, "%", goal=1)
    report.add(f"idle_{IDLE}_streams_keep_alives", len(ticks) / IDLE, "each", goal=None)


def _add_slow_reader(report: Report) -> None:
    """A client that never reads: what it costs the others, and whether it is dropped."""
    with (
        _folder() as folder,
        valkey() as url,
        ServerProcess(folder, {"REDIS_URL": url}, "--no-worker") as server,
    ):
        path = Director(server).stream
        publish = _publisher(folder, url, re.findall(r"event-\d+", path)[0])
        with _open(server.port, path, QUICK) as quick:
            alone = [_big(quick, publish) for _ in range(BIG_FRAMES)]
            slow = Streams(server.port, path, buffer=4096)
            slow.open(1, GREETING)
            beside = []
            while _streams(server) > QUICK and len(beside) < MOST_BIG_FRAMES:
                beside.append(_big(quick, publish))
            is_dropped = _streams(server) == QUICK
            slow.close()
    ratio = _typical(beside, 99) / _typical(alone, 99)
    report.add("slow_reader_p99_ratio_of_others", ratio, "times", goal=1.2)
    report.add("slow_reader_dropped", float(is_dropped), "yes", goal=1, better="higher")
    report.add("slow_reader_dropped_after", len(beside) * BIG_FRAME / 1e6, "MB", goal=None)


def _publisher(folder: Path, url: str, topic: str) -> Callable[[bytes], None]:
    """Return what publishes as another process of the program does: through Redis."""
    os.environ.update(DJANGO_SETTINGS_MODULE="krru.settings", KRRU_DATA=str(folder), REDIS_URL=url)
    import django

    django.setup()
    from clock.realtime import publish

    versions = itertools.count(1_000_000)
    return lambda body: publish(topic, body, id=next(versions))


def _big(streams: Streams, publish: Callable[[bytes], None]) -> list[float]:
    began = time.perf_counter()
    publish(b"x" * BIG_FRAME)
    received = streams.receive(b"x\n\n", QUICK, PATIENCE_S)
    return [(at - began) * 1000 for at in received]


def _streams(server: ServerProcess) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", "/health/")
    told = json.load(connection.getresponse())
    connection.close()
    return int(told["streams"])


def _wait_for_port(port: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=1)
        try:
            connection.connect()
        except OSError:
            time.sleep(0.05)
        else:
            connection.close()
            return
    raise RuntimeError("The yardstick did not start.")


def _say(what: str) -> None:
    print(f"  {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
