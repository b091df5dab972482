"""Decorators of every page: fetch, authorise, catch refusals.

A staff view is `view(request, …)` under `@staff(permission)`, with the event and the actor on
`request.event` and `request.actor`. A view with an action calls one service and returns
`action_response(…)`. `Refused` becomes a 422 with the sentence; any other exception is a bug.
"""

import base64
import hashlib
import io
import secrets
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import segno
from django.conf import settings
from django.core.cache import caches
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import resolve, reverse
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from redis.exceptions import RedisError

from clock.snapshot import snapshot
from krru.web.certificates import shown
from krru.web.served import in_address, is_only_here, served
from tournaments.changes.access import (
    REFUSALS,
    Actor,
    Permission,
    Role,
    actor_of,
    allows,
    refusal_of,
)
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.requests import HEADER, Decorator, View, question, refused
from tournaments.models import Event, Registration, link_hash, with_link

SAFE = ("GET", "HEAD")
SHOWN_WITH = ("club", "clock", "head__started_by")


def event_or_404(slug: str, request: Any = None, *, people: bool = False) -> Event:
    """Return the event or answer 404.

    :param people: Whether it is asked for people, tables or seats: where only the clock runs there
        are none.
    """
    is_shown = request is None or request.method in SAFE
    rows = Event.objects.filter(slug=slug)
    if is_shown:
        others = Event.objects.under_way().filter(club=OuterRef("club")).exclude(pk=OuterRef("pk"))
        rows = rows.select_related(*SHOWN_WITH).annotate(has_others=Exists(others))
    row = rows.first()
    if row is None:
        raise Http404(_("Dieses Turnier gibt es nicht."))
    if request is not None and is_shown:
        snapshot(row, row.clock)
    if people and row.is_clock_only:
        if request is not None:
            request.event = row
        raise Http404(_("An diesem Abend läuft nur die Uhr: Diese Seite gibt es dabei nicht."))
    return row


def is_of_people(page: str, *arguments: Any) -> bool:
    view = resolve(reverse(page, args=arguments)).func
    return bool(getattr(view, "people", False))


def staff(
    permission: Permission,
    *,
    people: bool,
    methods: tuple[str, ...] = SAFE,
    accepts_offline: bool = False,
) -> Decorator:
    """Fetch the event of `slug`, authorise the device, catch refusals.

    :param people: Whether the page is about people, tables or seats. There is none where only the
        clock runs.
    :param accepts_offline: Whether a tap may come late, with its own time: only facts of the floor.
    """

    def enter(request: Any, kwargs: dict[str, Any]) -> HttpResponse | None:
        request.event = event_or_404(kwargs.pop("slug"), request, people=people)
        request.actor = actor_of(request.device, request.event)
        return None if allows(request.actor, permission) else denied(request, permission)

    return lambda view: _page(_late(view, may=accepts_offline), enter, methods, people=people)


def club_staff(permission: Permission, *, methods: tuple[str, ...] = SAFE) -> Decorator:
    """Authorise the device for the whole club, catch refusals."""

    def enter(request: Any, _kwargs: dict[str, Any]) -> HttpResponse | None:
        request.actor = actor_of(request.device, None)
        return None if allows(request.actor, permission) else denied(request, permission)

    return lambda view: _page(view, enter, methods)


def open_to_all(*, people: bool = False, methods: tuple[str, ...] = SAFE) -> Decorator:
    """Mark a page open to everyone; catch refusals.

    :param people: As for `staff`; then the view gets the event on `request.event`.
    """

    def enter(request: Any, kwargs: dict[str, Any]) -> None:
        if people:
            request.event = event_or_404(kwargs["slug"], request, people=True)

    return lambda view: _page(view, enter, methods, people=people)


def _page(
    view: View,
    enter: Callable[[Any, dict[str, Any]], HttpResponse | None],
    methods: tuple[str, ...],
    *,
    people: bool = False,
) -> View:
    """Return a view that is entered first, which may answer in its place; catch its refusals."""

    @require_http_methods(methods)
    @wraps(view)
    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = enter(request, kwargs)
        try:
            return view(request, *args, **kwargs) if answer is None else answer
        except Refused as refusal:
            return refused(request, refusal)

    run.people = people  # type: ignore[attr-defined]
    return run


def denied(request: HttpRequest, permission: Permission) -> HttpResponse:
    """Answer 403 with the reason as a sentence; also where a role may, but not this device."""
    actor = request.actor  # type: ignore[attr-defined]
    reason = refusal_of(actor, permission) or str(REFUSALS[permission])
    if HEADER in request.headers:
        return question(reason, "denied", 403)
    context = {"reason": reason, "is_signed_in": actor.device is not None}
    template = "parts/refusal.html" if request.headers.get("HX-Request") else "403.html"
    return render(request, template, context, status=403)


def _late(view: View, *, may: bool) -> View:
    """Hold the event's lock during a late tap, so that the check stays valid.

    :param may: Whether this page takes late taps.
    """

    @wraps(view)
    def run(request: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        if HEADER not in request.headers:
            return view(request, *args, **kwargs)
        if not may:
            text = _("Das lässt sich nicht nachtragen. Bitte neu eingeben.")
            raise Refused(text, code="not_late")
        with transaction.atomic():
            Event.objects.lock(request.event.pk)
            return view(request, *args, **kwargs)

    return run


# --- Parts of a page that fetch themselves again after a change


DIGEST_LENGTH = 16


def panel_html(*, name: str, url: str, trigger: str, body: SafeString) -> SafeString:
    """Return a part with its element, fetched again from `url` on its `trigger`."""
    shell = {"name": name, "url": url, "trigger": trigger, "body": _marked(body)}
    return render_to_string("parts/panel.html", shell)


def panel_answer(request: HttpRequest, body: SafeString) -> HttpResponse:
    """Render the panel for an htmx refresh; 204 if the page shows it already."""
    if request.GET.get("shown") == _digest(body):
        return HttpResponse(status=204)
    return HttpResponse(_marked(body))


def _marked(body: SafeString) -> SafeString:
    field = '{}<input type="hidden" name="shown" value="{}" data-shown>'
    return format_html(field, body, _digest(body))


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:DIGEST_LENGTH]


# --- Links for another device: the hall's address, as text and as QR code


COOKIE_LASTS_SECONDS = 400 * 24 * 3600
REPEATED_WITHIN_SECONDS = 600


def hall_url(request: HttpRequest, path: str) -> str:
    """Return an absolute address for other devices, where "localhost" is of no use."""
    parts = urlsplit(f"//{request.get_host()}")
    address = served().hall_host if is_only_here(parts.hostname or "") else None
    if address is None:
        return request.build_absolute_uri(path)
    port = f":{parts.port}" if parts.port else ""
    return f"{request.scheme}://{in_address(address)}{port}{path}"


def staff_url(request: HttpRequest, path: str) -> str:
    """Return such an address for staff; on our own https with the fingerprint.

    Browsers do not send the part after #: it is only for comparing.
    """
    url, own = hall_url(request, path), shown(settings.KRRU_DATA)
    return f"{url}#sha256={own.short.replace(':', '')}" if own else url


def opens_only_here(url: str) -> bool:
    """Tell whether an address from `hall_url` works on this machine only."""
    return is_only_here(urlsplit(url).hostname or "")


@lru_cache(maxsize=1024)
def qr_svg(link: str) -> SafeString:
    """Return a QR code as an SVG element that fills its box.

    Cached: phones reload often and the code was a third of the work.
    """
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, nl=False
    )
    return mark_safe(out.getvalue().decode())  # noqa: S308 - segno's own path, nothing of the link


def secret_for(purpose: str, *subject: Any, key: UUID | None) -> str:
    """Return a new secret; a repeated request within minutes gets the same one.

    A service takes the secret as an argument, so without this a repeated request would be a
    different one. The secret is random and kept outside the database, so not in a backup.
    """
    secret = secrets.token_urlsafe(24)
    if key is None:
        return secret
    cache, name = caches["kept"], ":".join(map(str, ("secret", purpose, *subject, key)))
    digest = hashlib.sha256(name.encode()).hexdigest()
    try:
        if cache.add(digest, secret, REPEATED_WITHIN_SECONDS):
            return secret
        return str(cache.get(digest) or secret)
    except RedisError:
        return secret


# The parameter of the poster's link, and the length of its token.
POSTER, TOKEN_BYTES = "da", 5


def poster_token(slug: str) -> str:
    """Return the token on an event's poster: short, not guessable, and always the same.

    It permits more registrations from one connection.
    """
    digest = salted_hmac("poster", slug).digest()
    return base64.b32encode(digest[:TOKEN_BYTES]).decode().lower()


def shown_token(request: HttpRequest, slug: str) -> str:
    """Return the poster's token if the request has it, else an empty text."""
    token = (request.POST if request.method == "POST" else request.GET).get(POSTER, "")
    good = poster_token(slug)
    return good if constant_time_compare(token, good) else ""


def keep_secret(response: HttpResponse, cookie: str, secret: str) -> None:
    """Set the cookie with the browser's secret, out of reach of scripts."""
    response.set_cookie(
        cookie,
        secret,
        max_age=COOKIE_LASTS_SECONDS,
        httponly=True,
        samesite="Lax",
    )


# --- Common parts of personal pages: find the registration, act as that player


GONE = 410


class LinkReplaced(Exception):
    """The link has been replaced by a new one."""


def private(view: View) -> View:
    """Keep the link private: no referrer to other sites, no cache, no search engine.

    Not "no-referrer": browsers would then post forms with the origin "null", which is refused.
    """

    @never_cache
    @wraps(view)
    def run(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            response = view(request, *args, **kwargs)
        except LinkReplaced:
            forgotten = {"url": request.path, "until": 0, "isForgotten": True}
            context = {"own_page": forgotten}
            response = render(request, "player/replaced.html", context, status=GONE)
        response["Referrer-Policy"] = "same-origin"
        response["X-Robots-Tag"] = "noindex, nofollow"
        return response

    return run


def own_registration(token: str, *, is_shown: bool = False) -> Registration:
    """Return the registration of a link, or answer 404; `is_shown` for a page to display.

    :raises LinkReplaced: When it was one's link before.
    """
    rows = Registration.objects.select_related(
        "person", "made_by", "event__head", "event__clock", "event__club"
    )
    row = with_link(rows, token).first()
    if row is None:
        if Registration.objects.filter(replaced_link_hash=link_hash(token)).exists():
            raise LinkReplaced
        raise Http404
    if is_shown:
        snapshot(row.event, row.event.clock)
    return row


def player_actor(registration: Registration) -> Actor:
    return Actor(role=Role.PLAYER, registration_id=registration.pk)
