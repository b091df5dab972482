"""Share which topics have listeners, to know whether a screen is alive.

One process knows from its own streams. Of several, each writes its open topics of screens to Redis
with every keep-alive, and they expire. Nothing here is stored or opens a stream.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterable

import redis
import redis.asyncio

logger = logging.getLogger(__name__)

ASKED_ABOUT = "screen-"
KEY = "krru:heard:"
REDIS_TIMEOUT_S = 1


async def tell_heard(
    url: str, open_topics: Callable[[], Iterable[str]], *, every_s: float, lasts_s: float
) -> None:
    """Write this process's open topics to Redis regularly, until cancelled."""
    async with redis.asyncio.Redis.from_url(
        url, socket_connect_timeout=REDIS_TIMEOUT_S, socket_timeout=REDIS_TIMEOUT_S
    ) as client:
        while True:
            names = [name for name in open_topics() if name.startswith(ASKED_ABOUT)]
            with contextlib.suppress(redis.RedisError, OSError):
                if names:
                    async with client.pipeline(transaction=False) as pipe:
                        for name in names:
                            pipe.set(KEY + name, 1, px=round(lasts_s * 1000))
                        await pipe.execute()
            await asyncio.sleep(every_s)


def heard_anywhere(client: redis.Redis, names: Collection[str]) -> set[str] | None:
    """Return the topics with a listener in any process; None when Redis is away."""
    if not names:
        return set()
    try:
        found = client.mget([KEY + name for name in names])
    except redis.RedisError as error:
        logger.warning("Redis ist nicht erreichbar: %s", error)
        return None
    assert isinstance(found, list)
    return {name for name, value in zip(names, found, strict=True) if value is not None}
