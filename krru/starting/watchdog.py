"""Tell systemd that a process is ready, and then that it does not hang (`man sd_notify`).

A container has no systemd: there `KRRU_ALIVE` names a file, touched at each report.
"""

import asyncio
import os
import socket
from pathlib import Path
from typing import Any

from celery.beat import Service
from celery.bootsteps import StartStopStep

TOUCHED_S = 5.0


def tell_service_manager(state: str) -> None:
    """Report a state to systemd, if the process runs under it."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # A name with @ is abstract on Linux: its first byte is zero.
    if address.startswith("@"):
        address = "\0" + address[1:]
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.sendto(state.encode(), address)


def alive() -> None:
    """Report that this process does not hang."""
    tell_service_manager("WATCHDOG=1")
    if file := os.environ.get("KRRU_ALIVE"):
        Path(file).touch()


def every_s() -> float:
    """Return the seconds between two reports: half of what systemd waits; 0 if it does not."""
    asked_s = int(os.environ.get("WATCHDOG_USEC") or 0) / 2_000_000
    return asked_s or (TOUCHED_S if os.environ.get("KRRU_ALIVE") else 0)


async def watched() -> None:
    """Report from the event loop of the pages: the reports end with a hanging loop."""
    while every_s():
        alive()
        await asyncio.sleep(every_s())


class WatchedWorker(StartStopStep):
    """A step of Celery's worker: it reports from the loop that hands out the tasks."""

    requires = ("celery.worker.components:Timer", "celery.worker.components:Pool")

    def start(self, worker: Any) -> None:
        """Report that it is ready, then again and again."""
        tell_service_manager("READY=1")
        if every_s():
            worker.timer.call_repeatedly(every_s(), alive)


def watch_beat(beat: Service, **_given: Any) -> None:
    """Let Celery's beat report at each look for due work; a receiver of `beat_init`."""
    tick = beat.scheduler.tick

    def told(*args: Any, **kwargs: Any) -> Any:
        alive()
        return tick(*args, **kwargs)

    setattr(beat.scheduler, "tick", told)  # noqa: B010 - a method, as its type is declared
    tell_service_manager("READY=1")
