"""Read an event's state in one go: with the event locked, in a change about to be rolled back.

What is shown of it is computed afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import BigIntegerField, Func, IntegerField, OuterRef, Subquery
from django.utils.translation import gettext_lazy as _

from clock.domain import Anchor, Level, anchor_of
from clock.selectors import clock_actions, clock_levels
from clock.snapshot import snapshot
from tournaments.event.selectors.clock import counted
from tournaments.event.selectors.event import figures
from tournaments.event.selectors.settings.declared import setting_names
from tournaments.models import (
    Absence,
    ButtonMark,
    CashOffer,
    CashSeat,
    ClockCall,
    ClosingCall,
    Draw,
    Event,
    Hand,
    HandForHand,
    HandReport,
    HandRound,
    HeadCheck,
    KeepApart,
    MoneyReached,
    Penalty,
    Person,
    Posting,
    Seating,
    SeatLock,
    Summons,
    Table,
    TableHalt,
)
from tournaments.models.log import Action, Fact
from tournaments.money.domain.accounts import Account
from tournaments.play.selectors.ranking import PlacesBasis, places_basis, places_from
from tournaments.undo.domain.preview_diff import Lot

# Further facts of tables and players, only counted: their path to the event, and their name.
FURTHER: Mapping[type[Fact], tuple[str, Any]] = {
    Penalty: ("event", _("Verwarnungen und Strafen")),
    Absence: ("event", _("Abwesende")),
    ClockCall: ("event", _("Auf die Uhr gesetzt")),
    Hand: ("table__event", _("Getippte Hände")),
    ButtonMark: ("table__event", _("Angaben zum Button")),
    SeatLock: ("table__event", _("Gesperrte Plätze")),
    TableHalt: ("table__event", _("Angehaltene Tische")),
    Summons: ("event", _("Rufe nach der Turnierleitung")),
    HeadCheck: ("table__event", _("Gezählte Tische")),
    KeepApart: ("event", _("Getrennt zu setzen")),
    HandForHand: ("event", _("Hand für Hand")),
    HandRound: ("hand_for_hand__event", _("Runden Hand für Hand")),
    HandReport: ("round__hand_for_hand__event", _("Tische fertig mit der Hand")),
    MoneyReached: ("event", _("Im Geld angesagt")),
    ClosingCall: ("event", _("Sperrstunde angesagt")),
}

# Money by account, as its sum.
MONEY = (
    Account.CASH, Account.CREDIT, Account.PRIZES, Account.BOUNTIES, Account.CHIPS, Account.RAKE,
    Account.TIPS, Account.MISSING, Account.OWED,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class CashLot:
    """A person's seat and offered seat in the cash game, as table (and seat)."""

    name: str
    seat: tuple[int, int] | None = None
    offer: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EventState:
    """The facts of an event at one moment, with nothing computed yet.

    `drawn` are entries with a seat from a draw in the tried change. `cash` are the people of the
    cash game, by registration.
    """

    version: int
    status: str
    unit: str
    basis: PlacesBasis
    seats: dict[int, tuple[int, int]]
    drawn: frozenset[int]
    tables: tuple[int, ...]
    registrations: int
    rebuys: int
    left: int
    entries: int
    chips: int
    chips_are_exact: bool
    anchor: Anchor
    levels: tuple[Level, ...]
    settings: dict[str, Any]
    further: dict[str, int]
    money: dict[Account, int]
    cash: dict[int, CashLot]
    person: tuple[str, str] | None


def state_read(
    event_id: int, *, tried: Action | None = None, person: int | None = None
) -> EventState:
    """Read the whole state for a comparison, in a fixed number of queries.

    :param tried: The change that is being tried; seats it draws are not told.
    :param person: Whose name and address are asked about, if anybody's.
    """
    event = Event.objects.select_related("clock").get(pk=event_id)
    snapshot(event, event.clock)  # fresh rows, read only at this moment
    basis, levels = places_basis(event), clock_levels(event.clock)
    seatings = Seating.objects.live().filter(event=event)
    further, money = _sums(event)
    people = Person.objects.filter(pk=person or 0).values_list("name", "email")
    named = setting_names(lambda setting: bool(setting.label))
    return EventState(
        version=event.version,
        status=event.status,
        unit=event.cash_unit,
        basis=basis,
        seats={
            entry: (table, seat)
            for entry, table, seat in seatings.values_list("entry", "table__number", "seat")
        },
        drawn=_drawn(tried),
        tables=tuple(Table.objects.live().filter(event=event).values_list("number", flat=True)),
        **_counts(event, basis),
        anchor=anchor_of(clock_actions(event.clock), levels),
        levels=levels,
        settings={name: getattr(event, name) for name in named},
        further=further,
        money=money,
        cash=_cash(event) if event.kind != Event.Kind.TOURNAMENT else {},
        person=people.first() if person else None,
    )


def _counts(event: Event, basis: PlacesBasis) -> dict[str, Any]:
    """Return the figures of the room; of the buttons where only the clock runs."""
    if event.is_clock_only:
        count = counted(event)
        of_buttons = {"rebuys": count.rebuys, "left": count.left, "chips": count.chips}
        return {
            **of_buttons,
            "registrations": count.entries,
            "entries": count.entries,
            "chips_are_exact": True,
        }
    read = figures(event, "registrations", "chips", "uncounted")
    return {
        "registrations": read["registrations"],
        "rebuys": 0,
        "left": len(basis.alive),
        "entries": len(basis.alive) + len(basis.outs),
        "chips": read["chips"],
        "chips_are_exact": not read["uncounted"],
    }


def _drawn(tried: Action | None) -> frozenset[int]:
    if tried is None or not Draw.objects.filter(made_by=tried).exists():
        return frozenset()
    made = Seating.objects.live().filter(made_by=tried)
    return frozenset(made.values_list("entry", flat=True))


def _sums(event: Event) -> tuple[dict[str, int], dict[Account, int]]:
    """Return the counts of further facts and the sums of money. One query."""
    counted = Func("pk", function="COUNT", output_field=IntegerField())
    counts = [
        Subquery(
            model.objects.filter(voided_by=None, **{path: OuterRef("pk")}).values(how_many=counted)
        )
        for model, (path, _name) in FURTHER.items()
    ]
    summed = Func("amount_cents", function="SUM", output_field=BigIntegerField())
    rows = Posting.objects.filter(event=OuterRef("pk"), voided_by=None)
    sums = [Subquery(rows.filter(account=one).values(all_of_it=summed)) for one in MONEY]
    found = Event.objects.filter(pk=event.pk).values_list(*counts, *sums).get()
    names, split = [model.__name__ for model in FURTHER], len(FURTHER)
    money = {one: cents or 0 for one, cents in zip(MONEY, found[split:], strict=True)}
    return dict(zip(names, found[:split], strict=True)), money


def _cash(event: Event) -> dict[int, CashLot]:
    """Return the cash game's seats and offered seats, by registration. Two queries."""
    seats = CashSeat.objects.live().filter(event=event)
    found = {
        guest: CashLot(name, (table, seat))
        for guest, name, table, seat in seats.values_list(
            "registration", "registration__person__name", "table__number", "seat"
        )
    }
    offers = CashOffer.objects.live().filter(waiting__event=event, waiting__voided_by=None)
    names = ("registration", "registration__person__name", "table__number")
    for guest, name, table in offers.values_list(*(f"waiting__{one}" for one in names)):
        found[guest] = replace(found.get(guest, CashLot(name)), offer=table)
    return found


def lots_of(room: EventState) -> dict[int, Lot]:
    """Return the state of each entry, without the database."""
    places, outs = places_from(room.basis), {out.entry_id for out in room.basis.outs}
    return {
        entry: Lot(
            is_in=entry not in outs,
            seat=None if entry in room.drawn else room.seats.get(entry),
            place=places.get(entry),
            is_drawn=entry in room.drawn,
        )
        for entry in (*room.basis.alive, *outs)
    }
