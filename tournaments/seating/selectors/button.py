"""The button as last told, and the next hand at a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, F, Func, IntegerField, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from clock.domain import Level as Row
from clock.models import Level
from clock.selectors import clock_past, clock_state
from clock.snapshot import is_snapshot
from tournaments.event.domain.games import deals_stud
from tournaments.event.selectors.event import sells_again
from tournaments.models import (
    ButtonMark,
    DealerDraw,
    Elimination,
    Event,
    Hand,
    HandForHand,
    RebuyChance,
    Seating,
    Table,
)
from tournaments.seating.domain.button import NextHand, TableView, hand_from, next_hand_of, ring


@dataclass(frozen=True, slots=True, kw_only=True)
class HandToCome:
    """The next hand at a table; `posts` is None if unknown or if the game has no blinds.

    `known` is the basis, `names` are the players by seat. Stud has neither button nor blinds; where
    the game changes by level, the button stays in place (TDA 2024 11-B).
    """

    view: TableView
    known: Known
    names: Mapping[int, str]
    posts: NextHand | None = None
    is_stud: bool = False

    @property
    def number(self) -> int:
        return self.known.hand + 1


def with_button(
    event: Event, view: TableView, known: Known, seated_at: Mapping[int, datetime]
) -> TableView:
    """Return a table with its known button; `seated_at` is the time of sitting down by seat.

    A position that is too old counts as unknown. So does one settled only for the first hand, as no
    blind was posted yet.
    """
    rule, since = event.rule_set.button_rule, known.since
    if known.button is None or known.is_first or known.is_old or since is None:
        return replace(view, rule=rule, is_asked_for=known.is_asked_for)
    return replace(
        view,
        button=known.button,
        small_blind=known.small_blind,
        big_blind=known.big_blind,
        newcomers=frozenset(seat for seat, at in seated_at.items() if at > since),
        rule=rule,
    )


def hand_to_come(
    event: Event, table: Table, at: datetime, known: Known | None = None
) -> HandToCome:
    """Return the next hand at a table if it begins at `at`, which may be in the past."""
    rows = Seating.objects.filter(table=table, seated_at__lte=at)
    rows = rows.filter(Q(voided_by__isnull=True) | Q(voided_by__at__gt=at)).order_by("seat")
    name = "entry__registration__person__name"
    seated = list(rows.values("seat", "entry_id", "seated_at", name))
    players = {row["seat"]: row["entry_id"] for row in seated}
    known = known or aged(event, buttons_known(event, [table]), at)[table.pk]
    if not known.hand and (first := _first(event, table)):
        known = aged(event, {table.pk: first}, at)[table.pk]
    held = held_at(event, players.values(), at)
    bare = TableView(
        table.number,
        table.chairs,
        players,
        held=frozenset(seat for seat, entry in players.items() if entry in held),
    )
    view = with_button(event, bare, known, {row["seat"]: row["seated_at"] for row in seated})
    names = {row["seat"]: row[name] for row in seated}
    if is_stud(event, at):
        return HandToCome(view=view, known=known, names=names, is_stud=True)
    posts = next_hand_of(view)
    if known.is_first and known.button is not None and not known.is_old and len(view.playing) > 1:
        begins = ring(table.chairs, view.playing, known.button - 1)[0]
        posts = hand_from(table.chairs, view.playing.keys(), begins)
    return HandToCome(view=view, known=known, names=names, posts=posts)


def held_at(event: Event, entries: Collection[int], at: datetime) -> set[int]:
    """Return the entries among these without chips at an instant, their seats held."""
    if not sells_again(event):
        return set()
    rows = RebuyChance.objects.filter(event=event, entry__in=entries, lost__at__lte=at)
    rows = rows.filter(Q(voided_by__isnull=True) | Q(voided_by__at__gt=at))
    return set(rows.values_list("entry", flat=True))


def _first(event: Event, table: Table) -> Known | None:
    """Return the first dealer's button for the first hand, unless staff told another since."""
    later = ButtonMark.objects.live().filter(
        table=OuterRef("table"), after_hand=0, made_by__gt=OuterRef("made_by")
    )
    draw = DealerDraw.objects.live().filter(~Exists(later), table=table).order_by("-pk").first()
    if draw is None:
        return None
    return Known(button=draw.cards[0]["seat"], is_first=True, said_at=began_at(event))


def is_stud(event: Event, at: datetime) -> bool:
    """Tell whether a hand that begins at `at` is stud; schedules may change the game."""
    is_page = is_snapshot(event.clock)  # its other parts read the schedule too
    if not is_page and not Level.objects.filter(clock=event.clock_id).exclude(game="").exists():
        return deals_stud(event.game)
    return deals_stud(clock_state(event.clock, at).level.game or event.game)


def seats_opened_last(
    event: Event, numbers: Iterable[int] | None = None
) -> dict[int, tuple[int, ...]]:
    """Return the seats opened last at each table; several if one action opened them.

    A seat taken again is not open. For stud (TDA 2024 11-A); two queries.
    """
    tables = Table.objects.live().filter(event=event)
    if numbers is not None:
        tables = tables.filter(number__in=list(numbers))
    by_pk = dict(tables.values_list("pk", "number"))
    taken = set(
        Seating.objects.live().filter(table__in=list(by_pk)).values_list("table_id", "seat")
    )
    left = Seating.objects.filter(table__in=list(by_pk), voided_by__isnull=False)
    # A move that was undone opened no seat.
    left = left.exclude(voided_by__undoes__isnull=False)
    last: dict[int, tuple[tuple[datetime, int], set[int]]] = {}
    for table, seat, at, action in left.values_list(
        "table_id", "seat", "voided_by__at", "voided_by_id"
    ):
        if (table, seat) in taken:
            continue
        instant, seats = last.get(table, ((at, action), set()))
        if (at, action) == instant:
            last[table] = (instant, {*seats, seat})
        elif (at, action) > instant:
            last[table] = ((at, action), {seat})
    return {by_pk[table]: tuple(sorted(seats)) for table, (_at, seats) in last.items()}


# --- The last statements about the buttons; each holds for the longest time of one hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The known button of a table.

    `hand` is the number of the last tapped hand there (0: none); `since` is the start of the hand
    these seats belong to. With `is_first`, this is the first hand and has not begun. `said_at` is
    the last statement by staff, "unknown" included. `is_old`: another hand was or must have been
    played since without a tap.
    """

    hand: int = 0
    button: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    since: datetime | None = None
    is_first: bool = False
    said_at: datetime | None = None
    is_old: bool = False

    @property
    def is_asked_for(self) -> bool:
        """Tell whether to ask staff: unknown, and staff has not just said so."""
        return self.is_old or self.is_first or (self.button is None and self.said_at is None)


NOTHING = Known()
LOOKS_AGAIN_S = 60
Out = tuple[datetime, int]  # time and hand


def buttons_known(event: Event, tables: Collection[Table]) -> dict[int, Known]:
    """Return the last statement by table id, however old; see `aged`."""
    by_pk = {table.pk: table for table in tables}
    hands, overtaken = _last_hands(list(by_pk)) if event.has_started else ({}, set())
    marks = _last_marks(list(by_pk), hands)
    outs: dict[int, list[Out]] = defaultdict(list)
    if marks and event.has_started:
        rows = Elimination.objects.live().filter(table__in=list(marks), way=Elimination.Way.BUST)
        for pk, table, at, hand in rows.values_list("pk", "table_id", "at", "group"):
            outs[table or 0].append((at, -pk if hand is None else hand))
    overtaken = overtaken - marks.keys() | {
        pk for pk, mark in marks.items() if _is_overtaken(outs.get(pk, ()), mark.marked_at)
    }
    holds = event.rule_set.tap_holds
    since = {
        pk: _hand_of(mark, hands.get(pk), outs.get(pk, ()), holds) for pk, mark in marks.items()
    }
    seated = _seated_then(event, {pk: at for pk, at in since.items() if marks[pk].seat is not None})
    found = {
        pk: _marked(event, by_pk[pk], marks[pk], hands.get(pk), (since[pk], seated.get(pk)))
        if pk in marks
        else _tapped(hands.get(pk))
        for pk in by_pk
    }
    return found | {pk: replace(found[pk], is_old=True) for pk in overtaken}


def aged(event: Event, known: Mapping[int, Known], now: datetime) -> dict[int, Known]:
    """Return the buttons known at `now`: statements older than one hand are marked old.

    Breaks, stud levels (the button is frozen, TDA 2024 11-B) and a stopped clock do not count as
    time, except in hand-for-hand. The clock is read only if needed.
    """
    holds = event.rule_set.tap_holds
    late = {one.said_at for one in known.values() if one.said_at and now - one.said_at > holds}
    if late and not HandForHand.objects.live().filter(event=event).exists():
        past = clock_past(event.clock)

        def moves_button(level: Row) -> bool:
            return not level.is_break and not deals_stud(level.game or event.game)

        late = {at for at in late if past.played(at, now, moves_button) > holds}
    return {
        pk: replace(one, is_old=True) if one.said_at in late else one for pk, one in known.items()
    }


def old_in_s(event: Event, said_at: datetime | None, now: datetime) -> int | None:
    """Return the seconds until a page has to refresh this button."""
    if said_at is None:
        return None
    left = (said_at + event.rule_set.tap_holds - now).total_seconds()
    return int(left) + 1 if left >= 0 else LOOKS_AGAIN_S


def _tapped(hand: Hand | None) -> Known:
    if hand is None:
        return NOTHING
    return Known(
        hand=hand.number,
        button=hand.button,
        small_blind=hand.small_blind,
        big_blind=hand.big_blind,
        since=hand.began_at,
        said_at=hand.began_at if hand.button is not None else None,
    )


def _hand_of(
    mark: ButtonMark, hand: Hand | None, outs: Iterable[Out], holds: timedelta
) -> datetime:
    """Return the start of the hand in which a mark was made, as far as known."""
    if hand is None or mark.marked_at - hand.began_at > holds:
        return mark.marked_at
    before = [out for out in outs if out[0] <= mark.marked_at]
    return mark.marked_at if _is_overtaken(before, hand.began_at) else hand.began_at


def _marked(
    event: Event,
    table: Table,
    mark: ButtonMark,
    hand: Hand | None,
    then: tuple[datetime, frozenset[int] | None],
) -> Known:
    """Return a mark as `Known`; `then` is the start of its hand with the seats taken then."""
    number, (since, seated) = hand.number if hand else 0, then
    if mark.seat is None:
        return Known(hand=number, said_at=mark.marked_at)
    if hand is not None and mark.seat == hand.button and since == hand.began_at:
        return replace(_tapped(hand), said_at=mark.marked_at)
    if hand is None and (event.started_by_id is None or mark.made_by_id < event.started_by_id):
        return Known(button=mark.seat, is_first=True, said_at=began_at(event))
    posts = hand_from(table.chairs, seated, mark.seat) if seated and len(seated) > 1 else None
    return Known(
        hand=number,
        button=mark.seat,
        small_blind=posts.small_blind if posts else None,
        big_blind=posts.big_blind if posts else None,
        since=since,
        said_at=mark.marked_at,
    )


def began_at(event: Event) -> datetime | None:
    return event.started_by.at if event.started_by is not None else None


def _last_hands(tables: list[int]) -> tuple[dict[int, Hand], set[int]]:
    """Return each table's last hand, and the tables with a later hand played."""
    if not tables:
        return {}, set()
    newest = Hand.objects.live().filter(table=OuterRef("pk")).order_by("-number").values("pk")[:1]
    of_each = Table.objects.filter(pk__in=tables).values(newest=Subquery(newest))
    outs = Elimination.objects.live().filter(
        table=OuterRef("table"), way=Elimination.Way.BUST, at__gt=OuterRef("began_at")
    )
    hand = Coalesce("group", -F("pk"))
    hands_out = Func(
        hand, function="COUNT", template="%(function)s(DISTINCT %(expressions)s)",
        output_field=IntegerField(),
    )  # fmt: skip
    gone = Subquery(outs.order_by().values(hands=hands_out))
    rows: QuerySet[Any] = Hand.objects.filter(pk__in=of_each).annotate(hands_out=gone)
    hands = {hand.table_id: hand for hand in rows}
    return hands, {pk for pk, hand in hands.items() if hand.hands_out > 1}


def _is_overtaken(outs: Iterable[Out], since: datetime) -> bool:
    """Tell whether eliminations in several hands followed: at least one hand was not tapped."""
    return len({hand for at, hand in outs if at > since}) > 1


def _last_marks(tables: list[int], hands: Mapping[int, Hand]) -> dict[int, ButtonMark]:
    """Return the valid marks: made in the table's last hand, after its tap."""
    found: dict[int, ButtonMark] = {}
    for mark in ButtonMark.objects.live().filter(table__in=tables).order_by("made_by"):
        hand = hands.get(mark.table_id)
        number, tapped = (hand.number, hand.made_by_id) if hand else (0, 0)
        if mark.after_hand == number and mark.made_by_id > tapped:
            found[mark.table_id] = mark
    return found


def _seated_then(event: Event, instants: Mapping[int, datetime]) -> dict[int, frozenset[int]]:
    if not instants:
        return {}
    found: dict[int, dict[int, int]] = defaultdict(dict)
    rows = Seating.objects.filter(table__in=list(instants))
    for table, seat, entry, since, until in rows.values_list(
        "table_id", "seat", "entry_id", "seated_at", "voided_by__at"
    ):
        if since <= instants[table] and (until is None or until > instants[table]):
            found[table][seat] = entry
    held = {table: held_at(event, found[table].values(), at) for table, at in instants.items()}
    return {
        table: frozenset(seat for seat, entry in seats.items() if entry not in held[table])
        for table, seats in found.items()
    }
