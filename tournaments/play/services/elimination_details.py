"""Details of an elimination told later: takers, true time, stacks.

An elimination is recorded without them; places follow from the known facts.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import (
    ChipMovement,
    Elimination,
    Entry,
    Knockout,
    LateTap,
    LostStack,
    PurchaseWish,
    RebuyChance,
)
from tournaments.play.selectors.eliminations import instant_in, lost_rows, round_at, without_chips
from tournaments.play.services.eliminations import hand_named
from tournaments.rebuys.selectors.offers import taps_open

COPIED = ("event_id", "entry_id", "sequence", "group", "table_id", "seat")
# The true time, and the round of hand-for-hand played then.
Then = tuple[datetime, int | None]
# A stack lost with an elimination, or without one.
Stack = Elimination | LostStack


KNOCKOUT_SET = Kind(
    "knockout.set",
    lazy("%(name)s ausgeschieden gegen %(takers)s"),
    Group.OUTS,
    outcomes={
        "unknown": lazy("Offen, gegen wen: %(name)s"),
        "lost": lazy("%(name)s hat den Stapel verloren gegen %(takers)s"),
    },
    outlives_the_end=True,
)


@service(KNOCKOUT_SET, Permission.ELIMINATE, Topic.ENTRIES, after_the_end=True)
def knockout_set(
    change: Change,
    *,
    takers: Sequence[Entry],
    eliminations: Sequence[Elimination] = (),
    lost: Sequence[LostStack] = (),
) -> None:
    """Set the takers of these stacks: several for a split pot, none for unknown.

    :param lost: Stacks lost without an elimination: re-bought since, or seat held.
    """
    outs = _live(change, eliminations) if eliminations or not lost else []
    stacks = lost_rows(change.event, {row.pk for row in lost})
    if len(stacks) != len({row.pk for row in lost}):
        raise _gone()
    every: list[Stack] = [*outs, *stacks]
    _refuse_takers(change, every, takers)
    of_these = Q(elimination__in=outs) | Q(lost__in=stacks)
    Knockout.objects.live().filter(of_these).update(voided_by=change.action)
    ids = [taker.pk for taker in takers]
    Knockout.objects.bulk_create(row for one in every for row in _knockouts(change, one, ids))
    told = "known" if outs else "lost"
    change.record(
        entries=[row.entry_id for row in every],
        takers=ids,
        outcome=told if takers else "unknown",
    )
    if stacks:
        change.record(lost=[row.pk for row in stacks])
    if change.event.bounty_kind:
        change.announce(Topic.TABLES)  # each table shows the bounties on its heads
    change.tell(name=_names([row.entry for row in every]), takers=_names(takers))


def _refuse_takers(change: Change, stacks: Sequence[Stack], takers: Sequence[Entry]) -> None:
    """Refuse takers without chips in that hand, and any of a stack given up."""
    way = Elimination.Way.SURRENDERED
    gone = [row.entry for row in stacks if isinstance(row, Elimination) and row.way == way]
    if gone:
        raise Refused(
            _("%(name)s hat aufgegeben. Bitte das zuerst zurücknehmen.") % {"name": _names(gone)},
            code="surrendered",
        )
    at, losers = max(row.at for row in stacks), {row.entry_id for row in stacks}
    ids = [taker.pk for taker in takers]
    here = Entry.objects.live().filter(event=change.event, pk__in=ids).count()
    if here != len(ids) or len(set(ids)) != len(ids):
        raise Refused(_("Diesen Teilnehmer gibt es hier nicht."), code="not_here")
    before = Elimination.objects.live().filter(event=change.event, entry__in=ids, at__lte=at)
    for row in before.select_related("entry__registration__person")[:1]:
        raise Refused(
            _("%(name)s war da schon ausgeschieden.") % {"name": _names([row.entry])},
            code="out_before",
        )
    broke = without_chips(change.event.pk, ids, at) | (set(ids) & losers)
    if names := _names([taker for taker in takers if taker.pk in broke]):
        raise Refused(_("%(name)s hatte da keine Chips.") % {"name": names}, code="had_no_chips")


def _knockouts(change: Change, of: Stack, takers: Iterable[int]) -> list[Knockout]:
    return [Knockout(**_column(of), by_id=taker, made_by=change.action) for taker in takers]


def _column(stack: Stack) -> dict[str, Any]:
    return {"lost" if isinstance(stack, LostStack) else "elimination": stack}


def knockouts_pass_on(change: Change, of: Stack, to: Stack) -> None:
    """Copy the takers to the row that replaces another."""
    takers = Knockout.objects.live().filter(**_column(of))
    by = list(takers.order_by("pk").values_list("by_id", flat=True))
    if by:
        takers.update(voided_by=change.action)
        Knockout.objects.bulk_create(_knockouts(change, to, by))


ELIMINATION_CORRECTED = Kind(
    "elimination.corrected",
    lazy("Zeit des Ausscheidens berichtigt: %(name)s"),
    Group.OUTS,
    outcomes={
        "stacks": lazy("Stapel vor der Hand: %(name)s"),
        "hand": lazy("Ausgeschieden in Hand %(hand)s: %(name)s"),
        "running": lazy("Ausgeschieden in der Hand, die bei der Ansage lief: %(name)s"),
    },
)


@service(ELIMINATION_CORRECTED, Permission.ELIMINATE, Topic.TABLES, Topic.ENTRIES)
def elimination_correct(
    change: Change,
    *,
    eliminations: Sequence[Elimination],
    to: datetime | None = None,
    hand: int | None = None,
    start_stacks: Mapping[int, int] | None = None,
) -> None:
    """Correct the time of an elimination, its hand, or the starting stacks; places follow.

    Eliminations of one hand share a time: all of them are set. `start_stacks` is by entry id. With
    its time an elimination moves to the round of hand-for-hand played then; `hand` names that round
    and sets the time.
    """
    rows = _live(change, eliminations)
    then = {row.pk: (row.at, row.round_id) for row in rows}
    if to is not None or hand is not None:
        rows = _of_one_hand(rows)
        then = at_time(change, rows, to) if to is not None else _in_hand(change, rows, hand or 0)
    stacks = dict(start_stacks or {})
    if any(amount < 1 for amount in stacks.values()):
        raise Refused(_("Ein Stapel hat mindestens einen Chip."), code="bad_stack")
    if not set(stacks) <= {row.entry_id for row in rows}:
        raise Refused(_("Diesen Teilnehmer gibt es hier nicht."), code="not_here")
    known = {row.pk: stacks.get(row.entry_id, row.start_stack) for row in rows}
    changed = [
        row
        for row in rows
        if (then[row.pk], known[row.pk]) != ((row.at, row.round_id), row.start_stack)
    ]
    if not changed:
        raise Refused(_("Das steht schon so da."), code="nothing")
    for row in changed:
        elimination_replace(change, row, then[row.pk], known[row.pk])
    change.record(
        entries=[row.entry_id for row in changed],
        stacks=[[entry, amount] for entry, amount in sorted(stacks.items())],
        outcome="time" if to is not None else "stacks",
    )
    if to is None and hand is not None:
        change.record(hand=hand, outcome="hand" if hand else "running")
    change.tell(name=_names([row.entry for row in changed]))


OUT_DISQUALIFIED = Kind(
    "out.disqualified",
    lazy("Nach dem Ausscheiden disqualifiziert: %(name)s"),
    Group.OUTS,
    outlives_the_end=True,
)


@service(OUT_DISQUALIFIED, Permission.DISQUALIFY, Topic.TABLES, Topic.ENTRIES, after_the_end=True)
def out_disqualify(change: Change, *, entry: Entry, reason: str) -> None:
    """Disqualify an eliminated entry: out for good (KRRU 3.0), without a prize.

    TDA 71 takes chips and seat, which an eliminated entry no longer has; it is silent about places.
    So the entry keeps its place (ours).
    """
    if not reason.strip():
        raise Refused(_("Bitte den Grund angeben."), code="no_reason")
    rows = list(_with_names(Elimination.objects.live().filter(event=change.event, entry=entry)))
    obstacle = obstacle_to_disqualify(entry, rows[0] if rows else None)
    if obstacle:
        raise Refused(obstacle, code="cannot_disqualify")
    row = rows[0]
    way = Elimination.Way.DISQUALIFIED
    elimination_replace(change, row, (row.at, row.round_id), row.start_stack, way=way)
    change.record(entries=[entry.pk])
    change.tell(name=_names([row.entry]), reason=reason.strip())


def obstacle_to_disqualify(entry: Entry, gone: Elimination | None) -> str | None:
    """Return why an eliminated entry cannot be disqualified, or None."""
    name = {"name": entry.registration.person.name}
    if gone is None:
        return _("%(name)s ist noch im Spiel.") % name
    if gone.way == Elimination.Way.DISQUALIFIED:
        return _("%(name)s ist schon disqualifiziert.") % name
    if gone.way == Elimination.Way.SEAT:
        return _("%(name)s hat einen Platz gewonnen. Erst das zurücknehmen.") % name
    return None


def _thrown_out(rows: list[Elimination]) -> set[int]:
    entries = [row.entry_id for row in rows if row.way != Elimination.Way.BUST]
    taken = ChipMovement.objects.live().filter(
        entry__in=entries, reason__in=ChipMovement.TAKEN_AWAY
    )
    return {entry for entry in taken.values_list("entry", flat=True) if entry} if entries else set()


def at_time(change: Change, rows: list[Elimination], to: datetime) -> dict[int, Then]:
    """Set these to an instant, and to the round played then."""
    _refuse_time(change, rows, to)
    played = round_at(change.event, to)
    number, thrown = played.pk if played else None, _thrown_out(rows)
    return {row.pk: (to, None if row.entry_id in thrown else number) for row in rows}


def _in_hand(change: Change, rows: list[Elimination], number: int) -> dict[int, Then]:
    if _thrown_out(rows):
        raise Refused(
            _("Wer mit dem Stapel ging, verlor keine Hand. Die Uhrzeit lässt sich setzen."),
            code="disqualified",
        )
    hand = hand_named(change, number)
    then: dict[int, Then] = {
        row.pk: (instant_in(hand, row.at, row.table_id), hand.pk) for row in rows
    }
    for at, _hand in then.values():
        _refuse_time(change, rows, at)
    return then


def _refuse_time(change: Change, rows: list[Elimination], to: datetime) -> None:
    started = change.event.started_by
    if to > change.at:
        raise Refused(_("Das liegt in der Zukunft."), code="in_future")
    if started is None or to < started.at or any(to < row.entry.entered_at for row in rows):
        raise Refused(_("Da hat das Spiel noch nicht begonnen."), code="before_start")


def elimination_replace(
    change: Change,
    row: Elimination,
    then: Then,
    stack: int | None,
    *,
    way: str = "",
    is_alone: bool = False,
) -> None:
    """Replace an elimination and its takers by new rows: facts are never edited in place.

    :param is_alone: Whether it is no longer of one hand with others.
    """
    Elimination.objects.filter(pk=row.pk).update(voided_by=change.action)
    at, round_id = then
    kept = {name: getattr(row, name) for name in COPIED}
    copy = Elimination.objects.create(
        **kept | ({"group": None} if is_alone else {}),
        way=way or row.way,
        at=at,
        round_id=round_id,
        start_stack=stack,
        made_by=change.action,
    )
    knockouts_pass_on(change, row, copy)


def _of_one_hand(rows: list[Elimination]) -> list[Elimination]:
    groups = {row.group for row in rows if row.group is not None}
    others = Elimination.objects.live().filter(event=rows[0].event_id, group__in=groups)
    together = {row.pk: row for row in (*rows, *_with_names(others))} if groups else {}
    return list(together.values()) or rows


def _live(change: Change, eliminations: Sequence[Elimination]) -> list[Elimination]:
    """Return these eliminations as they are now."""
    ids = {row.pk for row in eliminations}
    rows = Elimination.objects.live().filter(event=change.event, pk__in=ids)
    found = list(_with_names(rows))
    if not found or len(found) != len(ids):
        raise _gone()
    return found


def _gone() -> Refused:
    return Refused(_("Das wurde inzwischen zurückgenommen oder geändert."), code="gone")


def _with_names(rows: QuerySet[Elimination]) -> QuerySet[Elimination]:
    return rows.select_related("entry__registration__person", "table").order_by("at", "pk")


def _names(entries: Sequence[Entry]) -> str:
    return ", ".join(entry.registration.person.name for entry in entries)


# --- Late taps: the director lets the claimed time count, or that of the arrival


TOPICS = (Topic.TABLES, Topic.ENTRIES, Topic.REGISTRATIONS)
WISHED = ("event_id", "entry_id", "what", "number", "stack")

LATE_TAP_ACCEPTED = Kind("late_tap.accepted", lazy("Nachgetragene Zeit gilt: %(name)s"), Group.OUTS)


@service(LATE_TAP_ACCEPTED, Permission.MANAGE, *TOPICS)
def late_tap_accept(change: Change, *, tap: LateTap) -> None:
    """Let the claimed time count: of a lost stack with its takers, or of a request."""
    for row in _decided(change, tap):
        if row.wish is not None:  # it lapses as one asked now
            PurchaseWish.objects.filter(pk=row.wish.pk).update(voided_by=change.action)
            copied = {name: getattr(row.wish, name) for name in WISHED}
            PurchaseWish.objects.create(**copied, asked_at=row.at, made_by=change.action)
            continue
        for out in Elimination.objects.live().filter(entry=row.entry_id):
            then = at_time(change, [out], row.at)[out.pk]
            elimination_replace(change, out, then, out.start_stack)
        chances = RebuyChance.objects.live().filter(entry=row.entry_id)
        for chance in chances.select_related("lost"):
            _antedate_loss(change, chance, row.at)


LATE_TAP_REFUSED = Kind(
    "late_tap.refused",
    lazy("Gilt ab der Meldung: %(name)s"),
    Group.OUTS,
    outcomes={"wish": lazy("Zu spät gemeldet: %(name)s")},
)


@service(LATE_TAP_REFUSED, Permission.MANAGE, *TOPICS)
def late_tap_refuse(change: Change, *, tap: LateTap) -> None:
    """Let the time of arrival count: a request is too late."""
    wishes = [row.wish_id for row in _decided(change, tap) if row.wish_id]
    if wishes:
        PurchaseWish.objects.filter(pk__in=wishes).update(voided_by=change.action)
        change.record(outcome="wish")


def _decided(change: Change, tap: LateTap) -> list[LateTap]:
    """Return all entries of a tap, now decided."""
    every = taps_open(change.event)
    told = [row.made_by_id for row in every if row.pk == tap.pk]
    rows = [row for row in every if row.made_by_id in told]
    if not rows:
        raise Refused(_("Das ist inzwischen entschieden oder zurückgenommen."), code="gone")
    LateTap.objects.filter(pk__in=[row.pk for row in rows]).update(voided_by=change.action)
    change.record(entries=[row.entry_id for row in rows])
    change.tell(name=_names([row.entry for row in rows]))
    return rows


def _antedate_loss(change: Change, chance: RebuyChance, at: datetime) -> None:
    lost = chance.lost
    RebuyChance.objects.filter(pk=chance.pk).update(voided_by=change.action)
    LostStack.objects.filter(pk=lost.pk).update(voided_by=change.action)
    own = {"event_id": lost.event_id, "entry_id": lost.entry_id, "made_by": change.action}
    earlier = LostStack.objects.create(
        **own, at=at, group=lost.group, start_stack=lost.start_stack, table_id=lost.table_id
    )
    RebuyChance.objects.create(**own, lost=earlier, until=chance.until)
    knockouts_pass_on(change, lost, earlier)
