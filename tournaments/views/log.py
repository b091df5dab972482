"""The whole log of an event: page by page, filtered, with undo; and whether it is whole."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from tournaments.access import Permission, Role
from tournaments.selectors.log import LogLine, log_line
from tournaments.selectors.protocol import GROUPS, actions_found, devices_that_acted, log_fault
from tournaments.views.context import page_context
from tournaments.views.frame import StaffRequest, staff

A_PAGE = 50
GROUP_NAMES = {
    "people": gettext_lazy("Anmeldung"),
    "outs": gettext_lazy("Ausgeschieden"),
    "tables": gettext_lazy("Tische und Auslosungen"),
    "clock": gettext_lazy("Uhr"),
    "event": gettext_lazy("Turnier"),
    "undone": gettext_lazy("Rücknahmen"),
}
WITHOUT_DEVICE = {
    Role.PLAYER: gettext_lazy("Turnierseite"),
    Role.VISITOR: gettext_lazy("Turnierseite"),
    Role.SYSTEM: gettext_lazy("KRRU"),
}


@never_cache
@staff(Permission.SEE_LOG)
def protocol(request: StaffRequest) -> HttpResponse:
    """Show the log; with `kette` check its chain, which takes longer the longer the evening."""
    event = request.event
    if "kette" in request.GET and request.htmx:
        return render(request, "events/chain.html", {"event": event, "fault": log_fault(event)})
    asked = _asked(request)
    found = actions_found(event, group=asked["art"], device=asked["geraet"], name=asked["name"])
    page = Paginator(found, A_PAGE).get_page(request.GET.get("seite"))
    context = page_context(request, event, request.actor) | {
        "tab": "log",
        "page": page,
        "rows": [_row(log_line(action, request.actor)) for action in page],
        "asked": asked,
        "query": urlencode({name: value for name, value in asked.items() if value}),
        "groups": [(key, GROUP_NAMES[key]) for key in GROUPS],
        "devices": devices_that_acted(event),
    }
    if "kette" in request.GET:
        context |= {"is_checked": True, "fault": log_fault(event)}
    return render(request, "events/log.html", context)


def _asked(request: StaffRequest) -> dict[str, Any]:
    device = request.GET.get("geraet", "")
    return {
        "art": request.GET.get("art", ""),
        "geraet": int(device) if device.isdecimal() and len(device) < 19 else None,
        "name": request.GET.get("name", "")[:120].replace("\0", ""),
    }


def _row(line: LogLine) -> dict[str, Any]:
    action = line.action
    text = line.sentence
    if line.reason:
        text = _("%(action)s (%(reason)s)") % {"action": text, "reason": line.reason}
    by = action.device.name if action.device else WITHOUT_DEVICE.get(Role(action.role), "")
    return {"line": line, "action": action, "text": text, "by": by}
