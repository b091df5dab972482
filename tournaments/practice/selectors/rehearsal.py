"""The scene of a table's hand in a rehearsal, and whether staff has entered it."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.models import (
    Absence,
    ClockCall,
    Elimination,
    Event,
    Penalty,
    Seating,
    SelfPlay,
    Table,
)
from tournaments.play.selectors.level_in_force import hand_latest
from tournaments.practice.domain.rehearsal import Scene, SceneKind, scene

_ANSWERS: dict[SceneKind, Any] = {
    SceneKind.OUT: Elimination,
    SceneKind.LEAVES: Absence,
    SceneKind.WARNING: Penalty,
    SceneKind.CLOCK: ClockCall,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenePicture:
    """The scene of a table's last hand, with names; `is_done` once entered."""

    hand: int
    scene: Scene
    entry: int | None = None
    name: str = ""
    winner: str = ""
    is_done: bool = False


def scene_of(event: Event, table: Table) -> ScenePicture | None:
    """Return the scene of a table's present hand, or None before its first one.

    The players are those at the start of the hand, so that the scene stays the same while staff
    enters it.
    """
    hand = hand_latest(table)
    if hand is None:
        return None
    began = hand.made_by_id
    rows = (
        Seating.objects.filter(table=table, made_by__lt=began)
        .filter(Q(voided_by=None) | Q(voided_by__gt=began))
        .values_list("seat", "entry_id", "entry__registration__person__name")
    )
    seated = {seat: (entry, name) for seat, entry, name in rows}
    players = {seat: entry for seat, (entry, _name) in seated.items()}
    found = scene(event.draw_secret, table=table.number, hand=hand.number, players=players)
    if found.seat is None:
        return ScenePicture(hand=hand.number, scene=found)
    entry, name = seated[found.seat]
    entered = _ANSWERS[found.kind].objects.filter(entry=entry, made_by__gt=began)
    return ScenePicture(
        hand=hand.number,
        scene=found,
        entry=entry,
        name=name,
        winner=seated[found.by][1] if found.by is not None else "",
        is_done=entered.exclude(voided_by__undoes__isnull=False).exists(),
    )


# --- Self-playing rehearsals and their speed


def plays_due() -> QuerySet[SelfPlay]:
    """Return the self-playing rehearsals, with their events."""
    rows = SelfPlay.objects.filter(is_playing=True, event__is_sample=True)
    rows = rows.filter(event__head__ended_by=None, event__head__cancelled_by=None)
    return rows.select_related("event__head", "event__clock", "event__club")


def self_play_of(event: Event) -> int | None:
    """Return an event's self-play speed; None if it does not play itself."""
    return plays_due().filter(event=event).values_list("speed", flat=True).first()
