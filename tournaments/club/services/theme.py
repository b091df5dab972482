"""What the club looks like: its colour and its logo, on big screens and public pages.

Neither can be taken back by an undo: the one before is gone. Somebody who has it sets it again.
"""

from __future__ import annotations

from hashlib import sha256

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.club.domain.colours import colour_read
from tournaments.club.domain.pictures import picture_type
from tournaments.models import ClubLogo

MOST_LOGO_BYTES = 300 * 1000


CLUB_COLOUR_SET = Kind("club.colour_set", lazy("Vereinsfarbe geändert"), Group.CLUB)


@club_service(CLUB_COLOUR_SET, Permission.MANAGE)
def club_colour_set(change: Change, *, colour: str) -> None:
    """Set the club's colour; an empty one is the colour of the house."""
    read = colour_read(colour)
    if read is None:
        raise Refused(_("Das ist keine Farbe. Gemeint ist etwas wie #7a1f2b."), code="colour")
    change.set(colour=read)
    change.record(colour=int(read.removeprefix("#"), 16) if read else None)


CLUB_LOGO_SET = Kind("club.logo_set", lazy("Vereinslogo geändert"), Group.CLUB)


@club_service(CLUB_LOGO_SET, Permission.MANAGE)
def club_logo_set(change: Change, *, data: bytes) -> None:
    """Put a logo in the place of the one there was."""
    if len(data) > MOST_LOGO_BYTES:
        raise Refused(_("Dieses Logo ist zu groß: Höchstens 300 KB."), code="too_large")
    media_type = picture_type(data)
    if media_type is None:
        raise Refused(
            _("Das ist kein ganzes Bild. Es gehen PNG, JPEG, WebP und SVG."), code="no_picture"
        )
    digest = sha256(data).hexdigest()
    ClubLogo.objects.update_or_create(
        club=change.club, defaults={"media_type": media_type, "data": data, "digest": digest}
    )
    change.record(bytes=len(data))
    change.tell(digest=digest)


CLUB_LOGO_REMOVED = Kind("club.logo_removed", lazy("Vereinslogo entfernt"), Group.CLUB)


@club_service(CLUB_LOGO_REMOVED, Permission.MANAGE)
def club_logo_remove(change: Change) -> None:
    """Show no logo any more."""
    removed, _by_model = ClubLogo.objects.filter(club=change.club).delete()
    if not removed:
        raise Refused(_("Es gibt kein Logo, das sich entfernen ließe."), code="no_logo")
