"""Link previews in chats and searches: texts in the page's head, and a drawn picture."""

import hashlib
import json
from dataclasses import asdict, dataclass
from typing import Any

from csp.decorators import csp_update
from django.conf import settings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from redis.exceptions import RedisError

from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import event_or_404, hall_url, open_to_all
from tournaments.changes.views.requests import present
from tournaments.club.domain.colours import shades_of
from tournaments.event.selectors.labels import GAMES, LIMITS, currency_code, money
from tournaments.models import Club, Event
from tournaments.public.domain.preview_picture import Fonts, Preview, drawn
from tournaments.public.selectors.posters import Poster, posters_current
from tournaments.rebuys.selectors.prices import costs_announced, prices_in_a_line

KEPT_S = 24 * 3600
LONGEST_TEXT = 200
USUAL_GROUND = "#0b382a"


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The metadata of a page, with absolute addresses."""

    title: str
    text: str
    site: str
    url: str
    image: str


def public_url(request: HttpRequest, path: str) -> str:
    """Return an address for use outside of this machine, the public one if set."""
    return f"{settings.PUBLIC.origin}{path}" if settings.PUBLIC else hall_url(request, path)


def head_of(request: HttpRequest, event: Event) -> Head:
    """Return the metadata of a tournament."""
    picture = _of_event(event)
    description = ". ".join(filter(None, (*picture.below, event.about.description)))
    return _head(request, picture, description, event.get_absolute_url(), event)


def head_of_club(request: HttpRequest, club: Club | None) -> Head | None:
    """Return the metadata of the club's page."""
    if club is None:
        return None
    picture = _of_club(club)
    description = ". ".join(filter(None, (club.about.description, *picture.below)))
    return _head(request, picture, description or picture.title, reverse("home"), None)


def _head(
    request: HttpRequest, picture: Preview, description: str, path: str, event: Event | None
) -> Head:
    image = reverse("preview", args=[event.slug]) if event else reverse("club-preview")
    text = " ".join(description.split())
    return Head(
        title=picture.title,
        text=text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1].rstrip() + "…",
        site=picture.above or picture.title,
        url=public_url(request, path),
        # Chats cache pictures for long, so a changed one gets another address.
        image=public_url(request, f"{image}?v={_digest(picture)[:12]}"),
    )


@open_to_all()
def preview(_request: HttpRequest, slug: str) -> HttpResponse:
    return _picture(_of_event(event_or_404(slug)))


@open_to_all()
def club_preview(_request: HttpRequest) -> HttpResponse:
    return _picture(_of_club(club_get()))


def _of_event(event: Event) -> Preview:
    about = event.about
    when = date_format(localtime(event.starts_at), _("l, j. F Y, H:i \\U\\h\\r"))
    game = f"{GAMES.get(event.game, event.game)}, {LIMITS.get(event.limit, event.limit)}"
    fee = _("Startgeld %(amount)s") % {"amount": money(event.fee_cents)} if event.fee_cents else ""
    what = _("Abgesagt") if event.cancelled_by_id else fee or game
    return Preview(
        above=event.club.name,
        title=event.name,
        below=(when, about.place or game, what if about.place or what != game else ""),
        ground=_ground(event.club),
    )


def _of_club(club: Club) -> Preview:
    return Preview(
        above=_("Pokerturniere"), title=club.name, below=(club.about.place,), ground=_ground(club)
    )


def _ground(club: Club) -> str:
    return shades_of(club.colour).deep if club.colour else USUAL_GROUND


def _picture(picture: Preview) -> HttpResponse:
    name = f"preview:{_digest(picture)}"
    try:
        data = cache.get_or_set(name, lambda: _drawn(picture), KEPT_S)
    except RedisError:
        data = _drawn(picture)
    headers = {"Cache-Control": f"public, max-age={KEPT_S}"}
    return HttpResponse(data, content_type="image/png", headers=headers)


def _digest(picture: Preview) -> str:
    return hashlib.sha256(repr(asdict(picture)).encode()).hexdigest()


def _drawn(picture: Preview) -> bytes:
    names = ("tournaments/fonts/krru.woff2", "tournaments/fonts/krru-ext.woff2")
    found = (finders.find(name) or staticfiles_storage.path(name) for name in names)
    return drawn(picture, Fonts(*map(str, found)))


# --- The same for search engines, by schema.org


SIGNS = str.maketrans({"<": "\\u003C", ">": "\\u003E", "&": "\\u0026"})


def structured(request: HttpRequest, posters: list[Poster]) -> SafeString:
    """Return real evenings as JSON-LD for a script element: place, price, seats, state."""
    told = [_for_search(request, poster) for poster in posters if not poster.event.is_sample]
    said = json.dumps({"@context": "https://schema.org", "@graph": told}, ensure_ascii=False)
    return mark_safe(said.translate(SIGNS))  # noqa: S308 - nothing closes the element


def _for_search(request: HttpRequest, poster: Poster) -> dict[str, Any]:
    event, about, url = poster.event, poster.event.about, _page(request, poster)
    place = {"@type": "Place", "name": about.venue, "address": about.address}
    currency = currency_code()
    offer = {
        "@type": "Offer",
        "url": url,
        "price": f"{event.fee_cents / 100:.2f}",
        **({"priceCurrency": currency} if currency else {}),
        "availability": "InStock" if poster.free and poster.takes_people else "SoldOut",
    }
    return {
        "@type": "Event",
        "name": event.name,
        "url": url,
        "startDate": event.starts_at.isoformat(),
        "eventStatus": "EventCancelled" if event.cancelled_by_id else "EventScheduled",
        "eventAttendanceMode": "OfflineEventAttendanceMode",
        "description": about.description,
        "location": place if about.place else None,
        "organizer": {"@type": "Organization", "name": event.club.name},
        "maximumAttendeeCapacity": poster.places,
        "remainingAttendeeCapacity": poster.free,
        "offers": offer,
    }


# --- The club's evenings for its own website: a small page for a frame, and JSON


MOST = 20
KEPT = "public, max-age=60"


@xframe_options_exempt
@csp_update({"frame-ancestors": ["*"]})
@open_to_all()
def embed(request: HttpRequest) -> HttpResponse:
    """Show running and planned evenings in a frame of another site."""
    posters, _samples = posters_current(present())
    club = Club.objects.order_by("pk").first()
    evenings = [
        (poster, _page(request, poster), prices_in_a_line(poster.event))
        for poster in posters[:MOST]
    ]
    context = {"club": club, "evenings": evenings, "home": public_url(request, "/")}
    response = render(request, "public/embed.html", context)
    response["Cache-Control"] = KEPT
    response["X-Robots-Tag"] = "noindex"
    return response


@open_to_all()
def evenings_json(request: HttpRequest) -> HttpResponse:
    """Send the same as JSON; any site may ask."""
    posters, _samples = posters_current(present())
    data = {"evenings": [_as_json(request, poster) for poster in posters[:MOST]]}
    response = JsonResponse(data, json_dumps_params={"ensure_ascii": False, "indent": 1})
    response["Cache-Control"] = KEPT
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _page(request: HttpRequest, poster: Poster) -> str:
    return public_url(request, poster.event.get_absolute_url())


def _as_json(request: HttpRequest, poster: Poster) -> dict[str, Any]:
    event, about = poster.event, poster.event.about
    return {
        "name": event.name,
        "slug": event.slug,
        "url": _page(request, poster),
        "starts_at": event.starts_at.isoformat(),
        "status": event.status,
        "door": poster.door,
        "game": str(GAMES.get(event.game, event.game)),
        "limit": str(LIMITS.get(event.limit, event.limit)),
        "fee_cents": event.fee_cents,
        "costs": costs_announced(event),
        "places": poster.places,
        "free": poster.free,
        "venue": about.venue,
        "address": about.address,
        "description": about.description,
    }
