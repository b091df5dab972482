"""Announcements ("Durchsagen"): a text that every screen shows for a while, and speaks if wanted.

The log entry is all there is; taking it back takes it from the screens.
"""

from __future__ import annotations

import unicodedata

from django.utils.translation import gettext as _

from clock.domain.wording import Language
from tournaments.access import Permission
from tournaments.audit import Change, service
from tournaments.domain.errors import Refused

LONGEST = 200


@service("announcement.made", Permission.ANNOUNCE)
def announcement_made(
    change: Change,
    *,
    text: str,
    has_voice: bool = True,
    language: Language = Language.GERMAN,
) -> None:
    """Announce a text of at most 200 characters; it is spoken as being in `language`."""
    announce(change, text, has_voice=has_voice, language=language)


def announce(
    change: Change,
    text: str,
    *,
    has_voice: bool = True,
    language: Language = Language.GERMAN,
) -> None:
    """Have a change say a text on every screen, as `announcement.made` does by itself alone."""
    plain = announcement_text(text)
    if not plain:
        raise Refused(_("Die Durchsage ist leer."), code="empty")
    if len(plain) > LONGEST:
        raise Refused(
            _("Eine Durchsage hat höchstens %(most)d Zeichen.") % {"most": LONGEST}, code="too_long"
        )
    change.record(has_voice=has_voice, language=language.value)
    change.tell(text=plain)


def announcement_text(typed: str) -> str:
    """Return what was typed in one line, without what can be neither shown nor said.

    >>> announcement_text(" Essen \\n ist\\0 fertig ")
    'Essen ist fertig'
    """
    blank = "".join(" " if unicodedata.category(char)[0] == "C" else char for char in typed)
    return " ".join(blank.split())
