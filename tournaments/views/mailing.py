"""Mail at the desk: what did not go out and is to be tried again, and a new personal link."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from tournaments.access import Permission
from tournaments.models import Mail, Registration
from tournaments.selectors.mail import desk_mail as desk_mail_of
from tournaments.services.links import link_renew
from tournaments.services.mail import mail_resend
from tournaments.views.frame import StaffRequest, acted, request_key, said, staff
from tournaments.views.links import secret_for


@staff(Permission.CHECK_IN)
def desk_mail(request: StaffRequest) -> HttpResponse:
    """Show what did not go out, for a page that looks again."""
    context = {"event": request.event, "desk_mail": desk_mail_of(request.event)}
    return render(request, "mail/desk_mail.html", context)


@staff(Permission.CHECK_IN, methods=("POST",))
def resend(request: StaffRequest, mail: int) -> HttpResponse:
    """Try a mail once more."""
    row = get_object_or_404(Mail, registration__event=request.event, pk=mail)
    return acted(request, mail_resend(**said(request), mail=row))


@staff(Permission.CHECK_IN, methods=("POST",))
def renew_link(request: StaffRequest, registration: int) -> HttpResponse:
    """Give somebody a new personal link; the old one opens nothing any more."""
    row = get_object_or_404(Registration, event=request.event, pk=registration)
    token = secret_for("personal", row.pk, key=request_key(request))
    return acted(request, link_renew(**said(request), registration=row, token=token))
