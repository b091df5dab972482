"""Import a list of people from a file: choose, preview, import in one action."""

from collections.abc import Iterator
from datetime import datetime

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import MOST_ID, whole
from tournaments.changes.views.decorators import club_staff, staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    club_command_of,
    command_of,
    present,
)
from tournaments.contests.selectors.contests import contests_of_both
from tournaments.door.selectors.desk import emails_registered
from tournaments.door.services.registration import registrations_import
from tournaments.door.services.waiting_list import admission_at
from tournaments.door.views.desk import registered_many
from tournaments.event.views.context import page_context
from tournaments.event.views.events import attempt
from tournaments.imports.domain.listing import Line, is_same_person
from tournaments.imports.forms.imports import MembersForm, PeopleForm
from tournaments.imports.views.previews import (
    Judge,
    Verdict,
    people_accepted,
    preview_asked,
    row_doubt,
    row_fault,
)
from tournaments.models import Club, Event, Person, PersonMerge
from tournaments.papers.views.papers import SENDS
from tournaments.people.domain.naming import normal_name
from tournaments.people.forms.person import KnownPersonForm
from tournaments.people.selectors.people import (
    BY_NAME,
    Acquaintances,
    evenings_of,
    event_of_both,
    people_alike,
    people_found,
    people_of,
    teams_of,
    with_evenings,
)
from tournaments.people.services.members import (
    members_import,
    people_merge,
    people_unmerge,
    person_correct,
)


@staff(Permission.CHECK_IN, people=True, methods=("GET", "HEAD", "POST"))
def import_file(request: StaffRequest) -> HttpResponse:
    """Preview a file. Registrations are made only on confirmation."""
    event = request.event
    scope = _scope(event)
    judge = _judge(event, present(event))
    context, status = preview_asked(request, scope, judge, PeopleForm)
    page = page_context(request, event, request.actor) | context
    name = "import_preview" if "preview" in context else "import"
    return render(request, f"desk/{name}.html", page, status=status)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def import_confirm(request: StaffRequest) -> HttpResponse:
    form = PeopleForm(request.POST, scope=_scope(request.event))
    accepted = people_accepted(form)
    is_listed = form.cleaned_data["is_listed"]
    people = [{**person, "is_listed": is_listed} for person in accepted]
    try:
        action = registrations_import(command_of(request), people=people)
    except Refused as refusal:
        if refusal.code != "duplicate":
            raise
        again = _("%(reason)s „So lesen“ zeigt die Vorschau neu.") % {"reason": refusal}
        raise Refused(again, code=refusal.code)
    go_to = reverse("desk", args=[request.event.slug])
    return action_response(
        request, action, sentence=registered_many(action, len(people)), go_to=go_to
    )


def _scope(event: Event) -> str:
    return f"event:{event.pk}"


def _judge(event: Event, now: datetime) -> Judge:
    """Return a function that predicts the result of `registrations_import` for a row."""
    registered, door = emails_registered(event), admission_at(event, now)
    known = Acquaintances(event.club)

    def judge(line: Line) -> Verdict:
        reason = row_fault(line)
        there = registered.get(normal_name(line.name), []) if not reason else []
        if any(is_same_person(email, line.email) for email in there):
            reason = _("Ist schon angemeldet.")
        if reason:
            return Verdict(line=line, reason=reason)
        met, doubt = known.meant(line.name, line.email), row_doubt(line)
        alike = known.alike(line.name) if met is None else ""
        if doubt or alike:
            return Verdict(line=line, doubt=doubt, is_known=met is not None, alike=alike)
        is_member = bool(line.is_member) or (met is not None and met.is_member)
        waits = not door.lets(is_member=is_member)
        return Verdict(line=line, waits=waits, is_known=met is not None)

    return judge


# --- The club's people: search, correct, merge; import members


FORM_METHODS = ("GET", "HEAD", "POST")
A_PAGE, LONGEST_SEARCH = 100, 100
SCOPE = "club"


@never_cache
@club_staff(Permission.MANAGE)
def people(request: StaffRequest) -> HttpResponse:
    """Show the club's people, searched by name or contact."""
    club, search = club_get(), request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    only_members = request.GET.get("mitglieder") == "1"
    rows = people_found(club, search, only_members=only_members)
    page = Paginator(rows.values_list("pk", flat=True), A_PAGE).get_page(request.GET.get("seite"))
    shown = with_evenings(Person.objects.filter(pk__in=list(page)), *BY_NAME)
    context = {
        "club": club,
        "page": page,
        "people": shown,
        "search": search,
        "only_members": only_members,
    }
    return render(request, "people/people.html", context)


@never_cache
@club_staff(Permission.MANAGE)
def people_file(request: StaffRequest, ending: str) -> HttpResponse:
    """Send the club's people as CSV or as a workbook."""
    return SENDS[ending](people_rows(club_get()), "personen")


def people_rows(club: Club) -> Iterator[list[object]]:
    yield [_("Name"), _("E-Mail"), _("Telefon"), _("Mitglied"), _("Abende")]
    for row in people_found(club).iterator(chunk_size=500):
        is_member = _("ja") if row.is_member else _("nein")
        yield [row.name, row.email, row.phone, is_member, row.evenings]  # type: ignore[attr-defined]


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def person(request: StaffRequest, person: int) -> HttpResponse:
    """Show and correct a person's data, with possible doubles."""
    row = _person_or_404(person)
    told = ("name", "email", "phone", "is_member")
    form = KnownPersonForm(initial={name: getattr(row, name) for name in told})
    if request.method == "POST":
        form = KnownPersonForm(request.POST)
        if form.is_valid():
            typed, command = form.cleaned_data, club_command_of(request)
            if action := attempt(form, lambda: person_correct(command, person=row, **typed)):
                return action_response(request, action, sentence=_("Gespeichert."), go_to=_url(row))
    merges = PersonMerge.objects.live().filter(kept=row)
    context = {
        "person": row,
        "form": form,
        "evenings": evenings_of(row),
        "merges": merges.select_related("gone", "made_by").order_by("-pk"),
        "alike": people_alike(row),
    }
    return render(request, "people/person.html", context, status=422 if form.errors else 200)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def merge(request: StaffRequest, person: int) -> HttpResponse:
    """Search for a double, show both side by side, and merge them."""
    kept = _person_or_404(person)
    if request.method == "POST":
        if not request.POST.get("gone"):
            raise Refused(_("Zuerst die zweite Person suchen."), code="nobody_chosen")
        # Also find a merged one: a repeated press gets the same answer.
        pk = whole(request.POST["gone"], most=MOST_ID) or 0
        gone = get_object_or_404(Person, club=kept.club, pk=pk)
        action = people_merge(club_command_of(request), kept=kept, gone=gone)
        names = {"gone": gone.name, "kept": kept.name}
        sentence = _("%(gone)s und %(kept)s sind jetzt eine Person.") % names
        return action_response(request, action, sentence=sentence, go_to=_url(kept))
    search = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    other = request.GET.get("mit", "")
    pair = [kept, _person_or_404(other)] if other else []
    found = people_found(club_get(), search).exclude(pk=kept.pk)[:20] if search else []
    # The leagues in which the two have different teams: league, team kept, team gone.
    of_each = [teams_of(row) for row in pair]
    teams = [
        (league, team, of_each[-1][league])
        for league, team in (of_each[0] if pair else {}).items()
        if of_each[-1].get(league, team) != team
    ]
    context = {
        "kept": kept,
        "gone": pair[-1] if pair else None,
        "pair": list(zip(pair, map(evenings_of, pair), of_each, strict=True)),
        "teams": teams,
        "bagged": contests_of_both(*pair) if pair else [],
        "both_at": event_of_both(*pair) if pair else None,
        "search": search,
        "found": found,
    }
    return render(request, "people/merge.html", context)


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def unmerge(request: StaffRequest, merge: int) -> HttpResponse:
    rows = PersonMerge.objects.select_related("kept", "gone").filter(kept__club=club_get())
    row = get_object_or_404(rows, pk=merge)
    action = people_unmerge(club_command_of(request), merge=row)
    sentence = _("%(gone)s und %(kept)s sind wieder zwei Personen.") % {
        "gone": row.gone.name,
        "kept": row.kept.name,
    }
    return action_response(request, action, sentence=sentence, go_to=_url(row.kept))


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def members(request: StaffRequest) -> HttpResponse:
    """Preview a list of members. Nothing is saved until confirmed."""
    club, listed = club_get(), set[str]()
    context, status = preview_asked(request, SCOPE, _judge_people(club, listed), MembersForm)
    if "preview" not in context:
        return render(request, "people/members.html", context, status=status)
    known = people_of(club).filter(is_member=True).values_list("plain_name", flat=True)
    count = sum(name not in listed for name in known.iterator())
    affected = ngettext(
        "Das beträfe jetzt %(count)d Mitglied.", "Das beträfe jetzt %(count)d Mitglieder.", count
    ) % {"count": count}
    told = affected if count else _("Das beträfe jetzt niemanden.")
    context["form"].fields["is_complete"].help_text = told
    return render(request, "people/members_preview.html", context, status=status)


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def members_confirm(request: StaffRequest) -> HttpResponse:
    form = MembersForm(request.POST, scope=SCOPE)
    accepted = people_accepted(form)
    is_complete = form.cleaned_data["is_complete"]
    action = members_import(club_command_of(request), people=accepted, is_complete=is_complete)
    count, left = action.payload["count"], action.payload["left"]
    sentence = ngettext(
        "%(count)d Mitglied übernommen, nicht mehr Mitglied: %(left)d.",
        "%(count)d Mitglieder übernommen, nicht mehr Mitglied: %(left)d.",
        count,
    ) % {"count": count, "left": left}
    return action_response(request, action, sentence=sentence, go_to=reverse("people"))


def _judge_people(club: Club, listed: set[str]) -> Judge:
    """Return a function that predicts the result of `members_import`; it records accepted names."""
    known = Acquaintances(club)

    def judge(line: Line) -> Verdict:
        reason = row_fault(line)
        if reason:
            return Verdict(line=line, reason=reason)
        listed.add(normal_name(line.name))
        is_known = known.meant(line.name, line.email) is not None
        alike = "" if is_known else known.alike(line.name)
        return Verdict(line=line, doubt=row_doubt(line), is_known=is_known, alike=alike)

    return judge


def _person_or_404(pk: int | str) -> Person:
    people = people_of(club_get()).select_related("club")
    return get_object_or_404(people, pk=whole(str(pk), most=MOST_ID) or 0)


def _url(person: Person) -> str:
    return reverse("person", args=[person.pk])
