"""Journals of money and of chips. Every amount is a sum of live postings."""

from django.db import models
from django.db.models import Q

from tournaments.models.cashgame import CashTable
from tournaments.models.club import Club, StaffDevice
from tournaments.models.event import Event
from tournaments.models.log import Action, Fact, Noted, index_live, once_live
from tournaments.models.people import Entry, Registration
from tournaments.money.domain.accounts import Account, Means


class Drawer(Fact):
    """A drawer, with the event that opened it. Its number is never reused there."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="drawers")
    # Whose events share it; none for a sample's, and for those from before drawers were shared.
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="drawers")
    number = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="drawer_event_number")
        ]

    def __str__(self) -> str:
        return str(self.number)


class DrawerHolding(Fact):
    """The device in charge of an open drawer. A device has one at a time.

    The event is the one that opened the drawer.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="drawer_holdings")
    drawer = models.ForeignKey(Drawer, models.PROTECT, related_name="holdings")
    device = models.ForeignKey(StaffDevice, models.PROTECT, related_name="drawers_held")

    class Meta:
        constraints = [
            once_live("drawer_one_holder", "drawer"),
            once_live("device_one_drawer", "event", "device"),
        ]


class DrawerClosing(Fact):
    """A closed drawer with its counted cash."""

    drawer = models.ForeignKey(Drawer, models.PROTECT, related_name="closings")
    counted_cents = models.BigIntegerField()

    class Meta:
        constraints = [once_live("drawer_closed_once", "drawer")]


class Posting(Fact):
    """One side of a booking, in the smallest unit of money. Those of one action sum to zero."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="postings")
    registration = models.ForeignKey(
        Registration, models.PROTECT, null=True, blank=True, related_name="postings"
    )
    account = models.CharField(
        max_length=20, choices=[(account.value, account.value) for account in Account]
    )
    # The name of a price's extra part; empty for other accounts.
    part = models.CharField(max_length=60, blank=True)
    amount_cents = models.BigIntegerField()
    # The drawer and the means of payment, for the account `CASH` only. Without drawer: the unnamed
    # one. Without means: cash, from before other means existed.
    drawer = models.ForeignKey(
        Drawer, models.PROTECT, null=True, blank=True, related_name="postings"
    )
    means = models.CharField(
        max_length=10, blank=True, choices=[(means.value, means.value) for means in Means]
    )
    # The cash table of these chips or this fee.
    cash_table = models.ForeignKey(
        CashTable, models.PROTECT, null=True, blank=True, related_name="postings"
    )

    class Meta:
        indexes = [index_live("posting_live", "event", "account")]


class Receipt(Noted):
    """A receipt for money paid or received. It is no fact: no undo removes it.

    An undo gets a receipt of its own that cancels the first. Numbers have no gaps within a year of
    the club. A sample evening has its own numbers.
    """

    maker = "action"

    club = models.ForeignKey(Club, models.PROTECT, related_name="receipts")
    event = models.ForeignKey(Event, models.PROTECT, related_name="receipts")
    year = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    is_sample = models.BooleanField(default=False)
    action = models.ForeignKey(Action, models.PROTECT, related_name="receipts")
    counters = models.ForeignKey(
        "self", models.PROTECT, null=True, blank=True, related_name="countered_by"
    )
    # Empty for cash that goes from one drawer to another.
    registration = models.ForeignKey(
        Registration, models.PROTECT, null=True, blank=True, related_name="receipts"
    )
    drawer = models.ForeignKey(
        Drawer, models.PROTECT, null=True, blank=True, related_name="receipts"
    )
    means = models.CharField(max_length=10)
    # Above zero: into the drawer; below zero: out of it.
    cents = models.BigIntegerField()
    # Whether it is a prize or a bounty, and not part of the player's payments.
    is_payout = models.BooleanField(default=False)
    made_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "year", "number"],
                condition=Q(is_sample=False),
                name="receipt_number_once",
            ),
            models.UniqueConstraint(
                fields=["event", "year", "number"],
                condition=Q(is_sample=True),
                name="receipt_sample_number_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.year}-{self.number:04}"


class ReceiptCount(models.Model):
    """The last receipt number of a year; of the club, or of a sample evening."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="receipt_counts")
    event = models.ForeignKey(
        Event, models.CASCADE, null=True, blank=True, related_name="receipt_counts"
    )
    year = models.PositiveIntegerField()
    last = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "year"], condition=Q(event__isnull=True), name="receipt_count_club"
            ),
            models.UniqueConstraint(
                fields=["event", "year"],
                condition=Q(event__isnull=False),
                name="receipt_count_event",
            ),
        ]


# --- The ledger of chips. Average stack and chips in play use these rows only


class ChipMovement(Fact):
    """Chips come into play (above zero) or leave it (below).

    `amount` is empty until a stack that left play is counted; the average then has the sign for
    "about". Without `entry` it is chips of a stack taken away that others have won already.
    """

    class Reason(models.TextChoices):
        STARTING_STACK = "starting_stack"
        CARRIED = "carried"
        ON_TIME = "on_time"
        REBUY = "rebuy"
        ADDON = "addon"
        DISQUALIFICATION = "disqualification"
        SURRENDER = "surrender"
        SEAT_WON = "seat_won"
        BLINDED = "blinded"
        CHIP_RACE = "chip_race"

    # With a stack of these the player left play.
    TAKEN_AWAY = (Reason.DISQUALIFICATION, Reason.SURRENDER)

    event = models.ForeignKey(Event, models.PROTECT, related_name="chip_movements")
    entry = models.ForeignKey(
        Entry, models.PROTECT, null=True, blank=True, related_name="chip_movements"
    )
    reason = models.CharField(max_length=30, choices=Reason.choices)
    amount = models.BigIntegerField(null=True, blank=True)

    class Meta:
        indexes = [index_live("chip_movement_live", "event", "voided_by", "amount")]


class StackCount(Fact):
    """A counted stack in chips: the only source for a player's stack."""

    entry = models.ForeignKey(Entry, models.PROTECT, related_name="stack_counts")
    amount = models.PositiveBigIntegerField()
    counted_at = models.DateTimeField()


class StackWord(Fact):
    """A stack as its player states it in a break. It counts nowhere but where it is marked so."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="+")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="stack_words")
    amount = models.PositiveBigIntegerField()
    said_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("stack_word_once", "entry")]
