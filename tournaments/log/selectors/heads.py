"""The heads of an event's chain, for whoever keeps them: hashes and numbers, no content."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping
from typing import Any

from django.core.cache import cache
from redis.exceptions import RedisError

from tournaments.changes.domain.logchain import head_of
from tournaments.models import Action, Event

MOST_ASKED = 8
# When a server comes back, a whole hall asks for the same entries.
KEPT_S = 3


def heads_at(event: Event, numbers: Collection[int]) -> dict[int, str | None]:
    """Return the head that the chain had at these entries; None where there is no such entry."""
    name = f"heads:{event.pk}:{'-'.join(map(str, sorted(numbers)))}"
    kept = _kept(name)
    if kept is not None:
        return {int(number): head for number, head in kept.items()}
    rows = Action.objects.filter(event=event, sequence__in=numbers)
    found = {number: head_of(hash_) for number, hash_ in rows.values_list("sequence", "hash")}
    heads = {number: found.get(number) for number in numbers}
    # An entry that is missing now may be there in a moment.
    if None not in heads.values():
        _keep(name, heads)
    return heads


def _kept(name: str) -> dict[Any, str | None] | None:
    try:
        kept: dict[Any, str | None] | None = cache.get(name)
    except RedisError:
        return None
    return kept


def _keep(name: str, heads: Mapping[int, str | None]) -> None:
    with contextlib.suppress(RedisError):
        cache.set(name, dict(heads), KEPT_S)
