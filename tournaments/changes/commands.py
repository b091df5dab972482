"""The command of a service: actor, subject, time and key; and repeated requests.

A request repeated with the same key gets the same answer without another change.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.changes.access import Actor
from tournaments.changes.domain.errors import Refused
from tournaments.models import Action, Club, Event, IdempotencyRecord

KEYS_KEPT_FOR = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """The actor, the event and the time of a change.

    :param at: When it happened.
    :param key: The client's idempotency key, if it has one.
    :param recorded_at: When it is written down, if that is not when it happened.
    :param claimed: When it happened as a phone says, if the director decides about that.
    :param knowingly: Whether somebody was told what it takes back, and wants it all the same.
    :param seen: The version of the event that somebody was shown. When the event has changed
        since, the command is refused.
    """

    event: Event
    by: Actor
    at: datetime
    key: UUID | None = None
    recorded_at: datetime | None = None
    claimed: datetime | None = None
    seen: int | None = None
    knowingly: bool = False

    @property
    def subject(self) -> str:
        """Return the subject of the command, for its key."""
        return f"event:{self.event.pk}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClubCommand:
    """The actor and the time of a change of the club."""

    club: Club
    by: Actor
    at: datetime
    key: UUID | None = None

    @property
    def subject(self) -> str:
        """Return the subject of the command, for its key."""
        return f"club:{self.club.pk}"


@dataclass(frozen=True, slots=True)
class Request:
    """A command with the kind of change and its arguments, identified by its key."""

    kind: str
    command: Command | ClubCommand
    arguments: Mapping[str, Any]

    def hash(self) -> str:
        """Return a hash equal for equal requests."""
        subject = self.command.subject
        own = {name: _plain(value) for name, value in self.arguments.items()}
        text = json.dumps([self.kind, subject, own], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def already_served(request: Request) -> Action | None:
    """Return the log entry of the same request, which has a key, served before, or None.

    :raises Refused: When another request came under its key.
    """
    own = {"scope": request.command.by.scope, "key": request.command.key}
    record = IdempotencyRecord.objects.filter(**own).first()
    if record is None:
        return None
    if record.request_hash != request.hash():
        raise Refused(
            _("Diese Anfrage wurde schon mit anderem Inhalt beantwortet. Bitte neu laden."),
            code="key_reused",
        )
    return record.action


def was_served(by: Actor, key: UUID | None) -> bool:
    """Tell whether any request with this key was served before."""
    return key is not None and IdempotencyRecord.objects.filter(scope=by.scope, key=key).exists()


def remember(request: Request, action: Action) -> None:
    """Record the request's key to find its log entry if it is repeated."""
    digest = request.hash()
    own = {"scope": request.command.by.scope, "key": request.command.key}
    IdempotencyRecord.objects.create(**own, request_hash=digest, action=action)


def keys_forget(now: datetime) -> None:
    """Delete the keys of evenings over for a month, and of the club's changes of that age."""
    before = now - KEYS_KEPT_FOR
    silent = Event.objects.filter(head__log_recorded_at__lt=before)
    over = silent.exclude(head__ended_by=None, head__cancelled_by=None)
    of_the_club = Q(action__event=None, action__recorded_at__lt=before)
    IdempotencyRecord.objects.filter(of_the_club | Q(action__event__in=over)).delete()


def _plain(value: Any) -> Any:
    """Return an argument as JSON: rows by key, instants as text."""
    if isinstance(value, models.Model):
        return value.pk
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, models.QuerySet)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return str(value)
