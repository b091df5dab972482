"""Rate limits for anyone's requests, per connection or per link.

Of an IPv6 address the wider networks are counted too, with higher limits: a connection may have
many networks of 64 bits.
"""

import logging
from dataclasses import dataclass
from datetime import timedelta

from django.core.cache import caches
from django.http import HttpRequest
from django.utils.crypto import salted_hmac
from redis.exceptions import RedisError

from krru.web.connections import is_counted, networks

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimit:
    """The number of requests allowed in a window; `name` separates its counters."""

    name: str
    most: int
    window: timedelta = timedelta(minutes=10)

    def count(self, key: object = "", *, more: int = 1) -> int:
        """Count one more, or with `more=0` only look. Return how many there were."""
        cache, own = caches["limits"], f"limit:{self.name}:{_hashed(str(key))}"
        try:
            if not more:
                return int(cache.get(own) or 0)
            if cache.add(own, more, timeout=self.window.total_seconds()):
                return more
            return cache.incr(own)
        except ValueError:
            return more  # expired between the two calls
        except RedisError:
            logger.warning("Nothing is counted: Redis does not answer.")
            return 0

    def is_passed(self, key: object = "") -> bool:
        """Count one more. Return True above the limit."""
        return self.count(key) > self.most

    def is_passed_by(self, request: HttpRequest, key: object = "") -> bool:
        """Count one more of a connection, per key. Ignore this machine and its proxies."""
        return self.share_of(request, key, more=1) > 1

    def share_of(self, request: HttpRequest, key: object = "", *, more: int = 0) -> float:
        """Return how much of its limit a connection has used, of its fullest network."""
        address = request.META.get("REMOTE_ADDR", "")
        if not is_counted(address):
            return 0
        counts = [(self.count(f"{key}:{one}", more=more), n) for one, n in networks(address)]
        return max(count / (self.most * n) for count, n in counts)


def sender_of(request: HttpRequest) -> str:
    """Return a hash of the widest network of a connection; empty for this machine."""
    address = request.META.get("REMOTE_ADDR", "")
    return _hashed(networks(address)[-1][0])[:16] if is_counted(address) else ""


def _hashed(key: str) -> str:
    return salted_hmac("limit", key).hexdigest()
