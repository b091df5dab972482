"""Which pages a stranger gets, found by asking: every address whose parts are known is asked for.

What answers with a whole page belongs to the list, old or new. The wall and the
page of the interface for scripts are looked at elsewhere.
"""

from __future__ import annotations

import http.client
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

NOT_HERE = ("screen", "api-")
A_PAGE = b"<!doctype html>"
# Where a page says more at another evening than at the one to come.
AT = {
    "tournament": ("coming", "cash", "past"),
    "results": ("past",),
    "draws": ("past",),
    "review": ("past",),
}


def addresses(made: dict[str, Any]) -> dict[str, str]:
    """Return every address that can be written, by its name. Needs Django set up.

    :param made: Slugs of evenings by what they are, and the other parts of addresses by their name.
    """
    from django.urls import NoReverseMatch, reverse

    found = {}
    for name, pattern in _named():
        wanted = set(pattern.pattern.converters)
        if name.startswith(NOT_HERE) or "token" in wanted or not wanted <= {*made, "slug"}:
            continue
        for evening in AT.get(name, ("coming",)) if "slug" in wanted else ("",):
            values = {key: made[evening] if key == "slug" else made[key] for key in wanted}
            key = "_".join(filter(None, (name.replace("-", "_"), evening)))
            # Staff call by its number what a stranger calls by its name.
            with suppress(NoReverseMatch):
                found[key] = reverse(name, kwargs=values)
    return found


def public_pages(base: str, written: dict[str, str]) -> dict[str, tuple[str, bool]]:
    """Return what a running server answers with a page, and whether it asks not to be found."""
    found = {}
    for name, path in written.items():
        try:
            with urllib.request.urlopen(base + path, timeout=30) as answer:
                page = _page(answer) if answer.geturl() == base + path else b""
        except urllib.error.HTTPError:
            continue
        if page:
            found[name] = path, b"noindex" in page
    return found


def _page(answer: http.client.HTTPResponse) -> bytes:
    """Return the head of a page with what is said of it beside; nothing of anything else."""
    if not (answer.headers["Content-Type"] or "").startswith("text/html"):
        return b""
    text = answer.read()
    is_page = text.lstrip()[: len(A_PAGE)].lower() == A_PAGE
    robots = (answer.headers["X-Robots-Tag"] or "").encode()
    return text.partition(b"</head>")[0] + robots if is_page else b""


def _named() -> Iterator[tuple[str, Any]]:
    from django.urls import URLPattern, get_resolver

    rest = list(get_resolver().url_patterns)
    while rest:
        one = rest.pop(0)
        if not isinstance(one, URLPattern):
            rest += one.url_patterns
        elif one.name:
            yield one.name, one
