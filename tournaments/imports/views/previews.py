"""The preview of a list of people: read as guessed or corrected, checked row by row."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.requests import present
from tournaments.imports.domain.columns import is_heading
from tournaments.imports.domain.listing import (
    Doubt,
    Fault,
    Layout,
    Line,
    Listing,
    listing_of,
)
from tournaments.imports.domain.pasted import is_chat, pasted_csv, rows_numbered
from tournaments.imports.forms.imports import GONE, FileForm, LayoutForm, TakeOverForm, packed
from tournaments.imports.uploads import upload_keep, upload_path, uploads_clear
from tournaments.papers.domain.sheets import MOST_ROWS, SheetError
from tournaments.papers.workbooks import Sheet, sheet_of_file
from tournaments.people.services.people import Newcomer, clean, is_email, is_phone

MOST_SHOWN, MOST_REFUSED, EXAMPLES = 200, 1_000, 3
MOST_SHEETS_TRIED = 5
LONGEST_ANSWER = 80
TAKE, AS_KNOWN = "take", "known"

FAULTS: dict[Fault, Any] = {
    Fault.FORMULA: gettext_lazy("In der Zelle steht eine Formel."),
    Fault.EMPTY: gettext_lazy("Der Name fehlt."),
    Fault.LINE_BREAK: gettext_lazy(
        "Im Namen ist ein Zeilenumbruch. Fehlt weiter oben ein Anführungszeichen?"
    ),
    Fault.TOO_LONG: gettext_lazy("Der Name ist zu lang: höchstens 200 Zeichen."),
    Fault.MEMBER: gettext_lazy("Bei „Mitglied“ steht weder „ja“ noch „nein“."),
}
DOUBTS: dict[Doubt, Any] = {
    Doubt.NO_PERSON: gettext_lazy("Das sieht nicht nach einer Person aus."),
    Doubt.SAYS: gettext_lazy("Sagt: „%(answer)s“."),
    Doubt.SILENT: gettext_lazy("Hat nicht geantwortet."),
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
    "no_spreadsheet": gettext_lazy(
        "Das ist keine Tabelle. Möglich sind CSV, XLSX, ODS und vCards."
    ),
    "no_text": gettext_lazy(
        "Der Text der Datei ist nicht lesbar. Möglich sind CSV, XLSX, ODS und vCards."
    ),
    "broken": gettext_lazy(
        "Die Datei ist beschädigt oder keine XLSX-Datei. Bitte noch einmal speichern."
    ),
    "too_slow": gettext_lazy(
        "Die Datei ist zu aufwendig. Bitte nur die Liste der Personen in eine neue Datei kopieren."
    ),
    "gone": GONE,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The result of a row: why it is left out, why it is asked about, or how it is imported.

    `alike` is a known name of the same words: asked about too.
    """

    line: Line
    reason: str = ""
    doubt: str = ""
    waits: bool = False
    is_known: bool = False
    alike: str = ""

    @property
    def is_asked(self) -> bool:
        return bool(self.doubt or self.alike)


Judge = Callable[[Line], Verdict]


@dataclass(slots=True)
class Preview:
    """The result of a file: accepted people, and refused rows with reasons."""

    file_name: str
    upload: str
    listing: Listing
    sheets: tuple[str, ...] = ()
    shown: list[Verdict] = field(default_factory=list)
    asked: list[Verdict] = field(default_factory=list)
    refused: list[Verdict] = field(default_factory=list)
    accepted_count: int = 0
    asked_count: int = 0
    refused_count: int = 0
    waiting_count: int = 0
    known_count: int = 0
    dropped_count: int = 0
    people: str = ""

    @property
    def total(self) -> int:
        return self.accepted_count + self.asked_count + self.refused_count

    @property
    def sheet(self) -> str:
        return self.sheets[self.listing.sheet] if len(self.sheets) > 1 else ""

    @property
    def other_sheets(self) -> list[str]:
        return [name for name in self.sheets if name != self.sheet]

    @property
    def examples(self) -> list[str]:
        return [
            " · ".join(row.cells[i][:40] for row in self.listing.head if i < len(row.cells)
                       and row.cells[i])[:160]
            for i in range(self.listing.width)
        ]  # fmt: skip

    def judged(self, verdict: Verdict) -> bool | None:
        """Count a row, and keep it for display if there is room.

        Return whether it is shown; None if it cannot be imported.
        """
        if verdict.reason:
            self.refused_count += 1
            if len(self.refused) < MOST_REFUSED:
                self.refused.append(verdict)
            return None
        self.known_count += verdict.is_known
        self.dropped_count += bool(verdict.line.dropped)
        if verdict.is_asked:
            self.asked_count += 1
        else:
            self.accepted_count += 1
            self.waiting_count += verdict.waits
        rows = self.asked if verdict.is_asked else self.shown
        if len(rows) < MOST_SHOWN:
            rows.append(verdict)
            return True
        return False


Read = tuple[Preview | None, FileForm, LayoutForm | None]


def preview_asked(
    request: HttpRequest, scope: str, judge: Judge, accepts: type[TakeOverForm]
) -> tuple[dict[str, Any], int]:
    """Return the context and the status of a preview; without one, of the form with its error.

    :param accepts: The form that takes the people over.
    """
    preview, form, columns = _asked(request, scope, judge)
    if preview is None or columns is None:
        return {"form": form}, 422 if form.errors else 200
    accepting = accepts(scope=scope, initial={"people": packed(scope, preview.people)})
    status = 422 if preview.listing.layout is None else 200
    return _shown(preview, columns, accepting), status


def _asked(request: HttpRequest, scope: str, judge: Judge) -> Read:
    """Read a new file, or an earlier one with another layout."""
    if request.method != "POST":
        return None, FileForm(), None
    if "upload" in request.POST:
        return _read_otherwise(request, scope, judge)
    form = FileForm(request.POST, request.FILES)
    if not form.is_valid():
        return None, form, None
    file, text = form.cleaned_data["file"], form.cleaned_data["text"]
    uploads_clear(present())
    chat = _chat_of(file) if file else ""
    upload = upload_keep(
        file.chunks() if file and not chat else [pasted_csv(chat or text).encode()]
    )
    name = str(file.name) if file else _("Eingefügte Liste")
    return _try(form, lambda: _preview(upload, name, None, judge), scope)


def _chat_of(file: UploadedFile) -> str:
    if not str(file.name).lower().endswith(".txt"):
        return ""
    text = file.read().decode("utf-8-sig", errors="replace")
    file.seek(0)
    return text if is_chat(text.splitlines()) else ""


def _read_otherwise(request: HttpRequest, scope: str, judge: Judge) -> Read:
    chosen, form = LayoutForm.posted(request.POST, scope), FileForm({})
    if not chosen.is_valid() and "upload" in chosen.errors:
        form.errors["file"] = form.error_class([str(GONE)])
        return None, form, None
    upload, file_name, before = chosen.cleaned_data["upload"]
    layout = None if chosen.errors else chosen.layout()
    sheet = int(chosen.cleaned_data.get("sheet") or before)
    if sheet != int(before):
        # The columns were those of another sheet.
        return _try(form, lambda: _preview(upload, file_name, None, judge, sheet=sheet), scope)
    found, form, _shown = _try(
        form,
        lambda: _preview(upload, file_name, layout, judge, sheet=sheet, guesses=False),
        scope,
    )
    if layout is None and not chosen.errors:
        chosen.add_error(None, _("Bitte sagen, in welcher Spalte der Name steht."))
    return found, form, chosen


def _try(form: FileForm, read: Callable[[], Preview], scope: str) -> Read:
    try:
        preview = read()
    except SheetError as fault:
        form.errors["file"] = form.error_class([file_fault(fault)])
        return None, form, None
    return preview, form, _layout_form(preview, scope)


def _preview(
    upload: str,
    file_name: str,
    layout: Layout | None,
    judge: Judge,
    *,
    sheet: int | None = None,
    guesses: bool = True,
) -> Preview:
    path = upload_path(upload)
    if path is None:
        raise SheetError("gone")
    listing, sheets = _listing(path, layout, sheet, guesses=guesses)
    preview = Preview(file_name, upload, listing, sheets)
    # One a line: of a long list only this file holds all.
    accepted = _importable(preview, judge)
    preview.people = upload_keep(json.dumps(person).encode() + b"\n" for person in accepted)
    return preview


def _listing(
    path: Path, layout: Layout | None, at: int | None, *, guesses: bool
) -> tuple[Listing, tuple[str, ...]]:
    """Return the people of a file and its sheets: unless told, of the first sheet with headings."""
    sheet = sheet_of_file(path, is_heading, at or 0)
    if at is not None or len(sheet.names) < 2:
        return _listed(sheet, layout, at or 0, guesses=guesses), sheet.names
    found: list[Listing] = []
    problem = SheetError("empty")
    for number in range(min(len(sheet.names), MOST_SHEETS_TRIED)):
        one = sheet_of_file(path, is_heading, number) if number else sheet
        try:
            listing = _listed(one, None, number)
        except SheetError as fault:
            problem = fault
            continue
        if listing.has_headings:
            return listing, sheet.names
        found.append(listing)
    if not found:
        raise problem
    return found[0], sheet.names


def _listed(sheet: Sheet, layout: Layout | None, at: int, *, guesses: bool = True) -> Listing:
    rows, contacts = rows_numbered(sheet.rows), (is_email, is_phone)
    listing = listing_of(rows, layout, guesses=guesses, contacts=contacts)
    return replace(listing, sheet=at)


def _importable(preview: Preview, judge: Judge) -> Iterator[dict[str, Any]]:
    for line in preview.listing.lines:
        verdict = judge(line)
        is_shown = preview.judged(verdict)
        if is_shown is not None:
            yield {
                "row": line.number,
                "is_shown": is_shown,
                "is_asked": verdict.is_asked,
                "alike": verdict.alike,
                "person": {
                    "name": line.name,
                    "email": line.email,
                    "phone": line.phone,
                    "remark": line.remark,
                    "is_member": line.is_member,
                },
            }


def _layout_form(preview: Preview, scope: str) -> LayoutForm:
    listing = preview.listing
    layout, width = listing.layout, listing.width
    if layout is None:
        # Mostly unknown headings.
        initial = LayoutForm.initial_of(None, listing.head[0].number + 1, width)
    else:
        initial = LayoutForm.initial_of(layout.columns, layout.first_row, width)
        initial["is_turned"] = layout.is_turned
    initial["sheet"] = listing.sheet
    initial["upload"] = packed(scope, preview.upload, preview.file_name, str(listing.sheet))
    return LayoutForm(initial=initial, scope=scope, width=width, sheets=preview.sheets)


def _shown(preview: Preview, columns: LayoutForm, form: TakeOverForm) -> dict[str, Any]:
    if preview.listing.layout is None and not columns.is_bound:
        found = [text for text in preview.listing.head[0].cells if text]
        nothing = _(
            "Es fehlt eine Spalte „Name“, oder je eine für „Vorname“ und „Nachname“. "
            "Gefunden: %(found)s."
        ) % {"found": ", ".join(text[:40] for text in found[:12])}
    else:
        nothing = ""
    return {
        "preview": preview,
        "no_name": nothing,
        "columns": columns,
        "column_rows": list(zip(columns.selects(), preview.examples, strict=False)),
        "more": preview.accepted_count - len(preview.shown),
        "more_asked": preview.asked_count - len(preview.asked),
        "take": TAKE,
        "as_known": AS_KNOWN,
        "more_refused": preview.refused_count - len(preview.refused),
        "form": form,
    }


def people_accepted(form: TakeOverForm) -> list[dict[str, Any]]:
    """Return the ticked people of the confirmed preview; those not shown as they were accepted.

    :raises Refused: When it does not hold any more, or if nobody is ticked.
    """
    path = upload_path(form.cleaned_data["people"]) if form.is_valid() else None
    if path is None:
        raise Refused(form.errors.get("people", [GONE])[0], code="no_preview")
    found = []
    for kept in map(json.loads, path.read_bytes().splitlines()):
        person, chosen = kept["person"], form.data.get(f"row-{kept['row']}", "")
        if chosen == AS_KNOWN and kept["alike"]:
            found.append(person | {"name": kept["alike"], "email": ""})
        elif chosen == TAKE if kept["is_shown"] else not kept["is_asked"]:
            found.append(person)
    if not found:
        raise Refused(_("Niemand ist angekreuzt."), code="empty")
    return found


def row_doubt(line: Line) -> str:
    """Return why a row is asked about; empty if it is not."""
    if line.doubt is None:
        return ""
    return str(DOUBTS[line.doubt]) % {"answer": line.answer[:LONGEST_ANSWER]}


def row_fault(line: Line) -> str:
    """Return a row's own error as a sentence; empty if there is none."""
    if line.fault is Fault.TWICE and line.twin and line.twin > line.number:
        return _("Zeile %(row)d gilt: dort steht die spätere Antwort.") % {"row": line.twin}
    if line.fault is Fault.TWICE:
        return _("Steht schon in Zeile %(row)d.") % {"row": line.twin}
    if line.fault is not None:
        return str(FAULTS[line.fault])
    try:
        clean(Newcomer(name=line.name, email=line.email, phone=line.phone, remark=line.remark))
    except (Refused, ValidationError) as problem:
        return str(problem)
    return ""


def file_fault(fault: SheetError) -> str:
    if fault.code == "too_many_rows":
        return _("Die Datei hat zu viele Zeilen: höchstens %(most)d.") % {"most": MOST_ROWS}
    return str(FILE_FAULTS[fault.code])
