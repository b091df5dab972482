"""Lists from files: choose, look at what would happen row by row, take over in one action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.core.validators import validate_email
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.access import Permission
from tournaments.domain.errors import Refused
from tournaments.domain.naming import normal_name
from tournaments.domain.sheets import (
    MOST_ROWS,
    Fault,
    Line,
    Listing,
    SheetError,
    is_same_person,
    people_in,
)
from tournaments.forms.registration import FileForm, PeopleForm
from tournaments.models import Event
from tournaments.selectors.people import desk_numbers, emails_registered
from tournaments.services.registration import registrations_import
from tournaments.sheets import LARGEST_FILE, rows_of_file
from tournaments.views.context import page_context
from tournaments.views.frame import StaffRequest, acted, said, staff

MOST_SHOWN = 200

FAULTS: dict[Fault, Any] = {
    Fault.FORMULA: gettext_lazy("In der Zelle steht eine Formel."),
    Fault.EMPTY: gettext_lazy("Der Name fehlt."),
    Fault.LINE_BREAK: gettext_lazy(
        "Im Namen ist ein Zeilenumbruch. Fehlt weiter oben ein Anführungszeichen?"
    ),
    Fault.TOO_LONG: gettext_lazy("Der Name ist zu lang: höchstens 200 Zeichen."),
}
FILE_FAULTS: dict[str, Any] = {
    "empty": gettext_lazy("Die Datei ist leer."),
    "only_headings": gettext_lazy("Die Datei enthält nur Überschriften, keine Personen."),
    "too_large": gettext_lazy("Die Datei ist zu groß: höchstens 10 MB."),
    "too_large_unpacked": gettext_lazy(
        "Die Datei ist entpackt zu groß. Bitte nur die Liste der Personen speichern."
    ),
    "old_excel": gettext_lazy(
        "Das ist eine Excel-Datei im alten Format (.xls) oder mit Kennwort. "
        "Bitte als .xlsx oder CSV speichern."
    ),
    "no_spreadsheet": gettext_lazy("Das ist keine Tabelle. Möglich sind CSV und XLSX."),
    "no_text": gettext_lazy("Der Text der Datei ist nicht lesbar. Möglich sind CSV und XLSX."),
    "broken": gettext_lazy(
        "Die Datei ist beschädigt oder keine XLSX-Datei. Bitte noch einmal speichern."
    ),
}


@dataclass(frozen=True, slots=True)
class Preview:
    """What a file would do: who is taken over, and the rows left out, each with its reason."""

    file_name: str
    has_headings: bool
    accepted: list[Line]
    refused: list[tuple[Line, str]]


@staff(Permission.CHECK_IN, methods=("GET", "HEAD", "POST"))
def import_file(request: StaffRequest) -> HttpResponse:
    """Take a file and show what it would do. Nothing is kept until that is confirmed."""
    form = FileForm(request.POST, request.FILES) if request.method == "POST" else FileForm()
    if form.is_bound and form.is_valid():
        try:
            preview = _preview(request.event, form.cleaned_data["file"])
        except SheetError as fault:
            form.add_error("file", _file_fault(fault))
        else:
            return _page(request, "desk/import_preview.html", **_preview_shown(request, preview))
    return _page(request, "desk/import.html", form=form, status=422 if form.errors else 200)


@staff(Permission.CHECK_IN, methods=("POST",))
def import_confirm(request: StaffRequest) -> HttpResponse:
    """Register everybody of a preview, in one action."""
    form = PeopleForm(request.POST, event=request.event)
    if not form.is_valid():
        raise Refused(form.errors["people"][0], code="no_preview")
    is_listed = form.cleaned_data["is_listed"]
    people = [{**person, "is_listed": is_listed} for person in form.cleaned_data["people"]]
    action = registrations_import(**said(request), people=people)
    sentence = ngettext(
        "%(count)d Person ist angemeldet.", "%(count)d Personen sind angemeldet.", len(people)
    ) % {"count": len(people)}
    go_to = reverse("desk", args=[request.event.slug])
    return acted(request, action, sentence=sentence, go_to=go_to)


def _page(
    request: StaffRequest, template: str, *, status: int = 200, **context: Any
) -> HttpResponse:
    page = page_context(request, request.event, request.actor)
    return render(request, template, {**page, **context}, status=status)


def _preview(event: Event, file: UploadedFile) -> Preview:
    listing = people_in(rows_of_file(file.read(LARGEST_FILE + 1)))
    accepted, refused = _sorted_out(event, listing)
    return Preview(str(file.name), listing.has_headings, accepted, refused)


def _sorted_out(event: Event, listing: Listing) -> tuple[list[Line], list[tuple[Line, str]]]:
    """Return the rows that can be taken over, and the others with the reason of each."""
    known, room = emails_registered(event), desk_numbers(event).free
    accepted: list[Line] = []
    refused: list[tuple[Line, str]] = []
    for line in listing.lines:
        reason = _obstacle(line, known)
        if reason is None and len(accepted) >= room:
            reason = _("Kein Platz mehr frei: Das Turnier nimmt höchstens %(capacity)d.") % {
                "capacity": event.capacity
            }
        if reason is None:
            accepted.append(line)
        else:
            refused.append((line, reason))
    return accepted, refused


def _obstacle(line: Line, known: dict[str, list[str]]) -> str | None:
    """Return why a row cannot be taken over, as `registrations_import` would see it."""
    if line.fault is Fault.TWICE:
        return _("Steht schon in Zeile %(row)d.") % {"row": line.twin}
    if line.fault is not None:
        return str(FAULTS[line.fault])
    if line.email:
        try:
            validate_email(line.email)
        except ValidationError:
            return _("Das ist keine E-Mail-Adresse.")
    if any(is_same_person(email, line.email) for email in known.get(normal_name(line.name), [])):
        return _("Ist schon angemeldet.")
    return None


def _preview_shown(request: StaffRequest, preview: Preview) -> dict[str, Any]:
    rows = [(line.name, line.email) for line in preview.accepted]
    form = PeopleForm(
        event=request.event, initial={"people": PeopleForm.packed(request.event, rows)}
    )
    return {
        "preview": preview,
        "shown": preview.accepted[:MOST_SHOWN],
        "more": max(0, len(preview.accepted) - MOST_SHOWN),
        "total": len(preview.accepted) + len(preview.refused),
        "form": form,
        "key": uuid4(),
    }


def _file_fault(fault: SheetError) -> str:
    """Return why the file as a whole is of no use, in a sentence."""
    if fault.code == "too_many_rows":
        return _("Die Datei hat zu viele Zeilen: höchstens %(most)d.") % {"most": MOST_ROWS}
    if fault.code != "no_name_column":
        return str(FILE_FAULTS[fault.code])
    return _(
        "Es fehlt eine Spalte „Name“, oder je eine für „Vorname“ und „Nachname“. "
        "Gefunden: %(found)s."
    ) % {"found": ", ".join(text[:40] for text in fault.found[:12])}
