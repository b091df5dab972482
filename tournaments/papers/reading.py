"""Read a workbook in a process of its own, with limits of time and memory.

A file of 59 KB can hold a million rows, and one of 2 MB gigabytes of shared texts. In this process
it cannot disturb the evening. As a program it takes a file and a memory limit, and writes the rows
as lines of JSON, or the file's error as the last line.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tournaments.papers.domain.sheets import Row, SheetError

SECONDS = 10
MEMORY_BYTES = 512 * 1024 * 1024
FAULT = "fault"


def rows_read_apart(path: Path) -> Iterator[Row]:
    """Yield the non-blank rows of a workbook.

    :raises SheetError: As `workbooks.rows_of_workbook` does, or "too_slow".
    """
    command = [sys.executable, "-m", __name__, str(path), str(MEMORY_BYTES)]
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            timeout=SECONDS,
            check=False,
            cwd=Path(__file__).resolve().parent.parent.parent,
        )
    except subprocess.TimeoutExpired:
        raise SheetError("too_slow") from None
    lines = done.stdout.decode().splitlines()
    if done.returncode or not lines:
        raise SheetError("too_slow" if done.returncode else "empty")
    for line in lines:
        data = json.loads(line)
        if FAULT in data:
            raise SheetError(data[FAULT])
        if data:
            number, cells, formulas = data["row"]
            yield Row(number=number, cells=tuple(cells), formulas=frozenset(formulas))


def _hold_back(memory_bytes: int) -> None:
    """Limit this process. Windows has no such limits; there only the time-out ends it."""
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main(path: Path, memory_bytes: int) -> None:
    """Write the rows of a workbook."""
    _hold_back(memory_bytes)
    from tournaments.papers.workbooks import rows_of_workbook  # noqa: PLC0415 - within the bounds

    try:
        for row in rows_of_workbook(path):
            data = [row.number, row.cells, sorted(row.formulas)]
            sys.stdout.write(json.dumps({"row": data}) + "\n")
        sys.stdout.write("{}\n")
    except SheetError as error:
        sys.stdout.write(json.dumps({FAULT: error.code}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
