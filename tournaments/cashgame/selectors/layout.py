"""Data of the cash game's pages: overview, table, seat. Reads only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.db.models import Q, Sum
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.cashgame.domain.ledger import Bearer, Stage
from tournaments.cashgame.domain.stakes import (
    FeeWay,
    No,
    Way,
    buying_range,
    expected_at,
    seats_free,
)
from tournaments.cashgame.selectors.books import (
    Bought,
    Standing,
    bought_by,
    chips_on,
    fees_open,
    stages_of,
)
from tournaments.cashgame.selectors.line import (
    InLine,
    lines_of,
    mains_of,
    moves_due,
    seats_given_up,
)
from tournaments.changes.domain.errors import Refused
from tournaments.event.domain.games import KNOWN_GAMES, MIXES, Mix, deals_stud, game_named
from tournaments.event.selectors.labels import LIMITS, amount, amount_words
from tournaments.models import CashAway, CashClosing, CashLeave, CashSeat, CashTable, Event, Posting
from tournaments.money.domain.accounts import Account

# --- Texts of the cash game's pages and refusals


FEES = {
    FeeWay.NONE: gettext_lazy("keine"),
    FeeWay.TIME: gettext_lazy("nach Zeit"),
    FeeWay.POT: gettext_lazy("aus dem Pot"),
    FeeWay.DROP: gettext_lazy("aus dem Pot, eingetragen beim Leeren der Box"),
    FeeWay.HAND: gettext_lazy("je Hand"),
}
BEARERS = {
    Bearer.HOUSE: gettext_lazy("das Haus"),
    Bearer.ALL: gettext_lazy("alle, die dort gespielt haben"),
    Bearer.WINNERS: gettext_lazy("wer gewonnen hat"),
    Bearer.ONE: gettext_lazy("eine Person"),
}
# Names of games are the same in both languages.
CASH_GAMES = {game.key: game.name for game in KNOWN_GAMES}
CASH_MIXES = {
    "": gettext_lazy("immer dasselbe"),
    Mix.HORSE: "HORSE",
    Mix.EIGHT_GAME: "Eight-Game",
    Mix.DEALERS_CHOICE: "Dealer’s Choice",
}
STAGES = {
    Stage.PLAYS: gettext_lazy("es wird gespielt"),
    Stage.LAST_HANDS: gettext_lazy("letzte Hände"),
    Stage.LAST_HAND: gettext_lazy("letzte Hand"),
    Stage.FINISHES: gettext_lazy("die Hand wird zu Ende gespielt"),
    Stage.OVER: gettext_lazy("zu Ende"),
}


def amount_at(table: CashTable, cents: int) -> str:
    """Return an amount in the table's unit."""
    return amount(cents, table.event.cash_unit)


def stakes_words(table: CashTable) -> str:
    """Return a table's blinds for display: "1 € / 2 €"; in stud its bets and bring-in."""
    is_stud = deals_stud(table.game)
    first = table.big_blind_cents if is_stud else table.small_blind_cents
    second = (table.big_bet_cents or 2 * first) if is_stud else table.big_blind_cents
    words = [f"{amount_at(table, first)} / {amount_at(table, second)}"]
    if table.ante_cents:
        words.append(_("Ante %(ante)s") % {"ante": amount_at(table, table.ante_cents)})
    if is_stud:
        bring_in = amount_at(table, table.small_blind_cents)
        words.append(_("Bring-in %(bring_in)s") % {"bring_in": bring_in})
    elif table.straddle_cents:
        words.append(_("Straddle %(cents)s") % {"cents": amount_at(table, table.straddle_cents)})
    return ", ".join(words)


def game_words(table: CashTable) -> str:
    """Return a table's game for display: "No Limit Texas Hold’em", with its rotation."""
    told = f"{LIMITS[table.limit]} {CASH_GAMES[table.game]}"
    return f"{CASH_MIXES[table.mix]}: {told}" if table.mix else told


def next_in_mix(table: CashTable) -> tuple[str, str] | None:
    """Return the next game and limit of a table's rotation; None if it turns by no order."""
    if table.mix not in (Mix.HORSE, Mix.EIGHT_GAME):
        return None
    games = [(game_named(name), limit.value) for name, limit in MIXES[Mix(table.mix)]]
    turns = [(game.key, limit) for game, limit in games if game is not None]
    own = (table.game, table.limit)
    return turns[(turns.index(own) + 1) % len(turns)] if own in turns else turns[0]


def noted_stakes(payload: Mapping[str, Any]) -> str:
    """Return the blinds in a log entry, or an empty text."""
    names = [name for name in ("small_cents", "big_cents") if name in payload]
    return " / ".join(amount_words(payload, name) for name in names)


def time_in_words(payload: Mapping[str, Any], name: str) -> str:
    """Return the time of day of an instant in a log entry."""
    return time_format(localtime(datetime.fromtimestamp(payload[name], UTC)), "H:i")


def range_words(table: CashTable) -> str:
    """Return the buy-in range of a table."""
    stakes = table.stakes
    least = amount_at(table, stakes.minimum.cents(table.big_blind_cents))
    most = amount_at(table, buying_range(stakes).most)
    told = _("%(least)s bis %(most)s") % {"least": least, "most": most}
    if stakes.maximum.way is Way.LARGEST_STACK:
        return _("%(range)s, oder der größte Stapel, wenn er mehr ist") % {"range": told}
    return told


def fee_words(table: CashTable) -> str:
    """Return the house fee of a table."""
    numbers = {
        "cents": amount_at(table, table.fee_cents),
        "minutes": table.fee_minutes,
        "percent": table.fee_percent,
        "most": amount_at(table, table.fee_most_cents),
    }
    if table.fee_way == FeeWay.TIME:
        return _("%(cents)s je %(minutes)d Minuten") % numbers
    if table.fee_way == FeeWay.HAND:
        return _("%(cents)s je Hand") % numbers
    if table.fee_way == FeeWay.DROP:
        return _("Hausgebühr aus dem Pot")
    if table.fee_way == FeeWay.POT:
        if table.fee_most_cents:
            return _("%(percent)d %% vom Pot, höchstens %(most)s") % numbers
        return _("%(percent)d %% vom Pot") % numbers
    return ""


def refusal_of(no: No, table: CashTable, **cents: int) -> Refused:
    """Return why chips cannot be bought or taken away, as a sentence with these amounts."""
    sentences = {
        No.NO_AMOUNT: _("Dieser Betrag kann nicht stimmen."),
        No.CHIPS_STAY: _("Chips bleiben am Tisch, bis ihr Besitzer geht."),
        No.LARGEST_UNKNOWN: _(
            "Mehr als %(most)s nur, wenn ein Stapel am Tisch größer ist. Bitte dazusagen, wie groß."
        ),
        No.BELOW_MINIMUM: _("Nach dem Kauf müssen es mindestens %(least)s sein."),
        No.BELOW_TAKEN_AWAY: _("Mitgenommen wurden %(taken)s. So viel kommt wieder auf den Tisch."),
        No.ABOVE_MAXIMUM: _("Nach dem Kauf dürfen es höchstens %(most)s sein."),
        No.MORE_THAN_THERE_IS: _(
            "An Tisch %(table)s liegen nur %(there)s. Ist es mehr: erst „Chips zählen“."
        ),
        No.FEE_OPEN: _("Noch offen ist die Hausgebühr: %(fee)s."),
        No.DURING_HAND: _("An Tisch %(table)s läuft eine Hand. Ausgezahlt wird danach.")
        if "there" in cents
        else _("An Tisch %(table)s läuft eine Hand. Chips gibt es danach."),
    }
    numbers = {name: amount_at(table, max(0, own)) for name, own in cents.items()}
    return Refused(sentences[no] % {"table": table.number, **numbers}, code=no.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatShown:
    """A seat of a cash table with its player."""

    number: int
    row: CashSeat | None = None
    bought: Bought | None = None
    fee_cents: int = 0
    leaves_at: datetime | None = None
    away_until: datetime | None = None
    is_overdue: bool = False

    @property
    def name(self) -> str:
        return str(self.row.registration.person.name) if self.row else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TableShown:
    """A cash table as it is now.

    :param free: Seats free and not kept for a player.
    :param feeds: The main table's number, if this is an open feeder.
    """

    row: CashTable
    seats: tuple[SeatShown, ...]
    line: tuple[InLine, ...]
    chips_cents: int
    free: int
    standing: Standing
    moves: tuple[CashSeat, ...]
    feeds: int | None
    game: str
    stakes: str
    range: str
    fee: str

    @property
    def taken(self) -> int:
        return sum(1 for seat in self.seats if seat.row)

    @property
    def next_game(self) -> str:
        """Return the next game of the rotation; empty without one."""
        found = next_in_mix(self.row)
        return CASH_GAMES[found[0]] if found else ""

    @property
    def takes_drop(self) -> bool:
        """Tell whether a fee from the pots may be typed in."""
        return self.row.fee_way in {FeeWay.POT, FeeWay.DROP}

    @property
    def can_deal(self) -> bool:
        """Tell whether two players sit here."""
        return self.taken > 1

    @property
    def stage(self) -> str:
        if self.standing.stage is Stage.PLAYS and not self.can_deal:
            return _("wartet auf Spieler")
        return str(STAGES[self.standing.stage])

    @property
    def asks_largest(self) -> bool:
        """Tell whether selling chips requires the largest stack; not at an empty table."""
        return self.row.maximum_way == Way.LARGEST_STACK and self.chips_cents > 0

    @property
    def waits(self) -> bool:
        """Tell whether a waiting player has no offer yet."""
        return self.free > 0 and any(one.until is None for one in self.line)


def tables_shown(event: Event, tables: Iterable[CashTable], now: datetime) -> list[TableShown]:
    """Return cash tables as they are now, in a fixed number of queries."""
    rows = list(tables)
    ids = [row.pk for row in rows]
    found = CashSeat.objects.live().filter(table__in=ids)
    seats = list(found.select_related("registration__person", "table"))
    shown = _seats_shown(event, seats, now)
    chips, lines, standing = chips_on(ids), lines_of(ids, now), stages_of(event, rows, now)
    due, mains = moves_due(rows, now), mains_of(rows)
    given_up = seats_given_up(ids if lines else [])
    found_tables: list[TableShown] = []
    for row in rows:
        own = tuple(shown.get((row.pk, n), SeatShown(number=n)) for n in range(1, row.seats + 1))
        row.event = event
        moves = tuple(due.get(row.pk, ()))
        empty = sum(1 for seat in own if seat.row is None) - len(moves)
        line = _with_times(row, lines.get(row.pk, []), own, given_up[row.pk], now)
        found_tables.append(
            TableShown(
                row=row,
                seats=own,
                line=line,
                chips_cents=chips.get(row.pk, 0),
                free=seats_free(empty, [one.waiter for one in line], now),
                standing=standing[row.pk],
                moves=moves,
                feeds=mains.get(row.pk),
                game=game_words(row),
                stakes=stakes_words(row),
                range=range_words(row),
                fee=fee_words(row),
            )
        )
    return found_tables


def _with_times(
    table: CashTable, line: list[InLine], seats: Iterable[SeatShown], given_up: int, now: datetime
) -> tuple[InLine, ...]:
    leaves = [seat.leaves_at for seat in seats if seat.leaves_at]
    mean = (now - table.opened_at) / given_up if given_up else None
    if any(seat.row is None for seat in seats):
        return tuple(line)
    return tuple(
        replace(one, expected_at=expected_at(one.place, now, leaves=leaves, mean=mean))
        for one in line
    )


def _seats_shown(
    event: Event, seats: list[CashSeat], now: datetime
) -> dict[tuple[int, int], SeatShown]:
    bought = bought_by(event, [seat.registration_id for seat in seats])
    fees = fees_open(seats, now)
    leaves = CashLeave.objects.live().filter(seat__in=seats)
    aways = CashAway.objects.live().filter(seat__in=seats)
    leaves_at = dict(leaves.values_list("seat", "leaves_at"))
    until = dict(aways.values_list("seat", "until"))
    return {
        (seat.table_id, seat.seat): SeatShown(
            number=seat.seat,
            row=seat,
            bought=bought.get(seat.registration_id),
            fee_cents=fees.get(seat.pk, 0),
            leaves_at=leaves_at.get(seat.pk),
            away_until=until.get(seat.pk),
            is_overdue=seat.pk in until and until[seat.pk] <= now,
        )
        for seat in seats
    }


def closed_tables(event: Event) -> list[dict[str, Any]]:
    """Return number, stakes and sums of the closed cash tables of an event, by number.

    Amounts are of the journal: `carried_cents` are chips from other tables, less those taken to
    them; `difference_cents` is a counted surplus, below zero a shortage. Two queries.
    """
    closed = CashClosing.objects.live().filter(table__event=event).values("table")
    tables = list(CashTable.objects.live().filter(pk__in=closed).order_by("number"))
    chips = Q(account=Account.CHIPS, registration__isnull=False)
    sums: dict[str, Any] = {
        "bought_cents": -Sum("amount_cents", filter=chips & Q(amount_cents__lt=0), default=0),
        "cashed_cents": Sum("amount_cents", filter=chips & Q(amount_cents__gt=0), default=0),
        "fee_cents": -Sum("amount_cents", filter=Q(account=Account.RAKE), default=0),
        "tips_cents": -Sum("amount_cents", filter=Q(account=Account.TIPS), default=0),
        "carried_cents": Sum("amount_cents", filter=Q(account=Account.CARRIED), default=0),
        "difference_cents": Sum("amount_cents", filter=Q(account=Account.MISSING), default=0),
    }
    rows = Posting.objects.live().filter(cash_table__in=tables).values("cash_table")
    found = {row["cash_table"]: row for row in rows.annotate(**sums).order_by()} if tables else {}
    for table in tables:
        table.event = event
    return [
        dict.fromkeys(sums, 0)
        | found.get(table.pk, {})
        | {"number": table.number, "stakes": stakes_words(table)}
        for table in tables
    ]
