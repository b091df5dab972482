"""A thread that looks every second whether somebody set the computer's clock."""

import logging
import threading
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger(__name__)

EVERY_S = 1.0
FIRST_S = 2.0


class TimeWatch:
    """Looks from `start` to `stop`. Each process that asks for the present has one.

    What looking means is told by the package whose time it is.
    """

    def __init__(self, look: Callable[[], object] | None = None) -> None:
        self.look = look
        self._stopping = threading.Event()
        self._has_looked = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Look, and go on looking. The first look is over on return, if the database answers."""
        self._stopping.clear()
        self._has_looked.clear()
        self._thread = threading.Thread(target=self._watch, name="timewatch", daemon=True)
        self._thread.start()
        self._has_looked.wait(FIRST_S)

    def stop(self) -> None:
        self._stopping.set()
        if self._thread is not None:
            self._thread.join(FIRST_S)
            self._thread = None

    def _watch(self) -> None:
        while self.look is not None:
            try:
                self.look()
            except Exception:
                # Whatever it was, the next second may do better; without this, nobody would look.
                logger.exception("Die Uhr des Rechners lässt sich gerade nicht vergleichen.")
            finally:
                connections.close_all()
            self._has_looked.set()
            if self._stopping.wait(EVERY_S):
                return


watch = TimeWatch()
