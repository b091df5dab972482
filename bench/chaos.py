"""Is what was acknowledged there, whenever the server is killed? On SQLite and on PostgreSQL.

Scripts register, check in and shift the clock without a pause. At random instants the server is
killed (`kill -9`) and started again; what was not acknowledged is sent again under its key. Then
what was acknowledged is compared with what is there, the log's chain is recomputed, the clock is
compared with what it should show, and a backup is brought up in a second folder. 20 kills, with
`--full` 60; `--database` for one of the two alone.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench._report import Report, percentile
from bench._scripts import FOUND, MAKE, Script
from krru.devtools.postgres import Postgres
from krru.devtools.serving import ServerProcess

KILLS, FULL_KILLS = 20, 60
SCRIPTS = 3
DURABLE = ["max_connections=200"]


@dataclass(slots=True)
class Outcome:
    """What was found after all kills on one database."""

    acknowledged: int
    resent: int
    lost: int
    doubled: int
    left_over: int
    refused: int
    chain_faults: int
    clock_off_s: float
    restored_missing: int
    starts_s: list[float]


def main(arguments: list[str]) -> int:
    """Kill, compare, and show the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--full", action="store_true")
    parser.add_argument("--database", choices=("sqlite", "postgres"))
    parser.add_argument("--seed", type=int, default=1)
    told = parser.parse_args(arguments)
    names = [told.database] if told.database else ["sqlite", "postgres"]
    kills = (FULL_KILLS if told.full else KILLS) // len(names)
    report = Report("chaos")
    for name in names:
        with _database(name) as env, tempfile.TemporaryDirectory(prefix="krru-chaos-") as folder:
            found = run(Path(folder), env, kills, random.Random(told.seed))
        print(f"{name}: {found}", file=sys.stderr)
        report.add(f"{name} kills", kills, "kills", goal=None)
        report.add(f"{name} acknowledged", found.acknowledged, "actions", goal=None)
        report.add(f"{name} sent again", found.resent, "actions", goal=None)
        for what in ("lost", "doubled", "left_over", "refused", "chain_faults"):
            report.add(f"{name} {what}".replace("_", " "), getattr(found, what), "", goal=0)
        report.add(f"{name} missing after restore", found.restored_missing, "", goal=0)
        report.add(f"{name} clock off", found.clock_off_s, "s", goal=1.5)
        report.add(f"{name} start p50", percentile(found.starts_s, 50), "s", goal=None)
    return report.show()


@contextmanager
def _database(name: str) -> Iterator[dict[str, str]]:
    if name == "sqlite":
        yield {}
        return
    # With its own durability: what is committed is on the disk.
    with Postgres(options=DURABLE) as server:
        yield {"DATABASE_URL": server.url}


def run(folder: Path, env: dict[str, str], kills: int, rng: random.Random) -> Outcome:
    """Let scripts act on one server, kill it so many times, and compare."""
    server = ServerProcess(folder / "data", env)
    server.start()
    try:
        evening = server.shell(MAKE)
        left, asked_at = _left(server, evening), time.monotonic()
        scripts = [Script(f"s{n}", server.url, evening, seed=n).start() for n in range(SCRIPTS)]
        starts = []
        for _ in range(kills):
            time.sleep(rng.uniform(0.3, 2.0))
            server.kill()
            began = time.monotonic()
            server.start()
            starts.append(time.monotonic() - began)
        done = [script.stop() for script in scripts]
        shifts = sum(one.shifts for one in done)
        passed = time.monotonic() - asked_at
        clock_off = abs(_left(server, evening) - (left - passed + shifts))
        chain_faults = server.manage("verifylog", check=False).returncode
        found = server.shell(FOUND)
    finally:
        server.stop()
    registered = [name for one in done for name in one.registered]
    entered = [name for one in done for name in one.entered]
    return Outcome(
        acknowledged=len(registered) + len(entered) + shifts,
        resent=sum(one.resent for one in done),
        lost=_lost(registered, found["registered"])
        + _lost(entered, found["entered"])
        + max(0, shifts - found["shifts"]),
        doubled=sum(count > 1 for count in found["registered"].values())
        + sum(count > 1 for count in found["entered"].values())
        + max(0, found["shifts"] - shifts),
        left_over=len([n for n in found["registered"] if n[0] == "s" and n not in set(registered)]),
        refused=sum(len(one.refused) for one in done),
        chain_faults=chain_faults,
        clock_off_s=clock_off,
        restored_missing=_missing_after_restore(server, folder, env, found),
        starts_s=starts,
    )


def _lost(acknowledged: list[str], found: dict[str, int]) -> int:
    return sum(name not in found for name in acknowledged)


def _left(server: ServerProcess, evening: dict[str, str]) -> float:
    """Return the seconds left in all levels up to the last, as the screen computes them."""
    url = f"{server.url}/api/v1/events/{evening['slug']}/clock"
    with urllib.request.urlopen(url, timeout=20) as answer:
        told: dict[str, Any] = json.load(answer)
    return float(told["remaining_seconds"])


def _missing_after_restore(
    server: ServerProcess, folder: Path, env: dict[str, str], found: dict[str, Any]
) -> int:
    """Bring a backup up, in a second folder on SQLite, and count what is missing."""
    stick = folder / "stick"
    stick.mkdir()
    server.manage("backup", "--to", str(stick))
    second = server if env else ServerProcess(folder / "second")
    second.manage("restore", str(stick))
    again = second.shell(FOUND)
    return _lost(list(found["registered"]), again["registered"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
