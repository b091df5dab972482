"""The club's public texts: place, contact, imprint."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.kinds import Group, Kind
from tournaments.event.services.about import cleaned, refuse_bad_about

CLUB_ABOUT_SET = Kind("club.about_set", lazy("Angaben des Vereins für alle geändert"), Group.CLUB)


@club_service(CLUB_ABOUT_SET, Permission.MANAGE)
def club_about_set(
    change: Change,
    *,
    venue: str = "",
    address: str = "",
    description: str = "",
    contact: str = "",
    house_text: str = "",
    imprint: str = "",
) -> None:
    """Set the club's public texts; a tournament may override them for its evening."""
    typed = {
        "venue": venue, "address": address, "description": description, "contact": contact,
        "house_text": house_text, "imprint": imprint,
    }  # fmt: skip
    cleaned_texts = {name: cleaned(name, text) for name, text in typed.items()}
    changed = sorted(
        name for name, text in cleaned_texts.items() if getattr(change.club, name) != text
    )
    change.set(**cleaned_texts)
    refuse_bad_about(change.club)
    change.record(about=changed)
