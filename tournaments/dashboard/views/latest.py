"""The latest actions on the director's page, each with its undo; repeated ones are one line."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django.urls import reverse

from tournaments.changes.kinds import Group, kind_of
from tournaments.changes.selectors.log import LogLine, log_lines
from tournaments.changes.views.requests import StaffRequest

MOST_LOG_LINES = 20
MOST_FOLDED = 20  # how many more are read, as equal lines are merged


def log_shown(request: StaffRequest) -> dict[str, Any]:
    slug = request.event.slug
    read = log_lines(request.event, request.actor, most=MOST_LOG_LINES + MOST_FOLDED)
    runs = [list(run) for _key, run in groupby(read, _run_of)]
    return {
        "lines": [
            (
                line,
                reverse("undo-preview", args=[slug, line.action.pk]) if line.may_undo else "",
                len(more),
            )
            for line, *more in runs[:MOST_LOG_LINES]
        ]
    }


def _run_of(line: LogLine) -> tuple[object, ...]:
    """Return the key of lines to merge: repeated presses of clock and hands."""
    kind = kind_of(line.action.kind)
    folds = kind is not None and kind.group in (Group.CLOCK, Group.HANDS) and line.is_in_force
    return (line.action.kind, line.sentence, line.action.device_id) if folds else (line.action.pk,)
