"""Facts, by noun. What can be computed from them is not stored here."""

from tournaments.models.club import (
    ChipSet,
    Club,
    Grant,
    RulePreset,
    SignInLink,
    StaffDevice,
)
from tournaments.models.counts import HeadCount
from tournaments.models.event import Draw, Event
from tournaments.models.floor import DealerDraw, Elimination, Seating, Table
from tournaments.models.hands import ClockCall, ClockCallEnd, Hand
from tournaments.models.ledger import ChipMovement, StackCount
from tournaments.models.log import Action, ActionText, Fact, IdempotencyRecord
from tournaments.models.people import Entry, Person, Registration
from tournaments.models.screen import Screen

__all__ = [
    "Action",
    "ActionText",
    "ChipMovement",
    "ChipSet",
    "ClockCall",
    "ClockCallEnd",
    "Club",
    "DealerDraw",
    "Draw",
    "Elimination",
    "Entry",
    "Event",
    "Fact",
    "Grant",
    "Hand",
    "HeadCount",
    "IdempotencyRecord",
    "Person",
    "Registration",
    "RulePreset",
    "Screen",
    "Seating",
    "SignInLink",
    "StackCount",
    "StaffDevice",
    "Table",
]
