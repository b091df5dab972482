"""Uploaded pictures of the club: made anew, or refused with a sentence."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.domain.errors import Refused
from tournaments.club.domain.images import (
    MOST_ELEMENTS,
    MOST_SIDE,
    Picture,
    PictureError,
    picture_from,
)

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
