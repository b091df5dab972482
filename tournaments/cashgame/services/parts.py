"""Shared by the services of the cash game: look up tables and people, book movements."""

from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.cashgame.domain.ledger import Step, sides_of_step
from tournaments.cashgame.selectors.books import (
    chips_on_table,
    fees_open,
    hands_running,
    tables_closed,
)
from tournaments.cashgame.selectors.layout import amount_at
from tournaments.cashgame.selectors.line import seats_in_tournament, tables_alike
from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.labels import unit_name
from tournaments.models import CashOffer, CashSeat, CashTable, CashWaiting, Registration
from tournaments.money.domain.accounts import Means
from tournaments.money.services.fees import book, refuse_means_not_taken

POINT = 100


def refuse_without_cash_game(change: Change) -> None:
    """Refuse if the event has no cash game."""
    if not change.event.has_cash_game:
        raise Refused(
            _("An diesem Abend gibt es kein Cash Game. Das steht in den Einstellungen."),
            code="no_cash_game",
        )


def live_cash_table(change: Change, table: CashTable, *, even_closed: bool = False) -> CashTable:
    """Return an open cash table of this event, or refuse."""
    row = CashTable.objects.live().filter(event=change.event, pk=table.pk).first()
    if row is None:
        raise Refused(_("Diesen Tisch gibt es nicht mehr."), code="gone")
    if not even_closed and tables_closed([row.pk]):
        raise Refused(
            _("Tisch %(table)s ist abgeschlossen.") % {"table": row.number}, code="closed"
        )
    row.event = change.event
    return row


def live_guest(change: Change, registration: Registration) -> Registration:
    """Return a registration of this event."""
    rows = Registration.objects.live().select_related("person").filter(event=change.event)
    row = rows.filter(pk=registration.pk).first()
    if row is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    return row


def seat_held(registration: Registration) -> CashSeat | None:
    rows = CashSeat.objects.live().filter(registration=registration)
    return rows.select_related("table").first()


def live_seat(change: Change, registration: Registration) -> CashSeat:
    """Return a player's cash seat, even after a withdrawn registration, or refuse."""
    rows = Registration.objects.select_related("person").filter(event=change.event)
    guest = rows.filter(pk=registration.pk).first()
    if guest is None:
        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")
    found = seat_held(guest)
    if found is None:
        raise Refused(
            _("%(name)s sitzt an keinem Cash-Tisch.") % {"name": guest.person.name},
            code="not_seated",
        )
    found.registration = guest
    found.table.event = change.event
    return found


def refuse_hand(table: CashTable) -> None:
    """Refuse an action between hands while a hand runs."""
    if hands_running([table.pk]):
        raise Refused(
            _("An Tisch %(table)s läuft eine Hand. Sie wird erst zu Ende gespielt.")
            % {"table": table.number},
            code="during_hand",
        )


def largest_stack_named(table: CashTable, largest_cents: int | None) -> int | None:
    """Return the largest stack as told, no more than lies there; not needed without chips."""
    there = chips_on_table(table)
    if there <= 0 and largest_cents is None:
        return 0
    if largest_cents is not None and largest_cents > max(0, there):
        raise Refused(
            _("An Tisch %(table)s liegen nur %(there)s.")
            % {"table": table.number, "there": amount_at(table, max(0, there))},
            code="more_than_there_is",
        )
    return largest_cents


def book_step(
    change: Change,
    table: CashTable,
    step: Step,
    cents: int,
    registration: Registration | None = None,
    *,
    means: Means = Means.CASH,
) -> None:
    """Book a movement of chips or money at a table, unless it is zero."""
    if not cents:
        return
    refuse_parts_of_a_point(table, cents)
    refuse_means_not_taken(change.club, means)
    sides = sides_of_step(step, cents, is_noted=table.is_noted and registration is not None)
    book(change, sides, registration=registration, cash_table=table, means=means)


def take_time_fee(change: Change, own_seat: CashSeat, means: Means) -> int:
    """Take the time fee a player owes until now; return it."""
    due = fees_open([own_seat], change.at).get(own_seat.pk, 0)
    row = live_cash_table(change, own_seat.table)
    book_step(change, row, Step.TIME_FEE, due, own_seat.registration, means=means)
    return due


def numbers_of(table: CashTable) -> dict[str, Any]:
    """Return a table's data for the log; also the unit, if it is not money."""
    event = table.event
    unit = {} if event.is_cash_for_money else {"unit": event.cash_unit}
    return {"cash_table": table.pk, "table": table.number, **unit}


def refuse_parts_of_a_point(table: CashTable, *amounts: int) -> None:
    """Refuse a fraction of a point or match."""
    if not table.event.is_cash_for_money and any(cents % POINT for cents in amounts):
        raise Refused(_("Gespielt wird um ganze %(unit)s.")
                      % {"unit": unit_name(table.event.cash_unit)}, code="bad_amount")  # fmt: skip


def drop_waits(
    change: Change, guest: Registration, table: CashTable, *, of_stakes: bool = True
) -> None:
    """Take a player off a table's waiting list, and void the offer there.

    :param of_stakes: Whether to end the wait for any table of the same stakes too.
    """
    rows = CashWaiting.objects.live().filter(registration=guest)
    alike = tables_alike(table) if of_stakes and rows.filter(is_for_stakes=True).exists() else []
    rows = rows.filter(Q(table=table) | Q(table__in=alike, is_for_stakes=True))
    CashOffer.objects.live().filter(waiting__in=rows).update(voided_by=change.action)
    rows.update(voided_by=change.action)


def say_who(change: Change, registration: Registration, table: CashTable, **numbers: Any) -> None:
    """Record player and table in the log entry."""
    change.record(registration=registration.pk, **numbers_of(table), **numbers)
    change.tell(name=registration.person.name)


def refuse_in_tournament(change: Change, guest: Registration) -> None:
    """Refuse a player with a seat in the running tournament of the same evening."""
    there = seats_in_tournament(change.event, [guest.pk]).get(guest.pk)
    if there is not None:
        raise Refused(
            _("%(name)s spielt noch im Turnier: Tisch %(table)s, Platz %(seat)s.")
            % {"name": guest.person.name, "table": there.table.number, "seat": there.seat},
            code="in_tournament",
        )
