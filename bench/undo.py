"""A look at an undo of 2,000 actions ago among 1,000 entries: how long, and who waits for it.

In a new data folder: a real file, WAL, every commit synchronised to the disk. With `--full` also
among 10,112 entries.
"""

import json
import sys

from bench import _undo
from bench._child import in_child, set_up
from bench._report import Report

LARGE_FIELD = 10_112
MEASURE = "--measure"


def main(arguments: list[str]) -> int:
    """Measure in a child process with a data folder of its own, and show the figures."""
    if MEASURE in arguments:
        print(json.dumps(_measure(int(arguments[-1]))))
        return 0
    report = Report("undo")
    _undo.add(report, "", in_child("bench.undo", MEASURE, str(_undo.ENTRIES)))
    if "--full" in arguments:
        _undo.add(report, f"{LARGE_FIELD}_", in_child("bench.undo", MEASURE, str(LARGE_FIELD)))
    return report.show()


def _measure(entries: int) -> _undo.Measured:
    set_up()
    return _undo.measure(entries=entries)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
