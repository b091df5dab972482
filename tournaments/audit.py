"""The one way to change anything: lock, ask, change, log, version, publish on commit.

`service` turns a function that only states what changes into a service. Called as
`name(event=…, by=…, at=…, key=…, **its own)`, it runs the function inside one transaction that
holds the event's lock and returns the log entry. A club's own services use `club_service`.

What it does not do: decide. Refusals come from the function, by `Refused`; the transaction is
then rolled back and nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import wraps
from typing import Any, Protocol
from uuid import UUID

from django.db import models, transaction
from django.utils.translation import gettext as _

from clock.realtime import publish
from clock.selectors import anchor_payload
from tournaments import access
from tournaments.domain.errors import Refused
from tournaments.domain.logchain import entry_hash
from tournaments.models import Action, ActionText, Club, Event, Screen
from tournaments.models.log import Logged
from tournaments.repeats import Request, already_served, remembered
from tournaments.selectors.clockwork import planned_start
from tournaments.selectors.news import news_of

TOPIC, SCREEN_TOPIC = "event-", "screen-"
KINDS: dict[str, access.Permission] = {}


@dataclass(slots=True)
class Change:
    """A change under way. It holds the locked event and the log entry that its facts name."""

    subject: Logged
    action: Action
    by: access.Actor
    at: datetime
    texts: dict[str, Any] = field(default_factory=dict)
    topics: set[str] = field(default_factory=set)
    news: dict[str, Any] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)

    @property
    def event(self) -> Event:
        assert isinstance(self.subject, Event)
        return self.subject

    @property
    def club(self) -> Club:
        return self.subject if isinstance(self.subject, Club) else self.event.club

    def record(self, **numbers: Any) -> None:
        """Add ids, kinds and numbers to the log entry: this is what the chain hashes."""
        self.action.payload.update(numbers)

    def tell(self, **texts: Any) -> None:
        """Add names and reasons to the log entry, outside the chain."""
        self.texts.update({name: str(text) for name, text in texts.items() if text})

    def announce(self, *topics: str) -> None:
        """Name what pages must fetch again: tables, entries, clock, registrations, settings."""
        self.topics.update(topics)

    def push(self, **numbers: Any) -> None:
        """Add to what the stream tells of this change: numbers that are public, and few."""
        self.news.update(numbers)

    def set(self, **values: Any) -> None:
        """Change columns of the event (or club) itself; saved with the version at the end."""
        for name, value in values.items():
            setattr(self.subject, name, value)
        self.touched.update(values)


class Service(Protocol):
    kind: str

    def __call__(self, **kwargs: Any) -> Action: ...


def service(
    kind: str, permission: access.Permission, *, topics: tuple[str, ...] = (), running: bool = False
) -> Callable[[Callable[..., None]], Service]:
    """Make a service of a function. `running` refuses it once the event is over.

    Called with `seen`, the version of the event that somebody was shown, it is refused when the
    event has changed since.
    """

    def decorate(body: Callable[..., None]) -> Service:
        KINDS[kind] = permission

        @wraps(body)
        def run(
            *,
            event: Event,
            by: access.Actor,
            at: datetime,
            key: UUID | None = None,
            recorded_at: datetime | None = None,
            seen: int | None = None,
            **own: Any,
        ) -> Action:
            request = Request(
                kind, permission, by, at, key, recorded_at or at, own, topics, f"event:{event.pk}"
            )
            with transaction.atomic():
                locked = events_locked().get(pk=event.pk)
                return _carry_out(locked, request, body, must_be_open=running, seen=seen)

        run.kind = kind  # type: ignore[attr-defined]
        return run  # type: ignore[return-value]

    return decorate


def events_locked() -> models.QuerySet[Event]:
    """Return the events as a service takes them: locked until the transaction ends."""
    return Event.objects.select_for_update(of=("self",)).select_related("club", "clock")


def club_service(
    kind: str, permission: access.Permission
) -> Callable[[Callable[..., None]], Service]:
    """Make a service whose log entry belongs to the club."""

    def decorate(body: Callable[..., None]) -> Service:
        KINDS[kind] = permission

        @wraps(body)
        def run(
            *, club: Club, by: access.Actor, at: datetime, key: UUID | None = None, **own: Any
        ) -> Action:
            request = Request(kind, permission, by, at, key, at, own, (), f"club:{club.pk}")
            with transaction.atomic():
                # Who registers at an event refers to the club meanwhile, and is not to wait for it.
                locked = Club.objects.select_for_update(no_key=True).get(pk=club.pk)
                return _carry_out(locked, request, body)

        run.kind = kind  # type: ignore[attr-defined]
        return run  # type: ignore[return-value]

    return decorate


def _carry_out(
    subject: Logged,
    request: Request,
    body: Callable[..., None],
    *,
    must_be_open: bool = False,
    seen: int | None = None,
) -> Action:
    served = already_served(request)
    if served is not None:
        return served
    require_open(subject, request, must_be_open=must_be_open)
    if seen is not None and subject.version != seen:
        raise Refused(_("Inzwischen hat sich der Saal geändert."), code="overtaken")
    change = _begin(subject, request)
    body(change, **request.own)
    _finish(change, request)
    return change.action


def require_open(subject: Logged, request: Request, *, must_be_open: bool) -> None:
    """Refuse who may not do this, and what comes after the end.

    :raises Refused: With the reason.
    """
    access.require(request.by, request.permission)
    if must_be_open and isinstance(subject, Event) and subject.is_over:
        raise Refused(_("Das Turnier ist beendet."), code="over")


def _begin(subject: Logged, request: Request) -> Change:
    change = begun(subject, request)
    change.action.save(force_insert=True)
    return change


def begun(subject: Logged, request: Request) -> Change:
    """Return a change that follows the last one; its log entry is not written yet."""
    held = max(request.recorded_at, subject.log_recorded_at or request.recorded_at)
    at = held if request.at == request.recorded_at else min(request.at, held)
    action = Action(
        **_owner(subject),
        sequence=subject.log_sequence + 1,
        kind=request.kind,
        at=at,
        recorded_at=held,
        device=request.by.device,
        role=request.by.role,
        previous_hash=subject.log_hash,
    )
    return Change(subject, action, request.by, at, topics={"log", *request.topics})


def _owner(subject: Logged) -> dict[str, Any]:
    if isinstance(subject, Event):
        return {"event": subject, "club_id": subject.club_id}
    return {"club": subject}


def _finish(change: Change, request: Request) -> None:
    action, subject = change.action, change.subject
    seal(change)
    action.save(update_fields=["payload", "hash", "undoes"])
    if change.texts:
        ActionText.objects.create(action=action, data=change.texts)
    subject.save(update_fields=sorted(change.touched))
    for record in remembered(request, action):
        record.save(force_insert=True)
    if isinstance(subject, Event):
        publish_on_commit(change)


def seal(change: Change) -> None:
    """Chain the log entry to the one before it, and move the event on to its next version."""
    action, subject = change.action, change.subject
    action.hash = entry_hash(
        action.previous_hash,
        action.sequence,
        action.kind,
        round(action.at.timestamp() * 1000),
        round(action.recorded_at.timestamp() * 1000),
        {**action.payload, "role": action.role, "device": action.device_id},
    )
    change.set(
        version=subject.version + 1,
        log_sequence=action.sequence,
        log_hash=action.hash,
        log_recorded_at=action.recorded_at,
    )


def publish_on_commit(change: Change) -> None:
    """Tell the event's stream of a sealed change, once it is written."""
    event, topics = change.event, sorted(change.topics)
    payload: dict[str, Any] = {"version": event.version, "changed": topics}
    payload |= news_of(event, change.action, topics) | change.news
    if "clock" in topics:
        payload["anchor"] = anchor_payload(event.clock, planned_start(event))
    topic, version = topic_of(event), event.version
    transaction.on_commit(lambda: publish(topic, payload, id=version))
    change.action.news = payload


def topic_of(event: Event) -> str:
    return f"{TOPIC}{event.pk}"


def versions_of(topics: Iterable[str]) -> dict[str, int]:
    """Return the version of each event and screen whose topic is among these."""
    wanted, found = list(topics), {}
    for prefix, model in ((TOPIC, Event), (SCREEN_TOPIC, Screen)):
        keys = [int(topic.removeprefix(prefix)) for topic in wanted if topic.startswith(prefix)]
        rows = model.objects.filter(pk__in=keys).values_list("pk", "version")
        found.update({f"{prefix}{key}": version for key, version in rows})
    return found
