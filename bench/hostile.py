"""Does one hostile phone stop the evening? A director, a desk and a hundred streams beside it.

A tournament of 60 players runs on a real server. The director presses a button and opens a page,
a desk checks people in, streams listen: first in quiet, then while a process attacks from one
address, each attack for some seconds. Each of them has another address, none of them the one
that the server takes for its own machine. On SQLite; with `--database postgres` on PostgreSQL,
with `--full` longer. `--only NAME` measures one attack.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench._attacks import ATTACKS
from bench._report import Report, percentile
from bench._staff_beside import Evening, Met
from krru.devtools.serving import ServerProcess

SECONDS, FULL_SECONDS = 10.0, 30.0
QUIET = "quiet"
GOAL_DIRECTOR_MS, GOAL_DESK_MS = 200.0, 300.0


def main(arguments: list[str]) -> int:
    """Measure, and show the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--only", choices=list(ATTACKS))
    told = parser.parse_args(arguments)
    report = Report("hostile")
    names = [told.only] if told.only else list(ATTACKS)
    seconds = FULL_SECONDS if told.full else SECONDS
    with (
        _database(told.database) as env,
        tempfile.TemporaryDirectory(prefix="krru-bench-") as data,
        ServerProcess(Path(data), env) as server,
    ):
        evening = Evening(server)
        quiet = evening.go_on(seconds)
        _add(report, QUIET, quiet, None)
        for name in names:
            attacker = _attacker(name, server, evening, seconds + 1)
            met = evening.go_on(seconds, after=0.5)
            answers = json.loads(attacker.communicate(timeout=60)[0])
            print(f"{name}: answers {answers}", *met.refused[:3], file=sys.stderr)
            _add(report, name, met, percentile(quiet.director_ms, 99))
    return report.show()


@contextmanager
def _database(name: str) -> Iterator[dict[str, str]]:
    if name == "sqlite":
        yield {}
        return
    from krru.devtools.postgres import Postgres

    with Postgres(["fsync=on", "synchronous_commit=on"]) as database:
        yield {"DATABASE_URL": database.url}


def _attacker(
    name: str, server: ServerProcess, evening: Evening, seconds: float
) -> subprocess.Popen[str]:
    words = [name, server.port, evening.slug, evening.tokens["spare desk"], seconds]
    return subprocess.Popen(
        [sys.executable, "-m", "bench._attacks", *map(str, words)],
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parent.parent,
    )


def _add(report: Report, name: str, met: Met, quiet_ms: float | None) -> None:
    is_quiet = quiet_ms is None
    goal, desk_goal = (None, None) if is_quiet else (GOAL_DIRECTOR_MS, GOAL_DESK_MS)
    for kind, times in (("tap", met.tap_ms), ("page", met.page_ms)):
        report.add(f"{name}_director_{kind}_p50", percentile(times, 50), "ms", goal=None)
        report.add(f"{name}_director_{kind}_p99", percentile(times, 99), "ms", goal=goal)
    report.add(f"{name}_desk_p99", percentile(met.desk_ms, 99), "ms", goal=desk_goal)
    report.add(f"{name}_requests", len(met.director_ms) + len(met.desk_ms), "requests", goal=None)
    if quiet_ms is not None:
        ratio = percentile(met.director_ms, 99) / quiet_ms
        report.add(f"{name}_director_to_quiet", ratio, "times", goal=None)
    report.add(f"{name}_refused", Counter(met.refused).total(), "requests", goal=0)
    report.add(f"{name}_news_lost", met.news_lost, "news", goal=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
