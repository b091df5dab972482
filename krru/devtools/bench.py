"""Run one benchmark: `python3 start.py bench NAME [--full]` runs `bench/NAME.py`."""

import subprocess
import sys
from pathlib import Path

from krru import texts
from krru.datafolder import BASE_DIR


def names() -> list[str]:
    """Return the benchmarks there are."""
    paths = (BASE_DIR / "bench").glob("*.py")
    return sorted(path.stem for path in paths if not path.stem.startswith("_"))


def main(arguments: list[str]) -> int:
    """Run the named benchmark and return its exit code."""
    if not arguments or arguments[0] not in names():
        print("python3 start.py bench NAME [--full]; NAME: " + ", ".join(names()))
        return 2
    texts.compile_texts()
    script = Path("bench") / f"{arguments[0]}.py"
    module = ".".join(script.with_suffix("").parts)
    return subprocess.run(
        [sys.executable, "-m", module, *arguments[1:]], cwd=BASE_DIR, check=False
    ).returncode


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nAbgebrochen.")
