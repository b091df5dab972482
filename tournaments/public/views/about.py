"""What is of the club itself: its imprint, what search engines may read, its name on a phone."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import gettext as _

from tournaments.changes.views.decorators import open_to_all
from tournaments.models import Club

# What leads to one person, or is for machines. Pages with names say by themselves that they are
# not to be found: what may not be read cannot say so.
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
    """Show who answers for the pages."""
    club = Club.objects.order_by("pk").first()
    if club is None or not club.imprint:
        raise Http404
    return render(request, "public/imprint.html", {"club": club})


@open_to_all()
def robots(_request: HttpRequest) -> HttpResponse:
    """Tell search engines where there is nothing for them."""
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@open_to_all()
def manifest(_request: HttpRequest) -> HttpResponse:
    """Tell a phone what to call a page on its home screen. Where it begins is the page itself."""
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
