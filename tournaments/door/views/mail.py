"""Mail at the desk: retry failed mails; show or replace a personal link."""

from __future__ import annotations

from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.links import hall_url, opens_only_here, qr_svg, secret_for
from tournaments.changes.views.requests import StaffRequest, command_of, request_key
from tournaments.changes.views.responses import action_response, with_trigger
from tournaments.door.services.links import link_renew
from tournaments.event.views.context import page_context
from tournaments.models import Mail, Registration
from tournaments.post.selectors.mail import desk_mail as desk_mail_of
from tournaments.post.services.mail import mail_resend


@staff(Permission.CHECK_IN, people=True)
def desk_mail(request: StaffRequest) -> HttpResponse:
    """Show the mails not sent, as a polled panel."""
    context = {"event": request.event, "desk_mail": desk_mail_of(request.event)}
    return render(request, "mail/desk_mail.html", context)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def resend(request: StaffRequest, mail: int) -> HttpResponse:
    """Retry a mail."""
    row = get_object_or_404(Mail, registration__event=request.event, pk=mail)
    return action_response(request, mail_resend(command_of(request), mail=row))


@staff(Permission.CHECK_IN, people=True, methods=("GET", "HEAD", "POST"))
def personal_link(request: StaffRequest, registration: int) -> HttpResponse:
    """Show a personal link as a large code; on POST, replace it and show the new one."""
    rows = Registration.objects.select_related("person")
    row = get_object_or_404(rows, event=request.event, pk=registration)
    if request.method != "POST":
        return _link_sheet(request, row)
    token = secret_for("personal", row.pk, key=request_key(request))
    action = link_renew(command_of(request), registration=row, token=token)
    if not request.htmx:
        return HttpResponseRedirect(reverse("link-renew", args=[request.event.slug, row.pk]))
    return with_trigger(_link_sheet(request, rows.get(pk=row.pk), is_new=True), action)


def _link_sheet(request: StaffRequest, row: Registration, *, is_new: bool = False) -> HttpResponse:
    url = hall_url(request, reverse("player", args=[row.link_token]))
    context = {
        "event": request.event,
        "registration": row,
        "url": url,
        "qr": qr_svg(url),
        "is_only_here": opens_only_here(url),
        "is_new": is_new,
    }
    if request.htmx:
        return render(request, "desk/link.html", context)
    page = page_context(request, request.event, request.actor)
    return render(request, "desk/sheet_page.html", {**page, **context, "sheet": "desk/link.html"})
