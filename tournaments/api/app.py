"""Assemble the API: its routes, its errors, and its description."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, URLResolver, reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation
from ninja.router import Router

from tournaments.api import clock, events, floor, log, registrations, rulings, tokens
from tournaments.api.requests import answered, problem, problem_of
from tournaments.changes.domain.errors import Refused

DESCRIPTION = """What the pages do, for scripts.

What everybody may see needs no token. Everything else asks for one, made by the director on the
page of devices and sent as `Authorization: Bearer …`; it may what its role may. Every action takes
the header `Idempotency-Key`. Instants are ISO 8601 in UTC, chips and cents whole numbers.
"""


class Interface(NinjaAPI):
    """Ninja's API with URL names like those of pages: one for each route, no namespace."""

    def get_openapi_operation_id(self, operation: Operation) -> str:
        return operation.view_func.__name__

    def get_operation_url_name(self, operation: Operation, router: Router) -> str:
        return f"api-{operation.view_func.__name__.replace('_', '-')}"

    def get_root_path(self, path_params: dict[str, Any]) -> str:
        return reverse("api-docs").removesuffix("docs/")

    def patterns(self) -> list[URLPattern]:
        """Return one pattern for each URL: Ninja makes one for each method."""
        found: dict[str, URLPattern] = {}
        for pattern in self._get_urls():
            assert isinstance(pattern, URLPattern)
            found.setdefault(str(pattern.pattern), pattern)
        return [_answered(pattern) for pattern in found.values()]

    def _get_urls(self) -> list[URLResolver | URLPattern]:
        return [
            pattern
            for router in self._get_bound_routers()
            for pattern in router.urls_paths(router.prefix)
        ]


def _answered(pattern: URLPattern) -> URLPattern:
    return URLPattern(pattern.pattern, answered(pattern.callback), name=pattern.name)


def make_interface() -> Interface:
    made = Interface(title="KRRU", version="1", description=DESCRIPTION, openapi_url=None)
    for expected in (Refused, HttpError, ValidationError, Http404):
        made.add_exception_handler(expected, problem_of)
    for module in (events, clock, registrations, floor, rulings, log, tokens):
        made.add_router("", module.router)
    return made


interface = make_interface()


@csrf_exempt
@answered
def nowhere(request: HttpRequest, path: str = "") -> HttpResponse:
    """Answer 404 in the form of all errors."""
    return problem(404, "not_found", _("Diese Adresse gibt es nicht."))
