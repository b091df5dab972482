"""Tournaments, their schedules and places: public data; and making one."""

from datetime import timedelta

from django.shortcuts import get_object_or_404
from ninja import Router

from clock.domain import Level, level_as_json
from tournaments.api.requests import (
    ERRORS,
    FOR_ALL,
    PEOPLE_FOR_ALL,
    READS,
    ApiRequest,
    Json,
    Key,
    Part,
    Token,
    is_staff,
    page,
)
from tournaments.api.schemas import (
    EventDetail,
    EventIn,
    EventMadeOut,
    EventPage,
    ResultPage,
    ScheduleOut,
)
from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.changes.views.requests import present
from tournaments.event.selectors.event import average_stack, chips_in_play
from tournaments.event.selectors.schedule import schedule_lines
from tournaments.event.services.lifecycle import event_copy
from tournaments.models import Event, Table
from tournaments.public.selectors.posters import Poster, people_listed, poster_of, posters_page
from tournaments.public.views.results import place_lines
from tournaments.rebuys.selectors.prices import costs_announced

router = Router(tags=["Tournaments"])


@router.get("/events", **FOR_ALL, response={200: EventPage, **READS})
def events(request: ApiRequest, part: Part) -> Json:
    """List the tournaments, the latest first."""
    found, total = posters_page(part.offset, part.limit)
    return page([_line(poster) for poster in found], total, part)


@router.post("/copies", auth=Token(Permission.MANAGE), response={200: EventMadeOut, **ERRORS})
def copy(request: ApiRequest, key: Key, wanted: EventIn) -> Json:
    """Make a tournament like another one: plan, prices and settings, without people."""
    club = club_get()
    source = get_object_or_404(Event.objects.filter(club=club), slug=wanted.like)
    command = ClubCommand(club=club, by=request.actor, at=present(club), key=key)
    made = event_copy(command, source=source, name=wanted.name, starts_at=wanted.starts_at)
    row = Event.objects.get(pk=made.payload["event"])
    return {"slug": row.slug, "page_url": row.get_absolute_url()}


@router.get("/events/{slug:slug}", **FOR_ALL, response={200: EventDetail, **READS})
def event(request: ApiRequest, slug: str) -> Json:
    """Return the content of the tournament's page."""
    row = request.event
    poster = poster_of(row, present(row))
    chips, is_exact = chips_in_play(row)
    names, others = people_listed(row)
    return _line(poster) | {
        "version": row.version,
        "schedule_name": row.schedule_name,
        "schedule_is_edited": row.clock.is_edited,
        "rules_name": row.rules.get("name", ""),
        "starting_stack": row.starting_stack,
        "seats_per_table": row.seats_per_table,
        "late_registration_level": row.late_registration_level,
        "late_registration_break": row.late_registration_break,
        "fee_cents": row.fee_cents,
        "rates": [{"name": name, "cents": cents} for name, cents, _parts in row.fee_rates],
        "costs": costs_announced(row),
        "tables": Table.objects.live().filter(event=row).count(),
        "chips_in_play": chips,
        "average_stack": average_stack(chips, poster.left),
        "chips_are_exact": is_exact,
        "listed_names": names,
        "unlisted": others,
        "page_url": row.get_absolute_url(),
    }


@router.get("/events/{slug:slug}/schedule", **FOR_ALL, response={200: ScheduleOut, **READS})
def schedule(request: ApiRequest, slug: str) -> Json:
    """List all levels and breaks with their expected times."""
    row = request.event
    lines = schedule_lines(row, present(row))
    return {
        "name": row.schedule_name,
        "is_edited": row.clock.is_edited,
        "starting_stack": row.starting_stack,
        "levels": [
            level_out(line.level)
            | {"begins_at": line.begins_at, "is_past": line.is_past, "is_now": line.is_now}
            for line in lines
        ],
    }


@router.get("/events/{slug:slug}/results", **PEOPLE_FOR_ALL, response={200: ResultPage, **READS})
def results(request: ApiRequest, slug: str, part: Part) -> Json:
    """List players still in, then the places, best first."""
    to_staff = is_staff(request)
    lines = place_lines(request.event, to_staff=to_staff)
    wanted = lines[part.offset : part.offset + part.limit]
    items = [line | {"is_disqualified": line["is_dq"] if to_staff else None} for line in wanted]
    data = page(items, len(lines), part)
    return data | {"is_final": request.event.ended_by_id is not None}


def level_out(level: Level) -> Json:
    length = level.duration
    seconds = None if length is None else length // timedelta(seconds=1)
    return level_as_json(level) | {"duration_seconds": seconds, "is_unplanned": level.is_unplanned}


def _line(poster: Poster) -> Json:
    row = poster.event
    return {
        "slug": row.slug,
        "name": row.name,
        "status": row.status,
        "starts_at": row.starts_at,
        "game": row.game,
        "limit": row.limit,
        "capacity": row.capacity,
        "registered": poster.registered,
        "entries": poster.entries,
        "players_left": poster.left,
        "registration": poster.door,
        "is_sample": row.is_sample,
        "is_clock_only": row.is_clock_only,
    }
