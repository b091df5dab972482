"""The page of a big screen: its code until claimed, then its content.

Opening the page changes nothing, because browsers and messengers open addresses for a preview; the
page itself requests a code. The cookie is the screen's secret, so a projector needs no sign-in.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.stream import stream_url
from krru.web.rate_limits import RateLimit
from tournaments.changes.access import token_hash
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.links import keep_secret, secret_for
from tournaments.changes.views.requests import present, request_key
from tournaments.models import Screen
from tournaments.screens.domain.pairing import code_grouped
from tournaments.screens.selectors.cash import hall_cash, hall_cash_end
from tournaments.screens.selectors.prizes import hall_prizes
from tournaments.screens.selectors.screens import (
    hall_hunters,
    hall_moves,
    hall_seating,
    screen_config,
)
from tournaments.screens.services.screens import DELAY_CLASSES_MS, screen_make, screen_report
from tournaments.screens.views.clock_screen import screen_context

COOKIE = "krru_screen"
ASKED = "gefragt"
CODES = RateLimit(name="screens", most=20)
STRANGE = 403


@never_cache
@open_to_all(methods=("GET", "HEAD", "POST"))
def screen_any(request: HttpRequest) -> HttpResponse:
    """Show a code or the screen's content; on the page's POST, make the code."""
    screen = screen_of(request)
    if request.method == "POST":
        return HttpResponseRedirect(reverse("screen-any")) if screen else _begun(request)
    if screen is None:
        return render(request, "screens/begin.html", {"takes_no_cookie": ASKED in request.GET})
    context: dict[str, Any] = {"screen": screen, "link": _link(request, screen)}
    if not screen.is_claimed:
        context["code"] = code_grouped(screen.code)
        return render(request, "screens/pairing.html", context)
    with translation.override(screen_config(screen)["language"]):
        if screen.event is None:
            return render(request, "screens/pairing.html", context)
        context |= screen_context(request, screen.event)
        return render(request, "clock/screen.html", context)


@never_cache
@open_to_all(methods=("POST",))
def report(request: HttpRequest) -> HttpResponse:
    """Save a screen's report; answer with its present event and version."""
    screen = screen_of(request)
    if screen is None:
        return JsonResponse({}, status=STRANGE)
    screen_report(screen=screen, at=present(screen.club), told=request.POST.dict())
    event = screen.event if screen.is_claimed else None
    version = event.version if event is not None else None
    return JsonResponse({"screen": screen_config(screen), "event_version": version})


@never_cache
@open_to_all()
def hall(request: HttpRequest) -> HttpResponse:
    """Return seats, moves or present places at a screen's event."""
    screen = screen_of(request)
    make = _HALL.get(request.GET.get("was", ""))
    if screen is None or not screen.is_claimed or screen.event is None or make is None:
        return JsonResponse({}, status=STRANGE)
    rows = make(screen.event)
    told = hall_cash_end(screen.event) if request.GET["was"] == "cash" else {}
    return JsonResponse({"version": screen.event.version, "rows": rows} | told)


_HALL: dict[str, Any] = {
    "seating": hall_seating,
    "moves": hall_moves,
    "places": lambda event: hall_prizes(event, present(event)),
    "hunters": hall_hunters,
    "cash": lambda event: hall_cash(event, present(event)),
}


def screen_of(request: HttpRequest) -> Screen | None:
    """Return this browser's screen."""
    secret = request.COOKIES.get(COOKIE, "")
    if not secret:
        return None
    rows = Screen.objects.select_related("club", "event__club", "event__clock")
    return rows.filter(secret_hash=token_hash(secret)).first()


def _begun(request: HttpRequest) -> HttpResponse:
    if CODES.is_passed_by(request):
        raise Refused(
            _("Von diesem Gerät wurde gerade sehr oft ein Code verlangt. Bitte in zehn Minuten "
              "noch einmal versuchen."),
            code="flood",
        )  # fmt: skip
    key = request_key(request)
    secret = secret_for("screen", key=key)
    club = club_get()
    if not Screen.objects.filter(secret_hash=token_hash(secret)).exists():
        screen_make(club=club, secret=secret, at=present(club))
    response = HttpResponseRedirect(f"{reverse('screen-any')}?{ASKED}=1")
    keep_secret(response, COOKIE, secret)
    return response


def _link(request: HttpRequest, screen: Screen) -> dict[str, Any]:
    """Return the page's data to stay in touch."""
    return {
        "screen": screen_config(screen),
        "stream": stream_url(screen.stream_topic),
        "report_url": reverse("screen-report"),
        "hall_url": reverse("screen-hall"),
        "csrf_token": get_token(request),
        "delay_classes": DELAY_CLASSES_MS,
    }
