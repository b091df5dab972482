"""A device becomes a staff device by a link or QR code, and stops being one.

Opening a link changes nothing, because messengers and browsers open links for a preview; only
the button does. The cookie is the device's own secret, of which the database knows the hash.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from tournaments.access import VISITOR, Actor, Role, roles_of, token_hash
from tournaments.middleware import COOKIE
from tournaments.models import Event, SignInLink, StaffDevice
from tournaments.selectors.event import event_current
from tournaments.services.staff import (
    club_get,
    device_sign_in,
    device_sign_out,
    obstacle_to_sign_in,
)
from tournaments.views.frame import open_to_all, present, request_key
from tournaments.views.links import secret_for

COOKIE_LASTS_SECONDS = 400 * 24 * 3600
GONE = 410
ROLE_NAMES = {
    Role.DIRECTOR: gettext_lazy("Turnierleitung"),
    Role.DESK: gettext_lazy("Anmeldung"),
    Role.ARBITER: gettext_lazy("Schiedsrichter"),
}
ROLE_WORK = {
    Role.DIRECTOR: gettext_lazy("Uhr, Tische, Geräte und alle Einstellungen."),
    Role.DESK: gettext_lazy("Anmeldungen aufnehmen, einchecken und Plätze ausgeben."),
    Role.ARBITER: gettext_lazy("Tische sehen und eintragen, wer ausgeschieden ist."),
}
# What a browser says of itself, in the order in which it has to be asked.
DEVICE_NAMES = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", gettext_lazy("Android-Handy")),
    ("CrOS", "Chromebook"),
    ("Macintosh", "Mac"),
)


@never_cache
@open_to_all(methods=("GET", "HEAD", "POST"))
def sign_in(request: HttpRequest, token: str) -> HttpResponse:
    """Say what a device becomes by this link, and make it that when the button is pressed."""
    link = (
        SignInLink.objects.select_related("event", "club")
        .filter(token_hash=token_hash(token))
        .first()
    )
    if request.method == "POST" and link is not None:
        return _signed_in(request, link, token)
    club = link.club if link else None
    reason = obstacle_to_sign_in(link, present(club))
    device: StaffDevice | None = request.device  # type: ignore[attr-defined]
    if reason or link is None:
        home = _home(_highest(device, event_current()), event_current())
        context = {"reason": reason, "home": home}
        return render(request, "staff/link_dead.html", context, status=GONE)
    role = Role(link.role)
    event = link.event or event_current()
    holds = role in roles_of(device, link.event)
    context = {
        "event": link.event,
        "role": role,
        "role_name": ROLE_NAMES[role],
        "role_work": ROLE_WORK[role],
        "is_one_time": link.is_one_time,
        "home": _home(role, event) if holds else None,
        "known_name": device.name if device else "",
        "name": device_name(request.headers.get("User-Agent", "")),
    }
    return render(request, "staff/sign_in.html", context)


def _signed_in(request: HttpRequest, link: SignInLink, token: str) -> HttpResponse:
    device: StaffDevice | None = request.device  # type: ignore[attr-defined]
    key = request_key(request)
    secret = "" if device else secret_for("device", link.pk, key=key)
    action = device_sign_in(
        club=link.club,
        by=VISITOR,
        at=present(link.club),
        key=key,
        token=token,
        name=request.POST.get("name", ""),
        device_token=secret,
        device=device,
    )
    role = Role(action.payload["role"])
    messages.success(request, _("Angemeldet als %(role)s.") % {"role": ROLE_NAMES[role]})
    home = _home(role, link.event or event_current()) or reverse("home")
    response = HttpResponseRedirect(home)
    if secret:
        response.set_cookie(
            COOKIE,
            secret,
            max_age=COOKIE_LASTS_SECONDS,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )
    return response


@open_to_all(methods=("POST",))
def sign_out(request: HttpRequest) -> HttpResponse:
    """Take every role from the device that asks, and its cookie."""
    device: StaffDevice | None = request.device  # type: ignore[attr-defined]
    club = device.club if device else club_get()
    by = Actor(role=_highest(device, None) or Role.VISITOR, device=device)
    device_sign_out(club=club, by=by, at=present(club), key=request_key(request))
    messages.success(request, _("Dieses Gerät ist abgemeldet."))
    response = HttpResponseRedirect(reverse("home"))
    response.delete_cookie(COOKIE, samesite="Lax")
    return response


def device_name(user_agent: str) -> str:
    """Return what a device may be called until somebody says better."""
    if "Android" in user_agent and "Mobile" not in user_agent:
        return _("Android-Tablet")
    for mark, name in DEVICE_NAMES:
        if mark in user_agent:
            return str(name)
    return _("Handy") if "Mobile" in user_agent else _("Laptop")


def _highest(device: StaffDevice | None, event: Event | None) -> Role | None:
    held = roles_of(device, event)
    return next((role for role in ROLE_NAMES if role in held), None)


def _home(role: Role | None, event: Event | None) -> str | None:
    """Return where somebody of this role begins."""
    if role is None:
        return None
    if event is None:
        return reverse("new-event" if role is Role.DIRECTOR else "home")
    pages = {Role.DIRECTOR: "director", Role.DESK: "desk", Role.ARBITER: "floor"}
    return reverse(pages[role], args=[event.slug])
