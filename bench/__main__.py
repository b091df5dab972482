"""Run a benchmark, `python3 start.py bench NAME [--full]`, or one of its tasks inside Django.

`--check` instead of a name loads all of them as when started, without measuring.
"""

import argparse
import importlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from bench._harness import Report, Task, raise_open_files
from krru.data.folder import BASE_DIR
from krru.starting import texts


def names() -> list[str]:
    paths = (BASE_DIR / "bench").glob("*.py")
    return sorted(path.stem for path in paths if not path.stem.startswith("_"))


def main(arguments: list[str]) -> int:
    """Run the named benchmark or task."""
    name, *rest = arguments or [""]
    if name == "--check":
        check()
        return 0
    if ":" in name:
        do = task(name)
        make_tables()
        print(json.dumps(do(*json.loads(rest[0]))))
        return 0
    if name not in names():
        print("python3 start.py bench NAME [--full]; NAME: " + ", ".join(names()))
        return 2
    module = importlib.import_module(f"bench.{name}")
    parser = argparse.ArgumentParser(prog=f"bench {name}", description=module.__doc__)
    parser.add_argument("--full", action="store_true", help="measure more, which takes longer")
    for flag, how in getattr(module, "OPTIONS", {}).items():
        parser.add_argument(flag, **how)
    options, report = parser.parse_args(rest), Report(name)
    raise_open_files()
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        collect(Path(folder))
        module.measure(report, options)
    return report.show()


def collect(folder: Path) -> None:
    """Make texts and today's static files for all servers: a new checkout has none."""
    texts.compile_texts()
    os.environ["KRRU_STATIC"] = str(folder / "static")
    own = {"KRRU_DATA": str(folder / "data"), "DJANGO_SETTINGS_MODULE": "krru.settings"}
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity=0"]
    subprocess.run(command, cwd=BASE_DIR, check=True, env=os.environ | own)


def check() -> None:
    """Load every benchmark before Django is set up, then every task."""
    for name in names():
        importlib.import_module(f"bench.{name}")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["KRRU_DATA"] = folder
        for one in Task.known:
            task(one)


def task(name: str) -> Any:
    """Return the function of a task, with Django set up."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django

    django.setup()
    module, function = name.split(":")
    return getattr(importlib.import_module(module), function)


def make_tables() -> None:
    """Make the tables of a new data folder."""
    from django.core.management import call_command
    from django.db import connection

    if not connection.introspection.table_names():
        call_command("migrate", interactive=False, verbosity=0)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit("\nAbgebrochen.")
