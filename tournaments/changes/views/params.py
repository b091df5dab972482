"""Strict reading of the director's forms: numbers, and seats typed as table-seat."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _

from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.requests import StaffRequest

NUMBER = re.compile(r"[-−]?\d{1,12}")
GROUPED = re.compile(r"(?<=\d)[.,'’\s](?=\d{3}(?!\d))")  # 1.000, as shown on pages
PLACE = re.compile(r"(\d{1,6})-(\d{1,3})")


def whole_number(request: StaffRequest, name: str, reason: str = "") -> int:
    """Return a submitted whole number.

    :raises Refused: When it is none; with `reason`, if given.
    """
    found = optional_number(request, name, reason)
    if found is None:
        raise Refused(reason or _("Bitte eine ganze Zahl angeben."), code="bad_number")
    return found


def optional_number(request: StaffRequest, name: str, reason: str = "") -> int | None:
    """Return a submitted whole number, or None for an empty field.

    :raises Refused: When something else was typed.
    """
    raw = GROUPED.sub("", request.POST.get(name, "").strip())
    if not raw:
        return None
    if not (raw.isascii() or raw.startswith("−")) or not NUMBER.fullmatch(raw):
        raise Refused(reason or _("Bitte eine ganze Zahl angeben."), code="bad_number")
    return int(raw.replace("−", "-"))


def place(request: StaffRequest, name: str) -> tuple[int, int] | None:
    """Return table and seat number submitted as "4-7", or None."""
    found = PLACE.fullmatch(request.POST.get(name, "").strip())
    return (int(found[1]), int(found[2])) if found else None


def number_given(request: StaffRequest) -> str:
    """Return the typed hall number, empty without one."""
    return request.POST.get("number", "").strip()


def reason_given(request: StaffRequest) -> str:
    """Return the typed reason, cut to the log's length."""
    return request.POST.get("reason", "").strip()[:200]
