"""The club's ways out: its bot, web push, webhooks and what they were told last."""

from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from krru.background.mailing import sends_mail
from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest, action_response, club_command_of
from tournaments.models import Delivery, Webhook
from tournaments.notices.selectors.outlet import outlet_of
from tournaments.notices.services.bot import bot_name
from tournaments.notices.services.choosing import outlet_set
from tournaments.notices.services.hooks import delivery_resend, webhook_add, webhook_remove

HERE = "outside"
MOST_SHOWN = 30
POST = ("POST",)


@never_cache
@club_staff(Permission.MANAGE)
def outside(request: StaffRequest) -> HttpResponse:
    return render(request, "notices/outside.html", _page())


@never_cache
@club_staff(Permission.MANAGE, methods=POST)
def bot(request: StaffRequest) -> HttpResponse:
    """Set the bot by its token, or remove it with an empty one."""
    token = request.POST.get("token", "").strip()
    try:
        name = bot_name(token) if token else ""
        action = outlet_set(club_command_of(request), token=token, name=name)
    except Refused as refusal:
        return _refused(request, bot_refusal=str(refusal))
    return action_response(request, action, go_to=reverse(HERE))


@never_cache
@club_staff(Permission.MANAGE, methods=POST)
def add(request: StaffRequest) -> HttpResponse:
    url = request.POST.get("url", "").strip()
    try:
        action = webhook_add(club_command_of(request), url=url)
    except Refused as refusal:
        return _refused(request, hook_refusal=str(refusal), typed=url)
    return action_response(request, action, go_to=reverse(HERE))


@never_cache
@club_staff(Permission.MANAGE, methods=POST)
def remove(request: StaffRequest, webhook: int) -> HttpResponse:
    action = webhook_remove(club_command_of(request), webhook=Webhook(pk=webhook))
    return action_response(request, action, go_to=reverse(HERE))


@never_cache
@club_staff(Permission.MANAGE, methods=POST)
def resend(request: StaffRequest, delivery: int) -> HttpResponse:
    action = delivery_resend(club_command_of(request), delivery=Delivery(pk=delivery))
    return action_response(
        request, action, sentence=_("Wird noch einmal gesendet."), go_to=reverse(HERE)
    )


def _refused(request: StaffRequest, **more: Any) -> HttpResponse:
    return render(request, "notices/outside.html", _page() | more, status=422)


def _page() -> dict[str, Any]:
    club = club_get()
    hooks = Webhook.objects.filter(club=club).order_by("pk")
    deliveries = Delivery.objects.filter(webhook__in=hooks).select_related("webhook", "event")
    return {
        "club": club,
        "outlet": outlet_of(club),
        "has_push": settings.PUBLIC is not None and settings.PUBLIC.is_https,
        "sends_mail": sends_mail(),
        "hooks": hooks,
        "deliveries": deliveries.order_by("-pk")[:MOST_SHOWN],
    }
