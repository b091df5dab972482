"""Do twenty arbiters' phones lose or double a tap, and does one that was away for ten minutes?

Twenty phones tap once a second each against a real server process on SQLite, then against two
on PostgreSQL; one tap in ten is sent twice at once, one in twenty arrives after the next. Then a
real browser is without a connection for ten minutes of its own time, and the server started anew
meanwhile. 20 seconds of tapping; 60 with `--full`.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench import _arbiters
from bench._away import TAPS, ten_minutes_away
from bench._later import LaterServer
from bench._report import Report, percentile
from bench._screens import chromium_browser
from krru.devtools.postgres import Postgres
from krru.devtools.serving import ServerProcess
from krru.devtools.valkey import valkey
from tournaments.devtools.room import account, room

PHONES, TABLES_EACH, SEATS = 20, 10, 6
SPARE_TABLE = PHONES * TABLES_EACH + 1
SECONDS, FULL_SECONDS = 20, 60
GOAL_MS = 300.0
DURABLE = ["fsync=on", "synchronous_commit=on"]


def main(arguments: list[str]) -> int:
    """Measure, and show the figures."""
    seconds = FULL_SECONDS if "--full" in arguments else SECONDS
    report = Report("phones")
    _sqlite(report, seconds)
    _postgresql(report, seconds)
    _away(report)
    return report.show()


def _sqlite(report: Report, seconds: int) -> None:
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        server = ServerProcess(Path(folder))
        made = _room(server)
        with server:
            _tap(report, "sqlite_", [server], made, seconds)


def _postgresql(report: Report, seconds: int) -> None:
    with (
        tempfile.TemporaryDirectory(prefix="krru-bench-") as folder,
        Postgres(DURABLE) as database,
        valkey() as redis_url,
    ):
        env = {"DATABASE_URL": database.url, "REDIS_URL": redis_url}
        servers = [ServerProcess(Path(folder), env, "--no-worker") for _ in range(2)]
        made = _room(servers[0])
        with servers[0], servers[1]:
            _tap(report, "postgresql_", servers, made, seconds)


def _room(server: ServerProcess) -> dict[str, Any]:
    return room(server, players=SPARE_TABLE * SEATS, seats=SEATS, phones=PHONES)


def _tap(
    report: Report,
    prefix: str,
    servers: Sequence[ServerProcess],
    made: dict[str, Any],
    seconds: int,
) -> None:
    phones = _arbiters.phones_of(made, [server.port for server in servers], seconds)
    _arbiters.warm_up(phones, f"/t/{made['slug']}/tische/", SPARE_TABLE)
    _arbiters.run(phones)
    told = account(servers[0])
    wanted, found = _arbiters.wanted(phones), _arbiters.happened(told["actions"])
    found.pop(("hand", SPARE_TABLE), None)
    refused = [line for phone in phones for line in phone.refused]
    wrong = told["wrong"]
    for line in [*refused[:5], *wrong[:5]]:
        print(prefix, line, file=sys.stderr)
    times = [ms for phone in phones for ms in phone.times_ms]
    report.add(f"{prefix}taps", wanted.total(), "taps", goal=None)
    report.add(f"{prefix}requests", len(times), "requests", goal=None)
    report.add(f"{prefix}lost", (wanted - found).total(), "taps", goal=0)
    report.add(f"{prefix}doubled", (found - wanted).total(), "taps", goal=0)
    report.add(f"{prefix}refused", len(refused), "requests", goal=0)
    report.add(f"{prefix}room_inconsistencies", len(wrong), "faults", goal=0)
    report.add(f"{prefix}p50", percentile(times, 50), "ms", goal=None)
    report.add(f"{prefix}p99", percentile(times, 99), "ms", goal=GOAL_MS)


def _away(report: Report) -> None:
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        server = LaterServer(Path(folder))
        made = room(server, players=2 * SEATS, seats=SEATS, phones=1)
        with server, chromium_browser() as browser:
            away = ten_minutes_away(browser, server, made)
    report.add("away_applied_or_asked", away.applied + away.asked, "taps", goal=TAPS)
    report.figures[-1] |= {"better": "higher", "met": away.applied + away.asked == TAPS}
    report.add("away_applied", away.applied, "taps", goal=None)
    report.add("away_asked", away.asked, "taps", goal=None)
    report.add("away_lost", away.lost, "taps", goal=0)
    report.add("away_doubled", away.doubled, "taps", goal=0)
    report.add("away_out_of_order", 0 if away.is_in_order else 1, "faults", goal=0)
    report.add("away_time_error", away.late_s, "s", goal=None)
    report.add("away_room_inconsistencies", len(away.wrong), "faults", goal=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
