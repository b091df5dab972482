"""The frame of pages: navigation by role, the stream, the clock."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from clock.selectors import clock_payload
from clock.stream import stream_url
from tournaments.changes.access import WORK, Actor, Permission, Role, allows
from tournaments.changes.views.decorators import is_of_people
from tournaments.changes.views.requests import present
from tournaments.event.domain.games import LimitKind, shows_big_bet
from tournaments.event.selectors.clock import planned_start
from tournaments.event.selectors.event import others_served, registrations_live_count
from tournaments.models import Event


def page_context(request: HttpRequest, event: Event, actor: Actor | None = None) -> dict[str, Any]:
    """Return the context of `base.html` for a page about an event, live by its stream."""
    return {
        "event": event,
        "actor": actor,
        "home_url": reverse("home"),
        "nav": navigation(request, event, actor) if actor else [],
        "stream_url": stream_url(event.stream_topic),
        "clock_payload": clock_payload(event.clock, present(event), planned_start(event)),
        "show_big_bet": shows_big_bet(LimitKind(event.limit)),
        "sample_remove_url": reverse("sample-remove", args=[event.slug])
        if event.is_sample and actor and allows(actor, Permission.MANAGE)
        else "",
        "events_beside": _others(request, event, actor),
    }


def _others(request: HttpRequest, event: Event, actor: Actor | None) -> list[dict[str, Any]]:
    """Return the club's other events under way that this device serves, the next one first.

    Each with its address: the page of the same name if the role there sees it, else its first one.
    """
    if actor is None or actor.device is None or not getattr(event, "has_others", False):
        return []
    here = request.resolver_match.url_name if request.resolver_match else ""
    found = []
    for other, role in others_served(event, actor.device):
        name = here if role in SAME_PAGE.get(here or "", ()) else WORK[role].home
        found.append({"name": other.name, "url": reverse(name, args=[other.slug])})
    return found


# Pages that lead to their like at another event, with the roles that see them.
SAME_PAGE = {
    "director": (Role.DIRECTOR,),
    "desk": (Role.DIRECTOR, Role.DESK),
    "floor": (Role.DIRECTOR, Role.DESK, Role.ARBITER),
    "drawer": (Role.DIRECTOR, Role.DESK),
}


# A phone's page costs the server a few milliseconds; a refresh of the hall is spread over the sum.
MS_A_PERSON = 8
LONGEST_SPREAD_MS = 40_000


def spread_ms(event: Event) -> int:
    """Return the milliseconds over which a hall's open pages spread their refresh."""
    return min(LONGEST_SPREAD_MS, MS_A_PERSON * registrations_live_count(event))


# Not for an evening with only cash tables.
OF_TOURNAMENT = {"floor", "results"}
Page = Callable[[Event, Actor], tuple[str, str] | None]
_PAGES: list[Page] = []


def adds_to_navigation(page: Page) -> Page:
    """Register a function that adds a page (label and address) to the navigation, or None."""
    _PAGES.append(page)
    return page


def navigation(request: HttpRequest, event: Event, actor: Actor) -> list[dict[str, Any]]:
    """Return the pages allowed to this actor: marked is the present one, or the one it is below."""
    pages = [
        (_("Leitung"), "director", Permission.MANAGE),
        (_("Anmeldung"), "desk", Permission.CHECK_IN),
        (_("Tische"), "floor", Permission.SEE_FLOOR),
        (_("Geräte"), "staff", Permission.MANAGE),
        (_("Ergebnis"), "results", Permission.SEE_FLOOR),
    ]
    found = []
    for label, name, permission in pages:
        if event.is_clock_only and is_of_people(name, event.slug):
            continue
        if event.is_cash_only and name in OF_TOURNAMENT:
            continue
        if allows(actor, permission):
            found.append((label, reverse(name, args=[event.slug])))
    found += filter(None, (page(event, actor) for page in _PAGES))
    here = max((url for _label, url in found if request.path.startswith(url)), key=len, default="")
    current = "page" if here == request.path else "true"
    return [
        {"label": label, "url": url, "current": current if url == here else ""}
        for label, url in found
    ]


def over(event: Event) -> str | None:
    """Return the refusal for an event that is over, or None."""
    return _("Das Turnier ist beendet.") if event.is_over else None
