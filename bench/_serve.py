"""The real server with a stop-watch.

Run as `python -m bench._serve serve …` instead of `manage.py serve …`. It records the publication
of each change to the hub, by `time.perf_counter`, which all processes of a machine share.
"""

import os
import sys
import time
from typing import Any

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess

NOTES = "published.txt"


class BenchServer(ServerProcess):
    """A server that reports times of publication."""

    program = ("-m", "bench._serve")

    def published_at(self) -> float:
        return float((self.folder / NOTES).read_text("ascii").splitlines()[-1])


def main(arguments: list[str]) -> None:
    """Serve, with it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    from django.conf import settings

    from clock.realtime import Hub

    path, deliver = settings.KRRU_DATA / NOTES, Hub.deliver
    notes = path.open("a", encoding="ascii", buffering=1)

    def noting(*told: Any) -> None:
        at = time.perf_counter()
        deliver(*told)
        notes.write(f"{at}\n")

    Hub.deliver = noting
    execute_from_command_line([str(BASE_DIR / "manage.py"), *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
