"""The streams of events and screens: what each is called, and which version it has."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.models import Event, Screen


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
