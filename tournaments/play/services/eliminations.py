"""Eliminations: by bust or by disqualification. Places are computed, never stored.

Below the services are helpers for other modules: write an elimination, explain a refusal.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, Concerned, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Places, Topic
from tournaments.event.selectors.event import (
    chips_in_play,
    entry_is_out,
    room_figures,
    sells_again,
)
from tournaments.models import (
    ChipMovement,
    Elimination,
    Entry,
    Event,
    HandRound,
    RebuyChance,
    Seating,
)
from tournaments.play.domain.ranking import STEP
from tournaments.play.selectors.bubble import tables_named
from tournaments.play.selectors.eliminations import instant_in, round_at
from tournaments.play.services.bubble import begin_break_without_report
from tournaments.rebuys.services.purchases import (
    chances_end,
    director_asked,
    seats_to_hold,
    stacks_lose,
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
    """Record eliminations: all in the same hand, or one after another in the given order.

    `start_stacks` (entry id to chips at the start of that hand) ranks entries of one hand: the
    larger stack places higher, equal or unknown stacks share the place. `hand` names an earlier
    hand of hand-for-hand, if told after it was over. An entry that may still re-buy is not
    eliminated yet: its seat is held for a while.
    """
    if not entries or len({entry.pk for entry in entries}) != len(entries):
        raise Refused(_("Bitte wählen, wer ausgeschieden ist."), code="nobody")
    ids = [entry.pk for entry in entries]
    is_group = len(entries) > 1 and is_one_hand and _are_at_one_table(change, entries, hand)
    group = change.action.pk if is_group else None
    stacks = start_stacks or {}
    if any(amount < 1 for amount in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")
    instants = {
        entry.pk: change.at if is_one_hand else change.at - (len(entries) - n) * STEP
        for n, entry in enumerate(entries, 1)
    }
    holds = hand is None and sells_again(change.event)
    seats_held = seats_to_hold(change, entries) if holds else set()
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
    change.record(entries=ids, **({} if hand is None else {"hand": hand}))
    if change.claimed is not None:
        director_asked(change, instants)
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
    """Hold the seats of entries that may re-buy; `is_some`: others of the hand are out."""
    ids = [entry.pk for entry in entries]
    names = names_of_those_in(change.event, ids, seated(ids))
    # The time runs from the recording.
    until = change.action.recorded_at + timedelta(minutes=change.event.rebuy_hold_minutes)
    lost = stacks_lose(change, entries, group=group, start_stacks=start_stacks, instants=instants)
    RebuyChance.objects.bulk_create(
        RebuyChance(
            event=change.event, entry_id=row.entry_id, lost=row, until=until, made_by=change.action
        )
        for row in lost
    )
    who = ", ".join(names[pk] for pk in ids)
    change.record(held=ids, outcome="some" if is_some else "held")
    change.tell(**({"held": who} if is_some else {"name": who}))


def _are_at_one_table(change: Change, entries: Sequence[Entry], hand: int | None) -> bool:
    """Tell whether all sit at one table; one hand spans several only in hand-for-hand."""
    tables = {row.table.number for row in seated([entry.pk for entry in entries]).values()}
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
    """Disqualify: out for good, the chips leave play (TDA 71), placed like a bust now.

    In a round of hand-for-hand it places below all later eliminations of that round.

    `stack` is the counted stack; while it is unknown, the average is approximate.
    """
    if not reason.strip():
        raise Refused(_("Bitte den Grund angeben."), code="no_reason")
    chances_end(change, [entry])
    put_out(change, [entry], Elimination.Way.DISQUALIFIED, at=[change.at])
    stack_take_from_play(change, entry, stack, ChipMovement.Reason.DISQUALIFICATION)
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
    """Set the stack of a disqualified player or of one who gave up, counted later."""
    rows = ChipMovement.objects.live().filter(
        entry=entry, event=change.event, reason__in=ChipMovement.TAKEN_AWAY
    )
    row = rows.filter(amount=None).first()
    if row is None:
        raise Refused(_("Dieser Stapel ist schon gezählt."), code="already_counted")
    rows.update(voided_by=change.action)
    stack_take_from_play(change, entry, stack, row.reason)
    change.record(entry=entry.pk, stack=stack)
    change.tell(name=entry.registration.person.name)


def stack_take_from_play(change: Change, entry: Entry, stack: int | None, reason: str) -> None:
    """Take a stack from play, counted or not."""
    if stack is not None and not 0 <= stack <= chips_in_play(change.event)[0]:
        raise Refused(_("So viele Chips sind nicht im Spiel."), code="bad_stack")
    taken = None if stack is None else -stack
    ChipMovement.objects.create(
        event=change.event,
        entry=entry,
        reason=reason,
        amount=taken,
        made_by=change.action,
    )


# --- Write eliminations


def obstacle_to_eliminate(event: Event, entry: Entry, *, is_out: bool | None = None) -> str | None:
    """Return why this entry cannot go out now, or None; pass `is_out` to save a query."""
    if entry.event_id != event.pk or entry.voided_by_id is not None:
        return _("Dieser Teilnehmer gehört nicht zu diesem Turnier.")
    if not event.has_started:
        return _("Das Turnier hat noch nicht begonnen.")
    if entry_is_out(entry) if is_out is None else is_out:
        return already_out(entry)
    return None


def already_out(entry: Entry) -> str:
    """Return that an entry is out, with device and time: two arbiters may tap at once."""
    out = Elimination.objects.live().filter(entry=entry).select_related("made_by__device").first()
    name = entry.registration.person.name
    if out is None or out.made_by.device is None:
        return _("%(name)s ist schon ausgeschieden.") % {"name": name}
    at = time_format(timezone.localtime(out.made_by.at), "H:i")
    return _("%(name)s ist schon ausgeschieden (%(device)s, %(at)s).") % {
        "name": name, "device": out.made_by.device.name, "at": at,
    }  # fmt: skip


def refuse_if_nobody_is_left(change: Change) -> None:
    """Refuse a change after which no entry is in play; call it last in the service.

    The stream reports the count used.

    :raises Refused: When no entry is in play any more.
    """
    room = room_figures(change.event)
    if Topic.ENTRIES in change.topics:
        change.push(room=room)
    if room["left"] < 1:
        raise Refused(
            _("Einer bleibt übrig: Wer zuletzt sitzt, hat gewonnen."), code="last_one_wins"
        )


def put_out(
    change: Change,
    entries: Sequence[Entry],
    way: str,
    *,
    at: Sequence[datetime],
    group: int | None = None,
    start_stacks: Mapping[int, int] | None = None,
    hand: int | None = None,
    sequence: int | None = None,
) -> list[Elimination]:
    """Write eliminations, each at its instant, and free the seats; return the rows.

    :param sequence: The number of the log entry that first told it, if another.
    """
    event, ids = change.event, [entry.pk for entry in entries]
    names = names_of_those_in(event, ids, seatings := seated(ids))
    named = hand_named(change, hand) if hand is not None else None
    rounds = dict.fromkeys(at, named)
    tables = {entry: row.table_id for entry, row in seatings.items()}
    if way == Elimination.Way.BUST and named is None:
        rounds = {instant: round_at(event, instant) for instant in rounds}
    outs = [
        Elimination(
            event=event,
            entry_id=entry,
            way=way,
            at=instant_in(named, instant, tables.get(entry)) if named else instant,
            sequence=sequence or change.action.sequence,
            group=group,
            round=rounds[instant],
            start_stack=(start_stacks or {}).get(entry),
            table_id=tables.get(entry),
            seat=seatings[entry].seat if entry in seatings else None,
            made_by=change.action,
        )
        for entry, instant in zip(ids, at, strict=True)
    ]
    Elimination.objects.bulk_create(outs)
    _leave_seats(change, outs, seatings)
    change.tell(name=", ".join(names[pk] for pk in ids))
    if way != Elimination.Way.BUST or any(rounds.values()):
        begin_break_without_report(change)
    return outs


def _leave_seats(
    change: Change, outs: Sequence[Elimination], seatings: Mapping[int, Seating]
) -> None:
    whose = [(seatings[out.entry_id], out) for out in outs if out.entry_id in seatings]
    seats = [[row.entry_id, row.table.number, row.seat] for row, _out in whose]
    moved = [Concerned(row.entry.registration_id, row.table.number) for row, _out in whose]
    gone = [
        Concerned(row.entry.registration_id, 0, out.round_id is not None or out.group is not None)
        for row, out in whose
    ]
    if whose:
        live = Seating.objects.live().filter(entry_id__in=[entry for entry, *_place in seats])
        live.update(voided_by=change.action)
        change.record(seats_left=seats)
    if len(whose) == len(outs):
        change.concern(Seating=moved, Elimination=gone)


def names_of_those_in(
    event: Event, ids: list[int], seatings: Mapping[int, Seating]
) -> dict[int, str]:
    """Return the names by entry.

    :raises Refused: When one of them cannot go out.
    """
    # A seated entry is in play: elimination frees the seat.
    here = [row.entry for row in seatings.values() if row.event_id == event.pk]
    if event.has_started and len(here) == len(ids):
        return {entry.pk: entry.registration.person.name for entry in here}
    rows = list(Entry.objects.filter(pk__in=ids).select_related("registration__person"))
    for row in rows:
        reason = obstacle_to_eliminate(event, row, is_out=False if row.pk in seatings else None)
        if reason:
            is_known = event.has_started and all(entry_is_out(one) for one in rows)
            raise Refused(reason, code="already_out" if is_known else "cannot_eliminate")
    return {row.pk: row.registration.person.name for row in rows}


def hand_named(change: Change, number: int) -> HandRound:
    """Return this hand of the present or last hand-for-hand.

    :raises Refused: When no such hand was played.
    """
    rows = HandRound.objects.live().filter(
        hand_for_hand__event=change.event, began_at__lte=change.at, number=number
    )
    row = rows.select_related("hand_for_hand__voided_by").order_by("-began_at", "-pk").first()
    if row is None:
        raise Refused(
            _("Hand %(number)d wurde nicht Hand für Hand gespielt.") % {"number": number},
            code="no_such_hand",
        )
    return row


def seated(ids: list[int]) -> dict[int, Seating]:
    """Return the seats with table and name, by entry."""
    found = Seating.objects.live().filter(entry__in=ids)
    found = found.select_related("table", "entry__registration__person")
    return {row.entry_id: row for row in found}
