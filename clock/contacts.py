"""Remember until when a device was in contact: it bounds the time of its delayed taps.

A contact is a message from the device: a request for a page, an answered keep-alive. A written
keep-alive is none, because the system accepts writes to a phone without Wi-Fi for minutes. Contacts
without a gap make one span; the last two are kept, and may be lost.
"""

import contextlib

from django.core.cache import caches
from redis.exceptions import RedisError

from clock.realtime import KEEP_ALIVE_S, hub

# Contacts further apart leave a gap: two keep-alives were lost.
GAP_MS = 3 * KEEP_ALIVE_S * 1000
LASTS_S = 24 * 3600
KEY = "contact:%s"
OF_DEVICES = "device-"
DEVICE = OF_DEVICES + "%d"


def note_contact(name: str, at_ms: int) -> None:
    """Note a contact, unless Redis is away."""
    if not hub.is_bus_up:
        return
    with contextlib.suppress(RedisError):
        spans = caches["kept"].get(KEY % name, [])
        if spans and at_ms - spans[-1][1] <= GAP_MS:
            spans[-1][1] = max(spans[-1][1], at_ms)
        else:
            spans = [*spans[-1:], [at_ms, at_ms]]
        caches["kept"].set(KEY % name, spans, LASTS_S)
