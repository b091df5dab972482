"""Facts in the order of an undo, their dependencies, and obstacles to an undo.

Obstacles are later facts that depend on the action, and places taken since. A refusal names the
later action, which must be undone first. The dependencies are in the table `RESTS`.
"""

from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NoReturn

from django.db.models import Exists, OuterRef, QuerySet, UniqueConstraint
from django.utils.translation import gettext as _

from krru.data.sql import which_refer
from tournaments import models
from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Places, describe, kind_of
from tournaments.changes.selectors.log import action_is_in_force
from tournaments.door.selectors.places import capacity_of
from tournaments.door.services.waiting_list import places_offer
from tournaments.models.log import Action, Fact

# Seatings come before tables: tables are checked for players after the seatings are void.
FIRST: tuple[type[Fact], ...] = (
    models.Registration,
    models.Entry,
    models.ChipMovement,
    models.Seating,
    models.Table,
    models.Elimination,
    models.LostStack,
)
OTHERS = (model for model in Fact.__subclasses__() if not model._meta.abstract)
FACTS: tuple[type[Fact], ...] = (*FIRST, *(model for model in OTHERS if model not in FIRST))


def facts_removable() -> list[type[Fact]]:
    """Return all kinds of facts, referring ones before their targets."""
    order: list[type[Fact]] = []

    def add(model: type[Fact]) -> None:
        for other in FACTS:
            points = any(field.related_model is model for field in other._meta.concrete_fields)
            if points and other is not model and other not in order:
                add(other)
        if model not in order:
            order.append(model)

    for model in FACTS:
        add(model)
    return order


class Way(StrEnum):
    """The effect of an undo on a dependent fact."""

    REFUSES = "refuses"  # it must be undone first
    GOES_ALONG = "goes_along"  # it is undone too, as it has no meaning alone
    STAYS = "stays"  # it only records where something happened and is never read through the other


@dataclass(frozen=True, slots=True)
class Rest:
    """Facts of the kind `later` depend on one of the kind `on`, named by `column`."""

    later: type[Fact]
    column: str
    on: type[Fact]
    way: Way


RESTS: tuple[Rest, ...] = (
    Rest(models.Entry, "registration", models.Registration, Way.REFUSES),
    Rest(models.KeepApart, "first", models.Registration, Way.GOES_ALONG),
    Rest(models.KeepApart, "second", models.Registration, Way.GOES_ALONG),
    Rest(models.Waiting, "registration", models.Registration, Way.GOES_ALONG),
    Rest(models.Expected, "registration", models.Registration, Way.GOES_ALONG),
    Rest(models.OnSite, "registration", models.Registration, Way.GOES_ALONG),
    Rest(models.Posting, "registration", models.Registration, Way.REFUSES),
    Rest(models.Posting, "drawer", models.Drawer, Way.REFUSES),
    Rest(models.Ticket, "registration", models.Registration, Way.REFUSES),
    Rest(models.TicketUse, "registration", models.Registration, Way.REFUSES),
    Rest(models.TicketUse, "ticket", models.Ticket, Way.REFUSES),
    Rest(models.DrawerHolding, "drawer", models.Drawer, Way.GOES_ALONG),
    Rest(models.DrawerClosing, "drawer", models.Drawer, Way.REFUSES),
    Rest(models.PlaceOffer, "waiting", models.Waiting, Way.GOES_ALONG),
    Rest(models.Message, "entry", models.Entry, Way.STAYS),
    Rest(models.Message, "table", models.Table, Way.STAYS),
    Rest(models.Ruling, "table", models.Table, Way.STAYS),
    Rest(models.Seating, "entry", models.Entry, Way.REFUSES),
    Rest(models.Elimination, "entry", models.Entry, Way.REFUSES),
    Rest(models.LostStack, "entry", models.Entry, Way.REFUSES),
    Rest(models.ChipMovement, "entry", models.Entry, Way.REFUSES),
    Rest(models.StackCount, "entry", models.Entry, Way.REFUSES),
    Rest(models.StackWord, "entry", models.Entry, Way.GOES_ALONG),
    Rest(models.ClockCall, "entry", models.Entry, Way.REFUSES),
    Rest(models.Penalty, "entry", models.Entry, Way.REFUSES),
    Rest(models.Knockout, "by", models.Entry, Way.REFUSES),
    Rest(models.PlaceRuling, "entry", models.Entry, Way.REFUSES),
    Rest(models.PlaceRuling, "beside", models.Entry, Way.REFUSES),
    Rest(models.Absence, "entry", models.Entry, Way.GOES_ALONG),
    Rest(models.Seating, "table", models.Table, Way.REFUSES),
    Rest(models.DealerDraw, "table", models.Table, Way.REFUSES),
    Rest(models.Hand, "table", models.Table, Way.REFUSES),
    Rest(models.SeatLock, "table", models.Table, Way.GOES_ALONG),
    Rest(models.TableHalt, "table", models.Table, Way.GOES_ALONG),
    Rest(models.Summons, "table", models.Table, Way.GOES_ALONG),
    Rest(models.ButtonMark, "table", models.Table, Way.GOES_ALONG),
    Rest(models.HeadCheck, "table", models.Table, Way.GOES_ALONG),
    Rest(models.HandReport, "table", models.Table, Way.GOES_ALONG),
    Rest(models.Elimination, "table", models.Table, Way.STAYS),
    Rest(models.LostStack, "table", models.Table, Way.STAYS),
    Rest(models.ClockCall, "table", models.Table, Way.STAYS),
    Rest(models.Arrival, "seating", models.Seating, Way.GOES_ALONG),
    Rest(models.DealerDraw, "draw", models.Draw, Way.REFUSES),
    Rest(models.ChipRace, "table", models.Table, Way.REFUSES),
    Rest(models.ChipRace, "draw", models.Draw, Way.REFUSES),
    Rest(models.ClockCallEnd, "call", models.ClockCall, Way.REFUSES),
    Rest(models.Knockout, "elimination", models.Elimination, Way.GOES_ALONG),
    Rest(models.Knockout, "lost", models.LostStack, Way.GOES_ALONG),
    Rest(models.HandRound, "hand_for_hand", models.HandForHand, Way.REFUSES),
    Rest(models.HandReport, "round", models.HandRound, Way.REFUSES),
    Rest(models.Elimination, "round", models.HandRound, Way.REFUSES),
    Rest(models.Purchase, "registration", models.Registration, Way.REFUSES),
    Rest(models.Purchase, "entry", models.Entry, Way.REFUSES),
    Rest(models.PurchaseWish, "entry", models.Entry, Way.GOES_ALONG),
    Rest(models.RebuyChance, "entry", models.Entry, Way.REFUSES),
    Rest(models.LateTap, "entry", models.Entry, Way.GOES_ALONG),
    Rest(models.LateTap, "wish", models.PurchaseWish, Way.GOES_ALONG),
    Rest(models.RebuyChance, "lost", models.LostStack, Way.GOES_ALONG),
    Rest(models.PenaltyServed, "penalty", models.Penalty, Way.GOES_ALONG),
    Rest(models.Deal, "leave", models.DealLeave, Way.REFUSES),
    Rest(models.DealShare, "deal", models.Deal, Way.GOES_ALONG),
    Rest(models.DealShare, "entry", models.Entry, Way.REFUSES),
    Rest(models.DealAnswer, "share", models.DealShare, Way.GOES_ALONG),
    Rest(models.Envelope, "pot", models.MysteryPot, Way.REFUSES),
    Rest(models.Envelope, "entry", models.Entry, Way.REFUSES),
    Rest(models.Envelope, "draw", models.Draw, Way.GOES_ALONG),
    Rest(models.Posting, "cash_table", models.CashTable, Way.REFUSES),
    Rest(models.CashTable, "feeds", models.CashTable, Way.REFUSES),
    Rest(models.CashClosing, "table", models.CashTable, Way.REFUSES),
    Rest(models.CashCount, "table", models.CashTable, Way.REFUSES),
    Rest(models.CashHand, "table", models.CashTable, Way.REFUSES),
    Rest(models.CashHandEnd, "hand", models.CashHand, Way.REFUSES),
    Rest(models.CashSeat, "table", models.CashTable, Way.REFUSES),
    Rest(models.CashSeat, "registration", models.Registration, Way.REFUSES),
    Rest(models.CashLeave, "seat", models.CashSeat, Way.GOES_ALONG),
    Rest(models.CashAway, "seat", models.CashSeat, Way.GOES_ALONG),
    Rest(models.CashWaiting, "table", models.CashTable, Way.GOES_ALONG),
    Rest(models.CashWaiting, "registration", models.Registration, Way.GOES_ALONG),
    Rest(models.CashOffer, "waiting", models.CashWaiting, Way.GOES_ALONG),
    Rest(models.BagWord, "entry", models.Entry, Way.REFUSES),
    Rest(models.Bag, "entry", models.Entry, Way.REFUSES),
    Rest(models.Carry, "bag", models.Bag, Way.REFUSES),
    Rest(models.Carry, "entry", models.Entry, Way.REFUSES),
    Rest(models.CashDebtPaid, "payer", models.Registration, Way.GOES_ALONG),
    Rest(models.CashDebtPaid, "payee", models.Registration, Way.GOES_ALONG),
)


@dataclass(frozen=True, slots=True)
class Touched:
    """The kinds of facts made by an action, and voided by it and still void."""

    made: tuple[type[Fact], ...]
    voided: tuple[type[Fact], ...]


def facts_touched(action: Action) -> Touched:
    """Return the kinds an action touched (one query), so that an undo checks only these."""
    made, voided = (
        [(model, column) for model in FACTS] for column in ("made_by_id", "voided_by_id")
    )
    found = iter(which_refer([*made, *voided], action.pk))
    return Touched(
        tuple(model for model in FACTS if next(found)),
        tuple(model for model in FACTS if next(found)),
    )


# --- Obstacles: later facts that depend on the action, places taken since


USED = frozenset({(models.Seating, models.Table), (models.Entry, models.Registration)})


class NeededFirst(Refused):
    """A later action must be undone first: `later`."""

    def __init__(self, reason: str, later: Action) -> None:
        super().__init__(reason, code="needed")
        self.later = later


def refuse_if_needed(action: Action, touched: Touched) -> dict[type[Fact], list[int]]:
    """Refuse if a live later fact depends on the action; return its own facts that are live.

    :raises NeededFirst: Naming the later action.
    """
    own = {model: _own_of(model, action) for model in touched.made}
    reports = models.HandReport.objects.live().filter(made_by=action).select_related("round")
    for report in reports if models.HandReport in touched.made else ():
        later = models.HandRound.objects.live().filter(hand_for_hand=report.round.hand_for_hand_id)
        _refuse_for(later.filter(number__gt=report.round.number), action)
    for model, made in own.items():
        for rest in _resting_on(model, Way.REFUSES) if made else ():
            if model is models.Table:
                _refuse_at_tables(rest, made, action)
            else:
                _refuse_for(_rows_on(rest, made), action)
    return own


def _own_of(model: type[Fact], action: Action) -> list[int]:
    """Return the live facts of an action; refuse if a move, an out or a break has voided one.

    A seating ended by an out may stay void after the undo of the out, and is then no obstacle.
    """
    rows = model.objects.filter(made_by=action)
    # Another event may redeem a ticket at this moment.
    rows = rows.select_for_update() if model is models.Ticket else rows
    made = list(rows.values_list("pk", "voided_by"))
    # A taken offer stays taken; the free seats are checked elsewhere.
    is_followed = model is models.CashOffer and "cash_offered" in action.payload
    if model is not models.PlaceOffer and not is_followed:
        later = {by for _pk, by in made} - {None, action.pk}
        for by in Action.objects.filter(pk__in=later).order_by("pk"):
            if action_is_in_force(by):
                _refuse(by)
    return [pk for pk, by in made if by is None]


def take_along(change_action: Action, model: type[Fact], ids: list[int]) -> None:
    """Void the facts that depend on the facts just voided by `change_action`."""
    for rest in _resting_on(model, Way.GOES_ALONG) if ids else ():
        rows = _rows_on(rest, ids)
        along = _ids(rows) if _resting_on(rest.later, Way.GOES_ALONG) else []
        rows.update(voided_by=change_action)
        take_along(change_action, rest.later, along)


def _resting_on(model: type[Fact], way: Way) -> list[Rest]:
    return [rest for rest in RESTS if rest.on is model and rest.way is way]


def _rows_on(rest: Rest, ids: list[int]) -> QuerySet[Any]:
    return rest.later.objects.live().filter(**{f"{rest.column}__in": ids})


def _ids(rows: QuerySet[Any]) -> list[int]:
    # A separate query, often empty: inside the next one the database would scan all live rows, so
    # that an undo would cost more in a larger field.
    return list(rows.values_list("pk", flat=True))


def _refuse_at_tables(rest: Rest, tables: list[int], action: Action) -> None:
    """Refuse for facts at these tables, except tables that stay open for other players."""
    if keeps_tables(action):
        if rest.later is models.Seating:
            return
        seated = models.Seating.objects.live().filter(table__in=tables).exclude(made_by=action)
        kept = set(seated.values_list("table", flat=True))
        tables = [table for table in tables if table not in kept]
    _refuse_for(_rows_on(rest, tables), action)


def _refuse_for(rows: QuerySet[Any], action: Action) -> None:
    row: Fact | None = (
        rows.exclude(made_by=action).order_by("made_by_id").select_related("made_by").first()
    )
    if row is not None:
        _refuse(row.made_by, action.event_id)


def refuse_if_not_restorable(action: Action, touched: Touched) -> set[int]:
    """Refuse if a fact voided by the action cannot be revived, as its place is taken.

    A player back in the game may find the seat taken or the table broken. This is not refused: the
    entry gets a seat by the rules for late entries.

    :raises NeededFirst: Naming the action that took the place.
    """
    for model in touched.voided:
        if model is not models.Seating:
            _refuse_if_entered_anew(model, action)
    takers = _takers(action) if models.Seating in touched.voided else {}
    if takers:
        kind = kind_of(action.kind)
        if not (kind and kind.puts_out):
            _refuse(min(takers.values(), key=lambda taker: taker.sequence))
    return set(takers)


def refuse_if_ground_is_gone(action: Action, voided: Collection[type[Fact]]) -> None:
    """Refuse if a fact to be voided again was used since: a table, a registration.

    :raises NeededFirst: Naming the action that used it.
    """
    for rest in RESTS:
        if rest.on in voided and (rest.later, rest.on) in USED:
            _refuse_for(_rows_on(rest, _ids(rest.on.objects.filter(voided_by=action))), action)


def refuse_if_left_hanging(model: type[Fact], revived: list[int]) -> None:
    """Refuse if a fact to be revived depends on a void one.

    :raises NeededFirst: Naming the action that voided it.
    """
    if model is models.Seating:
        return  # checked before, with all else about seats
    for rest in RESTS:
        if rest.later is not model or rest.way is not Way.REFUSES:
            continue
        rows = model.objects.filter(pk__in=revived)
        gone = rows.filter(**{f"{rest.column}__voided_by__isnull": False})
        ground = gone.values_list(f"{rest.column}__voided_by", flat=True).first()
        if ground is not None:
            _refuse(Action.objects.select_related("text").get(pk=ground))


def _takers(action: Action) -> dict[int, Action]:
    """Return, by entry, the later action that keeps its seating from being revived.

    The table is broken, the seat is taken, the entry sits elsewhere, or it is out. A fixed number
    of queries, as the action may be the break of a table or the whole draw.
    """
    old = models.Seating.objects.filter(voided_by=action)
    seats = {(row.table_id, row.seat): row.entry_id for row in old}
    gone: dict[int, Action] = {}
    broken = old.filter(table__voided_by__isnull=False).exclude(table__voided_by=action)
    for row in broken.select_related("table__voided_by"):
        if row.table.voided_by is not None:
            gone.setdefault(row.entry_id, row.table.voided_by)
    live = models.Seating.objects.live().exclude(made_by=action).select_related("made_by")
    for rival in live.filter(table__in={table for table, _seat in seats}):
        holder = seats.get((rival.table_id, rival.seat))
        if holder is not None:
            gone.setdefault(holder, rival.made_by)
    entries = list(seats.values())
    for rival in live.filter(entry__in=entries):
        gone.setdefault(rival.entry_id, rival.made_by)
    outs = models.Elimination.objects.live().exclude(made_by=action).filter(entry__in=entries)
    for out in outs.select_related("made_by"):
        gone.setdefault(out.entry_id, out.made_by)
    return gone


def _refuse_if_entered_anew(model: type[Fact], action: Action) -> None:
    """Refuse if a unique fact was entered again: a table's number, a registration, a hand."""
    for rule in model._meta.constraints:
        if not isinstance(rule, UniqueConstraint) or rule.condition is None:
            continue
        old = set(model.objects.filter(voided_by=action).values_list(*rule.fields))
        rivals = model.objects.live().exclude(made_by=action)
        for position, name in enumerate(rule.fields):
            rivals = rivals.filter(**{f"{name}__in": {row[position] for row in old}})
        again = [pk for pk, *values in rivals.values_list("pk", *rule.fields)
                 if tuple(values) in old]  # fmt: skip
        if again:
            _refuse_for(model.objects.filter(pk__in=again), action)


def keeps_tables(action: Action) -> bool:
    """Tell whether tables opened by an action stay open for the other players there."""
    kind = kind_of(action.kind)
    return kind is not None and kind.opens_tables


def needed_first(later: Action, event: int | None = None) -> NeededFirst:
    """Return the refusal with the later action; it names an event other than this one.

    :param event: The event of the undo.
    """
    text = _("Erst zurücknehmen: %(action)s (Eintrag %(number)d).")
    words = {"action": describe(later), "number": later.sequence}
    if event is not None and later.event is not None and later.event_id != event:
        text = _("Erst zurücknehmen: %(action)s (%(event)s, Eintrag %(number)d).")
        words["event"] = later.event.name
    return NeededFirst(text % words, later)


def _refuse(later: Action, event: int | None = None) -> NoReturn:
    raise needed_first(later, event)


# --- Places on an undo: a player told of a place keeps it, if there is room


def _places(action: Action) -> set[Places]:
    """Return the effects of an action, and of the one it undoes, on places."""
    names = [action.kind, action.undoes.kind if action.undoes is not None else ""]
    return {kind.places for kind in map(kind_of, names) if kind}


def places_taken_before(action: Action) -> int | None:
    """Return the places taken before an undo; None if it does not concern them."""
    effects = _places(action)
    if effects <= {Places.UNCHANGED} or action.event is None:
        return None
    # A player back in the game has a place in any case: no comparison.
    return 0 if Places.OF_THE_HALL in effects else capacity_of(action.event).taken


def places_kept(action: Action) -> set[int]:
    """Return the waiting rows ended by `action` whose players keep their place on its undo.

    A player told of moving up keeps the place. If the undo brings a player back into the game, only
    a checked-in player keeps the place.

    :raises NeededFirst: If somebody else who would wait again is checked in, or is off the list.
    """
    entered = Exists(models.Entry.objects.live().filter(registration=OuterRef("registration")))
    rows = models.Waiting.objects.filter(voided_by=action).annotate(has_entered=entered)
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
