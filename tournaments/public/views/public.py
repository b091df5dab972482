"""The public pages: the list of tournaments, and each tournament."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.realtime import hub
from clock.servertime import server_time
from krru import __version__
from krru.background import schedule, updates
from krru.background.mailing import base_url
from tournaments.cashgame.selectors.own import cash_evening
from tournaments.changes.access import WORK, Permission, actor_of, allows
from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import (
    event_or_404,
    open_to_all,
    own_registration,
    private,
    shown_token,
)
from tournaments.changes.views.requests import present
from tournaments.contests.selectors.contests import flight_chapters
from tournaments.door.selectors.places import noshow_planned_at, noshows_are_blinded
from tournaments.event.selectors.chips import stack_pieces
from tournaments.event.selectors.event import average_stack, chips_in_play, late_entry_of
from tournaments.event.selectors.labels import GAMES, LIMITS, late_until
from tournaments.event.selectors.schedule import (
    event_lasts,
    events_last,
    level_minutes,
    schedule_lines,
)
from tournaments.event.views.context import page_context, spread_ms
from tournaments.models import Club, Draw, Event, Grant, League, StaffDevice
from tournaments.payouts.selectors.prize_labels import prizes_in_words
from tournaments.prizes.selectors.plans import paid_places
from tournaments.public.forms.own import RegisterForm
from tournaments.public.selectors.posters import (
    Poster,
    as_told,
    next_evening,
    people_listed,
    poster_of,
    posters_current,
    posters_past,
)
from tournaments.public.selectors.told import (
    delayed,
    is_told_over,
    live_of,
    near_money,
    stream_delay,
)
from tournaments.public.views.previews import head_of, head_of_club, public_url, structured
from tournaments.public.views.public_cache import cached_page, is_stranger
from tournaments.rebuys.selectors.prices import announced
from tournaments.rules.selectors.book import chapters_after, chapters_before
from tournaments.rules.selectors.rule import rule_state_number, rule_states
from tournaments.rules.selectors.rule_texts import (
    differences,
    differences_between,
    preset_of,
    rules_shown,
    rules_shown_then,
)
from tournaments.rulings.selectors.rulings import ALL_HANDS, hands_shown

if TYPE_CHECKING:
    from icalendar import Alarm, Calendar
    from icalendar import Event as Appointment


Places = frozenset[tuple[int | None, str]]

MOST_PAST = 30


@open_to_all()
def home(request: Any) -> HttpResponse:
    """Show the club's tournaments: running, next, past."""
    current, samples = posters_current(present())
    past = posters_past(MOST_PAST)
    places = _work_places(request.device)
    offers = [_offer(as_told(poster, present()), places) for poster in current]
    leagues = League.objects.filter(club=OuterRef("pk"), is_public=True, removed_by=None)
    club = Club.objects.annotate(has_leagues=Exists(leagues)).order_by("pk").first()
    feed = public_url(request, reverse("calendar-feed"))
    may_manage = allows(actor_of(request.device, None), Permission.MANAGE)
    is_for_practice = request.device is not None or not (current or past)
    context = {
        "club": club,
        "preview": head_of_club(request, club),
        "structured": structured(request, current),
        "feed": feed,
        "feed_subscribed": f"webcal:{feed.partition(':')[2]}",
        "first": offers[0] if offers else None,
        "others": offers[1:],
        "runs_many": sum(poster.event.has_started for poster in current) > 1,
        "past": [_offer(poster, places) for poster in past],
        # Sample evenings are for trying the program, never beside real ones.
        "samples": [_offer(poster, places) for poster in samples] if is_for_practice else [],
        "may_manage": may_manage,
        "newer": updates.newer_release() if may_manage else None,
        "is_signed_in": request.device is not None,
    }
    return render(request, "public/home.html", context)


@open_to_all()
@never_cache
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the poster's content, and one button."""
    template = "public/tournament.html"

    def context(event: Event) -> dict[str, Any]:
        return tournament_page(request, event, RegisterForm())

    found = cache(lambda: event_or_404(slug, request))
    if is_stranger(request):
        part = shown_token(request, slug)
        return HttpResponse(cached_page(request, slug, template, found, context, part=part))
    return render(request, template, context(found()))


@open_to_all()
@never_cache
def health(request: HttpRequest) -> HttpResponse:
    """Tell whether the program reaches its database; public content only.

    Without Redis all goes on, but changes by other processes reach screens up to 1 s later.
    """
    mode = "embedded" if settings.EMBEDDED else "full"
    health = {"ok": True, "version": __version__, "mode": mode, "streams": hub.stream_count}
    # Above zero if the computer's clock was set back and the evening keeps its own time.
    health["time_ahead_s"] = round(server_time.ahead().total_seconds())
    if not settings.EMBEDDED:
        health["redis"] = hub.is_bus_up
        health["changes_through"] = "redis" if hub.is_bus_up else "database"
    try:
        Event.objects.exists()
        age = schedule.age()
        health["schedule_age_s"] = None if age is None else round(age.total_seconds())
    except DatabaseError:
        return JsonResponse({**health, "ok": False}, status=503)
    return JsonResponse(health)


def tournament_page(request: Any, event: Event, form: RegisterForm) -> dict[str, Any]:
    """Return the tournament page's context, with its form's input."""
    now = present(event)
    names, others = people_listed(event)
    places = _work_places(request.device)
    delay = stream_delay(event)
    poster, lines = as_told(poster_of(event, now), now), schedule_lines(event, now - delay)
    has_tables = not event.is_cash_only and event.has_started
    is_live = has_tables and event.cancelled_by_id is None and not is_told_over(event, now)
    return {
        **(_live(event, poster, now - delay) if is_live else {}),
        **page_context(request, event, actor_of(request.device, event)),
        **(delayed(event, now) if is_live and delay else {}),
        "state": "running" if is_live else event.status,
        "offer": _offer(poster, places),
        "preview": head_of(request, event),
        "structured": structured(request, [poster]),
        "page_url": public_url(request, event.get_absolute_url()),
        "spread_ms": spread_ms(event),
        "form": form,
        "poster_token": shown_token(request, event.slug),
        "game": GAMES.get(event.game, event.game),
        "limit": LIMITS.get(event.limit, event.limit),
        "lines": lines,
        "minutes": level_minutes(event),
        "late_until": late_until(event),
        "here_by": None if event.has_started else noshow_planned_at(event),
        "is_blinded": noshows_are_blinded(event),
        "pieces": stack_pieces(event),
        "names": names,
        "others": others,
        "has_draws": Draw.objects.filter(event=event).exists(),
        "cash": cash_evening(event, now) if event.has_cash_game else None,
        "prizes": None if is_live else prizes_in_words(event, now),
        "rules": rules_shown(event, paid=paid_places(event)),
        "rule_state": 0 if event.is_clock_only else rule_state_number(event),
    }


def _live(event: Event, poster: Poster, told: datetime) -> dict[str, Any]:
    chips, is_exact = chips_in_play(event)
    return {
        "live": live_of(event, told),
        "near": near_money(event, poster.left, told),
        "average": average_stack(chips, poster.left),
        "average_is_exact": is_exact,
        "next": None if poster.takes_people else next_evening(event, told),
    }


def _work_places(device: StaffDevice | None) -> Places:
    """Return a device's roles as (event, role); without an event for the whole club."""
    if device is None:
        return frozenset()
    grants = Grant.objects.filter(device=device, revoked_at=None)
    return frozenset(grants.values_list("event", "role"))


def _offer(poster: Poster, places: Places) -> dict[str, Any]:
    """Return a poster with a link to this device's work at the event, if any."""
    roles = {role for event, role in places if event in (None, poster.event.pk)}
    work = next((work for role, work in WORK.items() if role in roles), None)
    return {
        "poster": poster,
        "event": poster.event,
        "work_url": reverse(work.home, args=[poster.event.slug]) if work else "",
        "work_label": work.way if work else "",
    }


# --- The club's own pages: imprint, rules for search engines, its name on a phone


# Personal links, and addresses for machines. Pages with names themselves forbid indexing: a page
# blocked here could not.
ROBOTS = """\
User-agent: *
Disallow: /p/
Disallow: /in/
Disallow: /api/
Disallow: /stream/
"""
ICON_SIZES = (192, 512)


@open_to_all()
def imprint(request: HttpRequest) -> HttpResponse:
    club = Club.objects.order_by("pk").first()
    if club is None or not club.imprint:
        raise Http404
    return render(request, "public/imprint.html", {"club": club})


@open_to_all()
def robots(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(ROBOTS, content_type="text/plain; charset=utf-8")


@open_to_all()
def manifest(_request: HttpRequest) -> HttpResponse:
    """Name the program on a phone's home screen. It starts at the page that opens offline."""
    club = Club.objects.order_by("pk").first()
    icons = [
        {
            "src": static(f"tournaments/icon-{size}.png"),
            "sizes": f"{size}x{size}",
            "type": "image/png",
        }
        for size in ICON_SIZES
    ]
    context = {
        "name": club.name if club else _("Turniere"),
        "short_name": (club.name if club else "KRRU")[:12].strip(),
        "id": reverse("start"),
        "start_url": reverse("start"),
        "scope": "/",
        # Without a frame: else an iPhone shows no notices.
        "display": "standalone",
        "background_color": "#f5efe3",
        "theme_color": "#0b382a",
        "icons": icons,
    }
    return JsonResponse(context, content_type="application/manifest+json")


# --- A tournament as a calendar file, and all of a club's for a subscription (RFC 5545)


# Imported where a file is made: few processes do.

TYPE = "text/calendar; charset=utf-8"
ALARM_BEFORE = timedelta(hours=2)
LATE_ALARM_BEFORE = timedelta(minutes=30)
ASKED_AGAIN = timedelta(hours=6)
# How long past evenings stay in a subscribed calendar.
KEPT = timedelta(days=60)
MOST_IN_FEED = 100


@open_to_all()
def calendar(_request: HttpRequest, slug: str) -> HttpResponse:
    """Send the file; a later one of the same tournament replaces the phone's entry."""
    event = event_or_404(slug)
    page = base_url() + event.get_absolute_url()
    return _file(event, _("Alles Weitere auf der Turnierseite: %(page)s") % {"page": page}, page)


@open_to_all()
@private
def own_calendar(_request: HttpRequest, token: str) -> HttpResponse:
    """Send the same appointment with the player's own link."""
    registration = own_registration(token)
    page = base_url() + reverse("player", args=[registration.link_token])
    sentence = _("Deine eigene Seite, nur für dich: %(page)s") % {"page": page}
    return _file(registration.event, sentence, page)


@open_to_all()
def feed(_request: HttpRequest) -> HttpResponse:
    """Send the club's evenings for subscribed calendars."""
    club, now = club_get(), present()
    rows = Event.objects.filter(club=club, is_sample=False, starts_at__gt=now - KEPT)
    events = list(rows.select_related("club").order_by("starts_at", "pk")[:MOST_IN_FEED])
    file = _calendar()
    file.add("x-wr-calname", club.name)
    file.add("refresh-interval", ASKED_AGAIN, parameters={"VALUE": "DURATION"})
    file.add("x-published-ttl", "PT6H")
    lengths = events_last(events)
    for event in events:
        page = base_url() + event.get_absolute_url()
        appointment = _appointment(event, page, page, lengths[event.pk], now)
        file.add_component(appointment)
    return HttpResponse(file.to_ical(), content_type=TYPE)


def _file(event: Event, sentence: str, page: str) -> HttpResponse:
    file, now = _calendar(), present(event)
    appointment = _appointment(event, sentence, page, event_lasts(event), now)
    late = late_entry_of(event, now) if late_until(event) else None
    if late is not None and late.ends_at is not None and not event.is_over:
        before = late.ends_at - event.starts_at - LATE_ALARM_BEFORE
        ends_at = date_format(localtime(late.ends_at), "H:i")
        words = _("Einsteigen geht noch bis %(at)s.") % {"at": ends_at}
        appointment.add_component(_alarm(words, before))
    file.add_component(appointment)
    response = HttpResponse(file.to_ical(), content_type=TYPE)
    response["Content-Disposition"] = f'attachment; filename="{event.slug}.ics"'
    return response


def _calendar() -> Calendar:
    from icalendar import Calendar

    file = Calendar.new(prodid="-//KRRU//KRRU//DE", method="PUBLISH")
    file.add("calscale", "GREGORIAN")
    return file


def _appointment(
    event: Event, sentence: str, page: str, lasts: timedelta, now: datetime
) -> Appointment:
    from icalendar import STATUS
    from icalendar import Event as Appointment

    appointment = Appointment.new(
        uid=f"{event.pk}-{event.slug}@krru",
        sequence=event.version,
        stamp=event.log_recorded_at or now,
        # In UTC, so that the file needs no time zone rules.
        start=event.starts_at,
        end=event.starts_at + lasts,
        summary=event.name,
        description=_description(event, sentence),
        location=event.about.place or None,
        url=page,
        status=STATUS.CANCELLED if event.cancelled_by_id else STATUS.CONFIRMED,
    )
    if not event.is_over:
        appointment.add_component(_alarm(event.name, -ALARM_BEFORE))
    return appointment


def _alarm(words: str, trigger: timedelta) -> Alarm:
    from icalendar import Alarm

    alarm = Alarm.new(description=words)
    alarm.add("action", "DISPLAY")
    alarm.add("trigger", trigger)
    return alarm


def _description(event: Event, sentence: str) -> str:
    costs = "\n".join(f"{line.label}: {line.text}" for line in announced(event))
    game = f"{GAMES.get(event.game, event.game)}, {LIMITS.get(event.limit, event.limit)}"
    about = event.about
    parts = (game, costs, about.description, about.contact, sentence)
    return "\n\n".join(filter(None, parts))


# --- All rules of a tournament for players, and their earlier states


@open_to_all(people=True)
def rules(request: Any, slug: str) -> HttpResponse:
    """Show the rules, with every procedure to be announced by TDA 2024 11-C."""
    event = request.event
    preset = preset_of(event)
    differing = differences(event, preset)
    states = rule_states(event)
    context = page_context(request, event, actor_of(request.device, event)) | {
        "rules": rules_shown(event, differing, paid=paid_places(event)),
        "has_differences": bool(differing),
        "preset": preset,
        "states": states,
        "state": states[-1] if states else None,
        "before": chapters_before(event),
        "after": [*chapters_after(event), *flight_chapters(event)],
        "hands": hands_shown(),
        "whole": ALL_HANDS,
    }
    return render(request, "public/rules_page.html", context)


@open_to_all(people=True)
def rules_then(request: Any, slug: str, number: int) -> HttpResponse:
    """Show the house rules after so many changes, with the differences to the present ones."""
    event = request.event
    states = rule_states(event)
    if not 1 <= number <= len(states):
        raise Http404
    state, latest = states[number - 1], states[-1]
    differing = differences_between(event, state.rules, latest.rules)
    context = page_context(request, event, actor_of(request.device, event)) | {
        "rules": rules_shown_then(event, state.rules, differing),
        "has_differences": bool(differing),
        "has_other_text": state.rules.own_text != latest.rules.own_text,
        "states": states,
        "state": state,
    }
    return render(request, "public/rules_then.html", context)
