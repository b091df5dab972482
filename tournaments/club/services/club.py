"""The club's public texts and its look."""

from dataclasses import asdict
from hashlib import sha256

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind
from tournaments.club.domain.colours import colour_read
from tournaments.club.domain.images import (
    MOST_ELEMENTS,
    MOST_SIDE,
    Picture,
    PictureError,
    picture_from,
)
from tournaments.event.domain.hall_plan import HallError, plan_typed
from tournaments.event.services.settings import cleaned, hall_words, refuse_bad_about
from tournaments.models import ClubLogo

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


# --- The plan of the hall


CLUB_HALL_SET = Kind("club.hall_set", lazy("Saalplan geändert"), Group.CLUB)


@club_service(CLUB_HALL_SET, Permission.MANAGE)
def club_hall_set(change: Change, *, hall: str) -> None:
    """Set the plan of the hall as typed; empty: no plan, and any number for a table."""
    text = hall.strip()
    try:
        plan = plan_typed(text)
    except HallError as problem:
        raise Refused(hall_words(problem), code="bad_hall") from problem
    if text and not plan:
        raise Refused(_("In diesem Plan steht kein Tisch."), code="bad_hall")
    change.set(hall=text)
    change.record(tables=len(plan))


# --- The club's look: its colour and logo, on big screens and public pages


CLUB_COLOUR_SET = Kind("club.colour_set", lazy("Vereinsfarbe geändert"), Group.CLUB)


@club_service(CLUB_COLOUR_SET, Permission.MANAGE)
def club_colour_set(change: Change, *, colour: str) -> None:
    """Set the club's colour; an empty one means the program's colour."""
    read = colour_read(colour)
    if read is None:
        raise Refused(_("Das ist keine Farbe. Gemeint ist etwas wie #7a1f2b."), code="colour")
    change.set(colour=read)
    change.record(colour=int(read.removeprefix("#"), 16) if read else None)


CLUB_LOGO_SET = Kind("club.logo_set", lazy("Vereinslogo geändert"), Group.CLUB)


@club_service(CLUB_LOGO_SET, Permission.MANAGE)
def club_logo_set(change: Change, *, data: bytes) -> None:
    """Replace the logo. The stored one is converted, see `pictures`."""
    picture = picture_read(data)
    digest = sha256(picture.data).hexdigest()
    ClubLogo.objects.update_or_create(
        club=change.club, defaults={**asdict(picture), "digest": digest}
    )
    change.record(bytes=len(picture.data))
    change.tell(digest=digest)


CLUB_LOGO_REMOVED = Kind("club.logo_removed", lazy("Vereinslogo entfernt"), Group.CLUB)


@club_service(CLUB_LOGO_REMOVED, Permission.MANAGE)
def club_logo_remove(change: Change) -> None:
    """Remove the logo."""
    removed, _by_model = ClubLogo.objects.filter(club=change.club).delete()
    if not removed:
        raise Refused(_("Es gibt kein Logo, das sich entfernen ließe."), code="no_logo")


# --- Uploaded pictures of the club: made anew, or refused with a sentence


_REFUSALS = {
    "too_large": lazy("Dieses Bild ist zu groß: Höchstens %(most)s."),
    "no_picture": lazy("Das ist kein ganzes Bild. Es gehen PNG, JPEG, WebP und SVG."),
    "too_many_pixels": lazy(
        "Dieses Bild hat zu viele Punkte: Höchstens %(side)d in jeder Richtung."
    ),
    "too_complex": lazy(
        "Dieses SVG ist zu verschachtelt oder hat mehr als %(parts)d Teile. Als PNG geht es."
    ),
    "bad_part": lazy("Dieses SVG enthält %(what)s. Das wird nicht gezeigt. Als PNG geht es."),
}


def picture_read(data: bytes, *, is_photo: bool = False) -> Picture:
    """Return an uploaded picture, made anew.

    :raises Refused: It cannot be shown.
    """
    try:
        return picture_from(data, is_photo=is_photo)
    except PictureError as problem:
        words = {
            "what": problem.what,
            "side": MOST_SIDE,
            "parts": MOST_ELEMENTS,
            "most": "9 MB" if is_photo else "300 KB",
        }
        raise Refused(str(_REFUSALS[problem.code]) % words, code=problem.code) from problem
