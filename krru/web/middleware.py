"""Middleware for every answer: language, cookies, allowed browser features."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin

from krru.web.pages import UNREADABLE


def language_of(request: HttpRequest) -> str:
    """Return the cookie's language, else English if the browser prefers it to German."""
    known = dict(settings.LANGUAGES)
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    if chosen in known:
        return str(chosen)
    wanted = {
        part.split(";")[0].strip().lower().split("-")[0]
        for part in request.headers.get("Accept-Language", "").split(",")
    }
    return "en" if "en" in wanted and "de" not in wanted else settings.LANGUAGE_CODE


# Answers that no browser shows as a page, so without headers for pages.
DATA = ("application/json", "audio/wav")


class AnswerMiddleware:
    """Answer in the request's language, with the headers of a page and secure cookies.

    The language ends with the answer: threads serve many requests. The Permissions-Policy lets the
    screen play sound, go full screen and stay awake. Data carry neither it nor a
    Content-Security-Policy: these would be longer than the data for a big screen. On https every
    cookie is marked as secure, by request: the hall may reach the same laptop on http.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_of(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", language)
        if response.headers.get("Content-Type", "").startswith(DATA):
            response._csp_exempt = True  # type: ignore[attr-defined]
        else:
            response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        if request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        return response


class NulMiddleware(MiddlewareMixin):
    """Refuse the character NUL: no text contains it and PostgreSQL takes none.

    The API refuses it itself, as its description says.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        if not request.path.startswith("/api/") and _holds_nul(request):
            return HttpResponse(UNREADABLE, status=400, content_type="text/plain; charset=utf-8")
        return None


def _holds_nul(request: HttpRequest) -> bool:
    given = (request.GET, request.POST) if request.method == "POST" else (request.GET,)
    return "\0" in request.path or any(
        "\0" in text for data in given for name, values in data.lists() for text in (name, *values)
    )
