"""Which devices staff hold, as it was some seconds ago: who of them asks is answered first.

It decides nothing else. Who may do what is asked of the database, at every request.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection

logger = logging.getLogger(__name__)

FRESH_SECONDS = 5.0


class KnownDevices:
    """The hashes of the devices' cookies, read again when they are old and somebody asks."""

    def __init__(self, read: Callable[[], frozenset[str]]) -> None:
        self._read = read
        self._hashes: frozenset[str] = frozenset()
        self._read_at: float | None = None
        self._reading: asyncio.Task[None] | None = None

    async def among(self, hashes: Collection[str]) -> str | None:
        """Return the one of these that belongs to a device of staff.

        Who is known does not wait for the database; an unknown cookie makes nobody read it more
        often.
        """
        if not hashes:
            return None
        found = self._found(hashes)
        if self._read_at is None or time.monotonic() - self._read_at > FRESH_SECONDS:
            if self._reading is None or self._reading.done():
                self._reading = asyncio.create_task(self._read_again())
            if found is None:
                await asyncio.shield(self._reading)
                found = self._found(hashes)
        return found

    def _found(self, hashes: Collection[str]) -> str | None:
        return next((one for one in hashes if one in self._hashes), None)

    async def _read_again(self) -> None:
        self._read_at = time.monotonic()
        try:
            self._hashes = await asyncio.to_thread(self._read)
        except Exception:
            # The request itself will say what is wrong with the database.
            logger.exception("The devices of staff could not be read.")
