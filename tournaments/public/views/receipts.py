"""A player's own receipts: the list on the player's page, and each for printing."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.personal import own_registration, private
from tournaments.money.selectors.receipts import receipts_of
from tournaments.money.views.receipts import paper_of


@open_to_all()
@private
def player_receipt(request: HttpRequest, token: str, receipt: int) -> HttpResponse:
    """Show one of the player's receipts."""
    row = own_registration(token)
    found = get_object_or_404(receipts_of(row.event), registration=row, pk=receipt)
    context = {"event": row.event, **paper_of(request, found), "is_own": True}
    return render(
        request, "cash/receipt.html", context | {"back_url": reverse("player", args=[token])}
    )
