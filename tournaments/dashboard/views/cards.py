"""A table on the director's page: its seats and actions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.urls import reverse

from tournaments.models import Event
from tournaments.people.domain.naming import short_names
from tournaments.seating.selectors.balancing import FloorAdvice
from tournaments.seating.selectors.conduct import marks_shown
from tournaments.seating.selectors.pictures import TablePicture


def card_of(
    event: Event,
    picture: TablePicture,
    advice: FloorAdvice,
    tables: int,
    halted: Collection[int],
    *,
    asks_dealer: bool,
) -> dict[str, Any]:
    moving = advice.moves[0].entry if advice.moves and not advice.moves[0].asks else None
    whole = [seat.name for seat in picture.seats if seat.entry]
    names = short_names(whole) if tables > 1 else dict(zip(whole, whole, strict=True))
    return {
        "number": picture.number,
        "players": picture.players,
        "count": picture.table.seats,
        "is_short": any(move.to_table == picture.number for move in advice.moves),
        "is_breaking": advice.breaks_table == picture.number,
        "halt": picture.number in halted,
        "can_close": not event.is_over and not picture.players,
        "can_break": not event.is_over and bool(picture.players) and tables > 1,
        "can_draw_dealer": asks_dealer and not picture.has_dealer and picture.players > 1,
        "seats": _seats(event, picture, names, moving),
    }


def _seats(
    event: Event, picture: TablePicture, names: Mapping[str, str], moving: int | None
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
            "name": names.get(seat.name, ""),
            "is_button": seat.is_button,
            "is_small_blind": seat.is_small_blind,
            "is_big_blind": seat.is_big_blind,
            "must_move": seat.entry is not None and seat.entry == moving,
            "hx_url": f"{player_url}{seat.entry}/"
            if seat.entry
            else places[seat.seat] and f"{free_url}{places[seat.seat]}/",
        }
        for seat in picture.seats
    ]
