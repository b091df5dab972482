"""Parts of a page that fetch themselves again after a change.

Only the content of the element is replaced: a replaced element would forget changes announced
between request and answer.
"""

from __future__ import annotations

import hashlib

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

DIGEST_LENGTH = 16


def panel_html(*, name: str, url: str, trigger: str, body: SafeString) -> SafeString:
    """Return a part with its element, fetched again from `url` on its `trigger`."""
    shell = {"name": name, "url": url, "trigger": trigger, "body": _marked(body)}
    return render_to_string("parts/panel.html", shell)


def panel_answer(request: HttpRequest, body: SafeString) -> HttpResponse:
    """Render the panel for an htmx refresh; 204 if the page shows it already."""
    if request.GET.get("shown") == _digest(body):
        return HttpResponse(status=204)
    return HttpResponse(_marked(body))


def _marked(body: SafeString) -> SafeString:
    field = '{}<input type="hidden" name="shown" value="{}" data-shown>'
    return format_html(field, body, _digest(body))


def _digest(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()[:DIGEST_LENGTH]
