"""The event: its settings, its place in life, its draws. It carries the lock and the log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from django.db import connection, models
from django.urls import reverse

from clock.models import Clock
from krru.data import by_hand
from krru.data.sealing import seal, unseal
from tournaments.cash.domain.prizes import PrizePlan, prize_plan_from
from tournaments.event.domain.about import (
    LONGEST_ADDRESS,
    LONGEST_CONTACT,
    LONGEST_TEXT,
    LONGEST_VENUE,
    About,
    about_of,
)
from tournaments.event.domain.promise import commitment
from tournaments.event.domain.rules import RuleSet, rule_set_from
from tournaments.models.log import Action, Fact, Logged
from tournaments.models.money.entry_terms import EntryTerms

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models.club import Club


class Events(models.Manager["Event"]):
    def by_hand(self, column: str, value: int | str, *, lock: bool = False) -> Event | None:
        """Return the event with this value in a unique column; locked until the transaction ends.

        Club, clock and start are read when they are asked for.
        """
        can_lock = lock and connection.features.has_select_for_update
        end = connection.ops.for_update_sql() if can_lock else ""
        return next(iter(by_hand.select(self.model, f"{column} = %s {end}", [value])), None)

    def with_tournament(self, club: Club) -> models.QuerySet[Event]:
        """Return a club's evenings with a tournament, beside cash tables or alone; no samples."""
        rows = self.filter(club=club, is_sample=False, cancelled_by=None)
        return rows.exclude(kind=Event.Kind.CASH_GAME).order_by("starts_at", "pk")


class Event(EntryTerms, Logged):
    """One evening. What it holds of chips, places and players left is computed, never stored."""

    TOPIC = "event-"

    objects = Events()

    class Kind(models.TextChoices):
        TOURNAMENT = "tournament"
        CASH_GAME = "cash_game"
        BOTH = "both"

    class CashUnit(models.TextChoices):
        MONEY = "money"
        POINTS = "points"
        MATCHES = "matches"

    class DrawMode(models.TextChoices):
        ROLLING = "rolling"
        FIELD = "field"

    class BountyKind(models.TextChoices):
        FIXED = "fixed"
        PROGRESSIVE = "progressive"
        MYSTERY = "mystery"

    club = models.ForeignKey("tournaments.Club", models.PROTECT, related_name="events")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.TOURNAMENT)
    # What is played for at cash tables. Points and matches are kept in hundredths, as money is.
    cash_unit = models.CharField(max_length=10, choices=CashUnit.choices, default=CashUnit.MONEY)
    # Whether the link of who pays whom shows what everybody won and lost.
    shows_cash_results = models.BooleanField(default=True)
    name = models.CharField(max_length=120)
    slug = models.SlugField(unique=True, max_length=80)
    starts_at = models.DateTimeField()
    schedule_name = models.CharField(max_length=80)
    clock = models.OneToOneField("clock.Clock", models.PROTECT, related_name="event")
    game = models.CharField(max_length=20)
    limit = models.CharField(max_length=20)
    seats_per_table = models.PositiveSmallIntegerField()
    capacity = models.PositiveIntegerField()
    starting_stack = models.PositiveIntegerField()
    chip_set = models.ForeignKey(
        "tournaments.ChipSet", models.SET_NULL, null=True, blank=True, related_name="+"
    )
    rules = models.JSONField(default=dict)
    draw_mode = models.CharField(max_length=10, choices=DrawMode.choices, default=DrawMode.ROLLING)
    late_registration_level = models.PositiveSmallIntegerField(default=0)
    # Above 0: until the end of this break, whatever the level says.
    late_registration_break = models.PositiveSmallIntegerField(default=0)
    is_registration_open = models.BooleanField(default=True)
    # Places that only the director gives away.
    reserved_places = models.PositiveIntegerField(default=0)
    # Until then only members get a place at once; the others wait in line.
    members_first_until = models.DateTimeField(null=True, blank=True)
    offer_minutes = models.PositiveIntegerField(default=720)
    # Who registered by the page confirms within so long, or the place may go on. 0: nobody need.
    confirm_minutes = models.PositiveIntegerField(default=0)
    # A registered person who is not here so long after the start has lost the place. 0: never.
    no_show_minutes = models.PositiveIntegerField(default=0)
    fee_cents = models.PositiveIntegerField(default=0)
    # What others than the director pay out at most. 0: as much as they like.
    payout_limit_cents = models.PositiveIntegerField(default=0)
    # Empty: nobody has a price on the head.
    bounty_kind = models.CharField(max_length=20, choices=BountyKind.choices, blank=True)
    # Progressive: so many percent of a head go to its taker, the rest onto the taker's own head.
    bounty_cut = models.PositiveSmallIntegerField(default=50)
    # Set by the director while a hall behind one address registers at once.
    is_gate_open = models.BooleanField(default=False)
    # Typed by hand; how many are paid says `cash.selectors.prizes.paid_places`.
    paid_places = models.PositiveIntegerField(default=0)
    # What is planned of the prizes, see `cash.domain.prizes`; empty: nothing.
    prizes = models.JSONField(default=dict, blank=True)
    # At these numbers of players left every seat is drawn anew.
    redraw_at = models.JSONField(default=list, blank=True)
    # None: as the rules have it for tables of this size.
    final_table_seats = models.PositiveSmallIntegerField(null=True, blank=True)
    # Where tables stand: [first, last, way in words], see `domain.hall`.
    areas = models.JSONField(default=list, blank=True)
    # What everybody reads; empty: as the club says.
    venue = models.CharField(max_length=LONGEST_VENUE, blank=True)
    address = models.CharField(max_length=LONGEST_ADDRESS, blank=True)
    description = models.TextField(max_length=LONGEST_TEXT, blank=True)
    contact = models.TextField(max_length=LONGEST_CONTACT, blank=True)
    house_text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    draw_sealed = models.TextField(blank=True)
    hall_number = models.CharField(max_length=40, blank=True)
    # Whether the big screens say when it will probably be over.
    shows_end = models.BooleanField(default=False)
    # When the hall has to be empty, as "23:30"; empty: whenever it is over.
    closing_time = models.CharField(max_length=5, blank=True)
    is_sample = models.BooleanField(default=False)
    is_clock_only = models.BooleanField(default=False)
    # Set by a program from before it was one of the rules; None: as these have it.
    arbiters_may_call_clock = models.BooleanField(null=True, blank=True)
    started_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")
    ended_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")
    cancelled_by = models.ForeignKey(
        Action, models.PROTECT, null=True, blank=True, related_name="+"
    )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])

    def clock_by_hand(self) -> Clock:
        """Return the clock, for what looks at it at every change. Its row is read once."""
        if "clock" not in self._state.fields_cache:
            (self.clock,) = by_hand.select(Clock, "id = %s", [self.clock_id])
        return self.clock

    @property
    def draw_secret(self) -> str:
        """Return the secret of the draws; empty when another installation sealed it."""
        return unseal(self.draw_sealed)

    @draw_secret.setter
    def draw_secret(self, secret: str) -> None:
        self.draw_sealed = seal(secret)

    @property
    def rule_set(self) -> RuleSet:
        """Return the rules as values. They are read once, until others are put in their place."""
        read: tuple[Any, RuleSet] | None = self.__dict__.get("_rules_read")
        if read is None or read[0] is not self.rules:
            read = self.__dict__["_rules_read"] = (self.rules, rule_set_from(self.rules))
        if self.arbiters_may_call_clock is None:
            return read[1]
        return replace(read[1], arbiters_may_call_clock=self.arbiters_may_call_clock)

    @property
    def prize_plan(self) -> PrizePlan:
        """Return what is planned of the prizes, as a value."""
        return prize_plan_from(self.prizes)

    @property
    def stream_topic(self) -> str:
        """Return the name of its stream."""
        return f"{self.TOPIC}{self.pk}"

    @property
    def promise(self) -> str:
        """Return what is published of the secret of the draws beforehand."""
        return commitment(self.draw_secret)

    @property
    def about(self) -> About:
        """Return what the page says beside what is played: its own words, else the club's."""
        own = About(
            venue=self.venue,
            address=self.address,
            description=self.description,
            contact=self.contact,
            house_text=self.house_text,
        )
        return about_of(own, self.club.about)

    @property
    def has_cash_game(self) -> bool:
        """Tell whether there are cash tables, alone or beside the tournament."""
        return self.kind != self.Kind.TOURNAMENT

    @property
    def is_cash_only(self) -> bool:
        """Tell whether there are cash tables and no tournament."""
        return bool(self.kind == self.Kind.CASH_GAME)

    @property
    def is_cash_for_money(self) -> bool:
        """Tell whether cash tables are played for money, and not for points or matches."""
        return bool(self.cash_unit == self.CashUnit.MONEY)

    @property
    def has_started(self) -> bool:
        return self.started_by_id is not None

    @property
    def is_over(self) -> bool:
        return self.ended_by_id is not None or self.cancelled_by_id is not None

    @property
    def lets_arbiters_call_clock(self) -> bool:
        """Tell whether arbiters, too, may put a player on the clock."""
        return self.rule_set.arbiters_may_call_clock

    @property
    def status(self) -> str:
        """Return planned, running, ended or cancelled."""
        if self.cancelled_by_id:
            return "cancelled"
        if self.ended_by_id:
            return "ended"
        return "running" if self.has_started else "planned"

    def is_late(self, now: datetime) -> bool:
        """Tell whether the planned start has passed without a start."""
        return not self.has_started and not self.is_over and now > self.starts_at


class Draw(Fact):
    """A draw that was made: with its number and the hall number anyone can recompute it.

    `sealed` holds what it was made with once the event has another secret; else it is empty.
    """

    mutable = ("sealed",)

    event = models.ForeignKey(Event, models.PROTECT, related_name="draws")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=20)
    hall_number = models.CharField(max_length=64, blank=True)
    sealed = models.TextField(blank=True)
    items = models.JSONField(default=list)
    outcome = models.JSONField(default=list)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["event", "number"], name="draw_number_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"

    @property
    def secret(self) -> str:
        """Return what it was made with, if the event has another since; empty if that is lost."""
        return unseal(self.sealed)

    @property
    def is_lost(self) -> bool:
        """Tell whether its secret stayed behind on the machine it was sealed on."""
        return bool(self.sealed) and not self.secret
