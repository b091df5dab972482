"""A thread that checks the computer's clock every second."""

import logging
import threading
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger(__name__)

EVERY_S = 1.0


class TimeWatch:
    """Check the clock from `start` to `stop`. One in each process that needs the time.

    The owner of the time sets `look`.
    """

    def __init__(self, look: Callable[[], object] | None = None) -> None:
        self.look = look
        self._stopping = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        self._stopping.clear()
        self._thread = threading.Thread(target=self._watch, name="timewatch", daemon=True)
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
                # Go on after any error, or the clock would no longer be checked.
                logger.exception("Die Uhr des Rechners lässt sich gerade nicht vergleichen.")
            finally:
                connections.close_all()
            self._stopping.wait(EVERY_S)


watch = TimeWatch()
