"""The bubble's state: rounds of hand-for-hand, reports, head counts. Reads only."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property

from django.db.models import Count, Exists, Max, Q, Subquery
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_state
from clock.snapshot import read_once
from tournaments.event.selectors.event import (
    left_in_rooms,
    money_reached,
    players_left,
    rooms_of,
    sells_again,
    tables_live_count,
)
from tournaments.models import (
    Action,
    Elimination,
    Event,
    HandForHand,
    HandReport,
    HandRound,
    HeadCheck,
    MoneyReached,
    Seating,
    Table,
    TableHalt,
)
from tournaments.play.domain.bubble import (
    HeadState,
    Hindrance,
    TableHeads,
    hindrance_to_money,
    is_near_the_money,
    may_burst_in_a_hand,
)
from tournaments.prizes.selectors.plans import paid_left, seats_left
from tournaments.rebuys.selectors.offers import chances_live, wishes_live
from tournaments.seating.selectors.tables import players_by_table, tables_halted, tables_live

BY_ITSELF = "by_itself"  # log field of the begin: rounds are released automatically
FEWEST_FOR_A_HAND = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class TableState:
    """One table near the money. `is_awaited`: its report of the hand is missing."""

    number: int
    heads: TableHeads
    is_awaited: bool
    has_reported: bool

    @property
    def asks_heads(self) -> bool:
        return not self.is_awaited and not self.heads.is_alone


@dataclass(frozen=True, kw_only=True)
class Bubble:
    """The bubble's state. `tables` are loaded only near the money and in hand-for-hand.

    `undecided` are the names of players without chips who may still buy, or have asked to.
    """

    paid: int
    left: int
    is_near: bool
    is_reached: bool
    round: HandRound | None
    table_count: int
    tables: tuple[TableState, ...]
    undecided: tuple[str, ...] = ()
    # Seats of a satellite still to win; 0 for another event.
    seats: int = 0
    # Of those left, the players of other rooms.
    elsewhere: int = 0

    @property
    def may_burst_seats(self) -> bool:
        """Tell whether, in the money, one hand can decide a satellite's last seat."""
        return self.is_reached and may_burst_in_a_hand(self.left, self.seats, self.table_count)

    @property
    def to_money(self) -> int:
        return max(0, self.left - self.paid)

    @property
    def is_by_itself(self) -> bool:
        """Tell whether the next hand is released automatically after all reports."""
        return self.round is not None and releases_itself(self.round.hand_for_hand)

    @cached_property
    def awaited(self) -> list[int]:
        return [table.number for table in self.tables if table.is_awaited]

    @property
    def is_round_open(self) -> bool:
        """Tell whether places can still change because a table is still playing."""
        return self.round is not None and bool(self.awaited)

    @property
    def may_burst(self) -> bool:
        return may_burst_in_a_hand(self.left, self.paid, len(self.tables))

    @cached_property
    def open(self) -> list[int]:
        return [row.number for row in self.tables if row.heads.state is HeadState.OPEN]

    @cached_property
    def differing(self) -> list[TableHeads]:
        return [row.heads for row in self.tables if row.heads.state is HeadState.DIFFERS]

    @cached_property
    def hindrance(self) -> Hindrance | None:
        heads = [table.heads for table in self.tables]
        return hindrance_to_money(
            self.left,
            self.paid,
            heads,
            elsewhere=self.elsewhere,
            is_round_open=self.is_round_open,
            is_undecided=bool(self.undecided),
        )


@read_once
def bubble_of(event: Event, numbers: Iterable[int] | None = None) -> Bubble:
    """Return the bubble's state; `numbers` limits the head counts to these tables."""
    rooms, current = rooms_of(event), round_current(event)
    elsewhere = sum(players_left(room) for room in rooms if room.pk != event.pk)
    left = players_left(event) + elsewhere
    table_count = sum(map(tables_live_count, rooms))
    is_reached = money_reached(event) is not None
    is_near = (
        event.has_started
        and not is_reached
        and is_near_the_money(
            left,
            paid_left(event),
            seats_per_table=event.seats_per_table,
            tables=table_count,
        )
    )
    return Bubble(
        paid=paid_left(event),
        left=left,
        is_near=is_near,
        is_reached=is_reached,
        round=current,
        table_count=table_count,
        elsewhere=elsewhere,
        seats=seats_left(event) if is_reached else 0,
        tables=_states(event, current, numbers) if is_near or current else (),
        undecided=undecided(event) if is_near or current else (),
    )


@read_once
def undecided(event: Event) -> tuple[str, ...]:
    """Return the names of players without chips who may still buy, or have asked to."""
    if not sells_again(event):
        return ()
    entries = [row.entry for row in chances_live(event)] + [row.entry for row in wishes_live(event)]
    return tuple(dict.fromkeys(entry.registration.person.name for entry in entries))


def hand_for_hand_live(event: Event) -> HandForHand | None:
    rows = HandForHand.objects.live().filter(event=event)
    return rows.select_related("made_by").first()


def releases_itself(row: HandForHand) -> bool:
    return bool(row.made_by.payload.get(BY_ITSELF))


def round_current(event: Event) -> HandRound | None:
    """Return the current round; number 0 is the hands running at the announcement."""
    begun = hand_for_hand_live(event)
    if begun is None:
        return None
    row = HandRound.objects.live().filter(hand_for_hand=begun).order_by("-number").first()
    if row is not None:
        begun.event = event
        row.hand_for_hand = begun
    return row


def tables_awaited(event: Event, current: HandRound) -> list[Table]:
    """Return the tables whose report of the round is missing, by number.

    Leaves out tables that cannot play a hand, halted tables and tables opened since. A player who
    came to a table after others had played the hand is not awaited there.
    """
    return _awaited(tables_live(event), players_by_table(event), current, _reported(current))


def announced_near_the_money(event: Event) -> tuple[bool, bool]:
    """Tell in one query whether hand-for-hand is on, and "in the money" was announced."""
    begun = HandForHand.objects.live().filter(event=event)
    reached = MoneyReached.objects.live().filter(event=event)
    asked = Event.objects.filter(pk=event.pk).values_list(Exists(begun), Exists(reached))
    is_begun, is_reached = asked.get()
    return bool(is_begun), bool(is_reached)


def money_holds(event: Event, row: MoneyReached) -> bool:
    """Tell whether the announcement counted all entries in play, and all out since.

    A further entry would push the paid players down a place. A corrected elimination is not a new
    one.
    """
    outs = Elimination.objects.filter(event__in=rooms_of(event)).exclude(way=Elimination.Way.SEAT)
    voided_later = Q(voided_by__isnull=True) | Q(voided_by__gt=row.made_by_id)
    out_by_then = outs.filter(voided_later, made_by__lt=row.made_by_id).values("entry")
    out_since = outs.filter(voided_by__isnull=True).exclude(entry__in=out_by_then).count()
    return left_in_rooms(event) + out_since <= min(row.left, paid_left(event))


def money_taken_back(event: Event) -> bool:
    """Tell whether the last "in the money" was withdrawn for a new entry."""
    rows = MoneyReached.objects.filter(event=event).select_related("voided_by")
    row = rows.order_by("-pk").first()
    by = row.voided_by if row else None
    return row is not None and by is not None and by.undoes_id != row.made_by_id


def provisional_entries(event: Event) -> frozenset[int]:
    """Return entries eliminated in a round that a table still plays: provisional places."""
    current = round_current(event)
    if current is None:
        return frozenset()
    outs = Elimination.objects.live().filter(round=current).values_list("entry", flat=True)
    found = frozenset(outs)
    for room in rooms_of(event) if found else ():
        played = round_current(room)
        # A table still plays this round, or one before it.
        if played and played.number <= current.number and tables_awaited(room, played):
            return found
    return frozenset()


def _states(
    event: Event, current: HandRound | None, numbers: Iterable[int] | None
) -> tuple[TableState, ...]:
    tables, players = tables_live(event), players_by_table(event)
    reported = _reported(current) if current else set()
    still = _awaited(tables, players, current, reported) if current else []
    awaited = {row.pk for row in still}
    wanted = None if numbers is None else set(numbers)
    shown = [row for row in tables if wanted is None or row.number in wanted]
    heads, is_alone = table_heads(event, shown, players), len(players) == 1
    return tuple(
        TableState(
            number=row.number,
            heads=replace(
                heads.get(row.pk, TableHeads(number=row.number, players=players.get(row.pk, 0))),
                is_alone=is_alone,
            ),
            is_awaited=row.pk in awaited,
            has_reported=row.pk in reported,
        )
        for row in tables
        if players.get(row.pk)
    )


def _awaited(
    tables: Iterable[Table], players: dict[int, int], current: HandRound, reported: set[int]
) -> list[Table]:
    event = current.hand_for_hand.event
    # Usually the director has halted none.
    halts = TableHalt.objects.live().filter(table__event=event, is_waived=False)
    halted = tables_halted(event) if halts.exists() else ()
    without = reported | {row.pk for row in halted}
    found = [
        row
        for row in tables
        if row.pk not in without
        and players.get(row.pk, 0) >= FEWEST_FOR_A_HAND
        and row.made_by_id < current.made_by_id
    ]
    return _playing(found, current) if found and reported else found


def _playing(tables: list[Table], current: HandRound) -> list[Table]:
    """Keep tables with enough players seated since before the last report to play this hand."""
    reports = HandReport.objects.live().filter(round=current).values("round")
    last = reports.annotate(last=Max("made_by")).values("last")
    rows = Seating.objects.live().filter(table__in=tables, made_by__lt=Subquery(last))
    seated = rows.values("table").annotate(players=Count("pk"))
    there = seated.filter(players__gte=FEWEST_FOR_A_HAND).values_list("table", flat=True)
    able = set(there)
    return [row for row in tables if row.pk in able]


def _reported(current: HandRound) -> set[int]:
    return set(HandReport.objects.live().filter(round=current).values_list("table", flat=True))


# --- Head counts, and whether they are still valid


# An instant, and the id of the action.
Changed = tuple[datetime, int]


def table_heads(
    event: Event, tables: Sequence[Table], players: dict[int, int]
) -> dict[int, TableHeads]:
    """Return each table's last head count by table id, and whether it is still valid."""
    made = HeadCheck.objects.live().filter(table__in=[row.pk for row in tables])
    checks = {row.table_id: row for row in made.order_by("checked_at", "made_by_id")}
    changes = _last_changes(event, checks)
    found = {}
    for row in tables:
        check, change = checks.get(row.pk), changes.get(row.pk)
        if check is not None:
            found[row.pk] = TableHeads(
                number=row.number,
                players=players.get(row.pk, 0),
                counted=check.players,
                is_fresh=change is None or (check.checked_at, check.made_by_id) > change,
            )
    return found


def _last_changes(event: Event, checks: dict[int, HeadCheck]) -> dict[int, Changed]:
    """Return the last arrival or departure at each table, with its action's id.

    Ordered by instant of the event: a tap delayed on a phone counts for its own instant.
    """
    if not checks:
        return {}
    found: dict[int, Changed] = {}
    rows = Seating.objects.filter(table__in=checks).values("table").order_by()
    for sat in rows.annotate(
        made=Max("made_by__at"), left=Max("voided_by__at"), by=Max("made_by"), to=Max("voided_by")
    ):
        at = max(sat["made"], sat["left"] or sat["made"])
        found[sat["table"]] = at, max(sat["by"], sat["to"] or 0)
    for table, change in _taken_back(event, min(row.made_by_id for row in checks.values())):
        if table in found:
            found[table] = max(found[table], change)
    return found


def _taken_back(event: Event, since: int) -> list[tuple[int, Changed]]:
    """Return the tables where an undo changed the players: the seatings do not show it."""
    undos = Action.objects.filter(event=event, undoes__isnull=False, pk__gt=since)
    found: list[tuple[int, Changed]] = []
    for undo in undos.select_related("undoes__undoes"):
        chain = [row for row in (undo, undo.undoes, undo.undoes and undo.undoes.undoes) if row]
        ids = [row.pk for row in chain]
        revived = [pk for row in chain for pk in row.payload.get("revived", {}).get("Seating", [])]
        touched = Q(made_by__in=ids) | Q(voided_by__in=ids) | Q(pk__in=revived)
        tables = Seating.objects.filter(touched).values_list("table", flat=True)
        found += [(table, (undo.at, undo.pk)) for table in set(tables)]
    return found


# --- Texts of the bubble: tables meant, results of counts, obstacles


MOST_NAMED = 8


def tables_named(numbers: Sequence[int]) -> str:
    """Return table numbers as text; of very many only the first."""
    shown = ", ".join(map(str, numbers[:MOST_NAMED]))
    more = len(numbers) - MOST_NAMED
    if more > 0:
        text = ngettext(
            "Tische %(tables)s und noch einer", "Tische %(tables)s und %(count)s weitere", more
        )
        return text % {"tables": shown, "count": more}
    text = ngettext("Tisch %(tables)s", "Tische %(tables)s", len(numbers))
    return text % {"tables": shown}


def difference(heads: TableHeads) -> str:
    return _("Tisch %(table)s: %(counted)s gezählt, %(players)s eingetragen") % {
        "table": heads.number,
        "counted": heads.counted,
        "players": heads.players,
    }


def why_not_in_the_money(bubble: Bubble) -> str:
    """Return the obstacle to "in the money" as a sentence with tables; empty if none."""
    return _WHY[bubble.hindrance](bubble) if bubble.hindrance is not None else ""


def hand_still_runs(awaited: Sequence[int]) -> str:
    return _("Die Hand läuft noch. Es fehlt die Meldung: %(tables)s.") % {
        "tables": tables_named(awaited)
    }


def first_decide(names: Sequence[str]) -> str:
    return _("Erst klären, ob sie noch kaufen: %(names)s.") % {"names": ", ".join(names)}


def waits_for_break(event: Event, at: datetime) -> str:
    """Return that no hand is released during this break; empty without a break."""
    state = clock_state(event.clock, at)
    if not state.level.is_break or state.is_waiting:
        return ""
    return _("Jetzt ist Pause. Danach lässt sich die nächste Hand freigeben.")


_WHY: Mapping[Hindrance, Callable[[Bubble], str]] = {
    Hindrance.PAID_PLACES_UNKNOWN: lambda _bubble: _(
        "Es ist nicht eingestellt, wie viele Plätze bezahlt werden."
    ),
    Hindrance.TOO_MANY_LEFT: lambda bubble: (
        ngettext(
            "Bis zum Geld muss noch einer ausscheiden.",
            "Bis zum Geld müssen noch %(count)d ausscheiden.",
            bubble.to_money,
        )
        % {"count": bubble.to_money}
    ),
    Hindrance.ROUND_OPEN: lambda bubble: hand_still_runs(bubble.awaited),
    Hindrance.UNDECIDED: lambda bubble: first_decide(bubble.undecided),
    Hindrance.TABLES_DIFFER: lambda bubble: (
        _("Die Zählung weicht ab. %(tables)s.")
        % {"tables": "; ".join(map(difference, bubble.differing[:MOST_NAMED]))}
    ),
    Hindrance.TABLES_OPEN: lambda bubble: (
        _("Noch nicht nachgezählt: %(tables)s.") % {"tables": tables_named(bubble.open)}
    ),
    Hindrance.SOMEBODY_SITS_NOWHERE: lambda _bubble: _(
        "Jemand ist im Spiel und sitzt an keinem Tisch. Erst klären, wo."
    ),
}
