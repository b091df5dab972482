"""A tournament as a file for the calendar of a phone."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from krru.mailing import base_url
from tournaments.domain.calendar import Appointment, calendar_text
from tournaments.models import Event
from tournaments.selectors.schedule import event_lasts
from tournaments.selectors.words import GAMES, LIMITS
from tournaments.views.frame import event_or_404, open_to_all, present


@open_to_all()
def calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """Hand the file out; a later one of the same tournament replaces what the phone has."""
    event = event_or_404(slug, request)
    text = calendar_text(
        Appointment(
            uid=f"{event.pk}-{event.slug}@krru",
            title=event.name,
            begins_at=event.starts_at,
            lasts=event_lasts(event),
            written_at=event.log_recorded_at or present(event),
            edition=event.version,
            text=_description(event),
            is_cancelled=event.cancelled_by_id is not None,
        )
    )
    response = HttpResponse(text, content_type="text/calendar; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.ics"'
    return response


def _description(event: Event) -> str:
    told = _("%(game)s, %(limit)s. Alles Weitere auf der Turnierseite: %(page)s")
    return told % {
        "game": GAMES.get(event.game, event.game),
        "limit": LIMITS.get(event.limit, event.limit),
        "page": base_url() + event.get_absolute_url(),
    }
