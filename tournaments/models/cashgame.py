"""Cash tables: terms, seats, waiting, absence, hands, the end, the last count.

Chips and money are rows of the journal (`Posting.cash_table`).
"""

from typing import Any, ClassVar, Self

from django.db import models

from tournaments.cashgame.domain.stakes import Bound, FeeWay, Stakes, Way
from tournaments.models.event import Event
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Registration


class CashTable(Fact):
    """A cash table with its terms. Its number is never reused.

    Amounts are cents. `minimum` and `maximum` are cents or big blinds, by their ways. In stud the
    small blind is the bring-in and the big blind the small bet. A loaded row has the terms of
    today: those of `changed` in place of the opening ones.
    """

    mutable = ("name", "changed")
    # Further terms of `changed`: who bears a counted difference, and since when a fee counts.
    bears: ClassVar[str] = ""
    bearer: ClassVar[int | None] = None
    fee_from: ClassVar[dict[str, float]] = {}

    event = models.ForeignKey(Event, models.PROTECT, related_name="cash_tables")
    number = models.PositiveIntegerField()
    game = models.CharField(max_length=20)
    limit = models.CharField(max_length=20)
    seats = models.PositiveSmallIntegerField()
    small_blind_cents = models.PositiveIntegerField()
    big_blind_cents = models.PositiveIntegerField()
    minimum_way = models.CharField(max_length=20, choices=[(way.value, way.value) for way in Way])
    minimum = models.PositiveIntegerField()
    maximum_way = models.CharField(max_length=20, choices=[(way.value, way.value) for way in Way])
    maximum = models.PositiveIntegerField(default=0)
    fee_way = models.CharField(max_length=10, choices=[(way.value, way.value) for way in FeeWay])
    # Per period, or per hand.
    fee_cents = models.PositiveIntegerField(default=0)
    fee_minutes = models.PositiveSmallIntegerField(default=30)
    fee_percent = models.PositiveSmallIntegerField(default=0)
    fee_most_cents = models.PositiveIntegerField(default=0)
    # A player back within so many minutes brings at least the chips taken away.
    return_minutes = models.PositiveSmallIntegerField(default=60)
    offer_minutes = models.PositiveSmallIntegerField(default=5)
    # How long a seat is kept during a meal.
    meal_minutes = models.PositiveSmallIntegerField(default=30)
    # The main table fed by this one: the longest seated player here moves to a free seat there.
    feeds = models.ForeignKey("self", models.PROTECT, null=True, related_name="feeders")
    # Players do not pay at the table; debts are settled at the end.
    is_noted = models.BooleanField(default=False)
    # The rotation of games; `game` and `limit` are the present one.
    mix = models.CharField(max_length=20, blank=True, default="")
    ante_cents = models.PositiveIntegerField(default=0)
    big_bet_cents = models.PositiveIntegerField(default=0)
    # 0: no straddle here.
    straddle_cents = models.PositiveIntegerField(default=0)
    # The smallest chip, to which a fee from the pot is rounded; 0: the small blind.
    chip_cents = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=40, blank=True, default="")
    changed = models.JSONField(default=dict, blank=True)
    opened_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="cash_table_number")
        ]

    @classmethod
    def from_db(cls, *args: Any, **own: Any) -> Self:
        """Return a loaded row with the terms of today."""
        row = super().from_db(*args, **own)
        vars(row).update(vars(row).get("changed", {}))
        return row

    @property
    def kind_of_game(self) -> tuple[str, str, int, int, bool]:
        """Return the key of equivalent tables for a waiting player."""
        blinds = (self.small_blind_cents, self.big_blind_cents)
        game = (self.mix, "") if self.mix else (self.game, self.limit)
        return (*game, *blinds, self.is_noted)

    @property
    def stakes(self) -> Stakes:
        return Stakes(
            small_blind_cents=self.small_blind_cents,
            big_blind_cents=self.big_blind_cents,
            minimum=Bound(Way(self.minimum_way), self.minimum),
            maximum=Bound(Way(self.maximum_way), self.maximum),
        )


class CashCount(Fact):
    """A count of all chips on a cash table. The journal has the missing amount."""

    table = models.ForeignKey(CashTable, models.PROTECT, related_name="counts")
    counted_cents = models.BigIntegerField()
    counted_at = models.DateTimeField()


class CashClosing(Fact):
    """A closed cash table: no players, and nothing left on it by the books."""

    table = models.ForeignKey(CashTable, models.PROTECT, related_name="closings")

    class Meta:
        constraints = [once_live("cash_closed_once", "table")]


class CashEnd(Fact):
    """The end of an evening's cash game."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="cash_ends")
    ends_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("cash_end_once", "event")]


class CashLastHands(Fact):
    """The announcement of the last hands at all cash tables."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="cash_last_hands")
    hands = models.PositiveSmallIntegerField()
    announced_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("cash_last_once", "event")]


class CashLink(Fact):
    """The link for all who played to the payments among them; a new one ends the old."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="cash_links")
    token = models.CharField(max_length=64, unique=True)
    until = models.DateTimeField()

    class Meta:
        constraints = [once_live("cash_link_once", "event")]


class CashDebtPaid(Fact):
    """A payment among players that is done. Without payer or payee it is the house's."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="cash_debts_paid")
    payer = models.ForeignKey(Registration, models.PROTECT, null=True, related_name="cash_gave")
    payee = models.ForeignKey(Registration, models.PROTECT, null=True, related_name="cash_got")
    cents = models.PositiveIntegerField()

    class Meta:
        indexes = [index_live("cash_debt_live", "event")]


class CashHand(Fact):
    """A hand at a cash table, with its start."""

    table = models.ForeignKey(CashTable, models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField()
    began_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("cash_hand_once", "table", "number")]


class CashHandEnd(Fact):
    """The end of a hand. `pot_cents` is the pot, if the house takes its fee from it."""

    hand = models.ForeignKey(CashHand, models.PROTECT, related_name="ends")
    pot_cents = models.PositiveIntegerField(default=0)
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("cash_hand_ended_once", "hand")]


class CashSeat(Fact):
    """A player's seat at a cash table. `since` is the arrival at the table, on any seat."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="cash_seats")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="cash_seats")
    table = models.ForeignKey(CashTable, models.PROTECT, related_name="sitting")
    seat = models.PositiveSmallIntegerField()
    since = models.DateTimeField()

    class Meta:
        constraints = [
            once_live("cash_seat_person_once", "registration"),
            once_live("cash_seat_once", "table", "seat"),
        ]
        indexes = [index_live("cash_seat_live", "event")]


class CashLeave(Fact):
    """A player's announced time of leaving the cash game."""

    seat = models.ForeignKey(CashSeat, models.PROTECT, related_name="leaves")
    leaves_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("cash_leave_once", "seat")]


class CashAway(Fact):
    """A player is away; the seat is kept until `until`."""

    seat = models.ForeignKey(CashSeat, models.PROTECT, related_name="aways")
    since = models.DateTimeField()
    until = models.DateTimeField()

    class Meta:
        constraints = [once_live("cash_away_once", "seat")]


class CashWaiting(Fact):
    """A player waits for a seat at a cash table."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="cash_waiting")
    registration = models.ForeignKey(Registration, models.PROTECT, related_name="cash_waiting")
    table = models.ForeignKey(CashTable, models.PROTECT, related_name="waiting")
    asked_at = models.DateTimeField()
    # Whether any table of these stakes suits: in all their lines, for one seat.
    is_for_stakes = models.BooleanField(default=False)

    class Meta:
        constraints = [once_live("cash_waiting_once", "registration", "table")]
        indexes = [index_live("cash_waiting_live", "event")]


class CashOffer(Fact):
    """A seat offered to a waiting player and kept until `until`."""

    waiting = models.ForeignKey(CashWaiting, models.PROTECT, related_name="offers")
    until = models.DateTimeField()

    class Meta:
        constraints = [once_live("cash_offer_once", "waiting")]
