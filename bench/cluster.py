"""More than one process: what do people meet while one part after the other is taken away?

nginx, two web processes, worker, schedule, PostgreSQL and Valkey on this machine, as `deploy/`
starts them. Scripts register, check in and shift the clock; a visitor asks for a page twenty times
a second; streams listen; all through the proxy. Meanwhile a web process is killed, Valkey is frozen
for six seconds and killed, PostgreSQL restarted, worker and schedule killed. Killed services are
started again after a second, as systemd does; nobody does anything else. 200 streams, with
`--full` 10,000, with `--streams N` as many as that.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from bench._report import Report, percentile
from bench._scripts import FOUND, MAKE, Script
from bench._streams import raise_open_files
from bench._watchers import Listeners, Page, Visitor
from krru.devtools.cluster import Cluster

STREAMS, FULL_STREAMS = 200, 10_000
SCRIPTS = 3
FROZEN_S, AWAY_S, RESTART_S, CALM_S = 6.0, 5.0, 1.0, 4.0
TOPIC = """
import json
from clock.stream import stream_url
from tournaments.models import Event
event = Event.objects.get(name="Abend")
print(json.dumps({"stream": stream_url(event.stream_topic), "version": event.version}))
"""


class Harm:
    """What is done to the cluster, and when: instants of `time.monotonic`."""

    def __init__(self, cluster: Cluster) -> None:
        self._cluster = cluster
        self.spans: dict[str, tuple[float, float]] = {}

    def do_all(self) -> None:
        for name, act in (
            ("web process killed", self._kill_web),
            ("Valkey frozen", self._freeze),
            ("Valkey killed", self._kill_redis),
            ("PostgreSQL restarted", self._restart_database),
            ("worker and schedule killed", self._kill_others),
        ):
            self._timed(name, act)
            time.sleep(CALM_S)

    def _timed(self, name: str, act: Callable[[], None]) -> None:
        began = time.monotonic()
        act()
        self.spans[name] = (began, time.monotonic())

    def _kill_web(self) -> None:
        web = self._cluster.web[0]
        web.kill()
        time.sleep(RESTART_S)
        web.start()

    def _freeze(self) -> None:
        self._cluster.redis.signal(signal.SIGSTOP)
        time.sleep(FROZEN_S)
        self._cluster.redis.signal(signal.SIGCONT)

    def _kill_redis(self) -> None:
        self._cluster.redis.signal(signal.SIGKILL)
        time.sleep(AWAY_S)
        self._cluster.redis.stop()
        self._cluster.redis.start()

    def _restart_database(self) -> None:
        self._cluster.database.stop()
        time.sleep(RESTART_S)
        self._cluster.database.start_again()

    def _kill_others(self) -> None:
        for process in self._cluster.others.values():
            os.killpg(process.pid, signal.SIGKILL)
        time.sleep(RESTART_S)
        for name in ("work", "schedule"):
            self._cluster.start_other(name)


def main(arguments: list[str]) -> int:
    """Harm, and show what was met."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--streams", type=int, default=STREAMS)
    told = parser.parse_args(arguments)
    report = Report("cluster")
    options = ["max_connections=200"]
    with (
        tempfile.TemporaryDirectory(prefix="krru-cluster-") as folder,
        Cluster(Path(folder), options) as cluster,
    ):
        measure(cluster, FULL_STREAMS if told.full else told.streams, report)
    return report.show()


def measure(cluster: Cluster, streams: int, report: Report) -> None:
    """Let everybody be at it, harm, and add the figures."""
    raise_open_files()
    dropped = connections_dropped()
    evening = cluster.web[0].shell(MAKE)
    topic = cluster.web[0].shell(TOPIC)
    listeners = Listeners(cluster.port, topic["stream"], streams).start()
    report.add("streams open at first", listeners.open_count, "streams", goal=None)
    visitor = Visitor(cluster.port, f"/t/{evening['slug']}/").start()
    scripts = [Script(f"s{n}", cluster.url, evening, seed=n).start() for n in range(SCRIPTS)]
    time.sleep(CALM_S)
    harm = Harm(cluster)
    harm.do_all()
    done = [script.stop() for script in scripts]
    visitor.stop()
    found, latest = cluster.web[0].shell(FOUND), cluster.web[0].shell(TOPIC)["version"]
    behind = listeners.behind(latest, 5.0)
    if behind:
        print(f"latest version {latest}, heard of: {dict(listeners.phones)}", file=sys.stderr)
    away = listeners.away_s
    listeners.stop()
    names = [name for one in done for name in one.registered]
    shifts = sum(one.shifts for one in done)
    report.add("acknowledged", len(names) + shifts, "actions", goal=None)
    report.add("lost", sum(name not in found["registered"] for name in names), "", goal=0)
    doubled = sum(count > 1 for count in found["registered"].values())
    report.add("doubled", doubled + abs(found["shifts"] - shifts), "", goal=0)
    report.add("refused", sum(len(one.refused) for one in done), "", goal=0)
    report.add("streams", streams, "streams", goal=None)
    report.add("streams behind at the end", behind, "streams", goal=0)
    report.add("streams back p99", percentile(away, 99) if away else 0, "s", goal=2.0)
    report.add("connections dropped", connections_dropped() - dropped, "connections", goal=None)
    _add_pages(report, visitor.pages, harm)


def connections_dropped() -> int:
    """Return how many connections found a program's queue full, since this machine was started.

    The system tries each again after 1, 3, 7 and 15 seconds.
    """
    names, values = (
        line.split()
        for line in Path("/proc/net/netstat").read_text("ascii").splitlines()
        if line.startswith("TcpExt:")
    )
    return int(dict(zip(names, values, strict=True))["ListenOverflows"])


def _add_pages(report: Report, pages: list[Page], harm: Harm) -> None:
    began, ended = harm.spans["PostgreSQL restarted"]
    during = [page for page in pages if page.at <= ended and page.at + page.seconds >= began]
    good = [page for page in pages if page.at >= ended and page.status == 200]
    back = good[0].at + good[0].seconds - ended if good else 99.0
    outside = [page for page in pages if page not in during and not ended < page.at < ended + back]
    failed = [page for page in outside if page.status != 200]
    for name, (start, end) in harm.spans.items():
        slow = max((page.seconds for page in pages if start <= page.at <= end), default=0.0)
        report.add(f"slowest page, {name}", slow, "s", goal=None)
    report.add("pages", len(pages), "pages", goal=None)
    report.add("pages failed", 100 * len(failed) / max(1, len(outside)), "%", goal=0.1)
    report.add("page after PostgreSQL is back", back, "s", goal=5.0)
    for page in failed[:5]:
        print(page.status, round(page.at - began, 1), page.said, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
