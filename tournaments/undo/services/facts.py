"""All kinds of facts in the order of an undo, and their dependencies."""

from dataclasses import dataclass
from enum import StrEnum

from krru.data.sql import which_refer
from tournaments import models
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
