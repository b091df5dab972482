"""What every answer of the whole program needs: its language, the browser features it may use."""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers

from krru.web.pages import UNREADABLE

View = Callable[[HttpRequest], HttpResponse]


def language_of(request: HttpRequest) -> str:
    """Return the language chosen by cookie, else English if the browser asks for it, not German."""
    known = dict(settings.LANGUAGES)
    chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
    if chosen in known:
        return str(chosen)
    wanted = {
        part.split(";")[0].strip().lower().split("-")[0]
        for part in request.headers.get("Accept-Language", "").split(",")
    }
    return "en" if "en" in wanted and "de" not in wanted else settings.LANGUAGE_CODE


class LanguageMiddleware:
    """Activate the language of a request, and switch it off again: threads serve many requests."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        language = language_of(request)
        with translation.override(language):
            request.LANGUAGE_CODE = language
            response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language", "Cookie"))
        response.headers.setdefault("Content-Language", language)
        return response


class SecureCookiesMiddleware:
    """Mark every cookie that is set on https: the browser then never sends it on plain http.

    By request and not by setting: the hall may reach the same laptop on http.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.is_secure():
            for cookie in response.cookies.values():
                cookie["secure"] = True
        return response


class NulMiddleware:
    """Refuse what holds the character NUL: no text does, and PostgreSQL takes none.

    The API refuses it by itself, as its description says.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if not request.path.startswith("/api/") and _holds_nul(request):
            return HttpResponse(UNREADABLE, status=400, content_type="text/plain; charset=utf-8")
        return self.get_response(request)


def _holds_nul(request: HttpRequest) -> bool:
    given = (request.GET, request.POST) if request.method == "POST" else (request.GET,)
    return "\0" in request.path or any(
        "\0" in text for data in given for name, values in data.lists() for text in (name, *values)
    )


# What no browser ever shows as a page: what a page may do need not be said of it.
DATA = ("application/json", "audio/wav")


class PermissionsPolicyMiddleware:
    """Send the Permissions-Policy header: the screen plays sound, goes full screen, stays awake.

    Answers that are data carry neither it nor a Content-Security-Policy: they would be longer than
    what a big screen is told.
    """

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if response.headers.get("Content-Type", "").startswith(DATA):
            response._csp_exempt = True  # type: ignore[attr-defined]
        else:
            response.headers.setdefault("Permissions-Policy", settings.PERMISSIONS_POLICY)
        return response
