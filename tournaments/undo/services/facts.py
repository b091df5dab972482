"""All kinds of facts in the order of an undo, and their dependencies."""

from dataclasses import dataclass
from enum import StrEnum

from krru.data.sql import which_refer
from tournaments.models import (
    Absence,
    Arrival,
    Bag,
    BagWord,
    ButtonMark,
    Carry,
    CashAway,
    CashClosing,
    CashCount,
    CashDebtPaid,
    CashEnd,
    CashHand,
    CashHandEnd,
    CashLastHands,
    CashLeave,
    CashLink,
    CashOffer,
    CashSeat,
    CashTable,
    CashWaiting,
    ChipMovement,
    ChipRace,
    ClockCall,
    ClockCallEnd,
    ClosingCall,
    Deal,
    DealAnswer,
    DealerDraw,
    DealLeave,
    DealShare,
    Draw,
    Drawer,
    DrawerClosing,
    DrawerHolding,
    Elimination,
    Entry,
    Envelope,
    Expected,
    Hand,
    HandForHand,
    HandReport,
    HandRound,
    HeadCheck,
    HeadCount,
    KeepApart,
    Knockout,
    LateTap,
    LeagueCorrection,
    LeagueEvening,
    LeagueGuest,
    LeagueMember,
    LivePost,
    LostStack,
    Message,
    MoneyReached,
    MysteryPot,
    OnSite,
    Penalty,
    PenaltyServed,
    PersonMerge,
    PlaceOffer,
    PlaceRuling,
    Posting,
    PrizeFreeze,
    ProfileConsent,
    Purchase,
    PurchaseWish,
    RebuyChance,
    Registration,
    Ruling,
    Seating,
    SeatLock,
    StackCount,
    StackWord,
    Stage,
    Summons,
    Table,
    TableHalt,
    Ticket,
    TicketUse,
    Waiting,
)
from tournaments.models.log import Action, Fact

# Seatings come before tables: tables are checked for players after the seatings are void.
FACTS: tuple[type[Fact], ...] = (
    Registration,
    Entry,
    ChipMovement,
    Seating,
    Table,
    Elimination,
    LostStack,
    Draw,
    DealerDraw,
    ChipRace,
    StackCount,
    StackWord,
    Hand,
    ClockCall,
    ClockCallEnd,
    HeadCount,
    SeatLock,
    KeepApart,
    TableHalt,
    Summons,
    ButtonMark,
    Knockout,
    PlaceRuling,
    HandForHand,
    HandRound,
    HandReport,
    HeadCheck,
    MoneyReached,
    ClosingCall,
    Penalty,
    PenaltyServed,
    Absence,
    Arrival,
    Waiting,
    PlaceOffer,
    Expected,
    OnSite,
    Drawer,
    DrawerHolding,
    DrawerClosing,
    Posting,
    Purchase,
    PurchaseWish,
    RebuyChance,
    LateTap,
    PrizeFreeze,
    Ticket,
    TicketUse,
    DealLeave,
    Deal,
    DealShare,
    DealAnswer,
    MysteryPot,
    Envelope,
    PersonMerge,
    LeagueEvening,
    LeagueCorrection,
    LeagueMember,
    LeagueGuest,
    ProfileConsent,
    Message,
    LivePost,
    Ruling,
    Stage,
    BagWord,
    Bag,
    Carry,
    CashTable,
    CashClosing,
    CashCount,
    CashEnd,
    CashLastHands,
    CashHand,
    CashHandEnd,
    CashSeat,
    CashLeave,
    CashAway,
    CashWaiting,
    CashOffer,
    CashLink,
    CashDebtPaid,
)


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
    Rest(Entry, "registration", Registration, Way.REFUSES),
    Rest(KeepApart, "first", Registration, Way.GOES_ALONG),
    Rest(KeepApart, "second", Registration, Way.GOES_ALONG),
    Rest(Waiting, "registration", Registration, Way.GOES_ALONG),
    Rest(Expected, "registration", Registration, Way.GOES_ALONG),
    Rest(OnSite, "registration", Registration, Way.GOES_ALONG),
    Rest(Posting, "registration", Registration, Way.REFUSES),
    Rest(Posting, "drawer", Drawer, Way.REFUSES),
    Rest(Ticket, "registration", Registration, Way.REFUSES),
    Rest(TicketUse, "registration", Registration, Way.REFUSES),
    Rest(TicketUse, "ticket", Ticket, Way.REFUSES),
    Rest(DrawerHolding, "drawer", Drawer, Way.GOES_ALONG),
    Rest(DrawerClosing, "drawer", Drawer, Way.REFUSES),
    Rest(PlaceOffer, "waiting", Waiting, Way.GOES_ALONG),
    Rest(Message, "entry", Entry, Way.STAYS),
    Rest(Message, "table", Table, Way.STAYS),
    Rest(Ruling, "table", Table, Way.STAYS),
    Rest(Seating, "entry", Entry, Way.REFUSES),
    Rest(Elimination, "entry", Entry, Way.REFUSES),
    Rest(LostStack, "entry", Entry, Way.REFUSES),
    Rest(ChipMovement, "entry", Entry, Way.REFUSES),
    Rest(StackCount, "entry", Entry, Way.REFUSES),
    Rest(StackWord, "entry", Entry, Way.GOES_ALONG),
    Rest(ClockCall, "entry", Entry, Way.REFUSES),
    Rest(Penalty, "entry", Entry, Way.REFUSES),
    Rest(Knockout, "by", Entry, Way.REFUSES),
    Rest(PlaceRuling, "entry", Entry, Way.REFUSES),
    Rest(PlaceRuling, "beside", Entry, Way.REFUSES),
    Rest(Absence, "entry", Entry, Way.GOES_ALONG),
    Rest(Seating, "table", Table, Way.REFUSES),
    Rest(DealerDraw, "table", Table, Way.REFUSES),
    Rest(Hand, "table", Table, Way.REFUSES),
    Rest(SeatLock, "table", Table, Way.GOES_ALONG),
    Rest(TableHalt, "table", Table, Way.GOES_ALONG),
    Rest(Summons, "table", Table, Way.GOES_ALONG),
    Rest(ButtonMark, "table", Table, Way.GOES_ALONG),
    Rest(HeadCheck, "table", Table, Way.GOES_ALONG),
    Rest(HandReport, "table", Table, Way.GOES_ALONG),
    Rest(Elimination, "table", Table, Way.STAYS),
    Rest(LostStack, "table", Table, Way.STAYS),
    Rest(ClockCall, "table", Table, Way.STAYS),
    Rest(Arrival, "seating", Seating, Way.GOES_ALONG),
    Rest(DealerDraw, "draw", Draw, Way.REFUSES),
    Rest(ChipRace, "table", Table, Way.REFUSES),
    Rest(ChipRace, "draw", Draw, Way.REFUSES),
    Rest(ClockCallEnd, "call", ClockCall, Way.REFUSES),
    Rest(Knockout, "elimination", Elimination, Way.GOES_ALONG),
    Rest(Knockout, "lost", LostStack, Way.GOES_ALONG),
    Rest(HandRound, "hand_for_hand", HandForHand, Way.REFUSES),
    Rest(HandReport, "round", HandRound, Way.REFUSES),
    Rest(Elimination, "round", HandRound, Way.REFUSES),
    Rest(Purchase, "registration", Registration, Way.REFUSES),
    Rest(Purchase, "entry", Entry, Way.REFUSES),
    Rest(PurchaseWish, "entry", Entry, Way.GOES_ALONG),
    Rest(RebuyChance, "entry", Entry, Way.REFUSES),
    Rest(LateTap, "entry", Entry, Way.GOES_ALONG),
    Rest(LateTap, "wish", PurchaseWish, Way.GOES_ALONG),
    Rest(RebuyChance, "lost", LostStack, Way.GOES_ALONG),
    Rest(PenaltyServed, "penalty", Penalty, Way.GOES_ALONG),
    Rest(Deal, "leave", DealLeave, Way.REFUSES),
    Rest(DealShare, "deal", Deal, Way.GOES_ALONG),
    Rest(DealShare, "entry", Entry, Way.REFUSES),
    Rest(DealAnswer, "share", DealShare, Way.GOES_ALONG),
    Rest(Envelope, "pot", MysteryPot, Way.REFUSES),
    Rest(Envelope, "entry", Entry, Way.REFUSES),
    Rest(Envelope, "draw", Draw, Way.GOES_ALONG),
    Rest(Posting, "cash_table", CashTable, Way.REFUSES),
    Rest(CashTable, "feeds", CashTable, Way.REFUSES),
    Rest(CashClosing, "table", CashTable, Way.REFUSES),
    Rest(CashCount, "table", CashTable, Way.REFUSES),
    Rest(CashHand, "table", CashTable, Way.REFUSES),
    Rest(CashHandEnd, "hand", CashHand, Way.REFUSES),
    Rest(CashSeat, "table", CashTable, Way.REFUSES),
    Rest(CashSeat, "registration", Registration, Way.REFUSES),
    Rest(CashLeave, "seat", CashSeat, Way.GOES_ALONG),
    Rest(CashAway, "seat", CashSeat, Way.GOES_ALONG),
    Rest(CashWaiting, "table", CashTable, Way.GOES_ALONG),
    Rest(CashWaiting, "registration", Registration, Way.GOES_ALONG),
    Rest(CashOffer, "waiting", CashWaiting, Way.GOES_ALONG),
    Rest(BagWord, "entry", Entry, Way.REFUSES),
    Rest(Bag, "entry", Entry, Way.REFUSES),
    Rest(Carry, "bag", Bag, Way.REFUSES),
    Rest(Carry, "entry", Entry, Way.REFUSES),
    Rest(CashDebtPaid, "payer", Registration, Way.GOES_ALONG),
    Rest(CashDebtPaid, "payee", Registration, Way.GOES_ALONG),
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
