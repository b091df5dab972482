"""Staff devices: codes that phones are signed in with, the list of devices, taking roles away.

Who leads one tournament alone sees and signs off its devices; who leads the club, all of them.
"""

from __future__ import annotations

from typing import Any

from django.db.models import Prefetch, QuerySet
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.access import Permission, Role, actor_of, allows
from tournaments.models import Event, Grant, SignInLink, StaffDevice
from tournaments.services.staff import device_revoke, link_make
from tournaments.views.context import page_context
from tournaments.views.frame import StaffRequest, acted, present, request_key, staff
from tournaments.views.links import hall_url, is_only_here, qr_svg, secret_for
from tournaments.views.signin import ROLE_NAMES, ROLE_WORK

SHOWN_AS_CODE = (Role.ARBITER, Role.DESK)


@never_cache
@staff(Permission.MANAGE)
def devices(request: StaffRequest) -> HttpResponse:
    """Show the codes to sign phones in with, and which devices are signed in."""
    return render(request, "staff/devices.html", _page(request))


@never_cache
@staff(Permission.MANAGE)
def device_list(request: StaffRequest) -> HttpResponse:
    """Show the list alone, for the page that is open."""
    return render(request, "staff/device_list.html", _list(request))


@never_cache
@staff(Permission.MANAGE, methods=("POST",))
def link_new(request: StaffRequest) -> HttpResponse:
    """Make a code for a role, or a director's link that is shown this once."""
    role, club = request.POST.get("role", ""), request.event.club
    one_time = role == Role.DIRECTOR
    key = request_key(request)
    token = secret_for("link", request.actor.scope, role, key=key)
    link_make(
        club=club,
        by=request.actor,
        at=present(club),
        key=key,
        token=token,
        role=role,
        event=None if one_time and _leads_club(request) else request.event,
        one_time=one_time,
    )
    if one_time:
        link = hall_url(request, reverse("sign-in", args=[token]))
        if request.htmx:
            return render(request, "staff/director_link.html", {"director_link": link})
        return render(request, "staff/devices.html", {**_page(request), "director_link": link})
    if request.htmx:
        card = {"event": request.event, "card": _card(request, Role(role))}
        return render(request, "staff/code_card.html", card)
    return HttpResponseRedirect(reverse("staff", args=[request.event.slug]))


@staff(Permission.MANAGE, methods=("POST",))
def revoke(request: StaffRequest, device: int) -> HttpResponse:
    """Take every role from a device."""
    row = get_object_or_404(_devices(request), pk=device)
    action = device_revoke(
        club=request.event.club,
        by=request.actor,
        at=present(request.event.club),
        key=request_key(request),
        device=row,
    )
    return acted(request, action)


def _page(request: StaffRequest) -> dict[str, Any]:
    return {
        **page_context(request, request.event, request.actor),
        **_list(request),
        "cards": [_card(request, role) for role in SHOWN_AS_CODE],
    }


def _list(request: StaffRequest) -> dict[str, Any]:
    rows = []
    for device in _devices(request, live_only=True):
        grants = list(device.live_grants)  # type: ignore[attr-defined]
        rows.append(
            {
                "device": device,
                "roles": [_role_of(grant, request.event) for grant in grants],
                "since": min(grant.granted_at for grant in grants),
                "is_own": request.device is not None and device.pk == request.device.pk,
            }
        )
    return {"event": request.event, "rows": rows}


def _role_of(grant: Grant, event: Event) -> str:
    name = str(ROLE_NAMES[Role(grant.role)])
    if grant.event is None or grant.event_id == event.pk:
        return name
    return _("%(role)s bei %(event)s") % {"role": name, "event": grant.event.name}


def _leads_club(request: StaffRequest) -> bool:
    return allows(actor_of(request.device, None), Permission.MANAGE)


def _devices(request: StaffRequest, *, live_only: bool = False) -> QuerySet[StaffDevice]:
    """Return the devices this director may see and sign off."""
    grants = Grant.objects.filter(revoked_at__isnull=True).select_related("event")
    found = StaffDevice.objects.filter(club=request.event.club)
    if not _leads_club(request):
        elsewhere = grants.exclude(event=request.event)
        found = found.filter(grants__event=request.event).exclude(grants__in=elsewhere)
    if live_only:
        found = found.filter(grants__in=grants)
    held = Prefetch("grants", grants.order_by("granted_at"), to_attr="live_grants")
    return found.distinct().order_by("created_at", "pk").prefetch_related(held)


def _card(request: StaffRequest, role: Role) -> dict[str, Any]:
    """Return what the page shows of a role's code; there may be none yet."""
    now = present(request.event.club)
    link = (
        SignInLink.objects.filter(event=request.event, role=role, is_one_time=False)
        .filter(revoked_at__isnull=True, expires_at__gt=now)
        .order_by("-pk")
        .first()
    )
    card: dict[str, Any] = {"role": role, "name": ROLE_NAMES[role], "work": ROLE_WORK[role]}
    if link is None:
        return card
    url = hall_url(request, reverse("sign-in", args=[link.token]))
    return {
        **card,
        "url": url,
        "qr": qr_svg(url),
        "ends_at": link.expires_at,
        "is_only_here": is_only_here(url),
    }
