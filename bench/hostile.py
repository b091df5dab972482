"""Can one hostile phone stop an event? A director, a desk and a hundred streams beside it.

A tournament of 60 runs on a real server. The director presses a button and opens a page, a desk
checks people in, streams listen: first undisturbed, then during attacks of some seconds each from
another process and one address. All have different addresses, and none has the address of the
server's own machine. `--database postgres`; `--proxy` through nginx, to two processes with it;
`--full` longer; `--only NAME`.
"""

import contextlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench._attacks import ATTACKS
from bench._clients import Client, Streams, timed_threads
from bench._harness import DATABASES, DURABLE, Report, Task, percentile, server
from krru.data.folder import BASE_DIR
from krru.devtools.cluster import Cluster
from krru.devtools.serving import ServerProcess

SECONDS, FULL_SECONDS, WARM_S = 8.0, 30.0, 2.0
DIRECTOR, DESK, LISTENERS = "127.0.0.3", "127.0.0.4", "127.0.0.5"
PLAYERS, LATER, STREAMS = 60, 600, 100
# A director who presses continuously, and a desk with a queue.
DIRECTOR_EVERY_S, DESK_EVERY_S, NEWS_WITHIN_S = 0.1, 0.5, 5.0
GOALS_MS = {"director_tap": 200, "director_page": 200, "desk": 300}
EVENING = Task("bench._made:evening")
OPTIONS = {
    "--database": {"choices": DATABASES, "default": "sqlite"},
    "--only": {"choices": list(ATTACKS)},
    "--proxy": {"action": "store_true"},
}
Times = dict[str, list[float]]


def measure(report: Report, options: Any) -> None:
    """Measure undisturbed, then during each attack."""
    names = [options.only] if options.only else list(ATTACKS)
    seconds = FULL_SECONDS if options.full else SECONDS
    with contextlib.ExitStack() as stack:
        if options.proxy:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="krru-bench-")))
            cluster = stack.enter_context(Cluster(folder, DURABLE))
            evening, port, rest = Evening(cluster.web[0], cluster.port), cluster.port, ["https"]
        else:
            running = stack.enter_context(server(options.database)).start()
            evening, port, rest = Evening(running), running.port, []
        evening.go_on(WARM_S)
        quiet = evening.go_on(seconds)
        _add(report, "quiet", quiet, {})
        for name in names:
            words = [name, str(port), evening.slug, str(seconds + 1), *rest]
            command = [sys.executable, "-m", "bench._attacks", *words]
            attacker = subprocess.Popen(command, cwd=BASE_DIR)
            time.sleep(0.5)
            met = evening.go_on(seconds)
            attacker.wait(60)
            _add(report, name, met, GOALS_MS)
            for kind in ("director_tap", "director_page"):
                p99 = [percentile(times[kind], 99) for times in (met, quiet)]
                report.add(f"{name}_{kind}_to_quiet", p99[0] / p99[1], "times", 3)


def _add(report: Report, name: str, met: Times, goals: dict[str, float]) -> None:
    for kind in GOALS_MS:
        report.add(f"{name}_{kind}_p99", percentile(met[kind], 99), "ms", goals.get(kind))
    report.add(f"{name}_refused", len(met["refused"]), "requests", 0)
    report.add(f"{name}_streams_behind", len(met["behind"]), "streams", 0)


class Evening:
    """A running tournament with its staff, who ask the proxy if there is one."""

    def __init__(self, running: ServerProcess, proxy: int = 0) -> None:
        told = EVENING(running, PLAYERS, LATER)
        self.slug, self._later = told["slug"], iter(told["later"])
        own = {"port": proxy or running.port, "is_https": bool(proxy)}
        self._director = Client(token=told["tokens"]["director"], address=DIRECTOR, **own)
        self._desk = Client(token=told["tokens"]["desk"], address=DESK, **own)
        self._streams = Streams(running.port, told["stream"], LISTENERS).open(STREAMS)
        self._is_paused = False

    def go_on(self, seconds: float) -> Times:
        """Let all work for `seconds`, and return their times."""
        met: Times = {kind: [] for kind in (*GOALS_MS, "refused")}
        until = time.perf_counter() + seconds

        def repeat(do: Callable[[Times], None], pause_s: float) -> None:
            while time.perf_counter() < until:
                do(met)
                time.sleep(pause_s)

        timed_threads(
            [
                lambda: repeat(self._direct, DIRECTOR_EVERY_S),
                lambda: repeat(self._check_in, DESK_EVERY_S),
                lambda: self._streams.receive(b"\0", 1, seconds + 1),
            ]
        )
        self._direct(met)  # an event that all must receive
        heard = self._streams.receive(b"\ndata: ", STREAMS, NEWS_WITHIN_S)
        met["behind"] = [0.0] * (STREAMS - len(heard))
        return met

    def _direct(self, met: Times) -> None:
        page = f"/t/{self.slug}/leitung/"
        button = "start" if self._is_paused else "pause"
        self._is_paused = not self._is_paused
        _ask(self._director, met, "director_tap", "POST", f"{page}uhr/{button}/")
        _ask(self._director, met, "director_page", "GET", page)

    def _check_in(self, met: Times) -> None:
        desk = f"/t/{self.slug}/anmeldung/"
        _ask(self._desk, met, "desk", "POST", f"{desk}{next(self._later)}/einchecken/")
        _ask(self._desk, met, "desk", "GET", f"{desk}liste/")


def _ask(client: Client, met: Times, kind: str, method: str, path: str) -> None:
    began = time.perf_counter()
    status, text = client.tried(method, path, **{"HX-Request": "true"} if method == "POST" else {})
    met[kind].append((time.perf_counter() - began) * 1000)
    if status != 200:
        print(status, path, text[:200], file=sys.stderr)
        met["refused"].append(status)
