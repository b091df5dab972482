"""Are acknowledged actions kept when the server is killed? On SQLite and on PostgreSQL.

Scripts register, check in, sell re-buys, pay prizes and shift the clock without a pause. At random
instants the server is killed (`kill -9`) and restarted; unacknowledged actions are sent again under
their key, one in ten twice. Then acknowledged and stored actions are compared, the log's chain is
recomputed, the clock is checked, a backup is restored in a second folder. 20 kills on each, with
`--full` 60, with `--kills N` that number; `--database` for only one of them.
"""

import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bench._clients import Client, good
from bench._harness import DATABASES, Report, server
from bench._scripts import EVENING, FOUND, PLAYERS, PRIZES, Script, acknowledged, compared
from krru.devtools.serving import ServerProcess

KILLS, FULL_KILLS, SCRIPTS, PAID = 20, 60, 3, 400
# Actions between two kills. A slow machine takes longer, up to this mean time.
AT_LEAST, PATIENCE_S = 52, 45.0
OPTIONS = {"--database": {"choices": DATABASES}, "--kills": {"type": int}}


def measure(report: Report, options: Any) -> None:
    """Kill, and compare."""
    names = [options.database] if options.database else DATABASES
    kills = options.kills or (FULL_KILLS if options.full else KILLS)
    for name in names:
        with server(name) as running:
            _measure(report, name, running.start(), kills, random.Random(1))


def _measure(
    report: Report, name: str, running: ServerProcess, kills: int, rng: random.Random
) -> None:
    evening = EVENING(running, PLAYERS, 0) | {"payees": PRIZES(running, PAID)}
    left, asked_at = _left(running, evening), time.monotonic()
    scripts = [Script(n, running.port, evening) for n in range(SCRIPTS)]
    _killed(running, scripts, kills, rng)
    done = [script.stop() for script in scripts]
    wanted = left - (time.monotonic() - asked_at) + sum(one.shifts for one in done)
    clock_off = abs(_left(running, evening) - wanted)
    log = running.manage("verifylog", check=False)
    found = FOUND(running)
    running.stop()
    report.add(f"{name}_kills", kills, "kills")
    report.add(f"{name}_acknowledged", acknowledged(done), "actions", 50 * kills, "higher")
    for what, count in compared(done, found).items():
        report.add(f"{name}_{what}", count, "actions", 0)
    report.add(f"{name}_chain_faults", log.returncode, "faults", 0)
    if log.returncode:
        print(log.stdout[-2000:], file=sys.stderr)
    missing = _missing_after_restore(running, found)
    report.add(f"{name}_missing_after_restore", missing, "actions", 0)
    report.add(f"{name}_clock_off", clock_off, "s", 1.5)


def _killed(running: ServerProcess, scripts: list[Script], kills: int, rng: random.Random) -> None:
    until = time.monotonic() + kills * PATIENCE_S
    for number in range(1, kills + 1):
        time.sleep(rng.uniform(0.3, 2.0))
        while acknowledged([one.done for one in scripts]) < number * AT_LEAST:
            if time.monotonic() > until:
                break
            time.sleep(rng.uniform(0.0, 0.1))
        running.kill()
        running.start()


def _left(running: ServerProcess, evening: dict[str, Any]) -> float:
    told = good(Client(running.port).ask("GET", f"/api/v1/events/{evening['slug']}/clock"))
    return float(json.loads(told)["remaining_seconds"])


def _missing_after_restore(running: ServerProcess, found: dict[str, Any]) -> int:
    """Restore a backup in a second folder on SQLite, and count the missing rows."""
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        stick = Path(folder) / "stick"
        stick.mkdir()
        running.manage("backup", "--to", str(stick))
        is_sqlite = "DATABASE_URL" not in running.env
        second = ServerProcess(Path(folder) / "second") if is_sqlite else running
        second.manage("restore", str(stick))
        again = FOUND(second)
    return sum(
        name not in again[what]
        for what in ("registered", "entered", "paid")
        for name in found[what]
    )
