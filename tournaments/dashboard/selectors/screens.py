"""Due by an event's big screens: a silent one, one with blocked sound."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _

from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Event
from tournaments.screens.selectors.screens import ScreenPicture, screen_pictures


def screen_items(event: Event, now: datetime) -> list[DueItem]:
    pictures = screen_pictures(event.club, now, event=event)
    return [_item(picture) for picture in pictures if picture.is_silent or picture.is_blocked]


def _item(picture: ScreenPicture) -> DueItem:
    screen = picture.screen
    if picture.is_silent:
        title = _("Leinwand meldet sich nicht: %(name)s")
        note = _("Läuft das Gerät noch? Die Uhr dort geht von selbst weiter.")
    else:
        title = _("Leinwand ohne Ton: %(name)s")
        note = _("Der Browser dort blockiert den Ton. Am Gerät einmal auf das Bild tippen.")
    return DueItem(
        kind=DueKind.SCREEN,
        urgency=Urgency.SOON,
        title=title % {"name": screen.name},
        note=note,
        number=screen.pk,
    )
