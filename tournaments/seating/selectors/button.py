"""Where the button is, as far as anybody has said, and what the next hand at a table will be.

Known is the last hand that was tapped, or what staff said since. Reads only; of many tables in a
number of queries that does not grow with them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from clock.models import Level
from clock.selectors import clock_state
from tournaments.models import ButtonMark, DealerDraw, Event, Hand, Seating, Table
from tournaments.seating.domain.blinds import NextHand, deals_stud, hand_from, ring
from tournaments.seating.domain.button import TableView, next_hand_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What is known of a table's button.

    `hand` is the number of the last hand tapped there, 0 without one, and `since` when the hand
    began that the seats are those of. With `is_first` that hand has not begun: it is the first.
    """

    hand: int = 0
    button: int | None = None
    small_blind: int | None = None
    big_blind: int | None = None
    since: datetime | None = None
    is_first: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HandToCome:
    """The next hand at a table: None for `posts` while nobody can tell, or there are no posts.

    `known` is what it follows from, `names` those of the players by seat. In stud there is neither
    button nor blind; where the game changes by level, the button stays where it was (TDA 2024
    11-B).
    """

    view: TableView
    known: Known
    names: Mapping[int, str]
    posts: NextHand | None = None
    is_stud: bool = False

    @property
    def number(self) -> int:
        return self.known.hand + 1


NOTHING = Known()


def buttons_known(event: Event, tables: Collection[Table]) -> dict[int, Known]:
    """Return what is known by table id; two queries, a third where staff said where it is."""
    by_pk = {table.pk: table for table in tables}
    hands = _last_hands(list(by_pk)) if event.has_started else {}
    marks = _last_marks(list(by_pk), hands)
    then = {
        table: hands[table].began_at if table in hands else mark.marked_at
        for table, mark in marks.items()
        if mark.seat is not None
    }
    seated = _seated_then(then)
    return {
        pk: _marked(event, by_pk[pk], marks[pk], hands.get(pk), seated.get(pk, frozenset()))
        if pk in marks
        else _tapped(hands.get(pk))
        for pk in by_pk
    }


def _tapped(hand: Hand | None) -> Known:
    if hand is None:
        return NOTHING
    return Known(
        hand=hand.number,
        button=hand.button,
        small_blind=hand.small_blind,
        big_blind=hand.big_blind,
        since=hand.began_at,
    )


def _marked(
    event: Event, table: Table, mark: ButtonMark, hand: Hand | None, seated: frozenset[int]
) -> Known:
    number = hand.number if hand else 0
    if hand is not None and mark.seat == hand.button:
        return _tapped(hand)
    if mark.seat is None:
        return Known(hand=number)
    if hand is None and (event.started_by_id is None or mark.made_by_id < event.started_by_id):
        return Known(button=mark.seat, is_first=True)
    posts = hand_from(table.seats, seated, mark.seat) if len(seated) > 1 else None
    return Known(
        hand=number,
        button=mark.seat,
        small_blind=posts.small_blind if posts else None,
        big_blind=posts.big_blind if posts else None,
        since=hand.began_at if hand else mark.marked_at,
    )


def _last_hands(tables: list[int]) -> dict[int, Hand]:
    if not tables:
        return {}
    # Written by hand: it is asked at every tap, and Django takes long to write a subquery.
    sql = f"""SELECT * FROM tournaments_hand WHERE id IN (
        SELECT (SELECT id FROM tournaments_hand WHERE table_id = here.id AND voided_by_id IS NULL
                ORDER BY number DESC LIMIT 1)
        FROM tournaments_table AS here WHERE here.id IN ({", ".join(["%s"] * len(tables))}))"""  # noqa: S608
    return {hand.table_id: hand for hand in Hand.objects.raw(sql, tables)}


def _last_marks(tables: list[int], hands: Mapping[int, Hand]) -> dict[int, ButtonMark]:
    """Return the marks that hold: made in the last hand at the table, after it was tapped."""
    found: dict[int, ButtonMark] = {}
    for mark in ButtonMark.objects.live().filter(table__in=tables).order_by("made_by_id"):
        hand = hands.get(mark.table_id)
        number, tapped = (hand.number, hand.made_by_id) if hand else (0, 0)
        if mark.after_hand == number and mark.made_by_id > tapped:
            found[mark.table_id] = mark
    return found


def _seated_then(instants: Mapping[int, datetime]) -> dict[int, frozenset[int]]:
    """Return the seats with somebody on them at an instant, by table id."""
    if not instants:
        return {}
    found: dict[int, set[int]] = defaultdict(set)
    rows = Seating.objects.filter(table__in=list(instants))
    for table, seat, since, until in rows.values_list(
        "table_id", "seat", "seated_at", "voided_by__at"
    ):
        if since <= instants[table] and (until is None or until > instants[table]):
            found[table].add(seat)
    return {table: frozenset(seats) for table, seats in found.items()}


def with_button(
    event: Event, view: TableView, known: Known, seated_at: Mapping[int, datetime]
) -> TableView:
    """Return a table with what is known of its button; `seated_at` is said by seat.

    One that has only been settled for the first hand is not known: nobody has posted a blind.
    """
    rule, since = event.rule_set.button_rule, known.since
    if known.button is None or known.is_first or since is None:
        return replace(view, rule=rule)
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
    """Return the next hand at a table if it begins at `at`, which may be past.

    Whoever knows what is known of the button hands it in.
    """
    rows = Seating.objects.filter(table=table, seated_at__lte=at)
    rows = rows.filter(Q(voided_by__isnull=True) | Q(voided_by__at__gt=at)).order_by("seat")
    name = "entry__registration__person__name"
    seated = list(rows.values("seat", "entry_id", "seated_at", name))
    players = {row["seat"]: row["entry_id"] for row in seated}
    known = known or buttons_known(event, [table])[table.pk]
    if not known.hand:
        known = _first(table) or known
    bare = TableView(table.number, table.seats, players)
    view = with_button(event, bare, known, {row["seat"]: row["seated_at"] for row in seated})
    names = {row["seat"]: row[name] for row in seated}
    if is_stud(event, at):
        return HandToCome(view=view, known=known, names=names, is_stud=True)
    posts = next_hand_of(view)
    if known.is_first and known.button is not None and len(players) > 1:
        begins = ring(table.seats, players, known.button - 1)[0]
        posts = hand_from(table.seats, players.keys(), begins)
    return HandToCome(view=view, known=known, names=names, posts=posts)


def _first(table: Table) -> Known | None:
    """Return that the highest card has the button in the first hand, unless staff said later."""
    later = ButtonMark.objects.live().filter(
        table=OuterRef("table"), after_hand=0, made_by__gt=OuterRef("made_by")
    )
    draw = DealerDraw.objects.live().filter(~Exists(later), table=table).order_by("-pk").first()
    return Known(button=draw.cards[0]["seat"], is_first=True) if draw else None


def is_stud(event: Event, at: datetime) -> bool:
    """Tell whether a hand that begins at `at` is played as stud; schedules may change the game."""
    if not Level.objects.filter(clock=event.clock_id).exclude(game="").exists():
        return deals_stud(event.game)
    return deals_stud(clock_state(event.clock, at).level.game or event.game)


def seats_opened_last(
    event: Event, numbers: Iterable[int] | None = None
) -> dict[int, tuple[int, ...]]:
    """Return the seats of each table that were given up last: several when it was in one action.

    A seat somebody sits on again is not open. For stud (TDA 2024 11-A); two queries.
    """
    tables = Table.objects.live().filter(event=event)
    if numbers is not None:
        tables = tables.filter(number__in=list(numbers))
    by_pk = dict(tables.values_list("pk", "number"))
    taken = set(
        Seating.objects.live().filter(table__in=list(by_pk)).values_list("table_id", "seat")
    )
    left = Seating.objects.filter(table__in=list(by_pk), voided_by__isnull=False)
    # A move that was taken back has opened no seat.
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
