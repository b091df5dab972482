"""Actions of players: register, come later, arrive, take a place, correct data, withdraw."""

from collections.abc import Callable, Mapping
from datetime import timedelta
from functools import partial, wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from krru.web.rate_limits import RateLimit
from tournaments.cashgame.services.hands import cash_leave_announce
from tournaments.cashgame.services.line import cash_offer_accept, cash_unwait, cash_wait
from tournaments.changes.access import VISITOR
from tournaments.changes.commands import Command, was_served
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import MOST_ID, whole
from tournaments.changes.views.decorators import (
    open_to_all,
    own_registration,
    player_actor,
    private,
    shown_token,
)
from tournaments.changes.views.requests import (
    EventRequest,
    action_response,
    optional_number,
    present,
    request_key,
    whole_number,
    with_trigger,
)
from tournaments.contests.selectors.bags import own_word
from tournaments.contests.services.bags import bag_say
from tournaments.door.selectors.places import capacity_of, is_proof
from tournaments.door.services.arrivals import (
    registration_arrive,
    registration_expect,
    registration_unsay,
)
from tournaments.door.services.confirming import registration_confirm
from tournaments.door.services.registration import (
    registration_correct,
    registration_create,
    registration_withdraw,
)
from tournaments.door.services.waiting_list import offer_accept, offer_decline
from tournaments.event.views.context import page_context
from tournaments.event.views.events import attempt
from tournaments.models import Action, CashTable, DealShare, Entry, Registration, Seating, What
from tournaments.money.selectors.receipts import receipts_of
from tournaments.money.views.drawers import paper_of
from tournaments.payouts.services.deals import deal_answer
from tournaments.people.selectors.people import contact_of, is_sure
from tournaments.play.services.conduct import seating_arrive
from tournaments.play.services.stacks import stack_say
from tournaments.public.forms.own import LaterForm, OwnForm, RegisterForm
from tournaments.public.selectors.player_picture import player_picture
from tournaments.public.views.player import card_context, is_before_the_seat
from tournaments.public.views.public import tournament_page
from tournaments.rebuys.services.purchases import purchase_ask, purchase_unask

FORM_METHODS = ("GET", "HEAD", "POST")

PER_LINK = RateLimit(name="link", most=60)

Said = tuple[Action, str]


def own_command(request: HttpRequest, registration: Registration) -> Command:
    """Return the command of the page's player.

    :raises Refused: When too many come by one link.
    """
    if PER_LINK.is_passed(registration.pk):
        raise Refused(
            _("Das war sehr oft hintereinander. Bitte in ein paar Minuten noch einmal versuchen."),
            code="flood",
        )
    return Command(
        event=registration.event,
        by=player_actor(registration),
        at=present(registration.event),
        key=request_key(request),
    )


def answers_by_card(
    act: Callable[[HttpRequest, Registration, Command], Said],
) -> Callable[..., HttpResponse]:
    """Make the view of an action of the page's player, by its command.

    It answers with the present card, or to a plain form with a sentence on the page.
    """

    @open_to_all(methods=("POST",))
    @private
    @wraps(act)
    def run(request: HttpRequest, token: str) -> HttpResponse:
        registration = own_registration(token)
        action, sentence = act(request, registration, own_command(request, registration))
        link = registration.link_token
        if not request.headers.get("HX-Request"):
            back = reverse("player", args=[link])
            return action_response(request, action, sentence=sentence, go_to=back)
        card = card_context(request, own_registration(link))
        return with_trigger(render(request, "player/card.html", card), action)

    return run


def _says(call: Callable[..., Action], sentence: Any) -> Callable[..., HttpResponse]:
    """Make the view of a service that asks for the registration alone."""
    return answers_by_card(
        lambda _request, registration, command: (
            call(command, registration=registration),
            str(sentence),
        )
    )


player_here = _says(registration_arrive, lazy("Danke, wir wissen, dass du da bist."))
player_unsay = _says(registration_unsay, lazy("Zurückgenommen."))
player_accept = _says(offer_accept, lazy("Der Platz gehört dir."))
player_decline = _says(offer_decline, lazy("Danke, der Platz geht an die Nächsten."))


@answers_by_card
def player_arrived(request: HttpRequest, registration: Registration, command: Command) -> Said:
    """Record the player's arrival at the new seat shown on the page."""
    shown = Seating(pk=_id_of(request, "seating"))
    return seating_arrive(command, seatings=[shown]), _("Danke, du bist angekommen.")


@answers_by_card
def player_later(request: HttpRequest, registration: Registration, command: Command) -> Said:
    form = LaterForm(request.POST)
    if not form.is_valid():
        raise Refused(str(form.errors["at"][0]), code="bad_time")
    action = registration_expect(
        command,
        registration=registration,
        expected_at=form.instant(registration.event),
    )
    return action, _("Danke, wir wissen, wann du kommst.")


@answers_by_card
def player_confirm(request: HttpRequest, registration: Registration, command: Command) -> Said:
    """Record the player's confirmation; a mailed link also proves the address."""
    action = registration_confirm(
        command,
        registration=registration,
        has_mailbox=is_proof(registration, request.POST.get("post", "")),
    )
    return action, _("Danke, bis dann!")


@answers_by_card
def player_deal(request: HttpRequest, registration: Registration, command: Command) -> Said:
    """Record the player's answer to the share of a deal shown on the page."""
    says_yes = request.POST.get("says") == "yes"
    action = deal_answer(command, share=DealShare(pk=_id_of(request, "share")), says_yes=says_yes)
    return action, _("Du hast Ja gesagt.") if says_yes else _("Du hast Nein gesagt.")


@answers_by_card
def player_bag(request: HttpRequest, registration: Registration, command: Command) -> Said:
    """Note the player's own count of the bag."""
    word = own_word(registration, present(registration.event))
    if word is None:
        raise Refused(_("Gerade wird nicht nach den Chips gefragt."), code="not_asked")
    return bag_say(command, entry=Entry(pk=word.entry), amount=whole_number(request, "amount")), _(
        "Danke, deine Zahl ist eingetragen."
    )


@answers_by_card
def player_stack(request: HttpRequest, registration: Registration, command: Command) -> Said:
    """Note how many chips the player has, as stated in a break."""
    return stack_say(
        command, entry=_entry(registration), amount=whole_number(request, "amount")
    ), _("Danke, deine Zahl ist eingetragen.")


@open_to_all(methods=FORM_METHODS)
@private
def player_change(request: HttpRequest, token: str) -> HttpResponse:
    """Show a player this registration's data, and save corrections.

    A link without ownership of the person shows and changes only its own typed data.
    """
    registration = own_registration(token)
    back = reverse("player", args=[token])
    if request.method != "POST":
        if registration.voided_by_id is not None:
            return HttpResponseRedirect(back)
        known = contact_of(registration, with_person=is_sure(registration))
        own = {"remark": registration.remark, "is_listed": registration.is_listed}
        form = OwnForm(initial=known | own)
        return _page(request, registration, "player/change.html", form=form)
    form = OwnForm(request.POST)
    action = form.is_valid() and attempt(
        form,
        lambda: registration_correct(
            own_command(request, registration), registration=registration, **form.cleaned_data
        ),
    )
    if action:
        said = _("Deine Daten sind geändert.")
        return action_response(request, action, sentence=said, go_to=back)
    return _page(request, registration, "player/change.html", form=form, status=422)


@open_to_all(methods=FORM_METHODS)
@private
def player_withdraw(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for confirmation, then withdraw."""
    registration = own_registration(token)
    event, back, reason = registration.event, reverse("player", args=[token]), ""
    if request.method == "POST":
        try:
            registration_withdraw(own_command(request, registration), registration=registration)
        except Refused as refusal:
            reason = str(refusal)
        else:
            # The page shows it; on a small phone a toast would cover the way to register again.
            return HttpResponseRedirect(back)
    elif not is_before_the_seat(player_picture(registration, present(event))):
        return HttpResponseRedirect(back)
    own = {"reason": reason, "waiting": capacity_of(event).waiting}
    status = 422 if reason else 200
    return _page(request, registration, "player/withdraw.html", status=status, **own)


def _id_of(request: HttpRequest, name: str) -> int:
    """Return the id in a field, 0 if invalid: no row has that."""
    return whole(request.POST.get(name, ""), most=MOST_ID) or 0


def _page(
    request: HttpRequest, registration: Registration, template: str, status: int = 200, **own: Any
) -> HttpResponse:
    context = page_context(request, registration.event) | own
    context |= {"token": registration.link_token, "name": registration.person.name}
    return render(request, template, context, status=status)


# --- A player's page asks for a re-buy, an add-on or a re-entry, confirmed by the desk


@answers_by_card
def player_buys(request: HttpRequest, registration: Registration, command: Command) -> Said:
    """Ask for it, with the remaining stack where needed."""
    what = request.POST.get("what", "")
    if what not in set(What):
        raise Refused(_("Das gibt es hier nicht."), code="unknown")
    own: dict[str, Any] = {}
    if what == What.REBUY:
        own = {
            "number": optional_number(request, "number") or 1,
            "stack": optional_number(request, "stack"),
        }
    entry = _entry(registration)
    action = purchase_ask(command, entry=entry, what=what, **own)
    return action, _("Ist angesagt. Bitte zur Anmeldung kommen und zahlen.")


@answers_by_card
def player_unasks(request: HttpRequest, registration: Registration, command: Command) -> Said:
    entry = _entry(registration)
    return purchase_unask(command, entry=entry), _("Zurückgenommen.")


def _entry(registration: Registration) -> Entry:
    row = registration.entries.live().order_by("-number").first()
    if row is None:
        raise Refused(_("Du hast noch keinen Platz."), code="no_entry")
    return row


# --- A player's own receipts: the list on the player's page, and each for printing


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


# --- A player's page for cash tables: ask for a seat, answer an offer, announce leaving


_AT_A_TABLE: Mapping[str, tuple[Callable[..., Action], Any]] = {
    "wait": (cash_wait, lazy("Du stehst auf der Liste.")),
    "wait_any": (partial(cash_wait, any_table=True), lazy("Du stehst auf der Liste.")),
    "accept": (cash_offer_accept, lazy("Danke, der Platz wird für dich gehalten.")),
    "drop": (cash_unwait, lazy("Du stehst nicht mehr auf der Liste.")),
}


@answers_by_card
def player_cash(request: HttpRequest, registration: Registration, command: Command) -> Said:
    """Do the tapped action: join or leave a list, take or decline a seat, announce leaving."""
    what = request.POST.get("what", "")
    if what == "leave":
        later = timedelta(minutes=whole_number(request, "minutes"))
        action = cash_leave_announce(
            command,
            registration=registration,
            leaves_at=present(registration.event) + later,
        )
        return action, _("Danke, wir wissen, wann du gehst.")
    if what not in _AT_A_TABLE:
        raise Refused(_("Das gibt es hier nicht."), code="unknown")
    rows = CashTable.objects.live().filter(event=registration.event)
    table = get_object_or_404(rows, pk=whole_number(request, "table"))
    asks, sentence = _AT_A_TABLE[what]
    return asks(command, registration=registration, table=table), str(sentence)


# --- Registration on the tournament page, with a limit per connection


# Enough for a family. The poster's link allows more, as a hall may share an address.
PER_ADDRESS = RateLimit(name="registration", most=10)
FROM_THE_POSTER = RateLimit(name="poster", most=30)


@open_to_all(people=True, methods=("GET", "HEAD", "POST"))
def register(request: EventRequest, slug: str) -> HttpResponse:
    """Register a visitor and redirect to the new player's own page, which shows the place."""
    if request.method != "POST":
        return HttpResponseRedirect(reverse("tournament", args=[slug]) + "#anmelden")
    form = RegisterForm(request.POST)
    if form.is_valid():
        try:
            return HttpResponseRedirect(reverse("player", args=[_register(request, form)]))
        except Refused as refusal:
            form.refuse(refusal)
    page = tournament_page(request, request.event, form)
    return render(request, "public/tournament.html", page, status=422)


def _register(request: EventRequest, form: RegisterForm) -> str:
    event = request.event
    limit = FROM_THE_POSTER if shown_token(request, event.slug) else PER_ADDRESS
    is_flood, key = limit.is_passed_by(request, event.pk), request_key(request)
    # While the director holds the gate open, a whole hall registers through one connection.
    if is_flood and not event.is_gate_open and not was_served(VISITOR, key):
        raise Refused(
            _(
                "Von diesem Anschluss kamen gerade sehr viele Anmeldungen. Bitte in zehn Minuten "
                "noch einmal versuchen, oder der Turnierleitung Bescheid sagen: Sie kann die "
                "Anmeldung für einen ganzen Saal öffnen."
            ),
            code="flood",
        )
    command = Command(event=event, by=VISITOR, at=present(event), key=key)
    action = registration_create(command, **form.wanted(), language=get_language() or "")
    return Registration.objects.get(pk=action.payload["registration"]).link_token
