"""Read a workbook in a process of its own, with limits of time and memory.

A file of 59 KB can hold a million rows, and one of 2 MB gigabytes of shared texts. In this process
it cannot disturb the evening. As a program it takes a file and a memory limit, and writes the rows
as lines of JSON, or the file's error as the last line.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from tournaments.papers.domain.sheets import Row, SheetError

SECONDS = 10
MEMORY_BYTES = 512 * 1024 * 1024
FAULT = "fault"
MOST_NAMES = 20


def rows_read_apart(path: Path, sheet: int = 0) -> tuple[tuple[str, ...], Iterator[Row]]:
    """Return the names of a workbook's sheets, and the non-blank rows of one, counted from 0.

    :raises SheetError: As `workbooks.rows_of_workbook` does, or "too_slow".
    """
    command = [sys.executable, "-m", __name__, str(path), str(MEMORY_BYTES), str(sheet)]
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
    read = [json.loads(line) for line in lines]
    if FAULT in read[-1]:
        raise SheetError(read[-1][FAULT])
    names = [data["sheet"] for data in read if "sheet" in data]
    return tuple(names[:MOST_NAMES]), (_row(*data["row"]) for data in read if "row" in data)


def _row(number: int, cells: list[str], formulas: list[int]) -> Row:
    return Row(number=number, cells=tuple(cells), formulas=frozenset(formulas))


def main(path: Path, memory_bytes: int, sheet: int) -> None:
    """Write the rows within limits. Windows has none: there only the time-out ends it."""
    with suppress(ImportError):
        import resource  # noqa: PLC0415 - missing on Windows

        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    from tournaments.papers.workbooks import rows_of_workbook  # noqa: PLC0415 - within the bounds

    try:
        for row in rows_of_workbook(path, sheet):
            data = (
                {"sheet": row}
                if isinstance(row, str)
                else {"row": [row.number, row.cells, sorted(row.formulas)]}
            )
            sys.stdout.write(json.dumps(data) + "\n")
        sys.stdout.write("{}\n")
    except SheetError as error:
        sys.stdout.write(json.dumps({FAULT: error.code}) + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
