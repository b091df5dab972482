"""The club's own pages: imprint, rules for search engines, its name on a phone."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import gettext as _

from tournaments.changes.views.decorators import open_to_all
from tournaments.models import Club

# Personal links, and addresses for machines. Pages with names themselves forbid indexing: a page
# blocked here could not.
ROBOTS = """\
User-agent: *
Disallow: /p/
Disallow: /in/
Disallow: /api/
Disallow: /stream/
"""
ICON_SIZES = (192, 512)


@open_to_all()
def imprint(request: HttpRequest) -> HttpResponse:
    """Show the imprint."""
    club = Club.objects.order_by("pk").first()
    if club is None or not club.imprint:
        raise Http404
    return render(request, "public/imprint.html", {"club": club})


@open_to_all()
def robots(_request: HttpRequest) -> HttpResponse:
    """Tell search engines which pages to skip."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@open_to_all()
def manifest(_request: HttpRequest) -> HttpResponse:
    """Name a page on a phone's home screen. It starts at that page."""
    club = Club.objects.order_by("pk").first()
    icons = [
        {
            "src": static(f"tournaments/icon-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
        }
        for size in ICON_SIZES
    ]
    context = {
        "name": club.name if club else _("Turniere"),
        "short_name": (club.name if club else "KRRU")[:12].strip(),
        "display": "browser",
        "background_color": "#f5efe3",
        "theme_color": "#0b382a",
        "icons": icons,
    }
    return JsonResponse(context, content_type="application/manifest+json")
