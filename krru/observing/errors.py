"""Answer failed requests with the number of the log entry.

A database that is away is no bug: the page says so and tries again.
"""

import sys
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template import loader
from django.utils.translation import gettext as _

from clock.servertime import server_time
from krru.data.outages import RETRY_SECONDS, outage_of
from krru.observing.requests import request_id

API = "/api/"
REMEMBERED = 20


@dataclass(frozen=True, slots=True)
class Fault:
    """One error of this process: its time and its number in the log."""

    at: datetime
    number: str


_recent: deque[Fault] = deque(maxlen=REMEMBERED)


def recent(within: timedelta) -> list[Fault]:
    since = server_time.now() - within
    return [fault for fault in tuple(_recent) if fault.at >= since]


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer a failed request."""
    error = sys.exc_info()[1]
    outage, number = outage_of(error), request_id()
    if outage is None:
        _recent.append(Fault(server_time.now(), number))
    status = 500 if outage is None else 503
    response: HttpResponse
    if request.path.startswith(API):
        code, reason = "error", _("Ein Fehler im Programm.")
        if outage is not None:
            code, reason = outage.code, str(outage.reason)
        told = {"code": code, "reason": reason, "number": number}
        response = JsonResponse(told, status=status)
    else:
        context = {"number": number, "outage": outage, "retry": RETRY_SECONDS}
        # Only a GET may be repeated by itself.
        context["is_repeated"] = request.method == "GET"
        name = "500.html" if outage is None else "503.html"
        # Without the request: a context processor may have failed.
        response = HttpResponse(loader.get_template(name).render(context), status=status)
    if outage is not None:
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    response.headers["Cache-Control"] = "no-store"
    return response
