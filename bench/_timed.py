"""The real server with a stop-watch: it notes when each change was handed to the hub.

Run as `python -m bench._timed serve …` in the place of `manage.py serve …`. The clock is
`time.perf_counter`, the same in all processes of a machine.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess

NOTES = "published.txt"


class TimedServer(ServerProcess):
    """A server that can be asked when it published."""

    program = ("-m", "bench._timed")

    def published_at(self) -> list[float]:
        """Return the instants at which changes were handed to the hub, in their order."""
        return [float(line) for line in (self.folder / NOTES).read_text("ascii").splitlines()]


def main(arguments: list[str]) -> None:
    """Serve, and note."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    from django.conf import settings

    from clock.realtime import Hub

    notes = (settings.KRRU_DATA / NOTES).open("a", encoding="ascii", buffering=1)
    deliver = Hub.deliver

    def noting(hub: Hub, name: str, version: int, frame: bytes) -> None:
        at = time.perf_counter()
        deliver(hub, name, version, frame)
        notes.write(f"{at}\n")

    Hub.deliver = noting  # type: ignore[method-assign]
    execute_from_command_line([str(BASE_DIR / "manage.py"), *arguments])


if __name__ == "__main__":
    sys.path.insert(0, str(Path(BASE_DIR)))
    main(sys.argv[1:])
