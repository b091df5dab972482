"""What other processes publish: heard through Redis, and without it asked of the database.

It knows nothing of streams: a hub takes what is heard (`clock.realtime`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Protocol

import redis
import redis.asyncio
from django.db import Error

logger = logging.getLogger(__name__)

# A dead Redis must not hold up those who wait for it.
REDIS_TIMEOUT_S = 1
FIRST_RETRY_S, LONGEST_RETRY_S = 0.2, 2.0
ASK_EVERY_S = 1.0
# How often is looked whether asking has become necessary.
LOOK_EVERY_S = 0.25
# Beside the one server of a laptop only a command or a script changes anything.
ASK_BESIDE_EVERY_S = 5.0
# What the process itself changed has been published by then.
SETTLED_AFTER_S = 1.0
# A Redis that hangs closes no connection. What it does not say within so many looks is a no.
QUIET_LOOKS = 3

VersionsOf = Callable[[Iterable[str]], Mapping[str, int]]
"""Tells the version that each of these topics is at."""


class Hearer(Protocol):
    """What a hub offers the bus."""

    is_bus_up: bool
    versions_of: VersionsOf | None

    def hear(self, name: str, version: int, frame: bytes) -> None: ...
    def tell_lost(self) -> None: ...
    def tell_versions(self, versions: Mapping[str, int]) -> None: ...
    def names_open(self) -> list[str]: ...


async def listen(url: str, channel: str, hub: Hearer) -> None:
    """Take what any process publishes through Redis; when it is away, try again and again."""
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


async def _follow(bus: redis.asyncio.client.PubSub, hub: Hearer) -> None:
    """Hear until Redis says nothing any more.

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


def _hear(hub: Hearer, data: bytes) -> None:
    """Hand on what was published. Nonsense is left out: it must not end the listening."""
    try:
        name, version, frame = data.split(b" ", 2)
        topic, number = name.decode(), int(version)
    except (AttributeError, ValueError):
        logger.warning("Über Redis kam etwas Unlesbares; es bleibt unbeachtet.")
    else:
        hub.hear(topic, number, frame)


async def ask_while_away(hub: Hearer) -> None:
    """Without Redis, ask once a second what the topics with open streams have come to."""
    while True:
        await asyncio.sleep(min(ASK_EVERY_S, LOOK_EVERY_S) if hub.is_bus_up else ASK_EVERY_S)
        if not hub.is_bus_up:
            hub.tell_versions(await _versions_open(hub))


async def ask_beside(hub: Hearer) -> None:
    """Where one process serves, ask now and then whether something else changed an open topic."""
    while True:
        await asyncio.sleep(ASK_BESIDE_EVERY_S)
        versions = await _versions_open(hub)
        if versions:
            # Told before it is published, its own change would make every page fetch all.
            await asyncio.sleep(SETTLED_AFTER_S)
            hub.tell_versions(versions)


async def _versions_open(hub: Hearer) -> Mapping[str, int]:
    """Return the versions of the topics with open streams; none while the database is away."""
    names = hub.names_open()
    if hub.versions_of is None or not names:
        return {}
    try:
        return await asyncio.to_thread(hub.versions_of, names)
    except Error as error:
        logger.warning("Die Datenbank antwortet nicht: %s", error)
        return {}
