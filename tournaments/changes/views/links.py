"""Links for another device: the hall's address, as text and as QR code."""

from __future__ import annotations

import hashlib
import io
import secrets
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import segno
from django.conf import settings
from django.core.cache import caches
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString, mark_safe
from redis.exceptions import RedisError

from krru.web.certificates import shown
from krru.web.served import in_address, is_only_here, served

COOKIE_LASTS_SECONDS = 400 * 24 * 3600
REPEATED_WITHIN_SECONDS = 600


def hall_url(request: HttpRequest, path: str) -> str:
    """Return an absolute address for other devices, where "localhost" is of no use."""
    parts = urlsplit(f"//{request.get_host()}")
    address = served().hall_host if is_only_here(parts.hostname or "") else None
    if address is None:
        return request.build_absolute_uri(path)
    port = f":{parts.port}" if parts.port else ""
    return f"{request.scheme}://{in_address(address)}{port}{path}"


def staff_url(request: HttpRequest, path: str) -> str:
    """Return such an address for staff; on our own https with the fingerprint.

    Browsers do not send the part after #: it is only for comparing.
    """
    url, own = hall_url(request, path), shown(settings.KRRU_DATA)
    return f"{url}#sha256={own.short.replace(':', '')}" if own else url


def opens_only_here(url: str) -> bool:
    """Tell whether an address from `hall_url` works on this machine only."""
    return is_only_here(urlsplit(url).hostname or "")


@lru_cache(maxsize=1024)
def qr_svg(link: str) -> SafeString:
    """Return a QR code as an SVG element that fills its box.

    Cached: phones reload often and the code was a third of the work.
    """
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, nl=False
    )
    return mark_safe(out.getvalue().decode())  # noqa: S308 - segno's own path, nothing of the link


def secret_for(purpose: str, *subject: Any, key: UUID | None) -> str:
    """Return a new secret; a repeated request within minutes gets the same one.

    A service takes the secret as an argument, so without this a repeated request would be a
    different one. The secret is random and kept outside the database, so not in a backup.
    """
    secret = secrets.token_urlsafe(24)
    if key is None:
        return secret
    cache, name = caches["kept"], ":".join(map(str, ("secret", purpose, *subject, key)))
    digest = hashlib.sha256(name.encode()).hexdigest()
    try:
        if cache.add(digest, secret, REPEATED_WITHIN_SECONDS):
            return secret
        return str(cache.get(digest) or secret)
    except RedisError:
        return secret


def keep_secret(response: HttpResponse, cookie: str, secret: str) -> None:
    """Set the cookie with the browser's secret, out of reach of scripts."""
    response.set_cookie(
        cookie,
        secret,
        max_age=COOKIE_LASTS_SECONDS,
        httponly=True,
        samesite="Lax",
    )
