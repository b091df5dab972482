"""Choose what is told: on a player's own page, and for an arbiter's device."""

import json
from functools import cache
from pathlib import Path
from typing import Any

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from krru.web.webpush import BadSubscription, subscription_from
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import whole
from tournaments.changes.views.decorators import open_to_all, own_registration, private, staff
from tournaments.changes.views.requests import StaffRequest, command_of
from tournaments.event.selectors.event import is_stage, sells_again
from tournaments.event.views.context import page_context
from tournaments.models import Event, Listener, Outlet, Registration, StaffDevice
from tournaments.notices.domain.notices import NOT_BY_MAIL, Channel, NoticeKind
from tournaments.notices.selectors.outlet import (
    CHANNEL_LABELS,
    KIND_LABELS,
    channels_of,
    device_code,
    outlet_of,
    player_code,
    push_key,
)
from tournaments.notices.services.choosing import notices_choose, push_key_ensure
from tournaments.public.views.player_actions import own_command

FORM = ("GET", "HEAD", "POST")
MOST_TABLE = 10_000


@open_to_all(methods=FORM)
@private
def own(request: HttpRequest, token: str) -> HttpResponse:
    """Show a player's channels, and save the choice of one."""
    is_read = request.method != "POST"
    registration = own_registration(token, is_shown=is_read)
    if not is_read:
        notices_choose(
            own_command(request, registration), registration=registration, **_chosen(request)
        )
    url = reverse("player-notices", args=[token])
    return _panel(request, registration.event, url, registration=registration)


@staff(Permission.SEE_FLOOR, people=True, methods=FORM)
def device(request: StaffRequest) -> HttpResponse:
    """Let a device be told of moves away from tables."""
    if request.method == "POST":
        chosen = _chosen(request)
        notices_choose(command_of(request), tables=_tables(request), **chosen)
    url = reverse("device-notices", args=[request.event.slug])
    return _panel(request, request.event, url, device=request.device)


def _chosen(request: HttpRequest) -> dict[str, Any]:
    """Return channel, kinds and address as arguments of the service."""
    told = request.POST.get("address", "")
    address = ""
    if told:
        try:
            found = subscription_from(told)
        except BadSubscription:
            raise Refused(
                _("Dieser Browser lässt sich nicht verbinden."), code="bad_push"
            ) from None
        own = {"endpoint": found.endpoint, "p256dh": found.p256dh, "auth": found.auth}
        address = json.dumps(own)
    kinds = [] if "off" in request.POST else request.POST.getlist("kinds")
    return {"channel": request.POST.get("channel", ""), "kinds": kinds, "address": address}


def _tables(request: HttpRequest) -> list[int]:
    words = request.POST.get("tables", "").replace(",", " ").split()
    found = [whole(word, most=MOST_TABLE) for word in words]
    if None in found:
        raise Refused(_("Bitte Tischnummern mit Leerzeichen dazwischen, oder nichts für alle."),
                      code="bad_tables")  # fmt: skip
    return [number for number in found if number is not None]


def _panel(
    request: HttpRequest,
    event: Event,
    url: str,
    *,
    registration: Registration | None = None,
    device: StaffDevice | None = None,
) -> HttpResponse:
    outlet = push_key_ensure(outlet_of(event.club))
    owner = {"registration": registration} if registration else {"device": device}
    known = {row.channel: row for row in Listener.objects.filter(event=event, **owner)}
    code = player_code(registration) if registration else device_code(event, device)  # type: ignore[arg-type]
    shown = [
        _shown(channel, known.get(channel), outlet, code, _kinds(event, registration, channel))
        for channel in channels_of(outlet, registration)
    ]
    context = {"channels": shown, "url": url, "is_device": device is not None, "event": event}
    if device is not None and not request.headers.get("HX-Request"):
        context |= page_context(request, event, request.actor)  # type: ignore[attr-defined]
        return render(request, "notices/device.html", context)
    return render(request, "notices/channels.html", context)


def _kinds(event: Event, registration: Registration | None, channel: Channel) -> list[NoticeKind]:
    if registration is None:
        return [NoticeKind.MOVE]
    never = set(NOT_BY_MAIL) if channel is Channel.MAIL else set()
    if registration.entries.live().exists():
        never.add(NoticeKind.LINE)
    if not is_stage(event):
        never |= {NoticeKind.BAG, NoticeKind.DAY2}
    if not sells_again(event):
        never.add(NoticeKind.REBUY)
    if not event.prizes:
        never.add(NoticeKind.PRIZE)
    return [kind for kind in NoticeKind if kind not in never]


def _shown(
    channel: Channel, row: Listener | None, outlet: Outlet, code: str, kinds: list[NoticeKind]
) -> dict[str, Any]:
    """Return a channel to choose from: what may be told, what is, and how it is joined."""
    chosen = set(row.kinds) if row else set(kinds)
    is_telegram = channel is Channel.TELEGRAM
    return {
        "channel": channel,
        "label": CHANNEL_LABELS[channel],
        "kinds": [(kind, KIND_LABELS[kind], kind in chosen) for kind in kinds],
        "is_on": row is not None,
        "join_url": f"https://t.me/{outlet.bot_name}?start={code}" if is_telegram else "",
        "push_key": push_key(outlet) if channel is Channel.PUSH else "",
        "tables": " ".join(map(str, row.tables)) if row else "",
    }


# --- The page on a phone's home screen: it opens offline, with the last seat, clock and blinds


WORKER = "tournaments/js/worker.js"


@open_to_all()
def start(request: HttpRequest) -> HttpResponse:
    """Show what this browser keeps. The same page for all: it knows nobody."""
    return render(request, "notices/start.html")


@open_to_all()
def worker(_request: HttpRequest) -> HttpResponse:
    """Send the service worker; its address is its scope, so it never sees another page."""
    response = HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")
    response["Cache-Control"] = "no-cache"
    return response


@cache
def _worker() -> str:
    found = finders.find(WORKER)
    assert isinstance(found, str)
    return Path(found).read_text("utf-8")
