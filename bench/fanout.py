"""Delay of a change to thousands of open streams, and their cost for the server.

A director adds a second through the whole application of a real server process. Measured is the
time from publication to the hub until each stream has it: the median of several rounds' p99. The
yardstick is a minimal ASGI application (`bench._bare`), alternating with the server. Clients run in
this process, on the same cores. `--full` does it three times.
"""

import itertools
import time
from collections.abc import Callable
from typing import Any

from bench._bare import bare
from bench._clients import Client, Streams, good
from bench._harness import Report, Task, memory_kb, percentile, server
from bench._serve import BenchServer

LARGE, SMALL = 10_000, 1_000
PASSES, ROUNDS, REST_S, PATIENCE_S = 3, 6, 0.3, 30.0
NEWS = b'"version"'
SAMPLE = Task("bench._made:sample")
# The same size as our events.
FRAME = 'id: 999\ndata: {"version":999,' + '"changed":["clock"],'.ljust(150, "-") + "}\n\n"

Rounds = list[list[float]]
Act = Callable[[], Callable[[], float]]
"""Make a change; the returned function gives its time of publication, once all have it."""


def measure(report: Report, options: Any) -> None:
    """Measure both sizes of a hall."""
    for count in (LARGE, SMALL):
        ours: Rounds = []
        least: Rounds = []
        for _ in range(PASSES if options.full else 1):
            times, kilobytes = _ours(count)
            ours += times
            with bare() as port, Streams(port, "/stream/").open(count) as streams:
                least += rounds_of(streams, count, ROUNDS, publishing(port))
        p99, bare_p99 = typical(ours, 99), typical(least, 99)
        is_large = count == LARGE
        report.add(f"{count}_streams_p99_to_bare", p99 / bare_p99, "times", 2.5)
        report.add(f"{count}_streams_p99", p99, "ms", None if is_large else 150)
        report.add(f"{count}_streams_p99_of_bare", bare_p99, "ms")
        report.add(f"{count}_memory_a_stream", kilobytes, "KB", 16 if is_large else None)


def typical(rounds: Rounds, percent: float) -> float:
    """Return the median of the rounds' percentiles: one disturbed round does not decide."""
    return percentile([percentile(times, percent) for times in rounds], 50)


def _ours(count: int) -> tuple[Rounds, float]:
    """Return the delays of each round in milliseconds, and the KB of memory per stream."""
    with server(kind=BenchServer) as running:
        told = SAMPLE(running.start())
        before = memory_kb(running.pid)
        with Streams(running.port, told["stream"]).open(count) as streams:
            times = rounds_of(streams, count, ROUNDS, adjusting(running, told))
            taken = memory_kb(running.pid) - before
    return times, taken / count


def adjusting(running: BenchServer, told: dict[str, str]) -> Act:
    """Return an act that adds a second to the clock, or removes it."""
    director, seconds = Client(running.port, told["token"]), itertools.cycle((1, -1))

    def tap() -> Callable[[], float]:
        path = f"/t/{told['slug']}/leitung/uhr/stellen/"
        director.send("POST", path, {"seconds": next(seconds)})

        def published_at() -> float:
            good(director.answer())
            return running.published_at()

        return published_at

    return tap


def publishing(port: int) -> Act:
    """Return an act that publishes at the yardstick as much as a tap on the clock does."""
    client = Client(port)

    def post() -> Callable[[], float]:
        client.send("POST", "/publish", FRAME)
        return lambda: float(good(client.answer()))

    return post


def rounds_of(streams: Streams, count: int, rounds: int, act: Act) -> Rounds:
    """Repeat the act; return each stream's delay in milliseconds, by round.

    :raises RuntimeError: A stream got no event.
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
