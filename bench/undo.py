"""A look at an undo of 2,000 actions ago among 1,000 entries: how long, and who waits for it.

In a new data folder: a real file, WAL, every commit synchronised to the disk. With `--full` also
among 10,112 entries.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from bench import _undo
from bench._report import Report

LARGE_FIELD = 10_112
MEASURE = "--measure"
_NOT_INHERITED = {"DATABASE_URL", "REDIS_URL", "KRRU_DEBUG", "KRRU_BACKUP"}


def main(arguments: list[str]) -> int:
    """Measure in a child process with a data folder of its own, and show the figures."""
    if MEASURE in arguments:
        print(json.dumps(_measure(int(arguments[-1]))))
        return 0
    report = Report("undo")
    _undo.add(report, "", _run_child(_undo.ENTRIES))
    if "--full" in arguments:
        _undo.add(report, f"{LARGE_FIELD}_", _run_child(LARGE_FIELD))
    return report.show()


def _run_child(entries: int) -> _undo.Measured:
    base = {key: value for key, value in os.environ.items() if key not in _NOT_INHERITED}
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        done = subprocess.run(
            [sys.executable, "-m", "bench.undo", MEASURE, str(entries)],
            env={**base, "KRRU_DATA": folder},
            stdout=subprocess.PIPE,
            check=True,
            text=True,
            cwd=Path(__file__).parent.parent,
        )
    found: _undo.Measured = json.loads(done.stdout)
    return found


def _measure(entries: int) -> _undo.Measured:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
    return _undo.measure(entries=entries)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
