"""Puts the staff device on the request. Which role it holds depends on the event asked about."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from tournaments.changes.access import device_of

COOKIE = "krru_device"


class ActorMiddleware:
    """Set `request.device` to the signed-in staff device, or to None."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = request.COOKIES.get(COOKIE, "")
        request.device = device_of(token)  # type: ignore[attr-defined]
        return self.get_response(request)
