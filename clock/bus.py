"""Changes published by other processes: from Redis, or else polled from the database.

It passes them to a hub and knows no streams (`clock.realtime`). Processes share which topics of
screens have listeners, to know whether a screen is alive.
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import redis
import redis.asyncio
from django.db import Error
from redis.backoff import NoBackoff
from redis.retry import Retry

if TYPE_CHECKING:
    from clock.realtime import Hub

# --- Options of Redis clients outside of pages: half a second, and no retry


PATIENCE_S = 0.5


def options(url: str) -> dict[str, Any]:
    found: dict[str, Any] = {"socket_timeout": PATIENCE_S, "retry": Retry(NoBackoff(), 0)}
    if urlsplit(url).scheme != "unix":
        found["socket_connect_timeout"] = PATIENCE_S
    return found


logger = logging.getLogger(__name__)

# A dead Redis must not hold up its callers.
REDIS_TIMEOUT_S = 1
FIRST_RETRY_S, LONGEST_RETRY_S = 0.2, 2.0
ASK_EVERY_S = 1.0
# Interval of checks whether polling is needed.
LOOK_EVERY_S = 0.25
# Beside a laptop's one server only commands and scripts change anything.
ASK_BESIDE_EVERY_S = 5.0
# By then the process has published its own changes.
SETTLED_AFTER_S = 1.0
# A hanging Redis closes no connection. It counts as away after so many silent looks.
QUIET_LOOKS = 3

VersionsOf = Callable[[Iterable[str]], Mapping[str, int]]
"""Returns the present version of each topic."""


async def listen(url: str, channel: str, hub: "Hub") -> None:
    """Receive changes through Redis; retry while it is away."""
    retry_s = FIRST_RETRY_S
    while True:
        client = redis.asyncio.Redis.from_url(
            url, socket_connect_timeout=REDIS_TIMEOUT_S, socket_timeout=REDIS_TIMEOUT_S
        )
        try:
            async with client, client.pubsub(ignore_subscribe_messages=True) as bus:
                await bus.subscribe(channel)
                hub.is_bus_up, retry_s = True, FIRST_RETRY_S
                hub.tell_lost()
                await _follow(bus, hub)
        except (redis.RedisError, OSError) as error:
            if hub.is_bus_up:
                logger.warning("Redis ist nicht erreichbar: %s", error)
        hub.is_bus_up = False
        await asyncio.sleep(retry_s)
        retry_s = min(retry_s * 2, LONGEST_RETRY_S)


async def _follow(bus: redis.asyncio.client.PubSub, hub: "Hub") -> None:
    """Read messages until Redis stops answering.

    :raises redis.TimeoutError: It did not answer when asked. A loop that was held up reads the
        answer first, and raises nothing.
    """
    quiet = 0
    while True:
        message = await bus.get_message(timeout=LOOK_EVERY_S)
        if message is not None:
            quiet = 0
            if message["type"] == "message":
                _hear(hub, message["data"])
            continue
        if quiet == QUIET_LOOKS:
            raise redis.TimeoutError("keine Antwort")
        if quiet == 0:
            await bus.ping()
        quiet += 1


def _hear(hub: "Hub", data: bytes) -> None:
    """Pass a message on. Skip a malformed one, so that listening goes on."""
    try:
        name, version, frame = data.split(b" ", 2)
        topic, number = name.decode(), int(version)
    except (AttributeError, ValueError):
        logger.warning("Über Redis kam etwas Unlesbares; es bleibt unbeachtet.")
    else:
        hub.hear(topic, number, frame)


async def ask_while_away(hub: "Hub") -> None:
    """Without Redis, poll the versions of topics with open streams once a second."""
    while True:
        await asyncio.sleep(min(ASK_EVERY_S, LOOK_EVERY_S) if hub.is_bus_up else ASK_EVERY_S)
        if not hub.is_bus_up:
            hub.tell_versions(await _versions_open(hub))


async def ask_beside(hub: "Hub") -> None:
    """In a single process, poll the open topics for changes from outside."""
    while True:
        await asyncio.sleep(ASK_BESIDE_EVERY_S)
        versions = await _versions_open(hub)
        if versions:
            # Before its own change is published, this would make every page fetch all.
            await asyncio.sleep(SETTLED_AFTER_S)
            hub.tell_versions(versions)


async def _versions_open(hub: "Hub") -> Mapping[str, int]:
    """Return the versions of topics with open streams; empty while the database is away."""
    names = hub.names_open()
    if hub.versions_of is None or not names:
        return {}
    try:
        return await asyncio.to_thread(hub.versions_of, names)
    except Error as error:
        logger.warning("Die Datenbank antwortet nicht: %s", error)
        return {}


# --- Topics with listeners: each process writes its own with every keep-alive, and they expire


ASKED_ABOUT = "screen-"
HEARD_KEY = "krru:heard:"


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
                            pipe.set(HEARD_KEY + name, 1, px=round(lasts_s * 1000))
                        await pipe.execute()
            await asyncio.sleep(every_s)


def heard_anywhere(client: redis.Redis, names: Collection[str]) -> set[str] | None:
    """Return the topics with a listener in any process; None when Redis is away."""
    if not names:
        return set()
    try:
        found = client.mget([HEARD_KEY + name for name in names])
    except redis.RedisError as error:
        logger.warning("Redis ist nicht erreichbar: %s", error)
        return None
    assert isinstance(found, list)
    return {name for name, value in zip(names, found, strict=True) if value is not None}
