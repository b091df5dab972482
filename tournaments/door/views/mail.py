"""Mail at the desk: what did not go out and is to be tried again, and a new personal link."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render

from tournaments.changes.access import Permission
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.links import secret_for
from tournaments.changes.views.requests import StaffRequest, command_of, request_key
from tournaments.changes.views.responses import action_response
from tournaments.door.services.links import link_renew
from tournaments.models import Mail, Registration
from tournaments.post.selectors.mail import desk_mail as desk_mail_of
from tournaments.post.services.mail import mail_resend


@staff(Permission.CHECK_IN, people=True)
def desk_mail(request: StaffRequest) -> HttpResponse:
    """Show what did not go out, for a page that looks again."""
    context = {"event": request.event, "desk_mail": desk_mail_of(request.event)}
    return render(request, "mail/desk_mail.html", context)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def resend(request: StaffRequest, mail: int) -> HttpResponse:
    """Try a mail once more."""
    row = get_object_or_404(Mail, registration__event=request.event, pk=mail)
    return action_response(request, mail_resend(command_of(request), mail=row))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def renew_link(request: StaffRequest, registration: int) -> HttpResponse:
    """Give somebody a new personal link; the old one opens nothing any more."""
    row = get_object_or_404(Registration, event=request.event, pk=registration)
    token = secret_for("personal", row.pk, key=request_key(request))
    return action_response(request, link_renew(command_of(request), registration=row, token=token))
