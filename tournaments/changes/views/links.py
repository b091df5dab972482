"""Links that people open on another device: the hall's address, as text and as QR code."""

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
    """Return an absolute address for other devices: this machine's own name means nothing there."""
    parts = urlsplit(f"//{request.get_host()}")
    address = served().hall_host if is_only_here(parts.hostname or "") else None
    if address is None:
        return request.build_absolute_uri(path)
    port = f":{parts.port}" if parts.port else ""
    return f"{request.scheme}://{in_address(address)}{port}{path}"


def staff_url(request: HttpRequest, path: str) -> str:
    """Return such an address for staff; on https of our own it ends in the fingerprint.

    The browser does not send what stands behind the #: it is there to be compared.
    """
    url, own = hall_url(request, path), shown(settings.KRRU_DATA)
    return f"{url}#sha256={own.short.replace(':', '')}" if own else url


def opens_only_here(url: str) -> bool:
    """Tell whether an address made by `hall_url` opens on this machine alone."""
    return is_only_here(urlsplit(url).hostname or "")


@lru_cache(maxsize=1024)
def qr_svg(link: str) -> SafeString:
    """Return a QR code as an SVG element that takes the size of its box.

    A phone loads its page again and again, and the code was a third of the work.
    """
    out = io.BytesIO()
    segno.make(link, error="m", micro=False).save(
        out, kind="svg", xmldecl=False, svgns=True, omitsize=True, border=2, nl=False
    )
    return mark_safe(out.getvalue().decode())  # noqa: S308 - segno's own path, nothing of the link


def secret_for(purpose: str, *subject: Any, key: UUID | None) -> str:
    """Return a new secret; the same request sent again within minutes gets the same one.

    A service is told the secret, so without this a repeated request would be another request. It
    is random and remembered outside the database: a backup tells nobody how to make it again.
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
    """Let the browser keep the secret by which it is known again, out of reach of scripts."""
    response.set_cookie(
        cookie,
        secret,
        max_age=COOKIE_LASTS_SECONDS,
        httponly=True,
        samesite="Lax",
    )
