"""Run one benchmark: `python3 start.py bench NAME [--full]` measures with `bench/NAME.py`.

It collects today's static files into a folder of its own: a new checkout has none.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from krru.data.folder import BASE_DIR
from krru.starting import texts


def names() -> list[str]:
    """Return the names of the benchmarks."""
    paths = (BASE_DIR / "bench").glob("*.py")
    return sorted(path.stem for path in paths if not path.stem.startswith("_"))


def main(arguments: list[str]) -> int:
    """Run the named benchmark and return its exit code."""
    if not arguments or arguments[0] not in names():
        print("python3 start.py bench NAME [--full]; NAME: " + ", ".join(names()))
        return 2
    texts.compile_texts()
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        env = _with_scripts_and_styles(Path(folder))
        return subprocess.run(
            [sys.executable, "-m", "bench", *arguments], cwd=BASE_DIR, check=False, env=env
        ).returncode


def _with_scripts_and_styles(folder: Path) -> dict[str, str]:
    env = {**os.environ, "KRRU_STATIC": str(folder / "static")}
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"]
    data = {"KRRU_DATA": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "krru.settings"}
    subprocess.run(collect, cwd=BASE_DIR, check=True, env={**env, **data})
    return env


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nAbgebrochen.")
