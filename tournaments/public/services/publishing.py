"""What the stream tells of a change once it is committed: to pages, phones and screens."""

from __future__ import annotations

from typing import Any

from django.db import transaction

from clock.realtime import publish
from clock.selectors import anchor_payload
from tournaments.changes.audit import Change, completes_change
from tournaments.changes.domain.logchain import head_of
from tournaments.changes.kinds import Topic
from tournaments.changes.streams import topic_of
from tournaments.event.selectors.clock import planned_start
from tournaments.public.selectors.stream_payload import stream_payload


@completes_change
def publish_on_commit(change: Change) -> None:
    """Tell the event's stream of a sealed change, once it is written."""
    event, topics = change.event, sorted(change.topics)
    action = change.action
    # Who kept the head before this one sees that it is extended.
    head = [action.sequence, head_of(action.hash), head_of(action.previous_hash)]
    payload: dict[str, Any] = {"version": event.version, "changed": topics, "head": head}
    payload |= stream_payload(event, change.action, topics, change.stream) | change.stream
    if Topic.CLOCK in topics:
        payload["anchor"] = anchor_payload(event.clock, planned_start(event))
    topic, version = topic_of(event), event.version
    transaction.on_commit(lambda: publish(topic, payload, id=version))
    change.action.news = payload
