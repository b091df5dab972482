"""The real server, whose time is ahead of the computer's by so many milliseconds.

Run as `python -m bench._later serve …`; a file in the data folder says by how much. So ten minutes
may pass for a server and a phone while a benchmark takes one.
"""

from __future__ import annotations

import os
import sys
from datetime import timedelta

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess

AHEAD = "ahead-ms.txt"


class LaterServer(ServerProcess):
    """A server whose time can be put ahead between a stop and a start."""

    program = ("-m", "bench._later")

    def put_ahead(self, ms: int) -> None:
        """Let the next start be so much later."""
        (self.folder / AHEAD).write_text(str(ms), "ascii")


def main(arguments: list[str]) -> None:
    """Serve, both of the computer's clocks ahead by the same."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django
    from django.core.management import execute_from_command_line

    django.setup()
    from django.conf import settings

    from clock.servertime import server_time

    file = settings.KRRU_DATA / AHEAD
    ahead = timedelta(milliseconds=int(file.read_text("ascii")) if file.exists() else 0)
    wall, boot = server_time.wall, server_time.boot
    server_time.wall = lambda: wall() + ahead
    server_time.boot = lambda: boot() + ahead
    execute_from_command_line([str(BASE_DIR / "manage.py"), *arguments])


if __name__ == "__main__":
    main(sys.argv[1:])
