"""A table on the director's page: its seats and actions."""

from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from krru.background import schedule
from krru.backups import backup_status, hints
from krru.data import disks
from krru.observing import errors
from tournaments.cashgame.selectors.own import cash_evening
from tournaments.changes.views.requests import StaffRequest
from tournaments.dashboard.selectors.due_before import Backups
from tournaments.dashboard.views.buttons import page_now
from tournaments.event.domain.games import Game, seat_limit
from tournaments.models import Event
from tournaments.seating.selectors.balancing import FloorAdvice
from tournaments.seating.selectors.conduct import marks_shown
from tournaments.seating.selectors.layout import TablePicture, counts_told
from tournaments.seating.selectors.tables import names_short


def card_of(
    event: Event,
    picture: TablePicture,
    advice: FloorAdvice,
    tables: int,
    halted: Collection[int],
    *,
    asks_dealer: bool,
) -> dict[str, Any]:
    moving = {move.entry for move in advice.round}
    names = names_short(event) if tables > 1 else {}
    return {
        "number": picture.number,
        "players": picture.players,
        "count": picture.table.chairs,
        "told": counts_told(event, picture),
        "is_short": any(move.to_table == picture.number for move in advice.moves),
        "is_breaking": advice.breaks_table == picture.number,
        "halt": picture.number in halted,
        "can_add_chair": not event.is_over
        and picture.players == picture.table.chairs < seat_limit(Game(event.game)),
        "can_close": not event.is_over and not picture.players,
        "can_break": not event.is_over and bool(picture.players) and tables > 1,
        "can_draw_dealer": asks_dealer and not picture.has_dealer and picture.players > 1,
        "seats": _seats(event, picture, names, moving),
    }


def _seats(
    event: Event, picture: TablePicture, names: Mapping[str, str], moving: Collection[int]
) -> list[dict[str, Any]]:
    # Resolved once per table, not per seat.
    player_url = reverse("floor-player", args=[event.slug, 0]).removesuffix("0/")
    free_url = reverse("seat-lock", args=[event.slug, "-"]).removesuffix("-/")
    places = {
        seat.seat: "" if event.is_over else f"{picture.number}-{seat.seat}"
        for seat in picture.seats
    }
    return [
        {
            "number": seat.seat,
            "place": places[seat.seat],
            "entry": seat.entry,
            "is_locked": seat.is_locked,
            **marks_shown(seat.mark),
            "name": names.get(seat.name, seat.name),
            "is_button": seat.is_button,
            "is_small_blind": seat.is_small_blind,
            "is_big_blind": seat.is_big_blind,
            "must_move": seat.entry in moving,
            "hx_url": f"{player_url}{seat.entry}/"
            if seat.entry
            else places[seat.seat] and f"{free_url}{places[seat.seat]}/",
        }
        for seat in picture.seats
    ]


# --- The cash tables on the director's page, without a tournament


MINUTE = timedelta(minutes=1)


def cash_shown(request: StaffRequest) -> dict[str, Any]:
    now = page_now(request)
    evening = cash_evening(request.event, now)
    left = -((now - evening.ends_at) // MINUTE) if evening.ends_at else None
    return {"evening": evening, "minutes": left, "may_offer": True}


# --- The state of the computer running the evening, for pages


# A director should not see it for the rest of the evening.
REMEMBERED = timedelta(minutes=15)


def backups_now() -> Backups:
    """Return the state of the computer and its backups for the due items."""
    statuses = backup_status()
    folders = [status.folder for status in statuses]
    short = [disks.shortage(folder) for folder in (settings.KRRU_DATA, *folders)]
    troubles = [(_("Der Platz wird knapp"), numbers) for numbers in filter(None, short)]
    return Backups(
        is_chosen=bool(statuses),
        errors=tuple(status.sentence for status in statuses if status.sentence),
        hints=hints(statuses),
        troubles=(*_standing_still(), *troubles, *_errors()),
    )


def _errors() -> list[tuple[str, str]]:
    """Return the recent errors of this process."""
    found = errors.recent(REMEMBERED)
    if not found:
        return []
    numbers = {"at": time_format(localtime(found[-1].at), "H:i"), "number": found[-1].number}
    note = _("Zuletzt um %(at)s, Fehlernummer %(number)s. Einzelheiten stehen in log/krru.log.")
    return [(_("Im Programm gab es einen Fehler"), note % numbers)]


def _standing_still() -> list[tuple[str, str]]:
    """Return that automatic work has stopped, if so."""
    if not schedule.is_late():
        return []
    ran_at = schedule.last_ran_at()
    since = time_format(localtime(ran_at), "H:i") if ran_at else _("dem Start")
    return [
        (
            _("Von selbst geschieht nichts mehr"),
            _(
                "Seit %(since)s gibt es keine Sicherung, keine Mails und keinen Start von selbst. "
                "Das Programm neu starten."
            )
            % {"since": since},
        )
    ]
