"""The log for people: its lines, and whether an action is in force."""

from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from tournaments.changes import access
from tournaments.changes.domain.logchain import LogRow, verify
from tournaments.changes.kinds import describe, kind_names, kind_of
from tournaments.models import Action, Club, Event


def action_is_in_force(action: Action) -> bool:
    """Tell whether an action is in force: no undo of it is in force."""
    return not any(action_is_in_force(undo) for undo in action.undone_by.all())


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    action: Action
    sentence: str
    reason: str
    is_in_force: bool
    may_undo: bool


def log_lines(event: Event, actor: access.Actor, *, most: int = 12) -> list[LogLine]:
    """Return the latest actions except quiet ones, newest first, with their undo."""
    quiet = kind_names(lambda kind: kind.is_quiet)
    actions = log_actions(event).exclude(kind__in=quiet).exclude(undoes__kind__in=quiet)
    return [log_line(action, actor) for action in actions[:most]]


def log_actions(event: Event) -> QuerySet[Action]:
    """Return the actions, newest first, with related rows for `log_line`."""
    undos = Prefetch("undone_by", Action.objects.prefetch_related("undone_by__undone_by"))
    return (
        Action.objects.filter(event=event)
        .select_related("text", "device", "undoes")
        .prefetch_related(undos)
        .order_by("-sequence")
    )


def log_line(action: Action, actor: access.Actor) -> LogLine:
    in_force = action_is_in_force(action)
    texts = action.text.data if hasattr(action, "text") else {}
    kind = kind_of(action.kind)
    undoable = in_force and kind is not None and kind.is_undoable and action.undoes_id is None
    return LogLine(
        action=action,
        sentence=describe(action, names_all=access.allows(actor, access.Permission.CHECK_IN)),
        reason=texts.get("reason", ""),
        is_in_force=in_force,
        may_undo=undoable and access.may_undo(actor, action),
    )


def log_first_fault(subject: Event | Club) -> int | None:
    """Return the sequence number of the first log entry that does not verify, or None."""
    rows = (
        Action.objects.filter(event=subject)
        if isinstance(subject, Event)
        else Action.objects.filter(club=subject, event__isnull=True)
    )
    return verify(
        LogRow(
            sequence=row.sequence,
            kind=row.kind,
            at_ms=round(row.at.timestamp() * 1000),
            recorded_at_ms=round(row.recorded_at.timestamp() * 1000),
            payload={**row.payload, "role": row.role, "device": row.device_id},
            hash=row.hash,
        )
        for row in rows.order_by("sequence").iterator()
    )
