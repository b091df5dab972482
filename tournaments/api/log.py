"""The log, undo, announcements, the rights of a token; and the answer to every action."""

from django.shortcuts import get_object_or_404
from ninja import Path, Router

from clock.domain.wording import Language
from clock.tasks import speech_make
from tournaments.api.requests import (
    ERRORS,
    READS,
    ApiRequest,
    Id,
    Json,
    Key,
    Part,
    Token,
    command_of,
    page,
)
from tournaments.api.schemas import AnnouncementIn, DoneOut, LogPage, TokenOut
from tournaments.changes.access import Permission
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import LogLine, log_actions, log_line
from tournaments.models import Action, Grant
from tournaments.post.services.messages import announcement_made, announcement_text
from tournaments.undo.services.undo import action_undo

router = Router(tags=["Log"])
DONE = {200: DoneOut, **ERRORS}


@router.get(
    "/events/{slug:slug}/log", auth=Token(Permission.SEE_LOG), response={200: LogPage, **ERRORS}
)
def log(request: ApiRequest, slug: str, part: Part) -> Json:
    """List the actions, the latest first."""
    found = log_actions(request.event)
    rows = found[part.offset : part.offset + part.limit]
    items = [_line(log_line(row, request.actor)) for row in rows]
    return page(items, found.count(), part)


@router.post(
    "/events/{slug:slug}/log/{num:action}/undo",
    auth=Token(Permission.UNDO_OWN),
    response=DONE,
)
def undo(request: ApiRequest, slug: str, action: Path[Id], key: Key) -> Json:
    """Undo an action. Directors undo everything, others their own actions."""
    row = get_object_or_404(Action, event=request.event, pk=action)
    return done(action_undo(command_of(request, key), action=row))


@router.post("/events/{slug:slug}/announcements", auth=Token(Permission.ANNOUNCE), response=DONE)
def announce(request: ApiRequest, slug: str, key: Key, announcement: AnnouncementIn) -> Json:
    """Show a text of at most 200 characters on every screen for a while, and speak it if wanted."""
    text, language = announcement_text(announcement.text), Language(announcement.language)
    made = announcement_made(
        command_of(request, key), text=text, has_voice=announcement.has_voice, language=language
    )
    if announcement.has_voice:
        speech_make.delay(text, language.value)
    return done(made)


@router.get("/token", auth=Token(is_needed=True), response={200: TokenOut, **READS}, tags=["Token"])
def token(request: ApiRequest) -> Json:
    """Return this token's roles with their tournaments."""
    assert request.holder is not None
    grants = Grant.objects.filter(device=request.holder, revoked_at__isnull=True)
    roles = grants.order_by("pk").values_list("role", "event__slug")
    return {
        "name": request.holder.name,
        "roles": [{"role": role, "event": slug} for role, slug in roles],
    }


def done(action: Action) -> Json:
    """Return the answer to an action, the same on each repeat."""
    numbers = action.payload
    entries = numbers.get("entries", [numbers["entry"]] if "entry" in numbers else [])
    return {
        "action": _action(action, describe(action)),
        "registration": numbers.get("registration"),
        "is_waiting": bool(numbers.get("waits")),
        "entries": entries,
        "table": numbers.get("table"),
        "seat": numbers.get("seat"),
        "hand": numbers.get("hand"),
    }


def _line(line: LogLine) -> Json:
    action = line.action
    return _action(action, line.sentence) | {
        "role": action.role,
        "device": action.device.name if action.device else None,
        "reason": line.reason,
        "undoes": action.undoes_id,
        "is_in_force": line.is_in_force,
        "may_undo": line.may_undo,
    }


def _action(action: Action, sentence: str) -> Json:
    return {
        "id": action.pk,
        "sequence": action.sequence,
        "kind": action.kind,
        "at": action.at,
        "recorded_at": action.recorded_at,
        "sentence": sentence,
    }
