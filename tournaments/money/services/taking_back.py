"""Undo of money: cancellation receipts, and refusals to protect drawers."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import BigIntegerField, Q, Value
from django.utils.translation import gettext as _

from tournaments.changes.audit import Change
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.labels import money
from tournaments.models import Action, Drawer, Posting, Purchase
from tournaments.money.domain.accounts import NOT_PAID, Account
from tournaments.money.selectors.drawers import drawer_balance, drawers_closed
from tournaments.money.selectors.journal import payments
from tournaments.money.services.receipts import receipts_counter

NOTHING = Value(None, output_field=BigIntegerField(null=True))


def money_taken_back(change: Change, action: Action) -> set[int]:
    """Cancel the receipts of an undone action, and refuse an impossible undo.

    Called after the facts are void (or live again). Returns the registrations with a payment or
    purchase in the action: their payments may cover other prices now.

    :raises Refused: A drawer is closed by now or would go below zero, or a player would have more
    refunded than paid.
    """
    touched = [action.pk, *([action.undoes_id] if action.undoes_id else [])]
    concerned = Q(made_by__in=touched) | Q(voided_by=change.action)
    postings = Posting.objects.filter(concerned).values_list("account", "drawer", "registration")
    bought = Purchase.objects.filter(concerned).annotate(account=Value(""), drawer=NOTHING)
    found = list(postings.union(bought.values_list("account", "drawer", "registration")))
    if any(account == Account.CASH for account, _drawer, _registration in found):
        _cash_taken_back(change, action, found)
    own = ((account, registration) for account, _drawer, registration in found if registration)
    return {registration for account, registration in own if account not in NOT_PAID}


def _cash_taken_back(
    change: Change, action: Action, found: Sequence[tuple[str, int | None, int | None]]
) -> None:
    drawers = {drawer for _account, drawer, _registration in found if drawer is not None}
    for closing in drawers_closed(drawers).values():
        raise Refused(
            _("Kassa %(number)s ist abgeschlossen. Erst den Abschluss zurücknehmen.")
            % {"number": closing.drawer.number},
            code="drawer_closed",
        )
    for drawer in Drawer.objects.filter(pk__in=drawers, voided_by=None).order_by("pk"):
        there = drawer_balance(drawer)
        if there < 0:
            raise Refused(
                _("In Kassa %(number)s fehlten dann %(cents)s.")
                % {"number": drawer.number, "cents": money(-there)},
                code="too_little_cash",
            )
    people = {
        registration
        for account, _drawer, registration in found
        if account == Account.CASH and registration is not None
    }
    if any(cents < 0 for cents in payments(change.event, people).values()):
        raise Refused(
            _("Das Geld ist schon zurückgegeben. Erst die Rückgabe zurücknehmen."),
            code="already_refunded",
        )
    receipts_counter(change, action)
