"""The log for people: one sentence per action, and whether it is in force."""

from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from tournaments.changes import access
from tournaments.changes.domain.logchain import LogRow, verify
from tournaments.changes.kinds import CONSEQUENCES, FORMER, Kind, kind_names, kind_of
from tournaments.models import Action, Club, Event


def describe(action: Action, *, names_all: bool = True) -> str:
    """Return an action and its further consequences in the reader's language.

    :param names_all: Whether the reader may know whom discreet ones are about.
    """
    payload = action.payload
    more = [str(text) % payload for number, text in CONSEQUENCES.items() if number in payload]
    kind = kind_of((action.undoes or action).kind)
    hides = not names_all and kind is not None and kind.is_discreet
    return ". ".join([_described(action, kind, hides=hides), *more])


def _described(action: Action, kind: Kind | None, *, hides: bool) -> str:
    about = action.undoes or action
    texts = action.text.data if hasattr(action, "text") else {}
    sentence = kind.sentence_of(about.payload) if kind else FORMER.get(about.kind)
    if action.undoes and action.undoes.undoes_id is not None and not hides:
        return _("Rücknahme zurückgenommen")
    if sentence is None and not action.undoes:
        return action.kind
    values: dict[str, Any] = defaultdict(lambda: "…" if hides else "?")
    if not hides:
        for name, value in about.payload.items():
            values[name] = ", ".join(map(str, value)) if isinstance(value, list) else value
        values |= {**(kind.words_of(about.payload) if kind else {}), **texts}
    told = str(sentence) % values
    return _("Zurückgenommen: %(action)s") % {"action": told} if action.undoes else told


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
