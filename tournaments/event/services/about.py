"""Check the public texts of a club or a tournament."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from tournaments.changes.domain.errors import Refused
from tournaments.event.domain import about
from tournaments.models import Club, Event

LONGEST = {
    "venue": about.LONGEST_VENUE,
    "address": about.LONGEST_ADDRESS,
    "description": about.LONGEST_TEXT,
    "contact": about.LONGEST_CONTACT,
    "house_text": about.LONGEST_TEXT,
    "imprint": about.LONGEST_IMPRINT,
}


def cleaned(name: str, value: Any) -> Any:
    """Return a setting's value for storage: public texts without invisible characters."""
    if name not in LONGEST:
        return value
    return (about.plain_line if name in ("venue", "address") else about.plain_text)(value)


def refuse_bad_about(row: Club | Event) -> None:
    """Refuse invalid public texts.

    :raises Refused: Saying which.
    """
    for name, longest in LONGEST.items():
        if len(getattr(row, name, "")) > longest:
            raise Refused(_("Höchstens %(most)d Zeichen.") % {"most": longest}, code=f"bad_{name}")
    try:
        found = about.contacts_in(row.contact)
    except about.ContactError as problem:
        raise Refused(contact_words(problem), code="bad_contact") from problem
    if len(found) > about.MOST_CONTACTS:
        raise Refused(
            _("Höchstens %(most)d Zeilen.") % {"most": about.MOST_CONTACTS}, code="bad_contact"
        )


def contact_words(problem: about.ContactError) -> str:
    """Return the problem of a contact's line as a sentence."""
    reason = _("„%(line)s“ ist weder Mailadresse noch Telefonnummer noch Webadresse.")
    return reason % {"line": problem.line}
