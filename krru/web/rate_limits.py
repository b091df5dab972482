"""Limits on what anybody may send: so many in a while, per connection or per link.

Counters live in the cache and may be forgotten; they hold off a flood, and decide nothing else.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import timedelta

from django.core.cache import caches
from django.http import HttpRequest
from redis.exceptions import RedisError

from krru.web.connections import is_counted, subscriber

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """So many are taken in a while; `name` tells its counters from those of others."""

    name: str
    most: int
    window: timedelta = timedelta(minutes=10)

    def is_passed(self, key: object = "") -> bool:
        """Count one more, and tell whether it is too many."""
        cache, own = caches["kept"], f"limit:{self.name}:{key}"
        try:
            if cache.add(own, 1, timeout=self.window.total_seconds()):
                return False
            return cache.incr(own) > self.most
        except ValueError:
            return False  # its time was up between the two
        except RedisError:
            logger.warning("Without Redis nothing is counted.")
            return False

    def is_passed_by(self, request: HttpRequest, key: object = "") -> bool:
        """Count one more of a connection, per key. This machine and its proxies are not counted."""
        address = request.META.get("REMOTE_ADDR", "")
        return is_counted(address) and self.is_passed(f"{key}:{subscriber(address)}")
