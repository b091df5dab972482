"""Posts on the live page: written by staff, their pictures seen by all."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import open_to_all, staff
from tournaments.changes.views.requests import StaffRequest, command_of, undoable_response
from tournaments.club.views.pictures import picture_answer
from tournaments.models import LivePicture
from tournaments.public.services.posts import LONGEST, live_post


@never_cache
@staff(Permission.ANNOUNCE, people=False, methods=("GET", "HEAD", "POST"))
def post(request: StaffRequest) -> HttpResponse:
    """Ask for a post, and make it."""
    if request.method != "POST":
        return render(request, "public/post.html", {"event": request.event, "longest": LONGEST})
    file = request.FILES.get("picture")
    action = live_post(
        command_of(request),
        text=request.POST.get("text", ""),
        data=file.read() if file else b"",
    )
    return undoable_response(request, action)


@open_to_all()
def picture(_request: HttpRequest, digest: str) -> HttpResponse:
    """Return the picture of a post that stands."""
    rows = LivePicture.objects.filter(digest=digest, post__voided_by=None)
    row = rows.first()
    if row is None:
        raise Http404
    return picture_answer(bytes(row.data), row.media_type)
