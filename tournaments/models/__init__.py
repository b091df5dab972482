"""Facts, by noun. What can be computed from them is not stored here."""

from tournaments.models.bubble import HandReport, HeadCheck, MoneyReached
from tournaments.models.club import (
    ChipSet,
    Club,
    ClubLogo,
    Grant,
    RulePreset,
    SignInLink,
    StaffDevice,
)
from tournaments.models.conduct import Absence, Arrival, Penalty, PenaltyServed, Summons
from tournaments.models.counts import HeadCount
from tournaments.models.event import Draw, Event
from tournaments.models.floor import (
    DealerDraw,
    Elimination,
    HandForHand,
    HandRound,
    KeepApart,
    Knockout,
    PlaceRuling,
    Seating,
    SeatLock,
    Table,
    TableHalt,
)
from tournaments.models.hands import ButtonMark, ClockCall, ClockCallEnd, Hand
from tournaments.models.ledger import ChipMovement, StackCount
from tournaments.models.log import Action, ActionText, Fact, IdempotencyRecord
from tournaments.models.numbers import FrozenDraw, HallNumber
from tournaments.models.people import (
    Entry,
    Person,
    Registration,
    link_columns,
    link_hash,
    with_link,
)
from tournaments.models.places import (
    Expected,
    Mail,
    Message,
    OnSite,
    PersonMerge,
    PlaceOffer,
    Posting,
    Waiting,
)
from tournaments.models.screen import Screen

__all__ = [
    "Absence",
    "Action",
    "ActionText",
    "Arrival",
    "ButtonMark",
    "ChipMovement",
    "ChipSet",
    "ClockCall",
    "ClockCallEnd",
    "Club",
    "ClubLogo",
    "DealerDraw",
    "Draw",
    "Elimination",
    "Entry",
    "Event",
    "Expected",
    "Fact",
    "FrozenDraw",
    "Grant",
    "HallNumber",
    "Hand",
    "HandForHand",
    "HandReport",
    "HandRound",
    "HeadCheck",
    "HeadCount",
    "IdempotencyRecord",
    "KeepApart",
    "Knockout",
    "Mail",
    "Message",
    "MoneyReached",
    "OnSite",
    "Penalty",
    "PenaltyServed",
    "Person",
    "PersonMerge",
    "PlaceOffer",
    "PlaceRuling",
    "Posting",
    "Registration",
    "RulePreset",
    "Screen",
    "SeatLock",
    "Seating",
    "SignInLink",
    "StackCount",
    "StaffDevice",
    "Summons",
    "Table",
    "TableHalt",
    "Waiting",
    "link_columns",
    "link_hash",
    "with_link",
]
