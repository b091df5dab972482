"""Lay a running server's sample evening out for a measurement, straight in its database.

Run as `python -m bench._evening` with the server's environment: `levels` makes all levels short and
starts the clock anew; `pause` stops it, as another process of the program would; `actions` prints
what was done to the clock. Levels of seconds cannot be made by hand, hence this way.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import timedelta
from typing import Any

from krru.data.folder import BASE_DIR
from krru.devtools.serving import ServerProcess


def evening(server: ServerProcess, what: str, *numbers: float) -> Any:
    """Do one of these things to the evening of a server, which may be dead, and return its word."""
    done = subprocess.run(
        [sys.executable, "-m", "bench._evening", what, *map(str, numbers)],
        env=server.env,
        stdout=subprocess.PIPE,
        check=True,
        text=True,
        cwd=BASE_DIR,
    )
    return json.loads(done.stdout)


def main(arguments: list[str]) -> None:
    """Do it, and print the answer."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "krru.settings")
    import django

    django.setup()
    from django.db import transaction

    what, *numbers = arguments
    with transaction.atomic():
        told = {"levels": _levels, "pause": _pause, "actions": _actions}[what](*map(float, numbers))
    print(json.dumps(told))


def _levels(seconds: float, starts_in: float) -> dict[str, Any]:
    """Make every level last so long, and start the clock in so many seconds (or ago, below 0)."""
    from django.utils import timezone

    from clock.domain import ActionKind, instant_ms
    from clock.models import ClockAction, Level
    from clock.services import action_append

    event = _event()
    ClockAction.objects.filter(clock=event.clock).delete()
    levels = Level.objects.filter(clock=event.clock)
    levels.update(kind=Level.Kind.PLAY, hands=None, duration_ms=int(seconds * 1000))
    at = timezone.now() + timedelta(seconds=starts_in)
    action = action_append(clock=event.clock, kind=ActionKind.STARTED, at=at)
    event.save(update_fields=["version"])
    return {"began_ms": instant_ms(action.at), "duration_ms": int(seconds * 1000)}


def _pause() -> None:
    from django.utils import timezone

    from clock.domain import ActionKind
    from clock.services import action_append

    event = _event()
    action_append(clock=event.clock, kind=ActionKind.PAUSED, at=timezone.now())
    event.save(update_fields=["version"])


def _actions() -> list[tuple[str, int]]:
    """Return kind and instant of all that was done to the clock."""
    from clock.domain import instant_ms
    from clock.selectors import clock_actions

    return [(action.kind.value, instant_ms(action.at)) for action in clock_actions(_event().clock)]


def _event() -> Any:
    """Return the evening, its version counted up as every service does."""
    from tournaments.models import Event

    event = Event.objects.select_for_update(of=("self",)).select_related("clock").get()
    event.version += 1
    return event


if __name__ == "__main__":
    main(sys.argv[1:])
