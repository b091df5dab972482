"""The event: settings and draws, and its head, which carries the lock, the log and the status."""

from __future__ import annotations

from dataclasses import fields, replace
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db import models
from django.urls import reverse

from krru.data.sealing import seal, unseal
from krru.data.sql import LOCKS_ROWS
from tournaments.event.domain.about import (
    LONGEST_ADDRESS,
    LONGEST_CONTACT,
    LONGEST_TEXT,
    LONGEST_VENUE,
    About,
    about_of,
)
from tournaments.event.domain.hall_plan import LONGEST_NUMBERS
from tournaments.event.domain.promise import commitment
from tournaments.event.domain.rules import RuleSet, rule_set_from
from tournaments.models.log import Action, Fact, Logged
from tournaments.models.money.entry_terms import EntryTerms
from tournaments.prizes.domain.plans import PrizePlan, prize_plan_from

if TYPE_CHECKING:
    from datetime import datetime

    from tournaments.models.club import Club


class Events(models.Manager["Event"]):
    """Events, each read with its head."""

    def get_queryset(self) -> models.QuerySet[Event]:
        return super().get_queryset().select_related("head")

    def lock(self, *events: int) -> None:
        """Lock events until commit, in one order, so that changes never wait in a ring."""
        if LOCKS_ROWS:
            heads = EventHead.objects.select_for_update().filter(pk__in=events)
            list(heads.order_by("pk"))

    def locked(self, event: int, *others: int) -> Event:
        """Return an event with its clock, locked until commit with the others.

        :raises Event.DoesNotExist: There is none.
        """
        self.lock(event, *others)
        # Read after the lock: another change may have been waited for.
        return self.select_related("clock").get(pk=event)

    def open(self) -> models.QuerySet[Event]:
        return self.filter(head__ended_by=None, head__cancelled_by=None)

    def planned(self) -> models.QuerySet[Event]:
        """Return the open events before their start."""
        return self.open().filter(head__started_by=None)

    def running(self) -> models.QuerySet[Event]:
        """Return the open events after their start."""
        return self.open().exclude(head__started_by=None)

    def under_way(self) -> models.QuerySet[Event]:
        """Return the open events after their start or with players, no samples."""
        entries = apps.get_model("tournaments", "Entry").objects
        entered = models.Exists(entries.filter(voided_by=None, event=models.OuterRef("pk")))
        begun = models.Q(head__started_by__isnull=False) | models.Q(entered)
        return self.open().filter(begun, is_sample=False)

    def with_tournament(self, club: Club) -> models.QuerySet[Event]:
        """Return a club's evenings with a tournament, with or without cash tables; no samples."""
        rows = self.filter(club=club, is_sample=False, head__cancelled_by=None)
        return rows.exclude(kind=Event.Kind.CASH_GAME).order_by("starts_at", "pk")


def own_about(row: models.Model) -> About:
    return About(**{each.name: getattr(row, each.name) for each in fields(About)})


def _of_head(name: str) -> Any:
    path = f"head.{name}"

    def write(event: Event, value: Any) -> None:
        setattr(event.head, name, value)

    return property(attrgetter(path), write)


class Event(EntryTerms):
    """One evening. Chips, places and players left are computed, never stored.

    What every change writes is in its head.
    """

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
    # The unit at cash tables. Points and matches are stored in hundredths, like money.
    cash_unit = models.CharField(max_length=10, choices=CashUnit.choices, default=CashUnit.MONEY)
    # Whether the link to the settlement shows each player's result.
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
    # Of an evening entered afterwards: the pool in cents, and for each entry what was spent, its
    # re-buys and add-ons, and its prize.
    earlier = models.JSONField(default=dict, blank=True)
    draw_mode = models.CharField(max_length=10, choices=DrawMode.choices, default=DrawMode.ROLLING)
    late_registration_level = models.PositiveSmallIntegerField(default=0)
    # Above 0: until the end of this break, regardless of the level.
    late_registration_break = models.PositiveSmallIntegerField(default=0)
    is_registration_open = models.BooleanField(default=True)
    # Places only the director can give.
    reserved_places = models.PositiveIntegerField(default=0)
    # Until then only members get a place at once; others wait in line.
    members_first_until = models.DateTimeField(null=True, blank=True)
    offer_minutes = models.PositiveIntegerField(default=720)
    # Time to confirm a registration by the page before losing the place. 0: no need.
    confirm_minutes = models.PositiveIntegerField(default=0)
    # It takes place with so many registrations, so many hours before it begins. 0: always.
    least_entries = models.PositiveIntegerField(default=0)
    least_hours = models.PositiveSmallIntegerField(default=2)
    # Time after the start until a missing registered player loses the place. 0: never.
    no_show_minutes = models.PositiveIntegerField(default=0)
    fee_cents = models.PositiveIntegerField(default=0)
    # The highest payout without the director. 0: no limit.
    payout_limit_cents = models.PositiveIntegerField(default=0)
    # Empty: no bounties.
    bounty_kind = models.CharField(max_length=20, choices=BountyKind.choices, blank=True)
    # Progressive: this percentage of a bounty goes to its taker, the rest onto the taker's bounty.
    bounty_cut = models.PositiveSmallIntegerField(default=50)
    # Set by the director while a hall behind one address registers at once.
    is_gate_open = models.BooleanField(default=False)
    # Typed by hand; `prizes.selectors.plans.paid_places` gives the number of paid places.
    paid_places = models.PositiveIntegerField(default=0)
    # The prize plan, see `prizes.domain.plans`; empty: no prizes.
    prizes = models.JSONField(default=dict, blank=True)
    # Numbers of players left at which all seats are redrawn.
    redraw_at = models.JSONField(default=list, blank=True)
    # None: from the rules, for tables of this size.
    final_table_seats = models.PositiveSmallIntegerField(null=True, blank=True)
    # Areas of the hall: [first, last, way in words], see `domain.hall_plan`.
    areas = models.JSONField(default=list, blank=True)
    # The numbers it takes of the club's hall, as typed: "1–12"; empty: any free one.
    hall_tables = models.CharField(max_length=LONGEST_NUMBERS, blank=True)
    # Public; empty: the club's.
    venue = models.CharField(max_length=LONGEST_VENUE, blank=True)
    address = models.CharField(max_length=LONGEST_ADDRESS, blank=True)
    description = models.TextField(max_length=LONGEST_TEXT, blank=True)
    contact = models.TextField(max_length=LONGEST_CONTACT, blank=True)
    house_text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    # Seconds by which pages for people elsewhere follow the hall, as a stream does.
    stream_delay = models.PositiveIntegerField(default=0)
    # How often the addresses of the overlays were renewed.
    overlay_round = models.PositiveIntegerField(default=0)
    draw_sealed = models.TextField(blank=True)
    hall_number = models.CharField(max_length=40, blank=True)
    # Whether the big screens show the expected end.
    shows_end = models.BooleanField(default=False)
    # Time at which the hall must be empty, as "23:30"; empty: no limit.
    closing_time = models.CharField(max_length=5, blank=True)
    is_sample = models.BooleanField(default=False)
    is_clock_only = models.BooleanField(default=False)
    # Set by a program from before this was a rule; None: from the rules.
    arbiters_may_call_clock = models.BooleanField(null=True, blank=True)

    version: int = _of_head("version")
    log_sequence: int = _of_head("log_sequence")
    log_hash: str = _of_head("log_hash")
    log_recorded_at: datetime | None = _of_head("log_recorded_at")
    started_by: Action | None = _of_head("started_by")
    started_by_id: int | None = _of_head("started_by_id")
    ended_by: Action | None = _of_head("ended_by")
    ended_by_id: int | None = _of_head("ended_by_id")
    cancelled_by: Action | None = _of_head("cancelled_by")
    cancelled_by_id: int | None = _of_head("cancelled_by_id")

    class Meta:
        base_manager_name = "objects"

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournament", args=[self.slug])

    @property
    def draw_secret(self) -> str:
        """Return the secret of the draws; empty if another installation sealed it."""
        return unseal(self.draw_sealed)

    @draw_secret.setter
    def draw_secret(self, secret: str) -> None:
        self.draw_sealed = seal(secret)

    @property
    def rule_set(self) -> RuleSet:
        """Return the rules as values, cached until they are replaced."""
        read: tuple[Any, RuleSet] | None = self.__dict__.get("_rules_read")
        if read is None or read[0] is not self.rules:
            read = self.__dict__["_rules_read"] = (self.rules, rule_set_from(self.rules))
        if self.arbiters_may_call_clock is None:
            return read[1]
        return replace(read[1], arbiters_may_call_clock=self.arbiters_may_call_clock)

    @property
    def prize_plan(self) -> PrizePlan:
        return prize_plan_from(self.prizes)

    @property
    def stream_topic(self) -> str:
        return f"{self.TOPIC}{self.pk}"

    @property
    def promise(self) -> str:
        """Return the published hash of the draws' secret."""
        return commitment(self.draw_secret)

    @property
    def about(self) -> About:
        """Return the texts about the event: its own, else the club's."""
        return about_of(own_about(self), self.club.about)

    @property
    def has_cash_game(self) -> bool:
        return self.kind != self.Kind.TOURNAMENT

    @property
    def has_late_entry(self) -> bool:
        """Tell whether its rules let players in after the start."""
        return bool(self.late_registration_level or self.late_registration_break)

    @property
    def has_both(self) -> bool:
        return bool(self.kind == self.Kind.BOTH)

    @property
    def is_cash_only(self) -> bool:
        return bool(self.kind == self.Kind.CASH_GAME)

    @property
    def is_cash_for_money(self) -> bool:
        return bool(self.cash_unit == self.CashUnit.MONEY)

    @property
    def has_started(self) -> bool:
        return self.started_by_id is not None

    @property
    def is_over(self) -> bool:
        return self.ended_by_id is not None or self.cancelled_by_id is not None

    @property
    def lets_arbiters_call_clock(self) -> bool:
        """Tell whether arbiters may also put a player on the clock."""
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


class EventHeads(models.Manager["EventHead"]):
    def lock_all(self, club: Club) -> None:
        list(self.select_for_update(of=("self",)).filter(event__club=club).order_by("pk"))


class EventHead(Logged):
    """The head of an event: its version, its log, and its status. Every change locks this row."""

    event = models.OneToOneField(
        Event, models.CASCADE, primary_key=True, related_name="head", editable=False
    )
    started_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")
    ended_by = models.ForeignKey(Action, models.PROTECT, null=True, blank=True, related_name="+")
    cancelled_by = models.ForeignKey(
        Action, models.PROTECT, null=True, blank=True, related_name="+"
    )

    objects = EventHeads()


class Draw(Fact):
    """A made draw: with its number and the hall number anyone can recompute it.

    `sealed` holds its secret once the event has another; otherwise it is empty.
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

    @property
    def secret(self) -> str:
        """Return its secret, if the event has another by now; empty if lost."""
        return unseal(self.sealed)

    @property
    def is_lost(self) -> bool:
        """Tell whether its secret was sealed on another machine and cannot be opened."""
        return bool(self.sealed) and not self.secret
