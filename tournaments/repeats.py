"""What is asked of a service, and how the same request, come twice, gets the same answer."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import models
from django.utils.translation import gettext as _

from tournaments import access
from tournaments.domain.errors import Refused
from tournaments.models import Action, IdempotencyRecord


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asks for: which kind of change, who, when, under which key, with what."""

    kind: str
    permission: access.Permission
    by: access.Actor
    at: datetime
    key: UUID | None
    recorded_at: datetime
    own: dict[str, Any]
    topics: tuple[str, ...]
    subject: str

    def hash(self) -> str:
        own = {name: _plain(value) for name, value in self.own.items()}
        text = json.dumps([self.kind, self.subject, own], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


def already_served(request: Request) -> Action | None:
    """Return what this very request led to before, if it came before.

    :raises Refused: When another request came under its key.
    """
    if request.key is None:
        return None
    record = (
        IdempotencyRecord.objects.filter(scope=request.by.scope, key=request.key)
        .select_related("action")
        .first()
    )
    return None if record is None else answered(request, record)


def answered(request: Request, record: IdempotencyRecord) -> Action:
    """Return the action that a request led to before.

    :raises Refused: When it was another request under the same key.
    """
    if record.request_hash != request.hash():
        raise Refused(
            _("Diese Anfrage wurde schon mit anderem Inhalt beantwortet. Bitte neu laden."),
            code="key_reused",
        )
    return record.action


def was_served(by: access.Actor, key: UUID | None) -> bool:
    """Tell whether this request was answered before, whatever it was: then it is no new one."""
    return key is not None and IdempotencyRecord.objects.filter(scope=by.scope, key=key).exists()


def remembered(request: Request, action: Action) -> list[IdempotencyRecord]:
    """Return what finds the action again when the same request comes twice; nothing without key."""
    if request.key is None:
        return []
    return [
        IdempotencyRecord(
            scope=request.by.scope, key=request.key, request_hash=request.hash(), action=action
        )
    ]


def _plain(value: Any) -> Any:
    """Return a value of a request as JSON can hold it: rows by key, instants as text."""
    if isinstance(value, models.Model):
        return value.pk
    if isinstance(value, dict):
        return {str(name): _plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset, models.QuerySet)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, str)):
        return value
    return str(value)
