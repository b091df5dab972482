"""Places on an undo: a player told of a place keeps it, if there is room."""

from __future__ import annotations

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Places, kind_of
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.waiting_list import places_offer
from tournaments.models import Action, Entry, Waiting
from tournaments.undo.services.dependencies import needed_first


def _places(action: Action) -> set[Places]:
    """Return the effects of an action, and of the one it undoes, on places."""
    names = [action.kind, action.undoes.kind if action.undoes is not None else ""]
    return {kind.places for kind in map(kind_of, names) if kind}


def places_taken_before(action: Action) -> int | None:
    """Return the places taken before an undo; None if it does not concern them."""
    if _places(action) <= {Places.UNCHANGED} or action.event is None:
        return None
    # A player back in the game has a place in any case: no comparison.
    is_of_the_hall = Places.OF_THE_HALL in _places(action)
    return 0 if is_of_the_hall else capacity_of(action.event).taken


def places_kept(action: Action) -> set[int]:
    """Return the waiting rows ended by `action` whose players keep their place on its undo.

    A player told of moving up keeps the place. If the undo brings a player back into the game, only
    a checked-in player keeps the place.

    :raises NeededFirst: If somebody else who would wait again is checked in, or is off the list.
    """
    entered = Exists(Entry.objects.live().filter(registration=OuterRef("registration")))
    rows = Waiting.objects.filter(voided_by=action).annotate(has_entered=entered)
    kept = rows.filter(registration__in=action.payload.get("moved_up", ()))
    if Places.OF_THE_HALL in _places(action):
        kept = kept.filter(has_entered=True)
    ids = set(kept.values_list("pk", flat=True))
    for row in rows.exclude(pk__in=ids).select_related("registration__voided_by"):
        if row.registration.voided_by is not None and row.registration.voided_by != action:
            raise needed_first(row.registration.voided_by)
        if row.has_entered:
            raise needed_first(row.registration.entries.live().latest("pk").made_by)
    return ids


def places_settle(change: Change, undone: Action, before: int | None) -> None:
    """Offer places freed by an undo; refuse one with more places than there are.

    :raises Refused: When more are given now than there are, and more than `before` it.
    """
    if before is None:
        return
    most = max(before, change.event.capacity)
    is_of_the_hall = Places.OF_THE_HALL in _places(undone)
    if not is_of_the_hall and capacity_of(change.event).taken > most:
        raise Refused(
            _("Der Platz ist inzwischen weitergegeben. Erst in den Einstellungen einen Platz mehr "
              "freigeben."),
            code="overbooked",
        )  # fmt: skip
    places_offer(change)
