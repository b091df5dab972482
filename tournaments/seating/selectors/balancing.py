"""Advice for the director: break a table or move a player, with the reason."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from itertools import takewhile

from clock.snapshot import read_once
from tournaments.changes.kinds import kind_names
from tournaments.event.domain.games import Game
from tournaments.event.domain.rules import BreakOrder, RuleSet
from tournaments.event.selectors.event import (
    eliminations_live_count,
    ends_in_bags,
    entries_live_count,
    event_accepts_late,
    figures,
    final_seats,
)
from tournaments.models import Draw, Entry, Event, Registration, Seating
from tournaments.seating.domain.button import TableView
from tournaments.seating.domain.draws import draw_order
from tournaments.seating.domain.moves import (
    Suggestion,
    Tie,
    drawable_movers,
    mover_and_seat,
    stud_move,
)
from tournaments.seating.domain.seating import (
    TableCount,
    Transfer,
    attendance_expected,
    balancing_moves,
    redraw_due,
    table_to_break,
    tables_wanted,
)
from tournaments.seating.selectors.button import is_stud, seats_opened_last
from tournaments.seating.selectors.draw_inputs import partner_tables
from tournaments.seating.selectors.tables import table_counts, table_views, tables_with_held

MOST_MOVES_SHOWN = 20
REDRAWS = ("redraw", "final")
Finder = Callable[[TableView, TableView, int], Suggestion]


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorAdvice:
    """At most one of these is set: final table, redraw, table to break, or ordered moves."""

    draws_final: bool = False
    redraws_at: int | None = None
    breaks_table: int | None = None
    moves: tuple[Suggestion, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    moves_in_all: int = 0

    @property
    def round(self) -> tuple[Suggestion, ...]:
        """Return the moves that can be made at once: up to the first that asks for a button."""
        return tuple(takewhile(lambda move: not move.asks, self.moves))


@read_once
def floor_advice(event: Event, now: datetime) -> FloorAdvice:
    """Return what the tables need at `now`. Before the start: balancing only.

    The final table waits for the end of late registration.
    """
    counts, rules = table_counts(event), event.rule_set
    if len(counts) < 2 or is_filling(event, now):
        return FloorAdvice()
    if event.has_started:
        seated, awaited = sum(count.players for count in counts), awaited_at(event, now)
        fits = 2 <= seated <= final_seats(event) - awaited
        is_final = fits and rules.redraws_final_table and not event_accepts_late(event, now)
        if is_final and not ends_in_bags(event):
            return FloorAdvice(draws_final=True)
        if event.redraw_at:
            made = Draw.objects.live().filter(event=event, kind__in=REDRAWS).order_by("number")
            redrawn = made.last()
            last = redrawn.made_by.payload.get("entries") if redrawn else None
            entered = entries_live_count(event)
            anew = redraw_due(entered, seated + awaited, event.redraw_at, last)
            if anew is not None:
                return FloorAdvice(redraws_at=anew)
        order = break_order([count.number for count in counts], rules)
        broken = table_to_break(counts, event.seats_per_table, order, awaited=awaited)
        # A table waits to be broken until its players without chips have bought or are out.
        if broken is not None and broken not in tables_with_held(event):
            return FloorAdvice(breaks_table=broken)
    transfers = _transfers(event, counts)
    shown = transfers[:MOST_MOVES_SHOWN]
    return FloorAdvice(
        moves=suggestions_for(event, shown, now), transfers=shown, moves_in_all=len(transfers)
    )


def _transfers(event: Event, counts: Sequence[TableCount]) -> tuple[Transfer, ...]:
    """Return the moves needed with and without the re-buys still possible at held seats."""
    tolerance, held = event.rule_set.balancing_tolerance, tables_with_held(event)
    moves = balancing_moves(counts, tolerance)
    if not held or not moves:
        return moves
    needed = Counter((move.from_table, move.to_table) for move in moves)
    playing = [  # players without chips cannot be moved
        TableCount(row.number, row.players - held[row.number], row.seats - held[row.number])
        for row in counts
    ]
    both = []
    for move in balancing_moves(playing, tolerance):
        way = (move.from_table, move.to_table)
        if needed[way]:
            needed[way] -= 1
            both.append(move)
    return tuple(both)


def suggestions_for(
    event: Event, transfers: Sequence[Transfer], now: datetime
) -> tuple[Suggestion, ...]:
    """Return player and seat for each transfer, each computed after the ones before it."""
    if not transfers:
        return ()
    numbers = {number for move in transfers for number in (move.from_table, move.to_table)}
    views = table_views(event, now, numbers)
    suggest = (
        _by_position(event, transfers)
        if event.game == Game.STUD
        else _by_big_blind(event, transfers, views)
    )
    draw_number = next_draw_number(event)
    found: list[Suggestion] = []
    for move in transfers:
        source, target = views[move.from_table], views[move.to_table]
        suggestion = suggest(source, target, draw_number)
        # A drawn move uses up this draw number; later moves must be computed in their turn.
        draw_number += bool(suggestion.lots)
        found.append(suggestion)
        views[move.from_table] = source.left_by(suggestion.from_seat)
        views[move.to_table] = target.joined_by(suggestion.entry, suggestion.to_seat)
    if any(move.asks for move in found) and is_stud(event, now):
        return tuple(replace(move, asks=()) for move in found)
    return tuple(found)


def _by_big_blind(
    event: Event, transfers: Sequence[Transfer], views: dict[int, TableView]
) -> Finder:
    sources = {move.from_table for move in transfers}
    unknown = [number for number in sources if views[number].button is None]
    entries = [entry for number in unknown for entry in views[number].players.values()]
    moved, beside = moves_so_far(entries), partner_tables(event, entries)

    def suggest(source: TableView, target: TableView, number: int) -> Suggestion:
        barred = [entry for entry, tables in beside.items() if target.number in tables]
        among = drawable_movers(source, moved, barred)
        return mover_and_seat(source, target, tie=_tie(event, number), drawable=among)

    return suggest


def _by_position(event: Event, transfers: Sequence[Transfer]) -> Finder:
    opened = seats_opened_last(event, {move.to_table for move in transfers})

    def suggest(source: TableView, target: TableView, number: int) -> Suggestion:
        seats = opened.get(target.number, ())
        return stud_move(source, target, opened=seats, tie=_tie(event, number))

    return suggest


def _tie(event: Event, draw_number: int) -> Tie:
    return partial(
        draw_order,
        secret=event.draw_secret,
        hall_number=event.hall_number,
        draw_number=draw_number,
    )


def moves_so_far(entries: Collection[int]) -> Counter[int]:
    """Return how often each entry was moved, without undone moves."""
    if not entries:
        return Counter()
    moving = kind_names(lambda kind: kind.moves_players)
    rows = Seating.objects.filter(entry__in=entries, made_by__kind__in=moving)
    return Counter(rows.exclude(voided_by__undoes__isnull=False).values_list("entry_id", flat=True))


def break_order(numbers: Collection[int], rules: RuleSet) -> list[int]:
    """Return the published order in which tables break, by rule set."""
    from_highest = rules.break_order == BreakOrder.HIGHEST_NUMBER
    return sorted(numbers, reverse=from_highest)


def next_step(event: Event, now: datetime) -> Suggestion | None:
    return next(iter(floor_advice(event, now).moves), None)


@read_once
def next_draw_number(event: Event) -> int:
    last = Draw.objects.filter(event=event).order_by("-number").values_list("number", flat=True)
    return (last.first() or 0) + 1


# --- Expected arrivals, and whether check-in is still running


SETTLES_FOR = timedelta(minutes=5)


@read_once
def is_filling(event: Event, now: datetime) -> bool:
    """Tell whether players are still arriving, so that uneven tables may even out.

    Before play: until the planned start, then until five minutes pass without an arrival. In play:
    for the first five minutes or until the first elimination (ours).
    """
    if event.started_by is not None:
        is_early = now < event.started_by.at + SETTLES_FOR
        return is_early and not eliminations_live_count(event)
    if now < event.starts_at:
        return True
    last = Entry.objects.live().filter(event=event).order_by("-number").first()
    return last is not None and now < last.entered_at + SETTLES_FOR


def tables_missing(event: Event, counts: Sequence[TableCount]) -> int:
    """Return how many tables to open before the newest arrival is seated.

    Before the start, a table opens before the others are full. Only then is attendance read. An
    added chair is meant for whoever comes next.
    """
    seats, free = event.seats_per_table, sum(count.seats - count.players for count in counts)
    added = sum(max(0, count.seats - seats) for count in counts)
    if 0 < free <= added:
        return 0
    if event.has_started or (counts and free > seats // 2):
        return 0 if free else 1
    read, announced = figures(event, "registrations", "entries", "waiting"), _announced(event)
    at_first = last_time = 0
    if not counts and announced < 2:  # the attendance of the club's previous event
        rows = Event.objects.filter(club=event.club_id, is_sample=False, is_clock_only=False)
        rows = rows.filter(head__started_by__isnull=False, starts_at__lt=event.starts_at)
        last = rows.exclude(pk=event.pk).order_by("-starts_at").first()
        last_time = figures(last, "entries")["entries"] if last else 0
    if not counts:
        at_first = attendance_expected(announced=announced, last_time=last_time, seats=seats)
    wanted = tables_wanted(
        here=read["entries"],
        registered=read["registrations"] - read["waiting"],
        announced=announced,
        seats=seats,
        capacity=event.capacity,
        at_first=at_first,
    )
    return max(wanted - len(counts), 0 if free else 1)


def _announced(event: Event) -> int:
    first = Entry.objects.filter(event=event).order_by("made_by_id").values_list("made_by_id")[:1]
    rows = Registration.objects.live().filter(event=event, is_cash_guest=False)
    return rows.filter(made_by_id__lt=first).count()


def awaited_at(event: Event, now: datetime) -> int:
    """Return how many registered players with a place may still come."""
    read = figures(event, "registrations", "entries", "waiting")
    missing = read["registrations"] - read["waiting"] - read["entries"]
    return missing if missing > 0 and event_accepts_late(event, now) else 0
