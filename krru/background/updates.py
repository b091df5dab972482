"""Look for a newer release once a day at the operator's address; send no data of the club.

The address answers with the releases of a project as GitHub, Forgejo and Gitea do, or with a file
of the same form: a list of objects with `tag_name` and `html_url`, or the newest alone.
"""

import ipaddress
import json
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from django.apps import apps
from django.conf import settings
from django.db.models import Manager, Q

from krru import __version__
from krru.data.releases import numbers
from krru.web.outgoing import Unreachable, ask, parts_of

AT_MOST_EVERY = timedelta(days=1)
PATIENCE_SECONDS = 5.0
VERSION = re.compile(r"v?(\d{1,5}\.\d{1,5}\.\d{1,5})")
LONGEST_ADDRESS = 500
LONGEST_PROBLEM = 200


def _rows() -> Manager[Any]:
    return apps.get_model("krru", "NewestRelease").objects  # a server imports this before all apps


@dataclass(frozen=True, slots=True)
class Release:
    """A release and the address of its notes."""

    version: str
    notes: str = ""

    @property
    def is_newer(self) -> bool:
        return numbers(self.version) > numbers(__version__)


def check(now: datetime) -> None:
    """Ask for the newest release, unless that is off or was done within a day."""
    if not settings.RELEASES_URL:
        return
    rows = _rows().filter(pk=1)
    _rows().get_or_create(pk=1, defaults={"asked_at": now - AT_MOST_EVERY})
    due = Q(asked_at__lte=now - AT_MOST_EVERY) | Q(asked_at__gt=now)
    if not rows.filter(due).update(asked_at=now):
        return
    try:
        found = newest_release()
    except Unreachable as error:
        rows.update(problem=str(error)[:LONGEST_PROBLEM])
    else:
        rows.update(version=found.version, notes=found.notes, problem="")


def newer_release() -> Release | None:
    """Return the newest release found, if it is newer than this program."""
    row = _rows().filter(pk=1).first() if settings.RELEASES_URL else None
    found = Release(row.version, row.notes) if row else None
    return found if found and found.is_newer else None


def last_problem() -> str:
    """Return why the last look failed; empty if it did not."""
    rows = _rows().filter(pk=1) if settings.RELEASES_URL else None
    return str(rows.values_list("problem", flat=True).first() or "") if rows else ""


def newest_release() -> Release:
    """Ask for the newest release.

    :raises Unreachable: There is no answer, or none of releases.
    """
    url = settings.RELEASES_URL
    headers = {"User-Agent": "krru", "Accept": "application/json"}
    answer = ask(
        "GET", url, headers=headers, seconds=PATIENCE_SECONDS, is_trusted=_is_loopback(url)
    )
    if answer.status != 200:
        raise Unreachable(f"HTTP {answer.status}")
    try:
        told = json.loads(answer.body)
    except (ValueError, RecursionError):
        raise Unreachable("no JSON, or too long") from None
    found = [*filter(None, map(_release, told if isinstance(told, list) else [told]))]
    if not found:
        raise Unreachable("no release")
    return max(found, key=lambda release: numbers(release.version))


def _release(told: Any) -> Release | None:
    """Return a release as a project's page tells it; None for a draft or anything else."""
    if not isinstance(told, dict) or told.get("draft") or told.get("prerelease"):
        return None
    version, notes = VERSION.fullmatch(str(told.get("tag_name"))), str(told.get("html_url", ""))
    try:
        parts_of(notes)
    except Unreachable:
        notes = ""
    return Release(version[1], notes[:LONGEST_ADDRESS]) if version else None


def _is_loopback(url: str) -> bool:
    try:
        host = urlsplit(url).hostname or ""
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
