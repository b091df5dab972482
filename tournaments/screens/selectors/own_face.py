"""The club's own face of its walls: its slides, and the chosen figures of an event. Reads only."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as lazy

from tournaments.event.selectors.event import entries_live_count, players_left
from tournaments.models import Club, Event, OwnFace, Slide
from tournaments.payouts.selectors.prize_labels import sold_of
from tournaments.screens.selectors.faces import screen_end, screen_stakes
from tournaments.screens.selectors.lobby import break_next

GRID, PRIZES_SHOWN, FIGURES_S = 6, 3, 10
NAMES: dict[str, str | Promise] = {
    "left": lazy("Im Spiel"),
    "pot": lazy("Preistopf"),
    "prizes": lazy("Preise"),
    "rebuys": lazy("Re-buys"),
    "addons": lazy("Add-ons"),
    "break": lazy("Nächste Pause"),
    "end": lazy("Schluss etwa"),
    "hunter": lazy("Meiste Bountys"),
}


def own_face(club: Club) -> OwnFace:
    """Return the club's own face; a new empty one, not saved, if there is none."""
    return OwnFace.objects.filter(club=club).first() or OwnFace(club=club, figures=[""] * GRID)


def slides_of(face: OwnFace) -> list[Slide]:
    rows = Slide.objects.filter(club=face.club_id).defer("data").in_bulk(face.slides)
    return [rows[one] for one in face.slides if one in rows]


def picture_url(slide: Slide) -> str:
    return reverse("slide-file", args=[slide.digest]) if slide.digest else ""


def hall_own(event: Event, now: datetime) -> list[list[Any]]:
    """Return the pages of the face, each as [seconds, text, picture, figures]."""
    face = own_face(event.club)
    grid = figures_shown(event, face.figures, now)
    pages: list[list[Any]] = [[FIGURES_S, "", "", grid]] if any(grid) else []
    return pages + [[row.seconds, row.text, picture_url(row), []] for row in slides_of(face)]


def figures_shown(event: Event, figures: Sequence[str], now: datetime) -> list[list[Any]]:
    """Return [label, lines] of each field in order; an empty list of one without a figure now."""
    stakes = None
    if {*figures} & {"pot", "prizes", "hunter"}:
        stakes = screen_stakes(event, now, in_hall=True)
    found = []
    for name in figures:
        lines = list(filter(None, _lines(event, name, now, stakes or {})))
        found.append([str(NAMES[name]), lines] if lines else [])
    return found


def _lines(event: Event, name: str, now: datetime, stakes: dict[str, Any]) -> Sequence[str]:
    """Return the lines of a figure; empty ones without a value now."""
    lines: Sequence[str] = ()
    match name:
        case "left" if event.has_started and not event.is_cash_only:
            lines = [f"{intcomma(players_left(event))} / {intcomma(entries_live_count(event))}"]
        case "pot":
            lines = [stakes.get("pot", "")]
        case "prizes":
            prizes = stakes.get("prizes", [])[:PRIZES_SHOWN]
            lines = [f"{place}. {prize}" for place, prize in prizes]
        case "rebuys" | "addons" if event.has_started:
            lines = [intcomma(getattr(sold_of(event), name))]
        case "break":
            lines = [break_next(event, now)]
        case "end":
            lines = screen_end(event, now) or ()
        case "hunter":
            hunter, _heads, won = stakes.get("hunter") or ("", 0, "")
            lines = [hunter, won]
    return lines
