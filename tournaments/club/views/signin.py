"""Sign a device in by a link or QR code, and out again.

Opening a link changes nothing, because messengers and browsers open links for a preview; only the
button does. The cookie is the device's secret; the database has its hash.
"""

import logging
import secrets
import string
from typing import Any

from django.contrib import messages
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from krru.web.rate_limits import RateLimit, sender_of
from tournaments.changes.access import (
    COOKIE,
    VISITOR,
    WORK,
    Actor,
    Role,
    device_signed_in,
    roles_of,
    token_hash,
)
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import keep_secret, open_to_all, secret_for
from tournaments.changes.views.requests import present, request_key
from tournaments.club.services.staff import (
    NEW_LINK,
    SHOWN_LINK_LASTS,
    device_sign_in,
    device_sign_out,
    is_last_to_lead,
    obstacle_to_sign_in,
)
from tournaments.event.selectors.event import event_current
from tournaments.models import Event, Grant, SignInLink, StaffDevice

GONE, REFUSED = 410, 422


@never_cache
@open_to_all(methods=("GET", "HEAD", "POST"))
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """Show the role behind this link, and sign in on the button."""
    links = SignInLink.objects.select_related("event__head", "club")
    link = links.filter(token_hash=token_hash(token)).first()
    if link is None:
        return _dead(request, None, GONE)
    if request.method == "POST":
        try:
            return _signed_in(request, link, token)
        except Refused as refusal:
            return _refused(request, link, refusal)
    if obstacle_to_sign_in(link, present(link.club)):
        return _dead(request, link, GONE)
    return _form(request, link)


def _refused(request: HttpRequest, link: SignInLink, refusal: Refused) -> HttpResponse:
    if _holds(request, link):
        return HttpResponseRedirect(_home(Role(link.role), link.event or event_current()))
    if refusal.code == "link_dead":
        link.refresh_from_db()
        return _dead(request, link, REFUSED)
    return _form(request, link, refusal=refusal)


def _form(request: HttpRequest, link: SignInLink, refusal: Refused | None = None) -> HttpResponse:
    device = device_signed_in(request.COOKIES.get(COOKIE, ""))
    role = Role(link.role)
    context: dict[str, Any] = {
        "club": link.club,
        "event": link.event,
        "link": link,
        "work": WORK[role],
        "home": _home(role, link.event or event_current()) if _holds(request, link) else None,
        "known_name": device.name if device else "",
        "name": request.POST.get("name", ""),
        "refusal": refusal,
    }
    return render(request, "staff/sign_in.html", context, status=REFUSED if refusal else 200)


def _holds(request: HttpRequest, link: SignInLink) -> bool:
    """Tell whether the device already has the link's role, as after a repeated press."""
    device: StaffDevice | None = request.device  # type: ignore[attr-defined]
    return Role(link.role) in roles_of(device, link.event)


def _dead(request: HttpRequest, link: SignInLink | None, status: int) -> HttpResponse:
    """Tell why a link is invalid, with a way on for a signed-in device."""
    event = (link.event if link else None) or event_current()
    context = {
        "reason": obstacle_to_sign_in(link, present(link.club if link else None)),
        "home": _way_on(request.device, event),  # type: ignore[attr-defined]
    }
    return render(request, "staff/link_dead.html", context, status=status)


def _signed_in(request: HttpRequest, link: SignInLink, token: str) -> HttpResponse:
    key = request_key(request)
    secret = secret_for("device", link.pk, key=key)
    action = device_sign_in(
        ClubCommand(club=link.club, by=VISITOR, at=present(link.club), key=key),
        token=token,
        name=request.POST.get("name", ""),
        device_token=secret,
        known_token=request.COOKIES.get(COOKIE, ""),
    )
    role = Role(action.payload["role"])
    messages.success(request, _("Dieses Gerät ist bereit: %(role)s.") % {"role": WORK[role].name})
    response = HttpResponseRedirect(_home(role, link.event or event_current()))
    keep_secret(response, COOKIE, secret)
    return response


@never_cache
@open_to_all(methods=("GET", "HEAD", "POST"))
def sign_out(request: HttpRequest) -> HttpResponse:
    """Ask, then remove every role of the acting device, and its cookie."""
    device: StaffDevice | None = request.device  # type: ignore[attr-defined]
    if request.method != "POST":
        return _ask_to_sign_out(request, device) if device else HttpResponseRedirect("/")
    grant = Grant.objects.filter(device=device, revoked_at=None).first() if device else None
    by = Actor(role=Role(grant.role), device=device) if grant else VISITOR
    club = device.club if device else club_get()
    command = ClubCommand(club=club, by=by, at=present(club), key=request_key(request))
    try:
        device_sign_out(command, is_sure="is_sure" in request.POST)
    except Refused as refusal:
        if device is None or refusal.code != "last_director":
            raise
        return _ask_to_sign_out(request, device, refusal)
    messages.success(request, _("Dieses Gerät ist abgemeldet."))
    response = HttpResponseRedirect(reverse("home"))
    response.delete_cookie(COOKIE, samesite="Lax")
    return response


def _ask_to_sign_out(
    request: HttpRequest, device: StaffDevice, refusal: Refused | None = None
) -> HttpResponse:
    context = {
        "device": device,
        "is_last": is_last_to_lead(device),
        "refusal": refusal,
        "back": _way_on(device, event_current()) or reverse("home"),
    }
    return render(request, "staff/sign_out.html", context, status=REFUSED if refusal else 200)


def _home(role: Role, event: Event | None) -> str:
    return reverse(WORK[role].home, args=[event.slug]) if event else reverse("home")


def _way_on(device: StaffDevice | None, event: Event | None) -> str:
    """Return the start page of a device's first role; empty without one."""
    roles = roles_of(device, event)
    return next((_home(role, event) for role in WORK if role in roles), "")


# --- A sign-in link as six typed digits, for a device that cannot read a QR code


FIGURES = 6
TRIES = 20
LONGEST_TYPED = 40
# Kept longer than valid, so that the page can tell that it has expired.
KEPT_SECONDS = 2 * SHOWN_LINK_LASTS.total_seconds()
# A million codes, one of them valid for five minutes: not to be guessed within these limits. Only
# wrong ones count; past the common limit those who failed before wait, and others have a try.
TYPED, ALL_TYPED = RateLimit(name="codes", most=10), RateLimit(name="all-codes", most=100)

log = logging.getLogger("krru.codes")


def code_for(token: str) -> str:
    """Return the code of a link, the same each time; empty without a cache."""
    cache, own = caches["kept"], f"code-of:{token_hash(token)}"
    try:
        known = cache.get(own)
        for _try in range(0 if known else TRIES):
            code = "".join(secrets.choice(string.digits) for _figure in range(FIGURES))
            if cache.add(f"code:{code}", token, KEPT_SECONDS):
                cache.set(own, code, KEPT_SECONDS)
                return code
    except RedisError:
        log.warning("Without Redis no device is signed in by a typed code.")
        known = None
    return str(known or "")


def token_of(typed: str) -> str | None:
    """Return the link's token for a typed code; spaces and dashes are ignored."""
    code = "".join(char for char in typed[:LONGEST_TYPED] if char in string.digits)
    try:
        found = caches["kept"].get(f"code:{code}") if len(code) == FIGURES else None
    except RedisError:
        return None
    return str(found) if found else None


@never_cache
@open_to_all(methods=("GET", "HEAD", "POST"))
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code and redirect to its link."""
    refusal = None
    if request.method == "POST":
        try:
            return HttpResponseRedirect(_link(request))
        except Refused as problem:
            refusal = problem
    typed = request.POST.get("code", "")[:LONGEST_TYPED]
    context = {"refusal": refusal, "typed": typed, "command": NEW_LINK}
    return render(request, "staff/typed_code.html", context, status=422 if refusal else 200)


def _link(request: HttpRequest) -> str:
    share, is_rush = TYPED.share_of(request), ALL_TYPED.count(more=0) >= ALL_TYPED.most
    if share >= 1 or (is_rush and (share or not sender_of(request))):
        raise Refused(
            _("Das waren gerade sehr viele Codes. Bitte in zehn Minuten noch einmal versuchen, "
              "oder den QR-Code oder Link nehmen."),
            code="flood",
        )  # fmt: skip
    token = token_of(request.POST.get("code", ""))
    if token is None:
        TYPED.is_passed_by(request)
        ALL_TYPED.count()
        raise Refused(
            _("Diesen Code gibt es nicht, oder er ist abgelaufen. Er hat sechs Ziffern."),
            code="unknown_code",
        )
    return reverse("sign-in", args=[token])
