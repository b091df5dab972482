"""Out: by losing all chips, or by disqualification. Places are computed, never written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.entries.services.chances import chances_end, seats_hold, seats_to_hold
from tournaments.event.selectors.event import chips_in_play
from tournaments.models import ChipMovement, Elimination, Entry
from tournaments.play.domain.eliminations import STEP
from tournaments.play.selectors.bubble_words import tables_named
from tournaments.play.selectors.rounds import round_at
from tournaments.play.services.outs import (
    names_of_those_in,
    put_out,
    refuse_if_nobody_is_left,
    seated,
)

ENTRY_ELIMINATED = Kind(
    "entry.eliminated",
    lazy("Ausgeschieden: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
    outcomes={
        "held": lazy("Ohne Chips, Re-buy möglich: %(name)s"),
        "some": lazy("Ausgeschieden: %(name)s. Ohne Chips, Re-buy möglich: %(held)s"),
    },
)


@service(ENTRY_ELIMINATED, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def entries_eliminate(
    change: Change,
    *,
    entries: Sequence[Entry],
    start_stacks: Mapping[int, int] | None = None,
    is_one_hand: bool = True,
    hand: int | None = None,
) -> None:
    """Record that entries are out: in the same hand, or one after the other as they are listed.

    `start_stacks` (entry id to chips at the start of that hand) ranks those of one hand: the
    larger stack places higher, equal or unknown stacks share the place. `hand` names the hand of
    hand-for-hand in which it was, told when it was over already. Who may still re-buy is not out
    yet: the seat is held for a while.
    """
    if not entries or len({entry.pk for entry in entries}) != len(entries):
        raise Refused(_("Bitte wählen, wer ausgeschieden ist."), code="nobody")
    group = change.action.pk if len(entries) > 1 and is_one_hand else None
    if group is not None and not _are_at_one_table(change, entries, hand):
        group = None
    stacks = start_stacks or {}
    if any(amount < 1 for amount in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")
    last = len(entries) - 1
    instants = {
        entry.pk: change.at if is_one_hand else change.at - (last - n) * STEP
        for n, entry in enumerate(entries)
    }
    seats_held = seats_to_hold(change, entries) if hand is None else set()
    gone = [entry for entry in entries if entry.pk not in seats_held]
    if gone:
        put_out(
            change,
            gone,
            Elimination.Way.BUST,
            at=[instants[entry.pk] for entry in gone],
            group=group,
            start_stacks=stacks,
            hand=hand,
        )
    if seats_held:
        rows = [entry for entry in entries if entry.pk in seats_held]
        _hold(change, rows, instants, group=group, start_stacks=stacks, is_some=bool(gone))
    change.record(entries=[entry.pk for entry in entries])
    if hand is not None:
        change.record(hand=hand)
    refuse_if_nobody_is_left(change)


def _hold(
    change: Change,
    entries: Sequence[Entry],
    instants: Mapping[int, datetime],
    *,
    group: int | None,
    start_stacks: Mapping[int, int],
    is_some: bool,
) -> None:
    """Hold the seats of those who may still re-buy; `is_some` tells whether others are out."""
    ids = [entry.pk for entry in entries]
    names = names_of_those_in(change.event, ids, seated(ids))
    seats_hold(change, entries, group=group, start_stacks=start_stacks, instants=instants)
    who = ", ".join(names[pk] for pk in ids)
    change.record(outcome="some" if is_some else "held")
    change.tell(**({"held": who} if is_some else {"name": who}))


def _are_at_one_table(change: Change, entries: Sequence[Entry], hand: int | None) -> bool:
    """Tell whether all sit at one table; several play the same hand only hand-for-hand.

    :raises Refused: When they sit at several tables and no such hand is being played.
    """
    tables = {row.number for row in seated([entry.pk for entry in entries]).values()}
    if len(tables) > 1 and hand is None and round_at(change.event, change.at) is None:
        raise Refused(
            _("Eine Hand wird an einem Tisch gespielt, gewählt sind die %(tables)s.")
            % {"tables": tables_named(sorted(tables))},
            code="several_tables",
        )
    return len(tables) < 2


ENTRY_DISQUALIFIED = Kind(
    "entry.disqualified",
    lazy("Disqualifiziert: %(name)s"),
    Group.OUTS,
    frees_places=True,
    puts_out=True,
    places=Places.OF_THE_HALL,
)


@service(ENTRY_DISQUALIFIED, Permission.DISQUALIFY, Topic.TABLES, Topic.ENTRIES)
def entry_disqualify(
    change: Change, *, entry: Entry, reason: str, stack: int | None = None
) -> None:
    """Disqualify: out for good, the chips leave play (TDA 71), the place is that of the next out.

    In a round of hand-for-hand it is below all who go out later in that round.

    `stack` is what was counted; while it is unknown the average is only approximate.
    """
    if not reason.strip():
        raise Refused(_("Bitte den Grund angeben."), code="no_reason")
    chances_end(change, [entry])
    put_out(change, [entry], Elimination.Way.DISQUALIFIED, at=[change.at])
    _take_from_play(change, entry, stack)
    change.record(entries=[entry.pk], stack=stack)
    change.tell(reason=reason.strip())
    refuse_if_nobody_is_left(change)


DISQUALIFICATION_COUNTED = Kind(
    "disqualification.counted", lazy("Stapel gezählt: %(name)s"), Group.OUTS
)


@service(
    DISQUALIFICATION_COUNTED, Permission.DISQUALIFY, Topic.TABLES, Topic.ENTRIES, after_the_end=True
)
def disqualification_count(change: Change, *, entry: Entry, stack: int) -> None:
    """State the stack of a disqualified player that was not known at the time."""
    rows = ChipMovement.objects.live().filter(
        entry=entry, event=change.event, reason=ChipMovement.Reason.DISQUALIFICATION
    )
    row = rows.filter(amount=None).select_related("entry__registration__person").first()
    if row is None:
        raise Refused(_("Dieser Stapel ist schon gezählt."), code="already_counted")
    rows.update(voided_by=change.action)
    _take_from_play(change, entry, stack)
    change.record(entry=entry.pk, stack=stack)
    change.tell(name=row.entry.registration.person.name)


def _take_from_play(change: Change, entry: Entry, stack: int | None) -> None:
    if stack is not None and not 0 <= stack <= chips_in_play(change.event)[0]:
        raise Refused(_("So viele Chips sind nicht im Spiel."), code="bad_stack")
    taken = None if stack is None else -stack
    change.note("chips", [entry.pk, ChipMovement.Reason.DISQUALIFICATION, taken])
    ChipMovement.objects.create(
        event=change.event,
        entry=entry,
        reason=ChipMovement.Reason.DISQUALIFICATION,
        amount=taken,
        made_by=change.action,
    )
