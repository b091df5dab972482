"""Threads that look at something again and again: the clock, messages to us, the network."""

import logging
import threading
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger(__name__)

EVERY_S = 1.0


class TimeWatch:
    """Look from `start` to `stop`, some seconds after each look. The owner sets `look`."""

    def __init__(
        self,
        look: Callable[[], object] | None = None,
        *,
        name: str = "timewatch",
        every_s: float | None = None,
    ) -> None:
        self.look, self.name, self.every_s = look, name, every_s
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._stopping.clear()
        self._thread = threading.Thread(target=self._watch, name=self.name, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(2 * EVERY_S)
            self._thread = None

    def _watch(self) -> None:
        while self.look is not None and not self._stopping.is_set():
            try:
                self.look()
            except Exception:
                # Go on after any error: the next look may succeed.
                logger.exception("Gescheitert, wird wieder versucht: %s", self.name)
            finally:
                connections.close_all()
            self._stopping.wait(self.every_s or EVERY_S)


# In each process that needs the time.
watch = TimeWatch()
# In the process that runs the schedule: what waits elsewhere for us.
inbox = TimeWatch(name="inbox", every_s=3.0)
# A laptop may change its network.
network = TimeWatch(name="network", every_s=3.0)
