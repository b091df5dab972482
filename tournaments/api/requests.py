"""Common parts of routes: the actor, the event, the command, the errors.

A token is the secret of a staff device, sent as `Authorization: Bearer …`. Cookies are ignored
here, so no page of another site can make a browser act.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Annotated, Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from ninja import Field, Header, Query, Schema
from ninja.errors import AuthenticationError, HttpError, ValidationError
from ninja.security import HttpBearer
from pydantic import AfterValidator, ConfigDict

from tournaments.changes.access import (
    Actor,
    Permission,
    actor_of,
    allows,
    device_signed_in,
    refusal_of,
)
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import event_or_404
from tournaments.changes.views.requests import present
from tournaments.models import Event, StaffDevice

# --- Building blocks of all requests and answers: values, limits, paged lists, errors


Json = dict[str, Any]
MOST_A_PAGE = 200
LARGEST_ID = 2**53 - 1

Instant = Annotated[datetime, AfterValidator(lambda at: at.astimezone(UTC))]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]
Chips = Annotated[int, Field(ge=1, le=10**12)]
Stack = Annotated[int, Field(ge=0, le=10**12)]
Cents = Annotated[int, Field(ge=1, le=10**9)]
# No database stores the character NUL.
Text = Annotated[str, Field(pattern=r"^[^\x00]*$")]
Name = Annotated[Text, Field(max_length=400)]
Short = Annotated[Text, Field(max_length=200)]
Remark = Annotated[Text, Field(max_length=300)]


class Given(Schema):
    """A script's input: types are strict and unknown fields refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(Schema):
    """A refusal. `code` is for programs and never translated, `reason` is a sentence for people."""

    code: str
    reason: str


READS: dict[Any, Any] = dict.fromkeys((401, 404, 405, 422), Problem)
ERRORS: dict[Any, Any] = READS | {403: Problem}


class Bounds(Schema):
    """The requested part of a list."""

    limit: int = Field(50, ge=1, le=MOST_A_PAGE, description="How many at most.")
    offset: int = Field(0, ge=0, le=1_000_000, description="How many to leave out first.")


Part = Query[Bounds]


class Page(Schema):
    """A part of a list. `total` counts the whole."""

    total: int
    limit: int
    offset: int


def page(items: list[Any], total: int, part: Bounds) -> Json:
    return {"items": items, "total": total, "limit": part.limit, "offset": part.offset}


Key = Annotated[
    UUID,
    Header(
        alias="Idempotency-Key",
        description="A UUID for this one action. Sent again with the same request it does nothing "
        "and gets the same answer, so after a broken connection simply ask again.",
    ),
]
NOT_ALLOWED = "not_allowed"


class ApiRequest(HttpRequest):
    """A request after `Token`: its actor, and the event in its URL if there is one."""

    event: Event
    actor: Actor
    holder: StaffDevice | None


class Token(HttpBearer):
    """Find the event and the actor in one step; refuse without permission.

    :param permission: What the route asks for; None where the pages are public.
    :param people: Whether it is about people, tables or seats; as for pages.
    :param is_needed: Whether a route that asks for no permission asks for a token all the same.
    """

    openapi_description = "A token that the director makes on the page of devices."

    def __init__(
        self,
        permission: Permission | None = None,
        *,
        people: bool = False,
        is_needed: bool = False,
    ) -> None:
        super().__init__()
        self.people = people
        self.permission = permission
        self.is_needed = is_needed or permission is not None

    def __call__(self, request: Any) -> Actor | None:
        if not self.is_needed and "Authorization" not in request.headers:
            return self._let_in(request, None)
        actor: Actor | None = super().__call__(request)
        return actor

    def authenticate(self, request: Any, token: str) -> Actor | None:
        device = device_signed_in(token)
        return None if device is None else self._let_in(request, device)

    def _let_in(self, request: Any, device: StaffDevice | None) -> Actor:
        """Set the actor and the event of the request.

        :raises Refused: When the device lacks the permission.
        """
        slug = request.resolver_match.kwargs.get("slug")
        event = event_or_404(slug, request, people=self.people) if slug is not None else None
        actor = actor_of(device, event)
        if self.permission is not None and not allows(actor, self.permission):
            raise Refused(refusal_of(actor, self.permission), code=NOT_ALLOWED)
        request.event, request.actor, request.holder = event, actor, device
        return actor


# Public content: no token needed, but staff may send theirs.
FOR_ALL: dict[str, Any] = {"auth": Token(), "openapi_extra": {"security": [{}]}}
PEOPLE_FOR_ALL: dict[str, Any] = {**FOR_ALL, "auth": Token(people=True)}


def command_of(request: ApiRequest, key: UUID, *, knowingly: bool = False) -> Command:
    event = request.event
    return Command(event=event, by=request.actor, at=present(event), key=key, knowingly=knowingly)


def is_staff(request: ApiRequest) -> bool:
    """Tell whether the actor sees names in full, as staff pages do."""
    return allows(request.actor, Permission.SEE_FLOOR)


def problem(status: int, code: str, reason: str, **headers: str) -> JsonResponse:
    return JsonResponse({"code": code, "reason": reason}, status=status, headers=headers)


def problem_of(_request: HttpRequest, error: Any) -> HttpResponse:
    """Return the answer to an expected exception."""
    match error:
        case Refused():
            return problem(403 if error.code == NOT_ALLOWED else 422, error.code, str(error))
        case AuthenticationError():
            reason = _("Dafür braucht es einen gültigen Token.")
            return problem(401, "not_signed_in", reason, **{"WWW-Authenticate": "Bearer"})
        case Http404():
            return problem(404, "not_found", str(error) or _("Das gibt es hier nicht."))
        case ValidationError():
            places = [".".join(map(str, fault["loc"])) for fault in error.errors[:5]]
            reason = _("Die Anfrage passt nicht zur Beschreibung: %(places)s.")
            told = {"places": ", ".join(dict.fromkeys(places))}
            return problem(422, "bad_request", reason % told)
        case HttpError():
            return problem(422, "bad_body", _("Der Inhalt der Anfrage ist kein JSON."))
    raise error


def answered(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Keep answers out of caches, and answer 405 in the form of all errors."""

    @wraps(view)
    def run(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = view(request, *args, **kwargs)
        if isinstance(response, HttpResponseNotAllowed):
            reason = _("Diese Adresse wird anders gefragt.")
            response = problem(405, "wrong_method", reason, Allow=response["Allow"])
        add_never_cache_headers(response)
        return response

    return run
