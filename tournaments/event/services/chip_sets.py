"""A club's chip sets: add, change, delete, and choose one for a tournament."""

from collections.abc import Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.chips import CHIP_COLOURS, MOST_CHIPS, MOST_VALUES
from tournaments.event.services.names import name_kept, refuse_shipped
from tournaments.models import Action, ChipSet, Event

CHIPS_CHOSEN = Kind("chips.chosen", lazy("Chips gewählt: %(chips)s"), Group.EVENT)


@service(CHIPS_CHOSEN, Permission.MANAGE, Topic.SETTINGS)
def event_chips_choose(change: Change, *, chip_set: ChipSet) -> None:
    """Choose another chip set for the tournament; only before its start."""
    event = change.event
    if event.has_started:
        raise Refused(_("Gespielt wird schon: Die Stapel sind ausgeteilt."), code="started")
    if chip_set.club_id != event.club_id:
        raise Refused(_("Diese Chips gibt es nicht mehr."), code="gone")
    if chip_set.pk == event.chip_set_id:
        raise Refused(_("Mit diesen Chips wird schon gespielt."), code="nothing_changed")
    change.record(chip_set=chip_set.pk, chip_set_before=event.chip_set_id)
    change.tell(chips=chip_set.name)
    change.set(chip_set=chip_set)


@undoes(CHIPS_CHOSEN)
def _undo_chosen(change: Change, action: Action) -> None:
    """Restore the former chip set, if the club still has it."""
    if change.event.has_started:
        raise Refused(_("Gespielt wird schon: Die Stapel sind ausgeteilt."), code="started")
    before = action.payload["chip_set_before"]
    change.set(chip_set=ChipSet.objects.filter(pk=before).first())


CHIP_SET_SAVED = Kind("club.chip_set_saved", lazy("Chips eingetragen: %(chips)s"), Group.CLUB)


@club_service(CHIP_SET_SAVED, Permission.MANAGE)
def chip_set_save(
    change: Change,
    *,
    name: str,
    pieces: Mapping[int, tuple[int, str]],
    chip_set: ChipSet | None = None,
) -> None:
    """Add or change a chip set of the club's own.

    :param pieces: How many pieces there are of each value, and their colour.
    :raises Refused: Where it ships with the program, or a running tournament is played with it.
    """
    others = ChipSet.objects.filter(club=change.club)
    if chip_set is not None:
        _refuse_fixed(chip_set)
        others = others.exclude(pk=chip_set.pk)
    _refuse_impossible(pieces)
    row = chip_set or ChipSet(club=change.club)
    row.name = name_kept(name, others)
    row.pieces = [
        {"value": value, "count": count, "colour": colour}
        for value, (count, colour) in sorted(pieces.items())
    ]
    row.distributions = []
    row.save()
    change.record(chip_set=row.pk, pieces=[[v, n] for v, (n, _colour) in sorted(pieces.items())])
    change.tell(chips=row.name)


CHIP_SET_DELETED = Kind("club.chip_set_deleted", lazy("Chips gelöscht: %(chips)s"), Group.CLUB)


@club_service(CHIP_SET_DELETED, Permission.MANAGE)
def chip_set_delete(change: Change, *, chip_set: ChipSet) -> None:
    """Delete a chip set of the club's own, unless an open tournament uses it.

    :raises Refused: Where it ships with the program, or a tournament needs it.
    """
    _refuse_fixed(chip_set)
    if Event.objects.open().filter(chip_set=chip_set).exists():
        reason = _("Ein Turnier soll damit gespielt werden. Dort zuerst andere Chips wählen.")
        raise Refused(reason, code="is_used")
    change.record(chip_set=chip_set.pk)
    change.tell(chips=chip_set.name)
    chip_set.delete()


def _refuse_fixed(chip_set: ChipSet) -> None:
    refuse_shipped(chip_set.name, chip_set.revision)
    running = Event.objects.running().filter(chip_set=chip_set).first()
    if running is not None:
        reason = _("Damit wird gerade gespielt: %(event)s.") % {"event": running.name}
        raise Refused(reason, code="is_played")


def _refuse_impossible(pieces: Mapping[int, tuple[int, str]]) -> None:
    if not pieces:
        raise Refused(_("Bitte mindestens einen Chip eintragen."), code="no_pieces")
    if len(pieces) > MOST_VALUES:
        reason = _("Höchstens %(most)d verschiedene Werte.") % {"most": MOST_VALUES}
        raise Refused(reason, code="many_values")
    for value, (count, colour) in pieces.items():
        if not (0 < value <= MOST_CHIPS and 0 < count <= MOST_CHIPS):
            raise Refused(_("Wert und Anzahl sind größer als null."), code="bad_pieces")
        if colour not in CHIP_COLOURS:
            raise Refused(_("Diese Farbe gibt es nicht."), code="bad_colour")
