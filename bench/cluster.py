"""Several processes: effects on users while each part is taken away in turn.

nginx, two web processes, worker, schedule, PostgreSQL and Valkey on this machine, as `deploy/`
starts them. Scripts register, check in and shift the clock; a visitor requests a page twenty times
a second; streams listen; all through the proxy. Meanwhile a web process is killed, Valkey is frozen
for six seconds and killed, PostgreSQL restarted, worker and schedule killed. Killed services
restart after a second, as with systemd. 2,000 streams, with `--full` 10,000, with `--streams N`
that number.
"""

import signal
import tempfile
import time
from pathlib import Path
from typing import Any

from bench._harness import DURABLE, Report, percentile
from bench._scripts import EVENING, FOUND, PLAYERS, Script, acknowledged, compared
from bench._watchers import Listeners, Page, Visitor
from krru.devtools.cluster import Cluster

STREAMS, FULL_STREAMS, SCRIPTS = 2_000, 10_000, 3
FROZEN_S, AWAY_S, RESTART_S, CALM_S = 6.0, 5.0, 1.0, 4.0
BACK_S, FULL_BACK_S, OPEN_WITHIN_S, BEHIND_S = 5.0, 15.0, 180.0, 5.0
OPTIONS = {"--streams": {"type": int}}


def measure(report: Report, options: Any) -> None:
    """Run all clients, do the harm, and add the figures."""
    streams = options.streams or (FULL_STREAMS if options.full else STREAMS)
    with (
        tempfile.TemporaryDirectory(prefix="krru-cluster-") as folder,
        Cluster(Path(folder), DURABLE) as cluster,
    ):
        evening = EVENING(cluster.web[0], PLAYERS, 0)
        listeners = Listeners(cluster.port, evening["stream"], streams)
        report.add("streams", streams, "streams")
        closed = listeners.lacking(lambda phone: phone["is_open"], OPEN_WITHIN_S)
        report.add("streams_not_opened", closed, "streams", 0)
        visitor = Visitor(cluster.port, f"/t/{evening['slug']}/")
        scripts = [Script(n, cluster.port, evening, is_https=True) for n in range(SCRIPTS)]
        time.sleep(CALM_S)
        away_from, away_to = harm(cluster)
        done = [script.stop() for script in scripts]
        pages = visitor.stop()
        found = FOUND(cluster.web[0])
        version, away = found["version"], listeners.told("away_s")
        behind = listeners.lacking(lambda phone: phone["version"] >= version, BEHIND_S)
        listeners.stop()
    report.add("acknowledged", acknowledged(done), "actions")
    for what, count in compared(done, found).items():
        report.add(what, count, "actions", 0)
    report.add("streams_behind_at_the_end", behind, "streams", 0)
    goal = BACK_S if streams <= STREAMS else FULL_BACK_S
    report.add("streams_back_p99", percentile(away, 99) if away else 0, "s", goal)
    _add_pages(report, pages, away_from, away_to)


def harm(cluster: Cluster) -> tuple[float, float]:
    """Take the parts away in turn; return the time of PostgreSQL, by `time.monotonic`."""
    web, redis = cluster.web[0], cluster.redis
    web.kill()
    time.sleep(RESTART_S)
    web.start()
    time.sleep(CALM_S)
    redis.signal(signal.SIGSTOP)
    time.sleep(FROZEN_S)
    redis.signal(signal.SIGCONT)
    time.sleep(CALM_S)
    redis.signal(signal.SIGKILL)
    time.sleep(AWAY_S)
    redis.stop()
    redis.start()
    time.sleep(CALM_S)
    began = time.monotonic()
    cluster.database.stop()
    time.sleep(RESTART_S)
    cluster.database.start_again()
    ended = time.monotonic()
    time.sleep(CALM_S)
    for name in ("work", "schedule"):
        cluster.kill_other(name)
    time.sleep(RESTART_S)
    for name in ("work", "schedule"):
        cluster.start_other(name)
    time.sleep(CALM_S)
    return began, ended


def _add_pages(report: Report, pages: list[Page], began: float, ended: float) -> None:
    good = [done for at, done, status in pages if at >= ended and status == 200]
    back = good[0] - ended if good else 99.0
    outside = [status for at, done, status in pages if done < began or at >= ended + back]
    failed = sum(status != 200 for status in outside)
    report.add("pages_failed", 100 * failed / max(1, len(outside)), "%", 0.1)
    report.add("page_after_postgresql_is_back", back, "s", 5)
