"""Assemble the API: its routes, its errors, and its description."""

from functools import cache
from pathlib import Path

import ninja
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import URLPattern, reverse
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError
from ninja.operation import Operation
from ninja.router import Router

from tournaments.api import clock, events, floor, log, registrations, rulings
from tournaments.api.requests import Json, answered, problem, problem_of
from tournaments.changes.domain.errors import Refused

# --- The description of the API, as JSON and as a page; all from this server


FILES = {
    "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
    "swagger-ui.css": "text/css; charset=utf-8",
}
FOLDER = Path(ninja.__file__).parent / "static" / "ninja"


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show every route, with a form to try it."""
    return render(request, "api/docs.html", {"version": ninja.__version__})


@require_safe
def docs_file(_request: HttpRequest, name: str) -> HttpResponse:
    """Send one of the page's two files. Its address contains the version, so browsers keep it."""
    if name not in FILES:
        raise Http404
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    data = (FOLDER / name).read_bytes()
    return HttpResponse(data, content_type=FILES[name], headers=headers)


@require_safe
def description(request: HttpRequest) -> JsonResponse:
    return JsonResponse(_description())


@cache
def _description() -> Json:
    return interface.get_openapi_schema()


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

    def get_root_path(self, path_params: Json) -> str:
        return reverse("api-docs").removesuffix("docs/")

    def patterns(self) -> list[URLPattern]:
        """Return one pattern for each URL: Ninja makes one for each method."""
        found: dict[str, URLPattern] = {}
        for router in self._get_bound_routers():
            for one in router.urls_paths(router.prefix):
                assert isinstance(one, URLPattern)
                answers = URLPattern(one.pattern, answered(one.callback), name=one.name)
                found.setdefault(str(one.pattern), answers)
        return [*found.values()]


interface = Interface(title="KRRU", version="1", description=DESCRIPTION, openapi_url=None)
for expected in (Refused, HttpError, ValidationError, Http404):
    interface.add_exception_handler(expected, problem_of)
for module in (events, clock, registrations, floor, rulings, log):
    interface.add_router("", module.router)
interface.add_router("", floor.money)


@csrf_exempt
@answered
def nowhere(request: HttpRequest, path: str = "") -> HttpResponse:
    """Answer 404 in the form of all errors."""
    return problem(404, "not_found", _("Diese Adresse gibt es nicht."))
