"""Send tables as files: CSV while it is written, a workbook afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import cast

from django.http import FileResponse, HttpResponse, StreamingHttpResponse
from django.utils import translation

from tournaments.papers.workbooks import csv_parts, workbook_of

CSV = "text/csv; charset=utf-8"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def send_parts(parts: Iterable[str], name: str, kind: str) -> HttpResponse:
    """Send a text as a file, part by part, in the language of the request."""
    spoken = _spoken(parts, translation.get_language())
    response = StreamingHttpResponse(spoken, content_type=kind)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    # Django types streamed answers separately; the view treats them the same.
    return cast("HttpResponse", response)


def _spoken(parts: Iterable[str], language: str | None) -> Iterator[str]:
    """Make each part in this language, as the request's language is no longer active.

    Between two parts the thread may serve other requests, so the language is reset.
    """
    rest = iter(parts)
    while True:
        with translation.override(language):
            part = next(rest, None)
        if part is None:
            return
        yield part


def send_csv(rows: Iterable[Sequence[object]], name: str) -> HttpResponse:
    """Send rows as CSV while it is written; no cell is a formula."""
    return send_parts(csv_parts(rows), f"{name}.csv", CSV)


def send_xlsx(rows: Iterable[Sequence[object]], name: str) -> HttpResponse:
    """Send rows as a workbook, written to a file first because its index comes last."""
    file = workbook_of(rows)
    response = FileResponse(file, as_attachment=True, filename=f"{name}.xlsx", content_type=XLSX)
    return cast("HttpResponse", response)
