"""Due actions at cash tables, for the staff's and the director's pages. Reads only."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.cashgame.domain.ledger import Stage
from tournaments.cashgame.selectors.books import end_of, open_tables
from tournaments.cashgame.selectors.layout import TableShown, amount_at, tables_shown
from tournaments.cashgame.selectors.line import seats_in_tournament
from tournaments.models import CashCount, Event

END_NEAR = timedelta(minutes=30)
LEAVES_SOON = timedelta(minutes=10)
EMPTY_AFTER = timedelta(minutes=15)


class When(StrEnum):
    NOW = "now"
    SOON = "soon"
    LATER = "later"


@dataclass(frozen=True, slots=True, kw_only=True)
class CashDue:
    """One due action or notice; without a table it concerns all."""

    when: When
    title: str
    note: str = ""
    rule: str = ""
    table: int | None = None
    number: int | None = None


def cash_due(event: Event, tables: Sequence[TableShown], now: datetime) -> list[CashDue]:
    """Return the due actions at these tables, most urgent first. Two to four queries."""
    if event.is_over:
        return [*_left(tables), *_differences(tables)]
    items = [*_end(event, tables, now), *_differences(tables), *_awaited(event, tables)]
    for shown in tables:
        items += [*_moves(shown), *_seats(shown, now), *_lapsed(shown, now), *_empty(shown, now)]
    order = list(When)
    return sorted(items, key=lambda item: order.index(item.when))


def _of(shown: TableShown, when: When, title: str, note: str = "", rule: str = "") -> CashDue:
    number = shown.row.number
    return CashDue(when=when, title=title, note=note, rule=rule, table=shown.row.pk, number=number)


def _end(event: Event, tables: Sequence[TableShown], now: datetime) -> Iterator[CashDue]:
    ends_at = end_of(event)
    if not tables and event.is_cash_only:
        yield CashDue(when=When.SOON, title=_("Noch ist kein Cash-Tisch offen."))
    elif tables and all(shown.standing.stage is Stage.OVER for shown in tables):
        note = _("Jeder Tisch wird gezählt, dann werden alle ausgezahlt.")
        yield CashDue(when=When.NOW, title=_("Das Cash Game ist zu Ende"), note=note)
    elif ends_at is not None and now < ends_at <= now + END_NEAR:
        yield CashDue(
            when=When.SOON,
            title=_("Das Cash Game endet um %(at)s") % {"at": _time(ends_at)},
            note=_("Eine Hand, die dann läuft, wird zu Ende gespielt."),
        )


def _left(tables: Sequence[TableShown]) -> Iterator[CashDue]:
    for shown in tables:
        if shown.taken or shown.chips_cents:
            there = {"table": shown.row.number, "n": shown.taken,
                     "chips": amount_at(shown.row, shown.chips_cents)}  # fmt: skip
            title = ngettext(
                "An Cash-Tisch %(table)s liegen noch %(chips)s, einer sitzt",
                "An Cash-Tisch %(table)s liegen noch %(chips)s, %(n)d sitzen",
                shown.taken,
            )
            yield _of(shown, When.NOW, title % there, _("Auszahlen, zählen, Tisch abschließen."))


def cash_left(event: Event, now: datetime) -> list[CashDue]:
    """Return the tables with players or chips."""
    tables = open_tables(event) if event.has_cash_game else []
    return list(_left(tables_shown(event, tables, now)))


def _moves(shown: TableShown) -> Iterator[CashDue]:
    for one in shown.moves:
        yield _of(
            shown,
            When.NOW,
            _("%(name)s rückt von Cash-Tisch %(from)s an Cash-Tisch %(to)s nach")
            % {
                "name": one.registration.person.name,
                "from": one.table.number,
                "to": shown.row.number,
            },
            _("Alle Chips kommen mit."),
            _("Must-Move: Wer am Zubringertisch zuerst saß, rückt zuerst nach."),
        )


def _seats(shown: TableShown, now: datetime) -> Iterator[CashDue]:
    for seat in shown.seats:
        number = {"table": shown.row.number, "seat": seat.number, "name": seat.name}
        if seat.is_overdue and seat.away_until is not None:
            title = _(
                "Cash-Tisch %(table)s, Platz %(seat)s: %(name)s sollte um %(at)s wieder da sein"
            )
            yield _of(
                shown,
                When.NOW,
                title % {**number, "at": _time(seat.away_until)},
                _("Die Chips zählen und auszahlen: Der Platz wird weitergegeben."),
            )
        elif seat.leaves_at is not None and seat.leaves_at <= now + LEAVES_SOON:
            title = _("Cash-Tisch %(table)s, Platz %(seat)s: %(name)s geht um %(at)s")
            yield _of(shown, When.SOON, title % {**number, "at": _time(seat.leaves_at)})


def _awaited(event: Event, tables: Sequence[TableShown]) -> Iterator[CashDue]:
    seated = {one.row.registration_id: (shown, one)
              for shown in tables for one in shown.seats if one.row is not None}  # fmt: skip
    for guest, there in seats_in_tournament(event, seated).items() if seated else ():
        shown, seat = seated[guest]
        title = _("%(name)s spielt noch an Cash-Tisch %(table)s, das Turnier hat begonnen")
        note = _("Chips zählen und auszahlen; Platz im Turnier: Tisch %(table)s, Platz %(seat)s.")
        own = {"table": there.table.number, "seat": there.seat}
        number = {"name": seat.name, "table": shown.row.number}
        yield _of(shown, When.NOW, title % number, note % own)


def _lapsed(shown: TableShown, now: datetime) -> Iterator[CashDue]:
    for one in shown.line:
        until = one.waiter.until
        if until is not None and until <= now:
            title = _("%(name)s hat das Angebot für Cash-Tisch %(table)s verstreichen lassen")
            yield _of(
                shown,
                When.LATER,
                title % {"name": one.name, "table": shown.row.number},
                _("Streichen, oder den Platz noch einmal anbieten."),
            )


def _empty(shown: TableShown, now: datetime) -> Iterator[CashDue]:
    if shown.taken or shown.row.opened_at > now - EMPTY_AFTER:
        return
    number = {"table": shown.row.number, "there": amount_at(shown.row, shown.chips_cents)}
    when, note = When.LATER, _("Er lässt sich abschließen.")
    if shown.chips_cents:
        when, note = When.SOON, _("Nach den Büchern liegen dort noch %(there)s: zählen.") % number
    yield _of(shown, when, _("An Cash-Tisch %(table)s sitzt niemand") % number, note)


def _differences(tables: Sequence[TableShown]) -> Iterator[CashDue]:
    rows = CashCount.objects.live().filter(table__in=[shown.row.pk for shown in tables])
    counts = {row.table_id: row for row in rows.select_related("made_by").order_by("pk")}
    for shown in tables:
        count = counts.get(shown.row.pk)
        cents = count.made_by.payload.get("difference_cents", 0) if count is not None else 0
        if cents:
            title = (
                _("An Cash-Tisch %(table)s fehlten beim Zählen %(cents)s")
                if cents < 0
                else _("An Cash-Tisch %(table)s waren beim Zählen %(cents)s zu viel")
            )
            numbers = {"table": shown.row.number, "cents": amount_at(shown.row, abs(cents))}
            yield _of(shown, When.LATER, title % numbers, _("Es ist als Differenz gebucht."))


def _time(at: datetime) -> str:
    return time_format(localtime(at), "H:i")
