"""Play: hands, the bubble, conduct, counts without names, rulings."""

from django.db import models

from tournaments.models.event import Event
from tournaments.models.floor import HandRound, Seating, Table
from tournaments.models.log import Fact, index_live, once_live
from tournaments.models.people import Entry


class Hand(Fact):
    """The start of a hand tapped by staff; numbered from 1 at each table.

    `button`, `small_blind` and `big_blind` are their seats, None if unknown. A dead button or a
    dead small blind is on an empty seat.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="hands")
    number = models.PositiveIntegerField()
    began_at = models.DateTimeField()
    button = models.PositiveSmallIntegerField(null=True, blank=True)
    small_blind = models.PositiveSmallIntegerField(null=True, blank=True)
    big_blind = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        constraints = [once_live("hand_number_once", "table", "number")]
        indexes = [index_live("hand_live", "table", "began_at")]


class ButtonMark(Fact):
    """The button's seat as told by staff, or that it is unknown (no `seat`).

    `after_hand` is the number of the table's last tapped hand then, 0 without one: the mark counts
    from that hand on, until a later hand has its own button.
    """

    table = models.ForeignKey(Table, models.PROTECT, related_name="button_marks")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    after_hand = models.PositiveIntegerField(default=0)
    marked_at = models.DateTimeField()

    class Meta:
        indexes = [index_live("button_mark_live", "table")]


class ClockCall(Fact):
    """A player was put on the clock; the event's rules set the time."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="clock_calls")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="clock_calls")
    began_at = models.DateTimeField()
    has_watch = models.BooleanField(default=False)

    class Meta:
        indexes = [index_live("clock_call_live", "event", "table")]


class ClockCallEnd(Fact):
    """The result: the player acted, or time ran out and the hand was dead or a check."""

    class Outcome(models.TextChoices):
        ACTED = "acted"
        DEAD = "dead"
        CHECK = "check"

    call = models.ForeignKey(ClockCall, models.PROTECT, related_name="ends")
    outcome = models.CharField(max_length=10, choices=Outcome.choices)
    ended_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("clock_call_ends_once", "call")]


# --- Near the money: hand-for-hand and its rounds, head counts, the money. Closing time


class HandReport(Fact):
    """A table's report of a finished hand in a round of hand-for-hand."""

    round = models.ForeignKey(HandRound, models.PROTECT, related_name="reports")
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    reported_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("hand_report_once", "round", "table")]


class HeadCheck(Fact):
    """Staff's count of the players at a table. The latest of a table counts."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="head_checks")
    players = models.PositiveSmallIntegerField()
    checked_at = models.DateTimeField()

    class Meta:
        indexes = [index_live("head_check_live", "table")]


class MoneyReached(Fact):
    """The announcement that all remaining players are paid."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="money_reached")
    left = models.PositiveIntegerField()
    announced_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("money_reached_once", "event")]


class ClosingCall(Fact):
    """The announcement that stacks are counted after a level and decide the places.

    `level_id` is the last row of the schedule to be played.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="closing_calls")
    level_id = models.PositiveBigIntegerField()
    announced_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("closing_called_once", "event")]


# --- Players' conduct and presence: penalties, absences, arrivals at a new seat


class Penalty(Fact):
    """A warning, or hands to miss. It belongs to the entry and follows it to any seat.

    `hands` is the total to sit out, 0 for a warning. A penalty in rounds becomes hands when given,
    one for each player at the table then (TDA 2024 71).
    """

    class Kind(models.TextChoices):
        WARNING = "warning"
        HANDS = "hands"
        ROUNDS = "rounds"

    event = models.ForeignKey(Event, models.PROTECT, related_name="penalties")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="penalties")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    rounds = models.PositiveSmallIntegerField(default=0)
    hands = models.PositiveSmallIntegerField(default=0)
    given_at = models.DateTimeField()

    class Meta:
        indexes = [index_live("penalty_live", "event", "entry")]


class PenaltyServed(Fact):
    """Hands of a penalty sat out as seen by staff, if hands are not tapped."""

    penalty = models.ForeignKey(Penalty, models.PROTECT, related_name="served")
    hands = models.PositiveSmallIntegerField()


class Absence(Fact):
    """A player's absence from the seat since `left_at`; voided by the return."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="absences")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="absences")
    left_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("absence_once", "entry")]


class Arrival(Fact):
    """A player's arrival at the seat, confirmed at check-in or after a move."""

    seating = models.ForeignKey(Seating, models.PROTECT, related_name="arrivals")
    arrived_at = models.DateTimeField()

    class Meta:
        constraints = [once_live("arrival_once", "seating")]


class Summons(Fact):
    """A table's call for the director; the answer "I come" makes a new row."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="summons")
    table = models.ForeignKey(Table, models.PROTECT, related_name="summons")
    reason = models.CharField(max_length=20)
    called_at = models.DateTimeField()
    is_coming = models.BooleanField(default=False)

    class Meta:
        constraints = [once_live("summons_once", "table")]


# --- Counts of an evening without names: entries, players left, re-buys, chips


class HeadCount(Fact):
    """One count up or down. The total is the sum of live rows."""

    event = models.ForeignKey(Event, models.PROTECT, related_name="head_counts")
    entries = models.SmallIntegerField(default=0)
    left = models.SmallIntegerField(default=0)
    rebuys = models.SmallIntegerField(default=0)
    chips = models.BigIntegerField(default=0)

    class Meta:
        indexes = [index_live("head_count_live", "event")]


# --- Rulings at a table, so that the next table gets the same


class Ruling(Fact):
    """A question at a table and its ruling. The words of both are texts of the log entry.

    `question` is the argument of `rulings.domain.desk.answer`: numbers and codes, no personal data.
    The log entry keeps it with its answer.
    """

    event = models.ForeignKey(Event, models.PROTECT, related_name="rulings")
    table = models.ForeignKey(Table, models.PROTECT, related_name="rulings", null=True, blank=True)
    topic = models.CharField(max_length=10)
    question = models.JSONField(default=dict)
    decided_at = models.DateTimeField()

    class Meta:
        indexes = [index_live("ruling_live", "event", "decided_at")]
