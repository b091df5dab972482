"""Due by the computer: backups, disk space, automatic work."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Backups:
    """The state of the computer: whether a backup folder is chosen, and its errors.

    `hints` are doubts about a folder, `troubles` other problems: title and sentence.
    """

    is_chosen: bool = True
    errors: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    troubles: tuple[tuple[str, str], ...] = ()


def machine_items(event: Event, backups: Backups) -> list[DueItem]:
    """Return the due items of the computer running the evening."""
    items = [
        DueItem(kind=DueKind.MACHINE, urgency=Urgency.NOW, title=title, note=note)
        for title, note in backups.troubles
    ]
    items += [
        _backup(Urgency.NOW, _("Die Sicherung klappt nicht"), error) for error in backups.errors
    ]
    if event.is_over:
        return items
    items += [
        _backup(Urgency.LATER, _("Die Sicherung liegt am selben Ort"), hint)
        for hint in backups.hints
    ]
    if not (backups.is_chosen or event.has_started):
        note = _("Mit einem Stick geht der Abend auf einem anderen Laptop weiter.")
        items.append(_backup(Urgency.LATER, _("Noch keine Sicherung"), note))
    return items


def _backup(urgency: Urgency, title: str, note: str) -> DueItem:
    return DueItem(kind=DueKind.BACKUP, urgency=urgency, title=title, note=note)
