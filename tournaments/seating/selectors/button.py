"""The button as last told, and the next hand at a table.

`button_known` finds the last statement and how long it holds. Reads only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from clock.models import Level
from clock.selectors import clock_state
from tournaments.event.domain.games import deals_stud
from tournaments.models import ButtonMark, DealerDraw, Event, Seating, Table
from tournaments.seating.domain.blinds import NextHand, hand_from, ring
from tournaments.seating.domain.button import TableView, next_hand_of
from tournaments.seating.selectors.button_known import Known, aged, began_at, buttons_known


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
    """Return the next hand at a table if it begins at `at`, which may be in the past.

    A caller can pass `known` to save queries.
    """
    rows = Seating.objects.filter(table=table, seated_at__lte=at)
    rows = rows.filter(Q(voided_by__isnull=True) | Q(voided_by__at__gt=at)).order_by("seat")
    name = "entry__registration__person__name"
    seated = list(rows.values("seat", "entry_id", "seated_at", name))
    players = {row["seat"]: row["entry_id"] for row in seated}
    known = known or aged(event, buttons_known(event, [table]), at)[table.pk]
    if not known.hand and (first := _first(event, table)):
        known = aged(event, {table.pk: first}, at)[table.pk]
    bare = TableView(table.number, table.seats, players)
    view = with_button(event, bare, known, {row["seat"]: row["seated_at"] for row in seated})
    names = {row["seat"]: row[name] for row in seated}
    if is_stud(event, at):
        return HandToCome(view=view, known=known, names=names, is_stud=True)
    posts = next_hand_of(view)
    if known.is_first and known.button is not None and not known.is_old and len(players) > 1:
        begins = ring(table.seats, players, known.button - 1)[0]
        posts = hand_from(table.seats, players.keys(), begins)
    return HandToCome(view=view, known=known, names=names, posts=posts)


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
    if not Level.objects.filter(clock=event.clock_id).exclude(game="").exists():
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
