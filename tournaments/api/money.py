"""Re-buys, add-ons, new entries, payments, and the takers of a lost stack."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from ninja import Path, Router

from tournaments.api.log import done
from tournaments.api.requests import ERRORS, ApiRequest, Id, Key, Token, command_of
from tournaments.api.schemas import DoneOut, PaymentIn, PurchaseIn, RebuyIn, TakersIn
from tournaments.changes.access import Permission
from tournaments.models import Elimination, Entry, LostStack, Registration
from tournaments.money.domain.accounts import Means
from tournaments.money.services.fees import fee_pay
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.rebuys.services.purchases import addon_buy, entry_reenter, rebuy_buy

router = Router(tags=["Money"])
DONE = {200: DoneOut, **ERRORS}
SALE = Token(Permission.TAKE_MONEY, people=True)
OUTS = Token(Permission.ELIMINATE, people=True)
_ENTRY = "/events/{slug:slug}/entries/{num:entry}"


@router.post(_ENTRY + "/re-buy", auth=SALE, response=DONE)
def rebuy(
    request: ApiRequest, slug: str, entry: Path[Id], key: Key, sale: RebuyIn
) -> dict[str, Any]:
    """Sell re-buys: chips for the stack, and the held seat stays the player's."""
    row = _entry(request, entry)
    return done(rebuy_buy(command_of(request, key), entry=row, **sale.dict()))


@router.post(_ENTRY + "/no-re-buy", auth=OUTS, response=DONE)
def decline(request: ApiRequest, slug: str, entry: Path[Id], key: Key) -> dict[str, Any]:
    """Record that a player without chips buys no re-buy, and is out."""
    return done(rebuy_decline(command_of(request, key), entry=_entry(request, entry)))


@router.post(_ENTRY + "/add-on", auth=SALE, response=DONE)
def addon(
    request: ApiRequest, slug: str, entry: Path[Id], key: Key, sale: PurchaseIn
) -> dict[str, Any]:
    """Sell an add-on."""
    row = _entry(request, entry)
    return done(addon_buy(command_of(request, key), entry=row, pays=sale.pays))


@router.post(_ENTRY + "/re-entry", auth=SALE, response=DONE)
def reentry(
    request: ApiRequest, slug: str, entry: Path[Id], key: Key, sale: PurchaseIn
) -> dict[str, Any]:
    """Sell a new entry with a new stack and a drawn seat; `entry` is any earlier one."""
    row = _entry(request, entry)
    return done(entry_reenter(command_of(request, key), entry=row, pays=sale.pays))


@router.post(_ENTRY + "/takers", auth=OUTS, response=DONE)
def takers(
    request: ApiRequest, slug: str, entry: Path[Id], key: Key, taken: TakersIn
) -> dict[str, Any]:
    """Set the takers of the stack that was lost last: several for a split pot, none if unknown."""
    row = _entry(request, entry)
    outs = Elimination.objects.live().filter(entry=row)
    lost = LostStack.objects.live().filter(entry=row).order_by("-pk")[:1]
    if not outs and not lost:
        raise Http404(_("Diesen Stapel hat niemand verloren."))
    by = [_entry(request, one) for one in taken.by]
    stacks: dict[str, Any] = {"eliminations": outs} if outs else {"lost": lost}
    return done(knockout_set(command_of(request, key), takers=by, **stacks))


@router.post("/events/{slug:slug}/registrations/{num:registration}/pay", auth=SALE, response=DONE)
def pay(
    request: ApiRequest, slug: str, registration: Path[Id], key: Key, payment: PaymentIn
) -> dict[str, Any]:
    """Book a payment of a player: what is open, unless an amount is given."""
    row = get_object_or_404(Registration, event=request.event, pk=registration)
    action = fee_pay(
        command_of(request, key),
        registration=row,
        amount_cents=payment.amount_cents,
        means=Means(payment.means),
    )
    return done(action)


def _entry(request: ApiRequest, pk: int) -> Entry:
    return get_object_or_404(Entry, event=request.event, pk=pk)
