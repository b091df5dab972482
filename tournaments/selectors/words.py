"""The words for stored values that several pages show."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _

from tournaments.domain.betting import Game, LimitKind
from tournaments.models import Event

GAMES: dict[str, Any] = {
    Game.HOLDEM: _("Texas Hold’em"),
    Game.OMAHA: _("Omaha"),
    Game.STUD: _("Seven Card Stud"),
}
LIMITS: dict[str, Any] = {
    LimitKind.NO_LIMIT: _("No Limit"),
    LimitKind.POT_LIMIT: _("Pot Limit"),
    LimitKind.SPLIT_LIMIT: _("Split Limit"),
    LimitKind.SPREAD_LIMIT: _("Spread Limit"),
}
COLOURS: dict[str, Any] = {
    "white": _("weiß"),
    "red": _("rot"),
    "blue": _("blau"),
    "green": _("grün"),
    "black": _("schwarz"),
}
DRAW_MODES: dict[str, Any] = {
    Event.DrawMode.ROLLING: _("sofort beim Einchecken"),
    Event.DrawMode.FIELD: _("alle vor dem Beginn"),
}
