"""The floor: tables, seats, eliminations, first dealers, chip races."""

from django.db import models
from django.db.models import Q

from tournaments.models.event import Draw, Event
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry, Registration


class Table(Fact):
    """A table in play; voided when it breaks or closes. Seats are numbered from 1.

    `seats` are those it was opened with, `chairs` all there are by now.
    """

    mutable = ("added",)

    event = models.ForeignKey(Event, models.PROTECT, related_name="tables")
    number = models.PositiveIntegerField()
    seats = models.PositiveSmallIntegerField()
    # Chairs put beside them, see `seating.services.chairs`.
    added = models.PositiveSmallIntegerField(default=0)

    class Meta:
        constraints = [once_live("table_number_once", "event", "number")]

    @property
    def chairs(self) -> int:
        return self.seats + self.added


class Seating(Fact):
    """An entry's seat, until voided by a move, a break or its elimination."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="seatings")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="seatings")
    table = models.ForeignKey(Table, models.PROTECT, related_name="seatings")
    seat = models.PositiveSmallIntegerField()
    day = models.PositiveSmallIntegerField(default=1)
    seated_at = models.DateTimeField()

    class Meta:
        constraints = [
            once_live("seating_entry_once", "entry"),
            once_live("seating_seat_once", "table", "seat"),
        ]
        indexes = [index_live("seating_live", "event", "table")]


class SeatLock(Fact):
    """A seat left out by draws and suggestions; the reason is with the action."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="locks")
    seat = models.PositiveSmallIntegerField()

    class Meta:
        constraints = [once_live("seat_lock_once", "table", "seat")]


class KeepApart(Fact):
    """Two people kept at different tables by draws, if possible."""

    # For the desk only: an arbiter could find two small numbers from their hash by trying.
    mutable = ("first", "second")

    event = models.ForeignKey(Event, models.PROTECT, related_name="keep_aparts")
    first = models.ForeignKey(Registration, models.PROTECT, related_name="+")
    second = models.ForeignKey(Registration, models.PROTECT, related_name="+")

    class Meta:
        constraints = [once_live("keep_apart_once", "first", "second")]


class TableHalt(Fact):
    """A stopped table that is far short, or the director's waiver of it (TDA 2024 11-D)."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="halts")
    is_waived = models.BooleanField(default=False)

    class Meta:
        constraints = [once_live("table_halt_once", "table")]


class HandForHand(Fact):
    """Hand-for-hand at all tables, from `began_at` until voided."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="hand_for_hands")
    began_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("hand_for_hand_once", "event")]


class HandRound(Fact):
    """One hand of all tables in hand-for-hand; 0: the hands running at its announcement."""

    hand_for_hand = models.ForeignKey(HandForHand, models.PROTECT, related_name="rounds")
    number = models.PositiveIntegerField()
    began_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("hand_round_once", "hand_for_hand", "number")]


class Elimination(Fact):
    """An entry's elimination at `at`. Its place is computed; `group` joins those of one hand.

    `round` is set for an out in a round of hand-for-hand.
    """

    class Way(models.TextChoices):
        BUST = "bust"
        DISQUALIFIED = "disqualified"
        SURRENDERED = "surrendered"
        # No loss: a satellite's target stack was reached, see `play.services.target`.
        SEAT = "seat"

    event = models.ForeignKey(Event, models.PROTECT, related_name="eliminations")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="eliminations")
    way = models.CharField(max_length=20, choices=Way.choices)
    at = models.DateTimeField()
    sequence = models.PositiveBigIntegerField()
    group = models.PositiveBigIntegerField(null=True, blank=True)
    round = models.ForeignKey(
        HandRound, models.PROTECT, null=True, blank=True, related_name="eliminations"
    )
    start_stack = models.PositiveBigIntegerField(null=True, blank=True)
    table = models.ForeignKey(Table, models.PROTECT, null=True, blank=True, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [once_live("elimination_once", "entry")]
        indexes = [index_live("elimination_live", "event", "voided_by", "at")]


class LostStack(Fact):
    """A lost stack at `at` without an elimination: re-bought, or still able to re-buy.

    Without a re-buy an `Elimination` replaces it. `group` joins those of one hand.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="lost_stacks")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="lost_stacks")
    at = models.DateTimeField()
    group = models.PositiveBigIntegerField(null=True, blank=True)
    start_stack = models.PositiveBigIntegerField(null=True, blank=True)
    table = models.ForeignKey(Table, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        indexes = [index_live("lost_stack_live", "event", "at")]


class Knockout(Fact):
    """The taker of a lost stack, with or without elimination; several for a shared pot."""

    elimination = models.ForeignKey(
        Elimination, models.PROTECT, null=True, blank=True, related_name="knockouts"
    )
    lost = models.ForeignKey(
        LostStack, models.PROTECT, null=True, blank=True, related_name="knockouts"
    )
    by = models.ForeignKey(Entry, models.PROTECT, related_name="knockouts")

    class Meta:
        constraints = [
            once_live("knockout_once", "elimination", "by"),
            once_live("knockout_of_lost_once", "lost", "by"),
            models.CheckConstraint(
                condition=Q(elimination__isnull=True) ^ Q(lost__isnull=True),
                name="knockout_of_one_stack",
            ),
        ]


class PlaceRuling(Fact):
    """The director's ruling on a place: above, below or equal to another player also out.

    Relative to another player and not a number, so that it stays right after a late entry.
    """

    class Way(models.TextChoices):
        ABOVE = "above"
        SHARES = "shares"
        BELOW = "below"

    event = models.ForeignKey(Event, models.PROTECT, related_name="place_rulings")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="place_rulings")
    beside = models.ForeignKey(Entry, models.PROTECT, related_name="+")
    way = models.CharField(max_length=20, choices=Way.choices)

    class Meta:
        indexes = [index_live("place_ruling_live", "event")]


class DealerDraw(Fact):
    """The first dealer of a table by high card; `cards` lists seat, entry and card code."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="dealer_draws")
    draw = models.ForeignKey("tournaments.Draw", models.PROTECT, related_name="+")
    cards = models.JSONField(default=list)


class ChipRace(Fact):
    """The exchange at one table where the schedule takes chips out of play (TDA 2024 24).

    `values` are the leaving chips, `new` the larger ones. `seats` lists for each seat with some:
    seat, entry, their worth, the cards dealt for odd chips, and the larger chips won. There is no
    draw without odd chips.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="chip_races")
    table = models.ForeignKey(Table, models.PROTECT, related_name="chip_races")
    level = models.ForeignKey("clock.Level", models.PROTECT, related_name="+")
    draw = models.ForeignKey(Draw, models.PROTECT, null=True, blank=True, related_name="+")
    values = models.JSONField(default=list)
    new = models.PositiveIntegerField()
    seats = models.JSONField(default=list)

    class Meta:
        constraints = [once_live("chip_race_once", "table", "level")]
