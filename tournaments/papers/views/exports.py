"""All data of an event as spreadsheet files, written row by row; no cell is a formula."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, actor_of, allows
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.views.context import page_context
from tournaments.models import Elimination, Event
from tournaments.money.selectors.journal import ACCOUNTS
from tournaments.papers.selectors import exports
from tournaments.papers.selectors.papers import RECEIPTS, receipt_rows
from tournaments.papers.views.papers import SENDS

HEADINGS: dict[str, Any] = {
    "name": gettext_lazy("Name"),
    "email": gettext_lazy("E-Mail"),
    "phone": gettext_lazy("Telefon"),
    "member": gettext_lazy("Mitglied"),
    "remark": gettext_lazy("Bemerkung"),
    "state": gettext_lazy("Stand"),
    "registered_at": gettext_lazy("Angemeldet um"),
    "expected_at": gettext_lazy("Kommt um"),
    "listed": gettext_lazy("Name öffentlich"),
    "says_member": gettext_lazy("Nennt sich Mitglied"),
    "agrees": gettext_lazy("Regeln zugestimmt"),
    "reserved": gettext_lazy("Zurückgehaltener Platz"),
    "paid": gettext_lazy("Startgeld bezahlt"),
    "entry": gettext_lazy("Einstieg"),
    "table": gettext_lazy("Tisch"),
    "seat": pgettext_lazy("seat", "Platz"),
    "entered_at": gettext_lazy("Eingecheckt"),
    "place": gettext_lazy("Rang"),
    "is_provisional": gettext_lazy("Vorläufig"),
    "is_overruled": gettext_lazy("Festgelegt"),
    "way": gettext_lazy("Wie"),
    "stack": gettext_lazy("Gezählte Chips"),
    "out_at": gettext_lazy("Ausgeschieden"),
    "prize": gettext_lazy("Preis"),
    "in_kind": gettext_lazy("Sachpreis"),
    "paid_out": gettext_lazy("Ausgezahlt"),
    "position": gettext_lazy("Nummer"),
    "since": gettext_lazy("Wartet seit"),
    "offered_until": gettext_lazy("Angebot gilt bis"),
    "number": gettext_lazy("Nummer im Protokoll"),
    "at": gettext_lazy("Zeit"),
    "account": gettext_lazy("Konto"),
    "amount": gettext_lazy("Betrag"),
    "unit": gettext_lazy("Einheit"),
    "taken_back": gettext_lazy("Zurückgenommen"),
    "part": gettext_lazy("Teil"),
    "drawer": gettext_lazy("Kasse"),
    "means": gettext_lazy("Zahlungsart"),
    "receipt": gettext_lazy("Beleg"),
    "payer": gettext_lazy("Bezahlt von"),
    "payout": gettext_lazy("Auszahlung"),
    "counters": gettext_lazy("Nimmt zurück"),
}
WORDS: dict[str, dict[str, Any]] = {
    "state": {
        "withdrawn": gettext_lazy("abgemeldet"),
        "cash": gettext_lazy("nur Cash"),
        "waiting": gettext_lazy("Warteliste"),
        "registered": gettext_lazy("angemeldet"),
        "in": gettext_lazy("eingecheckt"),
        "out": gettext_lazy("ausgeschieden"),
    },
    "way": {
        "": "",
        Elimination.Way.BUST: gettext_lazy("keine Chips mehr"),
        Elimination.Way.DISQUALIFIED: gettext_lazy("disqualifiziert"),
        Elimination.Way.SURRENDERED: gettext_lazy("aufgegeben"),
        Elimination.Way.SEAT: gettext_lazy("Platz gewonnen"),
    },
    "account": {str(account): name for account, name in ACCOUNTS.items()},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    title: Any
    note: Any
    file: str
    columns: tuple[str, ...]
    rows: Callable[[Event], Iterator[dict[str, Any]]]
    is_shown: Callable[[Event], bool] = lambda _event: True


TABLES: dict[str, Table] = {
    "registrations": Table(
        title=gettext_lazy("Anmeldungen"),
        note=gettext_lazy("Alle Personen mit Kontakt, Stand, Tisch und Platz"),
        file="anmeldungen",
        columns=exports.REGISTRATIONS,
        rows=exports.registration_rows,
    ),
    "entries": Table(
        title=gettext_lazy("Einstiege"),
        note=gettext_lazy("Jeder Stack: wann eingecheckt, wo zuletzt, wann und wie ausgeschieden"),
        file="einstiege",
        columns=exports.ENTRIES,
        rows=exports.entry_rows,
    ),
    "results": Table(
        title=gettext_lazy("Ergebnis"),
        note=gettext_lazy("Alle Ränge mit vollem Namen; öffentlich stehen manche mit Initialen"),
        file="ergebnis",
        columns=exports.RESULTS,
        rows=exports.result_rows,
    ),
    "sites": Table(
        title=gettext_lazy("Für Ergebnisseiten"),
        note=gettext_lazy("In deren Spalten, mit den öffentlichen Namen; Stadt und Land ergänzen"),
        file="ergebnisseite",
        columns=exports.SITES,
        rows=exports.site_rows,
        is_shown=lambda event: not event.is_clock_only,
    ),
    "prizes": Table(
        title=gettext_lazy("Preise"),
        note=gettext_lazy("Wer was bekommt, und was davon schon übergeben ist"),
        file="preise",
        columns=exports.PRIZES,
        rows=exports.prize_rows,
        is_shown=lambda event: bool(event.prizes),
    ),
    "waiting": Table(
        title=gettext_lazy("Warteliste"),
        note=gettext_lazy("In der Reihenfolge, in der nachgerückt wird"),
        file="warteliste",
        columns=exports.WAITING,
        rows=exports.waiting_rows,
    ),
    "fees": Table(
        title=gettext_lazy("Buchungen"),
        note=gettext_lazy("Jede Buchung nach Konto, Kasse und Zahlungsart, auch zurückgenommene"),
        file="startgelder",
        columns=exports.FEES,
        is_shown=lambda event: event_has_money(event) or event.has_cash_game,
        rows=exports.fee_rows,
    ),
    "receipts": Table(
        title=gettext_lazy("Belege"),
        note=gettext_lazy("Jede Zahlung mit ihrer Nummer, auch Gegenbelege"),
        file="belege",
        columns=RECEIPTS,
        is_shown=event_has_money,
        rows=receipt_rows,
    ),
    "seats": Table(
        title=gettext_lazy("Sitzplan"),
        note=gettext_lazy("Wer jetzt wo sitzt"),
        file="sitzplan",
        columns=exports.SEATS,
        rows=exports.seat_rows,
    ),
}


@staff(Permission.CHECK_IN, people=False)
def export(request: StaffRequest) -> HttpResponse:
    club_actor = actor_of(request.device, None)
    context = page_context(request, request.event, request.actor) | {
        "files": [
            {"table": table, "csv": f"export-{name}-csv", "xlsx": f"export-{name}-xlsx"}
            for name, table in TABLES.items()
            if table.is_shown(request.event)
        ],
        "leads_club": allows(club_actor, Permission.MANAGE),
    }
    return render(request, "desk/export.html", context)


@never_cache
@staff(Permission.CHECK_IN, people=False)
def export_file(request: StaffRequest, table: str, ending: str) -> HttpResponse:
    """Send a table as CSV, while it is written, or as a workbook."""
    event, wanted = request.event, TABLES[table]
    if not wanted.is_shown(event):
        raise Http404(_("Diese Datei gibt es an diesem Abend nicht."))
    return SENDS[ending](table_rows(event, wanted), f"{event.slug}-{wanted.file}")


def table_rows(event: Event, table: Table) -> Iterator[list[object]]:
    columns = [column for column in table.columns if column != "paid" or event_has_money(event)]
    yield [str(HEADINGS.get(column, column)) for column in columns]
    for row in table.rows(event):
        yield [_in_words(column, row[column]) for column in columns]


def _in_words(column: str, value: Any) -> object:
    if isinstance(value, bool):
        return _("ja") if value else _("nein")
    if isinstance(value, datetime):  # in the hall's time
        return f"{localtime(value):%Y-%m-%d %H:%M}"
    if column in WORDS:
        return str(WORDS[column][value])
    return value
