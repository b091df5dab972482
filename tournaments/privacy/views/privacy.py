"""People's data: explained publicly, shown to their owner, exported, erased."""

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache

from krru.web.rate_limits import RateLimit
from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.changes.views.decorators import (
    club_staff,
    open_to_all,
    own_registration,
    player_actor,
    private,
)
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    present,
    request_key,
)
from tournaments.event.views.context import page_context
from tournaments.models import Registration
from tournaments.people.domain.naming import initials
from tournaments.people.selectors.people import is_sure
from tournaments.post.services.mail import KEPT_FOR
from tournaments.privacy.selectors.exporting import PAGE_EVENINGS, person_export
from tournaments.privacy.selectors.privacy import may_erase, storage_facts
from tournaments.privacy.services.privacy import LONGEST_DAYS, person_erase, privacy_set

FORM_METHODS = ("GET", "HEAD", "POST")
INITIALS = "initials"
FILES = RateLimit(name="own-file", most=10)
SO_OFTEN = gettext_lazy(
    "Das war sehr oft hintereinander. Bitte in ein paar Minuten noch einmal versuchen."
)


class PrivacyForm(Refusable):
    has_hall_names = forms.BooleanField(
        label=gettext_lazy("Im Saal mit Vornamen und Anfangsbuchstabe"),
        required=False,
        help_text=gettext_lazy(
            "Auf den Leinwänden heißt jeder „Petra P.“. Ohne Haken: wie auf der Turnierseite, wer "
            "nicht aufgelistet sein will, mit Initialen."
        ),
    )

    erase_contacts_days = WholeNumberField(
        label=gettext_lazy("Kontaktdaten löschen nach so vielen Tagen"),
        least=0,
        most=LONGEST_DAYS,
        help_text=gettext_lazy(
            "E-Mail, Telefon und Bemerkung, gezählt vom letzten Turnier. 0: nie von selbst."
        ),
    )


@open_to_all()
def kept(request: HttpRequest) -> HttpResponse:
    """Explain the stored data, their purpose, readers and retention, by the present settings."""
    club = club_get()
    context = {"club": club, "facts": storage_facts(club, mails_kept_days=KEPT_FOR.days)}
    return render(request, "privacy/kept.html", context)


@open_to_all()
@private
def own_data(request: HttpRequest, token: str) -> HttpResponse:
    return render(request, "privacy/own_data.html", _own(request, own_registration(token)))


@open_to_all()
@private
def own_data_json(request: HttpRequest, token: str) -> HttpResponse:
    """Send a player's own data as a file; it is read from the logs of all their evenings."""
    registration = own_registration(token)
    if FILES.is_passed(registration.pk):
        context = {**_own(request, registration), "reason": SO_OFTEN}
        return render(request, "privacy/own_data.html", context, status=429)
    response = JsonResponse(
        person_export(registration),
        json_dumps_params={"indent": 2, "ensure_ascii": False},
    )
    response["Content-Disposition"] = 'attachment; filename="krru-daten.json"'
    return response


@open_to_all(methods=FORM_METHODS)
@private
def own_data_erase(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for confirmation and for initials in results, then erase."""
    registration = own_registration(token)
    here = reverse("own-data", args=[token])
    if request.method != "POST":
        if registration.person.erased_at is not None or not may_erase(registration):
            return HttpResponseRedirect(here)
        return _ask(request, registration)
    club = registration.event.club
    try:
        action = person_erase(
            ClubCommand(
                club=club, by=player_actor(registration), at=present(club), key=request_key(request)
            ),
            person=registration.person,
            keeps_initials=request.POST.get("left") == INITIALS,
        )
    except Refused as refusal:
        return _ask(request, registration, refusal)
    return action_response(request, action, sentence=_("Deine Daten sind gelöscht."), go_to=here)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def privacy_settings(request: StaffRequest) -> HttpResponse:
    """Show and change the retention of addresses, and the names in the hall."""
    club = club_get()
    if request.method != "POST":
        form = PrivacyForm(initial={name: getattr(club, name) for name in PrivacyForm.base_fields})
        return render(request, "privacy/settings.html", {"club": club, "form": form})
    form = PrivacyForm(request.POST)
    if form.is_valid():
        action = privacy_set(club_command_of(request), **form.cleaned_data)
        here = reverse("privacy-settings")
        return action_response(request, action, sentence=_("Gespeichert."), go_to=here)
    return render(request, "privacy/settings.html", {"club": club, "form": form}, status=422)


def _own(request: HttpRequest, registration: Registration) -> dict[str, Any]:
    return page_context(request, registration.event) | {
        "token": registration.link_token,
        "person": registration.person,
        "is_sure": is_sure(registration),
        "may_erase": may_erase(registration),
        "told": person_export(registration, newest=PAGE_EVENINGS),
    }


def _ask(
    request: HttpRequest, registration: Registration, refusal: Refused | None = None
) -> HttpResponse:
    context = page_context(request, registration.event) | {
        "token": registration.link_token,
        "name": registration.person.name,
        "initials": initials(registration.person.name),
        "reason": refusal and str(refusal),
    }
    return render(request, "privacy/erase.html", context, status=422 if refusal else 200)
