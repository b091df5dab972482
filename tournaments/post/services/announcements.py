"""Announcements ("Durchsagen"): a text on every screen for a while, optionally spoken.

Players' own pages show it until read. An undo removes it from all of them.
"""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from clock.domain.wording import Language
from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Message

LONGEST = 200


ANNOUNCEMENT_MADE = Kind(
    "announcement.made",
    lazy("Durchsage: %(text)s"),
    Group.MESSAGES,
    is_announced=True,
    outlives_the_end=True,
)


@service(ANNOUNCEMENT_MADE, Permission.ANNOUNCE, Topic.MESSAGES, after_the_end=True)
def announcement_made(
    change: Change,
    *,
    text: str,
    has_voice: bool = True,
    language: Language = Language.GERMAN,
    stays: bool = False,
) -> None:
    """Announce a text of at most 200 characters, spoken in `language`.

    :param stays: Whether screens show it until it is taken back, not for some seconds alone.
    """
    announce(change, text, has_voice=has_voice, language=language)
    if stays:
        change.record(stays=True)


def announce(
    change: Change,
    text: str,
    *,
    has_voice: bool = True,
    language: Language = Language.GERMAN,
) -> None:
    """Add an announcement to any change, as `announcement.made` does alone."""
    plain = announcement_text(text)
    if not plain:
        raise Refused(_("Die Durchsage ist leer."), code="empty")
    if len(plain) > LONGEST:
        raise Refused(
            _("Eine Durchsage hat höchstens %(most)d Zeichen.") % {"most": LONGEST}, code="too_long"
        )
    Message.objects.create(event=change.event, sent_at=change.at, made_by=change.action)
    change.record(has_voice=has_voice, language=language.value)
    change.tell(text=plain)


def announcement_text(typed: str) -> str:
    """Return the typed text in one line, without unprintable characters.

    >>> announcement_text(" Essen \\n ist\\0 fertig ")
    'Essen ist fertig'
    """
    blank = "".join(" " if unicodedata.category(char)[0] == "C" else char for char in typed)
    return " ".join(blank.split())
