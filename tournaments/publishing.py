"""What the stream tells of a change once it is committed: to pages, phones and screens."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import transaction

from clock.realtime import publish
from clock.selectors import anchor_payload
from tournaments.audit import Change, completes_change
from tournaments.kinds import Topic
from tournaments.models import Event, Screen
from tournaments.selectors.clockwork import planned_start
from tournaments.selectors.news import news_of


@completes_change
def publish_on_commit(change: Change) -> None:
    """Tell the event's stream of a sealed change, once it is written."""
    event, topics = change.event, sorted(change.topics)
    payload: dict[str, Any] = {"version": event.version, "changed": topics}
    payload |= news_of(event, change.action, topics, change.stream) | change.stream
    if Topic.CLOCK in topics:
        payload["anchor"] = anchor_payload(event.clock, planned_start(event))
    topic, version = topic_of(event), event.version
    transaction.on_commit(lambda: publish(topic, payload, id=version))
    change.action.news = payload


def topic_of(event: Event) -> str:
    """Return the name of the stream of an event."""
    return f"{Event.TOPIC}{event.pk}"


def versions_of(topics: Iterable[str]) -> dict[str, int]:
    """Return the version of each event and screen whose topic is among these."""
    wanted, versions = list(topics), {}
    models: tuple[type[Event | Screen], ...] = (Event, Screen)
    for model in models:
        prefix = model.TOPIC
        keys = [int(topic.removeprefix(prefix)) for topic in wanted if topic.startswith(prefix)]
        rows = model.objects.filter(pk__in=keys).values_list("pk", "version")
        versions.update({f"{prefix}{key}": version for key, version in rows})
    return versions
