"""Leagues for the director: create, change, correct, archive."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    whole_number,
)
from tournaments.club.views.club import frame_code
from tournaments.event.selectors.labels import money
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import ActionText, Event, League, LeagueCorrection, LeagueMember, Person
from tournaments.seasons.domain.formula import FormulaError
from tournaments.seasons.domain.points import TRIED_CENTS, Terms, asks_money, fault_of, preview
from tournaments.seasons.forms.league import (
    AS_TYPED,
    TIE_FIELDS,
    CorrectionForm,
    GuestForm,
    LeagueForm,
    TeamForm,
)
from tournaments.seasons.selectors.labels import formula_fault, points_in_words
from tournaments.seasons.selectors.leagues import (
    Standings,
    events_that_may,
    league_events,
    league_standings,
    leagues_of,
)
from tournaments.seasons.services.leagues import (
    league_correct,
    league_correction_withdraw,
    league_evening_set,
    league_guest_set,
    league_remove,
    league_restore,
    league_save,
    league_team_set,
)

PREVIEW_FIELDS = (10, 25, 50)
IS_IN = {"in": True, "out": False, "rule": None}


@never_cache
@club_staff(Permission.MANAGE)
def leagues(request: StaffRequest) -> HttpResponse:
    """Show the club's leagues, archived ones last."""
    club = club_get()
    context = {
        "club": club,
        "leagues": leagues_of(club),
        "removed": League.objects.filter(club=club).exclude(removed_by=None).order_by("-pk"),
    }
    return render(request, "seasons/leagues.html", context)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def new(request: StaffRequest) -> HttpResponse:
    """Create a league, if wanted like another one a year later."""
    asked = request.GET.get("wie", "")
    return _edit(request, None, like=own(int(asked)) if asked.isdecimal() else None)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def change(request: StaffRequest, league: int) -> HttpResponse:
    """Change a league's terms."""
    return _edit(request, own(league))


def _edit(request: StaffRequest, row: League | None, *, like: League | None = None) -> HttpResponse:
    sent = request.POST if request.method == "POST" else None
    form = LeagueForm(sent, league=row, like=like)
    if sent is not None and "preview" in sent:
        return render(request, "seasons/preview.html", _preview(form))
    if sent is not None and form.is_valid():
        data = form.cleaned_data
        made = attempt(
            form,
            lambda: league_save(
                club_command_of(request),
                name=data["name"],
                terms=form.terms(),
                takes=form.takes(),
                is_public=data["is_public"],
                league=row,
                like=like,
            ),
        )
        if made:
            where = reverse("league-edit", args=[made.payload["league"]])
            return action_response(request, made, sentence=_("Gespeichert."), go_to=where)
    context = {"form": form, "league": row, "like": like, "club": club_get()}
    return render(request, "seasons/edit.html", context, status=WRONG if form.errors else 200)


def _preview(form: LeagueForm) -> dict[str, Any]:
    form.is_valid()
    about = {"way", "table", "each", "formula"}
    wrong = [str(error) for name in form.errors.keys() & about for error in form.errors[name]]
    if wrong:
        return {"wrong": wrong[0]}
    usual = {name: getattr(Terms(), name) for name in ("ties", "counts", "purse", *AS_TYPED)}
    form.cleaned_data = usual | dict.fromkeys(TIE_FIELDS, "") | form.cleaned_data
    terms = form.terms()
    try:
        if terms.way == "formula":
            fault_of(terms)
        columns = [dict(preview(terms, players)) for players in PREVIEW_FIELDS]
    except FormulaError as error:
        return {"wrong": formula_fault(error)}
    rows = [
        (place, [points_in_words(column[place]) if place in column else "" for column in columns])
        for place in range(1, 11)
    ]
    price = money(TRIED_CENTS) if asks_money(terms) else ""
    return {"fields": PREVIEW_FIELDS, "rows": rows, "price": price}


@never_cache
@club_staff(Permission.MANAGE)
def evenings(request: StaffRequest, league: int) -> HttpResponse:
    """Show the events of a league, and its corrections."""
    return render(request, "seasons/evenings.html", _evenings(own(league)))


def _evenings(row: League, **forms: Any) -> dict[str, Any]:
    standings = league_standings(row, to_staff=True)
    inside = {event.pk for event in league_events(row)}
    decisions = dict(row.evenings.live().values_list("event", "is_in"))
    people = _people(standings)
    rows = LeagueCorrection.objects.live().filter(league=row).order_by("-pk")
    corrections = list(rows.select_related("person", "made_by"))
    told = ActionText.objects.filter(action__in=[one.made_by_id for one in corrections])
    texts = dict(told.values_list("action", "data"))
    members = LeagueMember.objects.live().filter(league=row).select_related("person")
    return {
        "league": row,
        "standings": standings,
        "evenings": [
            {"event": event, "is_in": event.pk in inside, "is_said": event.pk in decisions}
            for event in reversed(list(events_that_may(row.club)))
        ],
        "corrections": [
            {
                "row": one,
                "points": points_in_words(one.points),
                "reason": texts.get(one.made_by_id, {}).get("reason", ""),
            }
            for one in corrections
        ],
        "members": members.order_by("team", "person__sort_name"),
        "guests": row.guests.live().select_related("person").order_by("person__sort_name"),
        "guest_form": GuestForm(people=people),
        "embed_code": frame_code(reverse("league-embed", args=[row.slug]), row.name),
        "correction_form": CorrectionForm(people=people),
        "team_form": TeamForm(people=people),
    } | forms


def _people(standings: Standings) -> list[tuple[int, str]]:
    gone = Person.objects.filter(pk__in=standings.names).exclude(erased_at=None)
    erased = set(gone.values_list("pk", flat=True))
    named = sorted(
        (name.sort, pk, name.text) for pk, name in standings.names.items() if pk not in erased
    )
    return [(pk, text) for _sort, pk, text in named]


@club_staff(Permission.MANAGE, methods=("POST",))
def evening_set(request: StaffRequest, league: int) -> HttpResponse:
    """Include or exclude an event."""
    row = own(league)
    event = Event.objects.filter(pk=whole_number(request, "event"), club=row.club).first()
    if event is None or request.POST.get("is_in") not in IS_IN:
        raise Refused(_("Diesen Abend gibt es nicht."), code="gone")
    action = league_evening_set(
        club_command_of(request), league=row, event=event, is_in=IS_IN[request.POST["is_in"]]
    )
    return action_response(request, action, go_to=_evenings_of(row))


@club_staff(Permission.MANAGE, methods=("POST",))
def correct(request: StaffRequest, league: int) -> HttpResponse:
    """Add or subtract points by hand."""
    form, service = CorrectionForm, league_correct
    return _typed(request, league, form, "correction_form", service, "points", "reason")


@club_staff(Permission.MANAGE, methods=("POST",))
def team_set(request: StaffRequest, league: int) -> HttpResponse:
    """Put a person into a team, or out of it."""
    return _typed(request, league, TeamForm, "team_form", league_team_set, "team")


def _typed(
    request: StaffRequest, league: int, kind: type[GuestForm], name: str, service: Any, *asked: str
) -> HttpResponse:
    row = own(league)
    form = kind(request.POST, people=_people(league_standings(row, to_staff=True)))
    if form.is_valid():
        typed = {field: form.cleaned_data[field] for field in asked}
        who, command = Person(pk=form.cleaned_data["person"]), club_command_of(request)
        made = attempt(form, lambda: service(command, league=row, person=who, **typed))
        if made:
            return action_response(request, made, go_to=_evenings_of(row))
    context = _evenings(row, **{name: form})
    return render(request, "seasons/evenings.html", context, status=WRONG)


@club_staff(Permission.MANAGE, methods=("POST",))
def correction_withdraw(request: StaffRequest, correction: int) -> HttpResponse:
    """Withdraw a correction."""
    row = get_object_or_404(LeagueCorrection, pk=correction)
    action = league_correction_withdraw(club_command_of(request), correction=row)
    return action_response(request, action, go_to=_evenings_of(row.league))


@club_staff(Permission.MANAGE, methods=("POST",))
def guest_set(request: StaffRequest, league: int) -> HttpResponse:
    """Leave a person out of the table, or take the person back in."""
    action = league_guest_set(
        club_command_of(request),
        league=(row := own(league)),
        person=Person(pk=whole_number(request, "person")),
        is_guest=request.POST.get("is_guest") == "1",
    )
    return action_response(request, action, go_to=_evenings_of(row))


@club_staff(Permission.MANAGE, methods=("POST",))
def remove(request: StaffRequest, league: int) -> HttpResponse:
    """Archive a league."""
    action = league_remove(club_command_of(request), league=own(league))
    return action_response(request, action, go_to=reverse("leagues"))


@club_staff(Permission.MANAGE, methods=("POST",))
def restore(request: StaffRequest, league: int) -> HttpResponse:
    """Restore an archived league."""
    action = league_restore(club_command_of(request), league=get_object_or_404(League, pk=league))
    return action_response(request, action, go_to=reverse("leagues"))


def own(league: int) -> League:
    """Return a league that is not archived, or answer 404."""
    return get_object_or_404(leagues_of(club_get()), pk=league)


def _evenings_of(row: League) -> str:
    return reverse("league-evenings", args=[row.pk])
