"""A player's own page, opened by the personal link: from the waiting list to the final place."""

from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from krru.background.mailing import sends_mail
from tournaments.cashgame.selectors.own import OwnCash, own_cash
from tournaments.changes.views.decorators import (
    hall_url,
    open_to_all,
    own_registration,
    private,
    qr_svg,
)
from tournaments.changes.views.requests import present
from tournaments.contests.selectors.bags import own_bag, own_next_day, own_word
from tournaments.door.domain.places import DOORS_OPEN
from tournaments.door.selectors.places import capacity_of, confirm_by, is_proof, noshows_are_blinded
from tournaments.door.views.desk_people import door_of
from tournaments.event.domain.games import LimitKind, shows_big_bet
from tournaments.event.domain.prices import rate_for
from tournaments.event.selectors.event import (
    average_stack,
    chips_in_play,
    closing_of,
    entries_live_count,
    final_seats,
    is_final_table,
    late_entry_of,
    least_of,
    players_left,
    sells_again,
    tables_live_count,
)
from tournaments.event.selectors.stakes import event_has_money
from tournaments.event.views.context import page_context, spread_ms
from tournaments.models import Event, Registration, Seating
from tournaments.money.selectors.journal import balance_cents, offered_to, open_cents
from tournaments.money.selectors.receipts import receipts_named
from tournaments.money.selectors.tickets import tickets_shown
from tournaments.payouts.selectors.bounties import own_bounty
from tournaments.payouts.selectors.deals import own_deal
from tournaments.payouts.selectors.payees import payee_of
from tournaments.payouts.selectors.prize_labels import prizes_in_words
from tournaments.play.selectors.bubble import announced_near_the_money
from tournaments.play.selectors.stacks import own_stack, own_word_of, says_stacks
from tournaments.post.views.messages import messages_context
from tournaments.public.forms.own import LaterForm
from tournaments.public.selectors.player_picture import (
    MOVED_FOR,
    PlayerPicture,
    player_picture,
    rank_of,
    recent_moves,
)
from tournaments.public.selectors.told import near_money
from tournaments.rebuys.selectors.prices import buy_sheet
from tournaments.rules.selectors.rule import rule_state_agreed
from tournaments.seating.selectors.seat_cards import tables_to_draw

# A device that opened the page leads back to it until this long after the start.
KEPT_AFTER = timedelta(days=3)
BEFORE_THE_END = ("registered", "line", "waiting", "seated", "moved")


@open_to_all()
@private
def player(request: HttpRequest, token: str) -> HttpResponse:
    registration = own_registration(token, is_shown=True)
    link = hall_url(request, reverse("player", args=[token]))
    context = card_context(request, registration) | page_context(request, registration.event)
    context |= messages_context(request, registration)
    context |= {"link": link, "qr": context.get("ticket") or qr_svg(link)}
    context |= {"own_id": registration.pk, "spread_ms": spread_ms(registration.event)}
    proof = request.GET.get("post", "")
    context["receipts"] = receipts_named(registration)
    context["rules_agreed"] = rule_state_agreed(registration)
    if not registration.is_mail_proven and is_proof(registration, proof):
        context["proof"] = proof
    if request.device is None:  # type: ignore[attr-defined]
        context["own_page"] = _own_page(registration, context["picture"])
    context["door"] = door_of(request.device, registration)  # type: ignore[attr-defined]
    return render(request, "player/player.html", context)


def _own_page(registration: Registration, picture: PlayerPicture) -> dict[str, Any]:
    """Return the browser's record to lead back here; it expires after the evening."""
    event = registration.event
    number = _(", Nummer %(number)s") % {"number": picture.number}
    return {
        "url": reverse("player", args=[registration.link_token]),
        "slug": event.slug,
        "event": event.name,
        "name": registration.person.name,
        "where": number if picture.face == "registered" else "",
        "until": round((event.starts_at + KEPT_AFTER).timestamp() * 1000),
        "isForgotten": picture.face == "withdrawn",
    }


@open_to_all()
@private
def player_card(request: HttpRequest, token: str) -> HttpResponse:
    registration = own_registration(token, is_shown=True)
    return render(request, "player/card.html", card_context(request, registration))


@open_to_all()
@private
def player_rank(request: HttpRequest, token: str) -> HttpResponse:
    """Render the nearness to a move for an htmx refresh; 204 if no move is possible."""
    registration = own_registration(token, is_shown=True)
    event = registration.event
    seats = Seating.objects.live().select_related("table")
    seating = seats.filter(entry__registration=registration).first()
    rank = rank_of(event, seating, present(event))
    if rank is None:
        return HttpResponse(status=204)
    return render(request, "player/rank.html", {"event": event, "rank": rank, "token": token})


@open_to_all()
@private
def player_moves(request: HttpRequest, token: str) -> HttpResponse:
    """Show recent moves to a player still in."""
    registration = own_registration(token, is_shown=True)
    event = registration.event
    now = present(event)
    picture = player_picture(registration, now)
    table = picture.seating.table.number if picture.seating else None
    moves = recent_moves(event, now, table) if picture.face in BEFORE_THE_END else []
    return render(request, "player/moves.html", {"event": event, "moves": moves})


def card_context(request: HttpRequest, registration: Registration) -> dict[str, Any]:
    """Return the card's context for a registration's present state."""
    event = registration.event
    now = present(event)
    picture = player_picture(registration, now)
    left = players_left(event)
    cash = own_cash(registration, now)
    is_coming = is_before_the_seat(picture)
    is_at_door = is_coming and now >= event.starts_at - DOORS_OPEN
    return {
        "event": event,
        "token": registration.link_token,
        "again_s": _again_s(picture, now),
        "rank": rank_of(event, picture.seating, now),
        "is_playing": _is_playing(picture, event),
        "may_move": not event.is_over and picture.face in BEFORE_THE_END,
        "picture": picture,
        "own_deal": own_deal(registration) if event.has_started else None,
        "own_bounty": own_bounty(registration),
        **_bag(registration, now),
        "tickets": [(row, qr_svg(row.name)) for row in tickets_shown(registration, now)],
        "cash": cash,
        "is_only_cash": event.is_cash_only or registration.is_cash_guest,
        "is_cash_first": cash is not None and _is_cash_first(cash, event, picture),
        **_stack_word(event, picture, now),
        "name": registration.person.name,
        "seats": _seats(event, picture),
        "is_to_draw": picture.seating is not None
        and picture.seating.table.number in tables_to_draw(event),
        **_won(picture, now),
        "room": capacity_of(event) if is_coming else None,
        "may_withdraw": is_coming,
        "confirm_by": confirm_by(registration) if picture.face == "registered" else None,
        "may_arrive": is_at_door and not picture.is_here,
        "may_be_late": is_coming and not picture.is_here and not picture.offer,
        **(_at_the_door(request, picture, now, is_at_door=is_at_door) if is_coming else {}),
        **_buying(registration, picture, now),
        **_field(event, left),
        **(_stage(event, left, now) if event.status == "running" else {}),
    }


def _is_playing(picture: PlayerPicture, event: Event) -> bool:
    """Tell whether the clock is what counts: in the seat known to the player."""
    is_known = not (picture.is_seat_open or picture.is_walking)
    return picture.face == "seated" and event.status == "running" and is_known


def _stack_word(event: Event, picture: PlayerPicture, now: datetime) -> dict[str, Any]:
    if picture.seating is None:
        return {"own_stack": None, "may_say_stack": False}
    entry, may_say = picture.seating.entry_id, says_stacks(event, now)
    return {
        "own_stack": own_stack(event, entry),
        "may_say_stack": may_say,
        "own_stack_word": own_word_of(event, entry, now) if may_say else None,
    }


def _bag(registration: Registration, now: datetime) -> dict[str, Any]:
    word, bag = own_word(registration, now), own_bag(registration)
    further = own_next_day(registration) if bag else None
    return {
        "bag_word": word,
        "bag": bag,
        "next_day": reverse("player", args=[further.link_token]) if further else "",
    }


def _field(event: Event, left: int) -> dict[str, Any]:
    chips, is_exact = chips_in_play(event)
    return {
        "left": left,
        "entries": entries_live_count(event),
        "average": average_stack(chips, left),
        "average_is_exact": is_exact,
        # KRRU 3.0: a page may make no sounds during play.
        "phones_at_table": event.rule_set.phones_at_table,
        "show_big_bet": shows_big_bet(LimitKind(event.limit)),
    }


def _buying(registration: Registration, picture: PlayerPicture, now: datetime) -> dict[str, Any]:
    event = registration.event
    if event.status != "running" or not sells_again(event):
        return {}
    entry = registration.entries.live().order_by("-number").first()
    if entry is None or picture.is_disqualified:
        return {}
    entry.event = event
    sheet = buy_sheet(entry, now)
    return {"sheet": sheet, "owes_cents": open_cents(registration)}


def _prize(picture: PlayerPicture, now: datetime) -> dict[str, Any] | None:
    """Return a player's prize in words; None before it is public, or without one."""
    registration = picture.registration
    prizes = prizes_in_words(registration.event, now) if picture.place else None
    if prizes is None:
        return None
    entries = registration.entries.live().order_by("number").values_list("pk", flat=True)
    words = ", ".join(prizes.by_entry[entry] for entry in entries if entry in prizes.by_entry)
    return {"words": words, "is_fixed": prizes.is_fixed} if words else None


def _won(picture: PlayerPicture, now: datetime) -> dict[str, Any]:
    """Return a prize, and what waits at the desk in all: prize, bounties and refund."""
    registration, payee = picture.registration, None
    if picture.place and event_has_money(registration.event):
        payee = payee_of(registration.event, registration.pk)
    return {"prize": _prize(picture, now), "waiting_cents": payee.amount if payee else 0}


def _at_the_door(
    request: HttpRequest, picture: PlayerPicture, now: datetime, *, is_at_door: bool
) -> dict[str, Any]:
    registration = picture.registration
    event = registration.event
    balance = balance_cents(registration) if event_has_money(event) else 0
    has_ticket = is_at_door and picture.face == "registered"
    link = hall_url(request, reverse("player", args=[registration.link_token]))
    expected = picture.expected_at and localtime(picture.expected_at).time()
    return {
        "ticket": qr_svg(link) if has_ticket else "",
        "open_cents": max(0, balance),
        "member_cents": _member_cents(registration),
        "least": least_of(event, now),
        "credit_cents": max(0, -balance),
        "late": late_entry_of(event, now),
        "late_form": LaterForm(initial={"at": expected}),
        "is_blinded": noshows_are_blinded(event),
        "sends_mail": sends_mail(),
    }


def _member_cents(registration: Registration) -> int | None:
    """Return the member's price for somebody who claims to be one and is not yet known as such."""
    if not registration.says_member or registration.person.is_member:
        return None
    wanted = rate_for(registration.event.fee_rates, is_member=True, is_late=False)
    offered = {one.name: one for one in offered_to(registration) if wanted}
    return offered[wanted].cents if offered and offered[""].is_on else None


def _stage(event: Event, left: int, now: datetime) -> dict[str, Any]:
    is_hand_for_hand, is_in_the_money = announced_near_the_money(event)
    is_last = 2 <= left <= final_seats(event)
    return {
        "is_hand_for_hand": is_hand_for_hand,
        "near": near_money(event, left, now),
        "closing": closing_of(event, now),
        "is_in_the_money": is_in_the_money,
        "is_final_table": is_last and is_final_table(event, left, tables_live_count(event)),
    }


def _again_s(picture: PlayerPicture, now: datetime) -> int | None:
    event, instants = picture.registration.event, []
    if picture.offer is not None:
        instants.append(picture.offer.expires_at)
    if is_before_the_seat(picture):
        instants.append(event.starts_at - DOORS_OPEN)
    if picture.seating is not None and not event.is_over:
        instants.append(picture.seating.seated_at + MOVED_FOR)
    waits = [(instant - now).total_seconds() for instant in instants if instant > now]
    return int(min(waits)) + 1 if waits else None


def is_before_the_seat(picture: PlayerPicture) -> bool:
    """Tell whether a player is listed, with a place or in line, and not checked in."""
    return picture.face in ("registered", "line")


def _is_cash_first(cash: OwnCash, event: Event, picture: PlayerPicture) -> bool:
    """Return whether the cash game is above the tournament: alone, offered, or at its table."""
    if event.is_cash_only or picture.registration.is_cash_guest:
        return True
    if picture.face == "moved":
        return False
    return bool(cash.offers) or (cash.seat is not None and picture.seating is None)


def _seats(event: Event, picture: PlayerPicture) -> list[SimpleNamespace]:
    """Return the player's table with their own seat, and before play the first dealer's."""
    if picture.seating is None:
        return []
    dealer = None if event.has_started else picture.dealer_seat
    return [
        SimpleNamespace(number=seat, is_me=seat == picture.seating.seat, is_button=seat == dealer)
        for seat in range(1, picture.seating.table.chairs + 1)
    ]
