"""The input and output of routes: names, types and limits, also for the description.

Instants are ISO 8601 in UTC, durations whole seconds, chips and cents whole numbers. A field is
never renamed within a version of the API.
"""

from typing import Annotated, Literal

from ninja import Field, Query, Schema

from tournaments.api.requests import (
    Bounds,
    Cents,
    Chips,
    Given,
    Id,
    Instant,
    Name,
    Page,
    Remark,
    Short,
    Stack,
)

# --- Tournaments


class EventLine(Schema):
    slug: str
    name: str
    status: Literal["planned", "running", "ended", "cancelled"]
    starts_at: Instant
    game: str
    limit: str
    capacity: int
    registered: int = Field(description="Registrations, those who wait included.")
    entries: int
    players_left: int
    registration: str = Field(description="open, members, late, waiting, bags, closed, started …")
    is_sample: bool
    is_clock_only: bool = Field(description="Whether only the clock runs, without any names.")


class EventPage(Page):
    items: list[EventLine]


class CostPart(Schema):
    to: str = Field(description="The account: pool, bounty, house or extra.")
    name: str = Field(description="What an extra part is called; else empty.")
    cents: int


class Cost(Schema):
    what: Literal["entry", "rebuy", "addon", "reentry"]
    cents: int
    chips: int
    parts: list[CostPart]


class RateOut(Schema):
    name: str
    cents: int


class EventDetail(EventLine):
    version: int = Field(description="Raised by every change; equal means nothing has changed.")
    schedule_name: str
    schedule_is_edited: bool = Field(description="Whether its levels were changed since.")
    rules_name: str
    starting_stack: int
    seats_per_table: int
    late_registration_level: int = Field(description="Open until the end of this level; 0: never.")
    late_registration_break: int = Field(
        description="If above 0: open until the end of this break, whatever the level says."
    )
    fee_cents: int
    rates: list[RateOut] = Field(description="Prices of an entry by person, beside `fee_cents`.")
    costs: list[Cost] = Field(description="An entry, and what may be bought again.")
    tables: int
    chips_in_play: int
    average_stack: int | None
    chips_are_exact: bool = Field(description="False while a stack that left play is uncounted.")
    listed_names: list[str] = Field(description="Who agreed to be listed, 400 at most.")
    unlisted: int
    page_url: str


# --- Clock and schedule


class LevelOut(Schema):
    id: int
    kind: Literal["play", "break"]
    number: int | None = Field(description="Levels of play are numbered from 1; breaks are not.")
    duration_seconds: int | None
    hands: int | None
    small_blind: int
    big_blind: int
    small_bet: int = Field(description="The small bet of stud, which has no blinds; else 0.")
    big_bet: int
    ante: int
    ante_kind: Literal["each", "big_blind"] = Field(
        description="big_blind: the big blind posts it for the table, after the blind (RP-11)."
    )
    bring_in: int
    game: str = Field(description="Empty: that of the tournament.")
    limit: str = Field(description="Empty: that of the tournament.")
    colour_up: list[int]
    is_unplanned: bool = Field(
        description="A break that came in the course of play: it is no 1st or 2nd break."
    )


class LevelLineOut(LevelOut):
    begins_at: Instant | None
    is_past: bool
    is_now: bool


class ScheduleOut(Schema):
    name: str
    is_edited: bool = Field(description="Whether its levels are others than those it came with.")
    starting_stack: int
    levels: list[LevelLineOut]


class ClockOut(Schema):
    now: Instant
    version: int
    has_started: bool
    is_running: bool
    is_waiting: bool = Field(description="A break is over and the clock stands until started.")
    level: LevelOut
    elapsed_seconds: int
    remaining_seconds: int | None
    last_hands: int | None
    hands: int
    level_began_at: Instant | None
    next_change_at: Instant | None
    next_level: LevelOut | None
    next_break: LevelOut | None
    seconds_to_break: int | None


class ShiftIn(Given):
    seconds: int = Field(ge=-7200, le=7200, description="Above zero gives the players time.")


# --- Registrations


class RegistrationIn(Given):
    name: Name
    email: Short = ""
    phone: Annotated[str, Field(pattern=r"^(\+?[0-9][0-9 /()-]{3,38})?$")] = ""
    remark: Remark = ""
    is_listed: bool = False
    is_member: bool | None = None
    is_reserved: bool = False
    agrees_to_rules: bool = False
    is_namesake: bool = Field(False, description="Another person of the same name is known.")


class RegistrationOut(Schema):
    id: int
    name: str
    email: str
    phone: str
    remark: str
    is_listed: bool
    is_member: bool
    says_member: bool
    is_reserved: bool
    is_cash_guest: bool
    registered_at: Instant
    state: Literal["registered", "waiting", "in", "out"]
    entry: int | None
    table: int | None
    seat: int | None
    rate: str = Field(description="The name of a price by person; empty: the full price.")
    open_cents: int = Field(description="What is still to pay.")


class RegistrationPage(Page):
    items: list[RegistrationOut]


class DeskQuery(Bounds):
    search: Short = Field("", description="Words of a name.")
    only_missing: bool = Field(False, description="Only those who are not checked in.")


DeskPart = Query[DeskQuery]


# --- Floor


class SeatOut(Schema):
    seat: int
    entry: int | None
    name: str
    is_first_dealer: bool


class TableOut(Schema):
    number: int
    players: int
    way: str = Field(description="Where it stands, in the director's words; may be empty.")
    seats: list[SeatOut]


class TablePage(Page):
    items: list[TableOut]


class OutIn(Given):
    entry: Id
    start_stack: Chips | None = Field(
        None, description="Chips at the start of that hand: the larger stack places higher."
    )


class EliminationIn(Given):
    outs: list[OutIn] = Field(
        min_length=1, max_length=100, description="Several went out in one hand."
    )
    hand: int | None = Field(
        None,
        ge=0,
        le=100_000,
        description="The hand of hand-for-hand, where it is told after that hand was over.",
    )


class PlaceIn(Given):
    table: Id
    seat: int = Field(ge=1, le=100)


class MoveIn(PlaceIn):
    reason: Short = ""
    moved_from: PlaceIn | None = Field(
        None, description="Where the player sits as far as you know; refused if not so."
    )


# --- Money


class PurchaseIn(Given):
    pays: bool = Field(False, description="Whether it is paid now; otherwise it stays open.")


class RebuyIn(PurchaseIn):
    number: int = Field(1, ge=1, le=100)
    stack: Stack | None = Field(
        None, description="Remaining chips, if no lost stack was recorded before."
    )


class EventIn(Given):
    like: Short = Field(description="The address of a tournament to begin like.")
    name: Name = Field("", description="Empty for its name.")
    starts_at: Instant | None = Field(None, strict=False, description="None for a week later.")


class EventMadeOut(Schema):
    slug: str
    page_url: str


class PaymentIn(Given):
    amount_cents: Cents | None = Field(None, description="None for all that is open.")
    means: Literal["cash", "card", "transfer", "voucher"] = "cash"


class TakersIn(Given):
    by: list[Id] = Field(max_length=20, description="Entries; none if it is unknown.")


# --- Results


class ResultOut(Schema):
    place: int | None = Field(description="None while still in.")
    is_shared: bool
    name: str = Field(description="Initials of those who do not want to be listed.")
    out_at: Instant | None
    is_overruled: bool = Field(description="The director has set the place.")
    is_disqualified: bool | None = Field(description="Told to staff alone.")


class ResultPage(Page):
    items: list[ResultOut]
    is_final: bool


# --- Log


class ActionOut(Schema):
    id: int
    sequence: int
    kind: str
    at: Instant = Field(description="When it happened.")
    recorded_at: Instant = Field(description="When it was written down.")
    sentence: str


class LogLineOut(ActionOut):
    role: str
    device: str | None
    reason: str
    undoes: int | None
    is_in_force: bool
    may_undo: bool


class LogPage(Page):
    items: list[LogLineOut]


class DoneOut(Schema):
    """The result of an action: its log entry, and the affected objects."""

    action: ActionOut
    registration: int | None
    is_waiting: bool = Field(description="Registered, but in the waiting line.")
    entries: list[int]
    table: int | None
    seat: int | None
    hand: int | None


class AnnouncementIn(Given):
    text: Name
    has_voice: bool = True
    language: Literal["de", "en"] = "de"


# --- The token itself


class RoleOut(Schema):
    role: str
    event: str | None = Field(description="The tournament's slug; None for all of them.")


class TokenOut(Schema):
    name: str
    roles: list[RoleOut]
