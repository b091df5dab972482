"""A measurement in a process of its own, on a new data folder: a real file, every commit synced."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NOT_INHERITED = {"DATABASE_URL", "REDIS_URL", "KRRU_DEBUG", "KRRU_BACKUP"}


def in_child(module: str, *arguments: str, env: Mapping[str, str] | None = None) -> Any:
    """Run a module of ours so, and return the JSON it printed."""
    base = {key: value for key, value in os.environ.items() if key not in NOT_INHERITED}
    with tempfile.TemporaryDirectory(prefix="krru-bench-") as folder:
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments],
            env={**base, "KRRU_DATA": folder, **(env or {})},
            stdout=subprocess.PIPE,
            check=True,
            text=True,
            cwd=Path(__file__).parent.parent,
        )
    return json.loads(done.stdout)


def set_up() -> None:
    """Set Django up in the child and make the tables."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django

    django.setup()
    from django.core.management import call_command

    call_command("migrate", interactive=False, verbosity=0)
