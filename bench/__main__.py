"""Run a benchmark, `python -m bench NAME [--full]`, or one of its tasks inside Django.

`--check` instead of a name loads all of them as when started, without measuring.
"""

import argparse
import importlib
import json
import os
import sys
import tempfile
from typing import Any

from bench._harness import Report, Task, raise_open_files
from krru.devtools.bench import names


def main(arguments: list[str]) -> int:
    """Run the named benchmark or task."""
    name, *rest = arguments
    if name == "--check":
        check()
        return 0
    if ":" in name:
        do = task(name)
        make_tables()
        print(json.dumps(do(*json.loads(rest[0]))))
        return 0
    module = importlib.import_module(f"bench.{name}")
    parser = argparse.ArgumentParser(prog=f"bench {name}", description=module.__doc__)
    parser.add_argument("--full", action="store_true", help="measure more, which takes longer")
    for flag, how in getattr(module, "OPTIONS", {}).items():
        parser.add_argument(flag, **how)
    options, report = parser.parse_args(rest), Report(name)
    raise_open_files()
    module.measure(report, options)
    return report.show()


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
    sys.exit(main(sys.argv[1:]))
