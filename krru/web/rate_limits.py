"""Rate limits for anyone's requests, per connection or per link.

Counters live in the cache and may be lost: they only hold off a flood.
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
    """The number of requests allowed in a window; `name` separates its counters."""

    name: str
    most: int
    window: timedelta = timedelta(minutes=10)

    def is_passed(self, key: object = "") -> bool:
        """Count one more. Return True above the limit."""
        cache, own = caches["kept"], f"limit:{self.name}:{key}"
        try:
            if cache.add(own, 1, timeout=self.window.total_seconds()):
                return False
            return cache.incr(own) > self.most
        except ValueError:
            return False  # expired between the two calls
        except RedisError:
            logger.warning("Without Redis nothing is counted.")
            return False

    def is_passed_by(self, request: HttpRequest, key: object = "") -> bool:
        """Count one more of a connection, per key. Ignore this machine and its proxies."""
        address = request.META.get("REMOTE_ADDR", "")
        return is_counted(address) and self.is_passed(f"{key}:{subscriber(address)}")
