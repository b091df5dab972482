"""Staff devices: codes and tokens to sign devices and scripts in, the list, withdrawal of roles."""

from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, Subquery
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from krru.web.certificates import shown
from tournaments.changes.access import (
    WORK,
    Permission,
    Role,
    leads_club,
    roles_that_may,
)
from tournaments.changes.domain.numbers import MOST_ID, whole
from tournaments.changes.views.decorators import (
    hall_url,
    opens_only_here,
    qr_svg,
    secret_for,
    staff,
    staff_url,
)
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    present,
    with_trigger,
)
from tournaments.club.services.staff import SHOWN_LINK_LASTS, device_revoke, link_make, token_make
from tournaments.club.views.signin import code_for
from tournaments.event.views.context import page_context
from tournaments.models import Action, Event, Grant, SignInLink, StaffDevice

# A known prefix for people and programs that look for leaked secrets.
BEGINNING = "krru_"
# What a token may be for beside a role at one tournament.
FOR_ALL = "all"
MOST_SHOWN = 100


@never_cache
@staff(Permission.MANAGE, people=False)
def devices(request: StaffRequest) -> HttpResponse:
    """Show the roles for a new device, and the signed-in devices."""
    return render(request, "staff/devices.html", _page(request))


@never_cache
@staff(Permission.MANAGE, people=False)
def device_list(request: StaffRequest) -> HttpResponse:
    """Render the list for an htmx refresh."""
    return render(request, "staff/device_list.html", _list(request))


@never_cache
@staff(Permission.MANAGE, people=False, methods=("GET", "HEAD", "POST"))
def link_new(request: StaffRequest) -> HttpResponse:
    """Make a code for a role; on GET, tell whether one was used."""
    if request.method != "POST":
        return _code_now(request)
    role, command = request.POST.get("role", ""), club_command_of(request)
    token = secret_for("link", request.actor.scope, role, key=command.key)
    is_for_club = role in roles_that_may(Permission.MANAGE) and leads_club(request.device)
    action = link_make(
        command,
        token=token,
        role=role,
        event=None if is_for_club else request.event,
        one_time=True,
        lasts=SHOWN_LINK_LASTS,
    )
    link = SignInLink.objects.get(pk=action.payload["link"])
    url = staff_url(request, reverse("sign-in", args=[token]))
    code = {**_code(link), "url": url, "qr": qr_svg(url), "is_only_here": opens_only_here(url)}
    code["own"] = shown(settings.KRRU_DATA)
    code |= {"typed": code_for(token), "address": hall_url(request, reverse("sign-in-code"))}
    if request.htmx:
        return render(request, "staff/code.html", {"event": request.event, "code": code})
    return render(request, "staff/devices.html", {**_page(request), "code": code})


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def token_new(request: StaffRequest) -> HttpResponse:
    """Make a token for a script, and show it once."""
    role, name = request.POST.get("role", ""), request.POST.get("name", "")
    command = club_command_of(request)
    token = BEGINNING + secret_for("token", request.actor.scope, role, name, key=command.key)
    is_for_all = role == FOR_ALL and leads_club(request.device)
    action = token_make(
        command,
        token=token,
        name=name,
        role=Role.DIRECTOR if is_for_all else role,
        event=None if is_for_all else request.event,
    )
    device = StaffDevice.objects.get(pk=action.payload["device"])
    role_name = _for_all(Role.DIRECTOR) if is_for_all else WORK[Role(role)].name
    made = {"token": token, "name": device.name, "role_name": role_name}
    address = hall_url(request, reverse("api-event", args=[request.event.slug]))
    context = {"event": request.event, "made": made, "address": address}
    if request.htmx:
        return with_trigger(render(request, "staff/token.html", context), action)
    return render(request, "staff/devices.html", {**_page(request), **context})


@staff(Permission.MANAGE, people=False, methods=("POST",))
def revoke(request: StaffRequest, device: int) -> HttpResponse:
    row = get_object_or_404(_devices(request), pk=device)
    return action_response(request, device_revoke(club_command_of(request), device=row))


def _code_now(request: StaffRequest) -> HttpResponse:
    """Answer empty while a code waits, then with its result."""
    asked = request.GET.get("link", "")
    links = SignInLink.objects.filter(club=request.event.club, is_one_time=True)
    link = get_object_or_404(links, pk=whole(asked, most=MOST_ID) or 0)
    of_link = {"kind": "staff.signed_in", "payload__link": link.pk}
    signed_in = Action.objects.filter(club=link.club, event=None, **of_link)
    used = signed_in.select_related("text").first()
    is_over = link.expires_at <= present(link.club)
    if used is None and not is_over:
        return HttpResponse(status=204)
    code = {**_code(link), "used_by": used.text.data["name"] if used else "", "is_over": True}
    return render(request, "staff/code.html", {"event": request.event, "code": code})


def _code(link: SignInLink) -> dict[str, Any]:
    role = Role(link.role)
    return {"link": link, "role": role, "work": WORK[role]}


def _page(request: StaffRequest) -> dict[str, Any]:
    context = page_context(request, request.event, request.actor)
    for_all = _for_all(Role.DIRECTOR) if leads_club(request.device) else ""
    offers = dict(reversed(WORK.items()))
    return {**context, **_list(request), "offers": offers, "for_all": for_all}


def _for_all(role: Role) -> str:
    return _("%(role)s für alle Turniere") % {"role": WORK[role].name}


def _list(request: StaffRequest) -> dict[str, Any]:
    """Return the devices of open evenings and of this one, or on demand those of before."""
    event, live = request.event, Grant.objects.filter(revoked_at=None)
    # Of the club, of an open evening, of this one.
    is_open = Q(event=None) | Q(event=event) | Q(event__in=Event.objects.open())
    in_use = Q(pk__in=live.filter(is_open, device__club=event.club_id).values("device"))
    are_former = request.GET.get("frueher") == "1"
    every = _devices(request).filter(Exists(live.filter(device=OuterRef("pk"))))
    shown = every.exclude(in_use) if are_former else every.filter(in_use)
    return {
        "event": event,
        "rows": _rows(request, shown.order_by("-created_at", "-pk")[:MOST_SHOWN]),
        "are_former": are_former,
        "has_former": every.exclude(in_use).exists(),
    }


def _rows(request: StaffRequest, devices: QuerySet[StaffDevice]) -> list[dict[str, Any]]:
    acts = Action.objects.filter(device=OuterRef("pk")).order_by("-pk")
    rows = []
    made = Action.objects.filter(club=request.event.club, event=None, kind="staff.token_made")
    scripts = set(made.values_list("payload__device", flat=True))
    for device in devices.annotate(last_at=Subquery(acts.values("recorded_at")[:1])):
        grants = list(device.live_grants)  # type: ignore[attr-defined]
        if grants:
            rows.append(
                {
                    "device": device,
                    "roles": [_role_of(grant, request.event) for grant in grants],
                    "since": min(grant.granted_at for grant in grants),
                    "last_at": device.last_at,
                    "is_script": device.pk in scripts,
                    "is_own": request.device is not None and device.pk == request.device.pk,
                }
            )
    return rows


def _role_of(grant: Grant, event: Event) -> str:
    role = Role(grant.role)
    name = str(WORK[role].name)
    if grant.event is None:
        return _for_all(role)
    if grant.event_id == event.pk:
        return name
    return _("%(role)s bei %(event)s") % {"role": name, "event": grant.event.name}


def _devices(request: StaffRequest) -> QuerySet[StaffDevice]:
    """Return the devices this director may see and sign out."""
    grants = Grant.objects.filter(revoked_at__isnull=True).select_related("event__head")
    found = StaffDevice.objects.filter(club=request.event.club)
    if not leads_club(request.device):
        elsewhere = grants.exclude(event=request.event)
        found = found.filter(grants__event=request.event).exclude(grants__in=elsewhere)
    live_grants = Prefetch("grants", grants.order_by("granted_at"), to_attr="live_grants")
    return found.distinct().prefetch_related(live_grants)
