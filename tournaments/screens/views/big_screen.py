"""The page of a big screen: its code until claimed, then its content.

Opening the page changes nothing, because browsers and messengers open addresses for a preview; the
page itself requests a code. The cookie is the screen's secret, so a projector needs no sign-in.
"""

from typing import Any

from django.conf import settings
from django.core.signing import BadSignature
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clock.domain import instant_ms
from clock.domain.wording import Language
from clock.selectors import clock_levels, clock_payload
from clock.signals import SIGNALS, signal_wav
from clock.snapshot import snapshot
from clock.speech import sounds_key, sounds_payload, speak, text_of
from clock.stream import stream_url
from krru.web.rate_limits import RateLimit, sender_of
from tournaments.changes.access import Permission, token_hash
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import (
    event_or_404,
    hall_url,
    keep_secret,
    open_to_all,
    opens_only_here,
    qr_svg,
    secret_for,
    staff,
)
from tournaments.changes.views.requests import StaffRequest, club_command_of, present, request_key
from tournaments.club.selectors.theme import club_theme
from tournaments.contests.selectors.bags import hall_bags, hall_flights
from tournaments.contests.selectors.contests import left_to_the_end
from tournaments.event.domain.games import LimitKind, shows_big_bet
from tournaments.event.domain.promise import in_fours
from tournaments.event.selectors.clock import planned_start
from tournaments.event.selectors.event import (
    event_last_late_position,
    money_reached,
    screen_figures,
)
from tournaments.models import Event, Screen
from tournaments.people.selectors.people import names_shown
from tournaments.play.selectors.ranking import winner_of
from tournaments.post.selectors.announcements import announcement_payload
from tournaments.prizes.selectors.plans import paid_places
from tournaments.screens.domain.pairing import code_grouped
from tournaments.screens.selectors.faces import (
    event_of_evening,
    hall_cash,
    hall_cash_end,
    hall_prizes,
    screen_dealt,
    screen_end,
    screen_podium,
    screen_prizes,
    screen_stakes,
    screen_to_money,
)
from tournaments.screens.selectors.lobby import lobby_of
from tournaments.screens.selectors.own_face import hall_own, own_face
from tournaments.screens.selectors.screens import (
    hall_hunters,
    hall_moves,
    hall_seating,
    screen_config,
    screen_hand_for_hand,
    screens_claimed,
)
from tournaments.screens.services.screens import (
    DELAY_CLASSES_MS,
    screen_change,
    screen_claim,
    screen_make,
    screen_report,
)

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
        if screen.shows == Screen.Shows.LOBBY:
            context |= {"lobby": lobby_of(screen.club, present(screen.club))}
            return render(request, "screens/lobby_wall.html", context)
        context |= screen_context(request, screen.event, in_hall=True)
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
    with translation.override(screen_config(screen)["language"]):
        rows = make(screen.event)
    told = _BESIDE.get(request.GET["was"], lambda event: {})(screen.event)
    return JsonResponse({"version": screen.event.version, "rows": rows} | told)


_HALL: dict[str, Any] = {
    "seating": hall_seating,
    "moves": hall_moves,
    "places": lambda event: hall_prizes(event, present(event)),
    "hunters": hall_hunters,
    "prizes": lambda event: screen_prizes(event, present(event)),
    "cash": lambda event: hall_cash(event, present(event)),
    "own": lambda event: hall_own(event, present(event)),
    "bags": hall_bags,
    "flights": hall_flights,
}
_BESIDE: dict[str, Any] = {
    "cash": hall_cash_end,
    "own": lambda event: {"in_breaks": own_face(event.club).in_breaks},
}


def screen_of(request: HttpRequest) -> Screen | None:
    """Return this browser's screen."""
    secret = request.COOKIES.get(COOKIE, "")
    if not secret:
        return None
    rows = Screen.objects.select_related("club", "event__head", "event__club", "event__clock")
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
        screen_make(club=club, secret=secret, at=present(club), asked_from=sender_of(request))
    response = HttpResponseRedirect(f"{reverse('screen-any')}?{ASKED}=1")
    keep_secret(response, COOKIE, secret)
    return response


def _link(request: HttpRequest, screen: Screen) -> dict[str, Any]:
    return {
        "screen": screen_config(screen),
        "stream": stream_url(screen.stream_topic),
        "report_url": reverse("screen-report"),
        "hall_url": reverse("screen-hall"),
        "csrf_token": get_token(request),
        "delay_classes": DELAY_CLASSES_MS,
    }


# --- The big screen: one page that loads everything once and then runs by itself, and its refresh


READ_SECONDS = 4
ASKED_AGAIN_SECONDS = 30


@require_safe
@never_cache
def screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an event's clock to a hall; for a missing event the way to this evening's."""
    try:
        event = event_or_404(slug, request)
    except Http404:
        return _gone(request)
    return render(request, "clock/screen.html", screen_context(request, event))


def _gone(request: HttpRequest) -> HttpResponse:
    """Tell that the event is gone, and go on to this evening's as soon as there is one."""
    club = club_get()
    instead = event_of_evening(club, present(club))
    go_to = reverse("screen", args=[instead.slug]) if instead else request.path
    wait = READ_SECONDS if instead else ASKED_AGAIN_SECONDS
    context = {"instead": instead, "go_to": go_to, "wait": wait}
    return render(request, "screens/gone.html", context, status=404)


def screen_context(request: HttpRequest, event: Event, *, in_hall: bool = False) -> dict[str, Any]:
    """Return the context of a screen's page, paired or public."""
    snapshot(event, event.clock)
    setup = {
        "language": get_language(),
        "zone": settings.TIME_ZONE,
        "state_url": reverse("screen-state", args=[event.slug]),
        "time_url": "/stream/now/",
    }
    link = hall_url(request, reverse("tournament", args=[event.slug]))
    qr = "" if opens_only_here(link) else qr_svg(link)
    cash = {"screen": {"shows": "cash"}, "hall_url": reverse("screen-cash", args=[event.slug])}
    state = screen_payload(event, in_hall=in_hall) | address_told(request)
    return {"event": event, "setup": setup, "state": state, "qr": qr, "cash_link": cash}


def address_told(request: HttpRequest) -> dict[str, str]:
    """Return where this program is for phones in the hall, which may change with the network."""
    return {"address": hall_url(request, "/").rstrip("/")}


@require_safe
@never_cache
def screen_cash(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the cash tables for the public screen, without names."""
    event = event_or_404(slug, request)
    rows = hall_cash(event, present(event), with_names=False)
    return JsonResponse({"version": event.version, "rows": rows} | hall_cash_end(event))


@require_safe
@never_cache
def screen_state(request: HttpRequest, slug: str) -> JsonResponse:
    """Return the page's initial data as of now; to a screen of the hall with the hall's names."""
    event, screen = event_or_404(slug, request), screen_of(request)
    if screen is None or not screen.is_claimed or screen.event_id != event.pk:
        return JsonResponse(screen_payload(event) | address_told(request))
    with translation.override(screen_config(screen)["language"]):
        return JsonResponse(screen_payload(event, in_hall=True) | address_told(request))


def screen_payload(event: Event, *, in_hall: bool = False) -> dict[str, Any]:
    """Return all data of a screen: the clock, the figures beside it, the stream."""
    now, won, reached = present(event), winner_of(event), money_reached(event)
    clock = clock_payload(event.clock, now, planned_start(event))
    winner = names_shown(event, in_hall=in_hall)[won.pk] if won else None
    figures = screen_figures(event, now) | {"winner": winner}
    takes_no_more = event.has_started or event.is_clock_only or event.is_cash_only
    chips = event.chip_set.pieces if event.chip_set else []
    return {
        "version": event.version,
        "clock": clock,
        "figures": figures,
        "hand_for_hand": screen_hand_for_hand(event),
        "money": reached and {"left": reached.left, "since": instant_ms(reached.announced_at)},
        "paid": paid_places(event),
        "to_money": screen_to_money(event, now),
        "to_end": left_to_the_end(event, now),
        "stakes": screen_stakes(event, now, in_hall=in_hall),
        "free": None if takes_no_more else max(event.capacity - figures["registrations"], 0),
        "dealt": screen_dealt(event),
        "podium": screen_podium(event, now, has_winner=won is not None, in_hall=in_hall),
        "late": event_last_late_position(event),
        "end": screen_end(event, now),
        "chips": {str(piece["value"]): piece.get("colour", "") for piece in chips},
        "draws": {
            "promise": "" if event.is_clock_only else in_fours(event.promise),
            "number": event.hall_number,
        },
        "theme": club_theme(event.club),
        "stream": stream_url(event.stream_topic),
        "sounds": {
            "key": sounds_key(clock["levels"], shows_big_bet=figures["shows_big_bet"]),
            "urls": {
                language.value: reverse("screen-sounds", args=[event.slug, language.value])
                for language in Language
            },
        },
    } | announcement_payload(event, now)


@require_safe
@never_cache
def screen_sounds(request: HttpRequest, slug: str, language: str) -> JsonResponse:
    """Return a screen's sounds: addresses and their texts."""
    event, spoken = event_or_404(slug, request), _language_or_404(language)
    shown = shows_big_bet(LimitKind(event.limit))
    return JsonResponse(sounds_payload(clock_levels(event.clock), spoken, shows_big_bet=shown))


@require_safe
def speech(request: HttpRequest, language: str, signed: str) -> HttpResponse:
    """Speak a text chosen by the server; 404 without a voice."""
    spoken = _language_or_404(language)
    try:
        sound = speak(text_of(signed, spoken), spoken)
    except BadSignature:
        raise Http404 from None
    return _sound_or_404(sound)


@require_safe
def signal(request: HttpRequest, name: str) -> HttpResponse:
    """Return a signal. Its address contains its version, so that browsers keep it."""
    return _sound_or_404(signal_wav(name) if name in SIGNALS else None)


def _language_or_404(language: str) -> Language:
    try:
        return Language(language)
    except ValueError:
        raise Http404 from None


def _sound_or_404(sound: bytes | None) -> HttpResponse:
    if sound is None:
        raise Http404
    answer = HttpResponse(sound, content_type="audio/wav")
    answer["Cache-Control"] = "public, max-age=31536000, immutable"
    return answer


# --- A big screen on the director's own laptop, for its second display: paired without a code


@staff(Permission.MANAGE, people=False, methods=("POST",))
def open_here(request: StaffRequest) -> HttpResponse:
    """Make this browser a screen of this event, if it is none, and show it."""
    response = HttpResponseRedirect(reverse("screen-any"))
    command, screen = club_command_of(request), screen_of(request)
    if screen is None:
        secret = secret_for("screen", key=request_key(request))
        screen = screen_make(club=command.club, secret=secret, at=command.at)
        keep_secret(response, COOKIE, secret)
    if not screen.is_claimed:
        name = screen.name or _free_name(request)
        screen_claim(command, code=screen.code, name=name, event=request.event)
    elif screen.event_id != request.event.pk:
        screen_change(command, screen=screen, wanted={"event": request.event.pk})
    return response


def _free_name(request: StaffRequest) -> str:
    """Return "Leinwand" with the first unused number in the club."""
    taken = {row.name.casefold() for row in screens_claimed(request.event.club)}
    numbers = range(1, len(taken) + 2)
    names = (_("Leinwand %(number)d") % {"number": number} for number in numbers)
    return next(name for name in names if name.casefold() not in taken)


# --- The lobby: a public page and its data, over all events of the club that run or begin soon


@never_cache
@open_to_all()
def lobby(request: HttpRequest) -> HttpResponse:
    """Show all events at once, first the one with the next thing to miss."""
    club = club_get()
    context = {"club": club, "lobby": lobby_of(club, present(club))}
    return render(request, "screens/lobby.html", context)


@never_cache
@open_to_all()
def lobby_state(request: HttpRequest) -> JsonResponse:
    """Return the lobby's data as of now."""
    club = club_get()
    return JsonResponse(lobby_of(club, present(club)))
