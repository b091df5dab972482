"""Undo at cash tables: books never go below zero and do not change once closed."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _

from tournaments.cashgame.selectors.books import chips_on, tables_closed
from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.labels import amount
from tournaments.models import Action, CashSeat, CashTable, Posting
from tournaments.money.domain.accounts import Account


def tables_taken_back(change: Change, action: Action) -> None:
    """Refuse an undo the books do not allow. Called after the facts are void or live.

    :raises Refused: A table is closed, would go below zero, or a player without a seat would have
    bought chips.
    """
    if not change.event.has_cash_game:
        return
    touched = [action.pk, *([action.undoes_id] if action.undoes_id else [])]
    rows = Posting.objects.filter(Q(made_by__in=touched) | Q(voided_by=change.action))
    found = set(rows.filter(cash_table__isnull=False).values_list("cash_table", flat=True))
    seats = CashSeat.objects.filter(Q(made_by__in=touched) | Q(voided_by=change.action))
    own_seats = list(seats.values_list("table", "registration"))
    tables = CashTable.objects.in_bulk(found | {table for table, _registration in own_seats})
    for pk in sorted(tables_closed(tables)):
        raise Refused(
            _("Tisch %(table)s ist abgeschlossen. Erst den Abschluss zurücknehmen.")
            % {"table": tables[pk].number},
            code="table_closed",
        )
    for pk, there in sorted(chips_on(found).items()):
        if there < 0:
            raise Refused(
                _("An Tisch %(table)s fehlten dann %(cents)s.")
                % {"table": tables[pk].number, "cents": amount(-there, change.event.cash_unit)},
                code="too_few_chips",
            )
    _refuse_chips_of_nobody(own_seats)


def _refuse_chips_of_nobody(own_seats: list[tuple[int, int]]) -> None:
    """Refuse if a player without a seat has bought since the last cash-out."""
    for table, registration in own_seats:
        if CashSeat.objects.live().filter(registration=registration).exists():
            continue
        own = Posting.objects.live().filter(registration=registration, account=Account.CHIPS)
        last = own.order_by("-pk").values_list("amount_cents", flat=True).first()
        if last is not None and last < 0:
            number = CashTable.objects.get(pk=table).number
            raise Refused(
                _("Seither wurden an Tisch %(table)s Chips gekauft. Erst das zurücknehmen.")
                % {"table": number},
                code="bought_since",
            )
