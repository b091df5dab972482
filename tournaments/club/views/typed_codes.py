"""A sign-in link as six typed digits, for a device that cannot read a QR code.

The code is valid as long as its link. It is kept outside the database and lost when the server
restarts; the page of devices then makes another.
"""

from __future__ import annotations

import logging
import secrets
import string

from django.core.cache import caches
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from redis.exceptions import RedisError

from krru.web.rate_limits import RateLimit
from tournaments.changes.access import token_hash
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import open_to_all
from tournaments.club.services.staff import NEW_LINK, SHOWN_LINK_LASTS

FIGURES = 6
TRIES = 20
LONGEST_TYPED = 40
# Kept longer than valid, so that the page can tell that it has expired.
KEPT_SECONDS = 2 * SHOWN_LINK_LASTS.total_seconds()
# A million codes, one of them valid for five minutes: not to be guessed within these limits.
TYPED, ALL_TYPED = RateLimit(name="codes", most=10), RateLimit(name="all-codes", most=100)

log = logging.getLogger("krru.codes")


def code_for(token: str) -> str:
    """Return the code of a link, the same each time; empty without a cache."""
    cache, own = caches["kept"], f"code-of:{token_hash(token)}"
    try:
        known = cache.get(own)
        for _try in range(0 if known else TRIES):
            code = "".join(secrets.choice(string.digits) for _figure in range(FIGURES))
            if cache.add(f"code:{code}", token, KEPT_SECONDS):
                cache.set(own, code, KEPT_SECONDS)
                return code
    except RedisError:
        log.warning("Without Redis no device is signed in by a typed code.")
        known = None
    return str(known or "")


def token_of(typed: str) -> str | None:
    """Return the link's token for a typed code; spaces and dashes are ignored."""
    code = "".join(char for char in typed[:LONGEST_TYPED] if char in string.digits)
    try:
        found = caches["kept"].get(f"code:{code}") if len(code) == FIGURES else None
    except RedisError:
        return None
    return str(found) if found else None


@never_cache
@open_to_all(methods=("GET", "HEAD", "POST"))
def sign_in_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code and redirect to its link."""
    refusal = None
    if request.method == "POST":
        try:
            return HttpResponseRedirect(_link(request))
        except Refused as problem:
            refusal = problem
    typed = request.POST.get("code", "")[:LONGEST_TYPED]
    context = {"refusal": refusal, "typed": typed, "command": NEW_LINK}
    return render(request, "staff/typed_code.html", context, status=422 if refusal else 200)


def _link(request: HttpRequest) -> str:
    if TYPED.is_passed_by(request) or ALL_TYPED.is_passed():
        raise Refused(
            _("Das waren gerade sehr viele Codes. Bitte in zehn Minuten noch einmal versuchen, "
              "oder den QR-Code oder Link nehmen."),
            code="flood",
        )  # fmt: skip
    token = token_of(request.POST.get("code", ""))
    if token is None:
        raise Refused(
            _("Diesen Code gibt es nicht, oder er ist abgelaufen. Er hat sechs Ziffern."),
            code="unknown_code",
        )
    return reverse("sign-in", args=[token])
