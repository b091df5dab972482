"""Enter an evening that was played elsewhere: choose, preview, confirm."""

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

from django.forms import ValidationError
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    present,
)
from tournaments.event.domain.tdt import NotATournament, looks_like_tdt, tdt_read
from tournaments.event.selectors.labels import money
from tournaments.imports.domain.columns import is_heading
from tournaments.imports.domain.grids import Holds, evenings_of_grid
from tournaments.imports.domain.results import (
    EarlierEvening,
    ResultFault,
    evening_of_tdt,
    evenings_of_table,
)
from tournaments.imports.forms.imports import GONE, EveningForm, packed, unpacked
from tournaments.imports.services.evenings import evening_name, evenings_enter
from tournaments.imports.uploads import upload_keep, upload_path, uploads_clear
from tournaments.imports.views.previews import file_fault
from tournaments.papers.domain.sheets import SheetError, text_of
from tournaments.papers.workbooks import sheet_of_file
from tournaments.people.selectors.people import Acquaintances

SCOPE = "evening"
FIELD_OF = {"which": "holds", "no_day": "day", "no_year": "day"}


@never_cache
@club_staff(Permission.MANAGE, methods=("GET", "HEAD", "POST"))
def evening_file(request: StaffRequest) -> HttpResponse:
    """Preview the result of an earlier evening. Nothing is saved until confirmed."""
    form = EveningForm(request.POST, request.FILES) if request.method == "POST" else EveningForm()
    if not form.is_valid():
        status = 422 if form.errors else 200
        return render(request, "people/evening.html", {"form": form}, status=status)
    file, text = form.cleaned_data["file"], form.cleaned_data["text"]
    uploads_clear(present())
    upload = upload_keep(file.chunks() if file else [text.encode()])
    name, day, holds = (form.cleaned_data[field] for field in ("name", "day", "holds"))
    try:
        evenings = _read(upload, day, holds)
    except Refused as refusal:
        form.add_error(FIELD_OF.get(refusal.code, "file" if file else "text"), str(refusal))
        return render(request, "people/evening.html", {"form": form}, status=422)
    told = packed(SCOPE, upload, name, day.isoformat() if day else "", holds)
    return render(request, "people/evening_preview.html", _shown(evenings, name, told))


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def evening_confirm(request: StaffRequest) -> HttpResponse:
    try:
        upload, name, day, holds = unpacked(SCOPE, request.POST.get("told", ""))
    except ValidationError as problem:
        raise Refused(problem.messages[0], code="no_preview") from None
    evenings = _read(upload, date.fromisoformat(day) if day else None, holds)
    made = evenings_enter(club_command_of(request), name=name, evenings=evenings)
    sentence = ngettext(
        "%(count)d Abend nachgetragen.", "%(count)d Abende nachgetragen.", len(made)
    )
    assert made[0].event is not None
    go_to = reverse("results", args=[made[0].event.slug])
    return action_response(request, made[0], sentence=sentence % {"count": len(made)}, go_to=go_to)


def _read(upload: str, day: date | None, holds: str) -> list[EarlierEvening]:
    """Read the evenings of a kept file.

    :raises Refused: Saying what is wrong with it.
    """
    path = upload_path(upload)
    if path is None:
        raise Refused(str(GONE), code="no_preview")
    try:
        evenings = _evenings(path, day, holds)
    except SheetError as fault:
        raise Refused(file_fault(fault), code=fault.code) from None
    except ResultFault as fault:
        raise Refused(_sentence(fault), code=fault.code) from None
    evenings = [one if one.day else replace(one, day=day) for one in evenings]
    if any(one.day is None for one in evenings):
        raise Refused(_("Bitte sagen, an welchem Tag das war."), code="no_day")
    return evenings


def _evenings(path: Path, day: date | None, holds: str) -> list[EarlierEvening]:
    with path.open("rb") as file:
        is_text = not file.read(2).startswith(b"PK")
    if is_text:
        text = text_of(path.read_bytes())
        if looks_like_tdt(text):
            try:
                return [evening_of_tdt(tdt_read(text))]
            except NotATournament:
                raise SheetError("broken") from None
    rows = list(sheet_of_file(path, is_heading).rows)
    grid = evenings_of_grid(rows, day, holds=Holds(holds) if holds else None)
    return grid or evenings_of_table(rows)


def _sentence(fault: ResultFault) -> str:
    return {
        "headings": _("Es fehlen Überschriften: mindestens „Platz“ und „Name“."),
        "which": _("Stehen unter den Tagen Plätze oder Punkte? Bitte wählen."),
        "no_year": _("Über einer Spalte fehlt das Jahr: Bitte den Tag des ersten Abends angeben."),
        "points": _("In Zeile %(row)d stehen keine Punkte, die zu lesen sind."),
        "formula": _("In Zeile %(row)d steht eine Formel. Bitte als CSV speichern."),
        "day": _("In Zeile %(row)d steht kein Datum, das zu lesen ist."),
        "place": _("In Zeile %(row)d steht kein Platz."),
        "name": _("In Zeile %(row)d fehlt der Name."),
        "amount": _("In Zeile %(row)d ist ein Betrag oder eine Anzahl nicht zu lesen."),
        "twice": _("Ein Name steht an einem Abend zweimal."),
        "few": _("Ein Abend braucht mindestens zwei Spieler."),
    }[fault.code] % {"row": fault.row}


def _shown(evenings: list[EarlierEvening], name: str, told: str) -> dict[str, Any]:
    known = Acquaintances(club_get())
    shown = [
        {
            "day": evening.day,
            "name": evening_name(evening, name),
            "rows": [
                {
                    "player": player,
                    "prize": money(player.prize) if player.prize else "",
                    "spent": money(player.spent) if player.spent else "",
                    "by": ", ".join(
                        evening.players[by].name for by in (player.lost[-1] if player.lost else ())
                    ),
                    "is_known": known.meant(player.name, player.email) is not None,
                    "alike": known.alike(player.name),
                }
                for player in evening.players
            ],
        }
        for evening in evenings
    ]
    return {"evenings": shown, "told": told}
