"""The page after an event, a league's final, profiles, and the club's statistics."""

from functools import partial
from typing import Any

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, actor_of
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import (
    club_staff,
    open_to_all,
    own_registration,
    player_actor,
    private,
)
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    present,
    request_key,
    whole_number,
)
from tournaments.door.services.arrivals import stacks_give
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS
from tournaments.models import Entry, Event, League, Person
from tournaments.money.selectors.tickets import ticket_sums
from tournaments.papers.views.papers import send_csv
from tournaments.people.selectors.people import is_sure
from tournaments.public.views.previews import Head, head_of, public_url
from tournaments.public.views.public_cache import cached_page, is_nobody
from tournaments.seasons.domain.review import (
    BARS_HEIGHT,
    BARS_WIDTH,
    HEIGHT,
    MOST_BARS,
    WIDTH,
    bars,
)
from tournaments.seasons.forms.league import StacksForm
from tournaments.seasons.selectors.leagues import league_standings, stacks_of
from tournaments.seasons.selectors.review import Review, review_of
from tournaments.seasons.selectors.statistics import (
    checked_of,
    has_open_profile,
    profile_of,
    statistics_of,
)
from tournaments.seasons.services.leagues import profile_close, profile_open
from tournaments.seasons.views.leagues import own

TEMPLATE = "seasons/review.html"


@open_to_all(people=True)
def review(request: Any, slug: str) -> HttpResponse:
    """Show the review of an event; before its end, a notice."""
    context = partial(_context, request)
    if is_nobody(request):
        return HttpResponse(cached_page(request, slug, TEMPLATE, lambda: request.event, context))
    return render(request, TEMPLATE, context(request.event))


def _context(request: Any, event: Event) -> dict[str, Any]:
    found = review_of(event)
    return page_context(request, event, actor_of(request.device, event)) | {
        "review": found,
        "width": WIDTH,
        "height": HEIGHT,
        "preview": _head(request, event, found) if found else None,
    }


def _head(request: Any, event: Event, found: Review) -> Head:
    of_event = head_of(request, event)
    winners = ", ".join(line.name for line in found.winners)
    people = ngettext("Eine Person hat mitgespielt", "%(n)s haben mitgespielt", found.people) % {
        "n": found.people
    }
    began, ended = (time_format(localtime(at), "H:i") for at in (found.began_at, found.ended_at))
    sentence = (
        _("Gewonnen: %(names)s") % {"names": winners} if winners else "",
        people,
        _("Gespielt von %(began)s bis %(ended)s") % {"began": began, "ended": ended},
    )
    return Head(
        title=_("%(event)s: Rückblick") % {"event": event.name},
        text=". ".join(filter(None, sentence)) + ".",
        site=of_event.site,
        url=public_url(request, reverse("review", args=[event.slug])),
        image=of_event.image,
    )


# --- Starting stacks of a league's final by points: on a page, on paper, as a file


USUAL_STACKS = {"base": 5000, "per_point": 100, "unit": 100, "first": 100}


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def final(request: StaffRequest, league: int) -> HttpResponse:
    """Show everybody's starting stack in the final; a POST gives them to the entries there."""
    row = own(league)
    form = StacksForm({**USUAL_STACKS, **request.GET.dict()})
    stacks = _stacks(row, form)
    planned = Event.objects.planned().filter(club=row.club_id, is_clock_only=False)
    if request.method == "POST":
        event = planned.filter(pk=whole_number(request, "event")).first()
        if event is None:
            raise Refused(_("Dieses Turnier hat schon begonnen."), code="started")
        command = Command(
            event=event, by=request.actor, at=present(event), key=request_key(request)
        )
        chips = {stack["person"]: stack["chips"] for stack in stacks}
        entries = Entry.objects.live().filter(event=event, registration__person__in=chips)
        who = entries.values_list("pk", "registration__person")
        action = stacks_give(command, stacks={pk: chips[person] for pk, person in who})
        return action_response(request, action, go_to=request.get_full_path())
    context = {
        "planned": planned.order_by("starts_at"),
        "league": row,
        "form": form,
        "stacks": stacks,
        "sum": sum(stack["chips"] for stack in stacks),
        "query": request.GET.urlencode(),
    }
    return render(request, "seasons/final.html", context)


@never_cache
@club_staff(Permission.MANAGE)
def final_csv(request: StaffRequest, league: int) -> HttpResponse:
    """Send these stacks as a file."""
    row = own(league)
    stacks = _stacks(row, StacksForm({**USUAL_STACKS, **request.GET.dict()}))
    heads: list[object] = [_("Rang"), _("Name"), _("Punkte"), _("Chips")]
    rows = [[stack[name] for name in ("rank", "name", "points", "chips")] for stack in stacks]
    return send_csv([heads, *rows], f"{row.slug}-finale")


def _stacks(row: League, form: StacksForm) -> list[dict[str, Any]]:
    if not form.is_valid():
        return []
    return stacks_of(league_standings(row, to_staff=True), **form.cleaned_data)


# --- A person's profile, public with consent, and the page to give consent


@open_to_all()
@never_cache
def profile(request: HttpRequest, person: int) -> HttpResponse:
    """Show a person's profile, if published."""
    club = club_get()
    row = Person.objects.select_related("club").filter(club=club, pk=person).first()
    if row is None or not has_open_profile(row):
        raise Http404(_("Dieses Profil gibt es nicht, oder es ist nicht öffentlich."))
    context = {"club": club, "profile": profile_of(row)}
    return render(request, "seasons/profile.html", context)


@open_to_all(methods=FORM_METHODS)
@private
def own_profile(request: Any, token: str) -> HttpResponse:
    """Show a player's own profile, with the choice to publish or hide it."""
    registration = own_registration(token)
    person = registration.person
    here = reverse("own-profile", args=[token])
    if request.method == "POST":
        change = profile_open if request.POST.get("open") == "1" else profile_close
        command = ClubCommand(
            club=registration.event.club,
            by=player_actor(registration),
            at=present(registration.event.club),
            key=request_key(request),
        )
        return action_response(request, change(command, person=person), go_to=here)
    sure = is_sure(registration) and person.erased_at is None
    context = page_context(request, registration.event) | {
        "token": token,
        "is_sure": sure,
        "is_open": has_open_profile(person),
        "profile": profile_of(person) if sure else None,
        "person": person,
    }
    return render(request, "seasons/own_profile.html", context)


# --- Statistics over all events of the club, for the director


EVENINGS_A_PAGE = 50


@never_cache
@club_staff(Permission.MANAGE)
def statistics(request: StaffRequest) -> HttpResponse:
    """Show attendance, durations, busiest hours, and past forecasts."""
    club = club_get()
    found = statistics_of(club)
    checked = checked_of(club)
    latest_first = list(reversed(found.evenings))
    context = {
        "club": club,
        "found": found,
        "page": Paginator(latest_first, EVENINGS_A_PAGE).get_page(request.GET.get("seite")),
        "people": bars([one.people for one in found.evenings]),
        "lengths": bars([one.minutes for one in found.evenings]),
        "shown": min(MOST_BARS, len(found.evenings)),
        "hours": list(zip(found.hours, bars([one["entries"] for one in found.hours]), strict=True)),
        "busiest": max(found.hours, key=lambda one: one["entries"], default=None),
        "tickets": ticket_sums(club, timezone.localdate()),
        "checked": checked,
        "held": sum(one.has_held for one in checked),
        "width": BARS_WIDTH,
        "height": BARS_HEIGHT,
    }
    return render(request, "seasons/statistics.html", context)
