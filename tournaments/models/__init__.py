"""Facts, by noun. Computed values are not stored here."""
# ruff: noqa: F401
# mypy: implicit-reexport

from tournaments.models.cashgame import (
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
)
from tournaments.models.club import (
    ChipSet,
    Club,
    ClubLogo,
    Currency,
    Grant,
    RulePreset,
    SelfPlay,
    SignInLink,
    StaffDevice,
)
from tournaments.models.contests import Bag, BagWord, Carry, Contest, Stage
from tournaments.models.event import Draw, Event, EventHead
from tournaments.models.floor import (
    ChipRace,
    DealerDraw,
    Elimination,
    HandForHand,
    HandRound,
    KeepApart,
    Knockout,
    LostStack,
    PlaceRuling,
    Seating,
    SeatLock,
    Table,
    TableHalt,
)
from tournaments.models.leagues import (
    League,
    LeagueCorrection,
    LeagueEvening,
    LeagueGuest,
    LeagueMember,
    ProfileConsent,
)
from tournaments.models.log import Action, ActionText, Fact, IdempotencyRecord
from tournaments.models.money.journal import (
    ChipMovement,
    Drawer,
    DrawerClosing,
    DrawerHolding,
    Posting,
    Receipt,
    ReceiptCount,
    StackCount,
    StackWord,
)
from tournaments.models.money.payouts import (
    Deal,
    DealAnswer,
    DealLeave,
    DealShare,
    Envelope,
    MysteryPot,
    PrizeFreeze,
    Ticket,
    TicketUse,
)
from tournaments.models.money.purchases import LateTap, Purchase, PurchaseWish, RebuyChance, What
from tournaments.models.notices import Delivery, Listener, Notice, Outlet, Reading, Webhook
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
    LivePicture,
    LivePost,
    Mail,
    Message,
    OnSite,
    PersonMerge,
    PlaceOffer,
    Waiting,
)
from tournaments.models.play import (
    Absence,
    Arrival,
    ButtonMark,
    ClockCall,
    ClockCallEnd,
    ClosingCall,
    Hand,
    HandReport,
    HeadCheck,
    HeadCount,
    MoneyReached,
    Penalty,
    PenaltyServed,
    Ruling,
    Summons,
)
from tournaments.models.screen import OwnFace, Screen, Slide
