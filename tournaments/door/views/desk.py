"""The desk at the door: registrations, arrivals, waiting list, search."""

from typing import Any

from django.db import transaction
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission, allows
from tournaments.changes.commands import was_served
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import MOST_ID, whole
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    present,
    undoable_response,
    whole_number,
)
from tournaments.door.domain.places import DOORS_OPEN
from tournaments.door.selectors.desk import (
    DeskLine,
    Guest,
    Only,
    Scanned,
    desk_line,
    desk_lines,
    desk_only,
    door_numbers,
    evenings_with_guests,
    guests_of,
    noshow_names,
    people_not_registered,
    refunds_due,
    regulars_found,
    scanned,
    taken_again,
)
from tournaments.door.selectors.places import capacity_of, is_blinded, noshows_are_blinded
from tournaments.door.services.arrivals import (
    PLAYS_ELSEWHERE,
    entry_check_in,
    noshow_remove,
    noshows_settle,
    registration_arrive,
)
from tournaments.door.services.registration import registration_create, registrations_import
from tournaments.door.services.waiting_list import offer_accept, place_give
from tournaments.door.views.desk_people import (
    BOTH,
    GET_AND_POST,
    LONGEST_SEARCH,
    ask_elsewhere,
    fee_taken,
    part_of,
    pay_if_ticked,
    person_sheet,
    refused_beside,
    registration_or_404,
    seat_context,
    seat_shown,
)
from tournaments.event.views.context import page_context
from tournaments.models import Action, Entry, Event, Person, Registration
from tournaments.money.domain.accounts import price_cents
from tournaments.money.selectors.journal import price_now
from tournaments.people.forms.person import DeskForm
from tournaments.people.selectors.people import double_at_the_desk
from tournaments.post.selectors.mail import desk_mail
from tournaments.seating.views.tables import BAD_STACK

MOST_ROWS = 60


@staff(Permission.CHECK_IN, people=True)
def desk(request: StaffRequest) -> HttpResponse:
    """Show the registrations with the search and the actions at the door.

    Without scripts, a personal link in the search redirects to its person.
    """
    found = _list(request)
    if found["scanned"] and found["scanned_url"]:
        return HttpResponseRedirect(found["scanned_url"])
    context = {**page_context(request, request.event, request.actor), **found, **_shown(request)}
    context["desk_mail"] = desk_mail(request.event)
    return render(request, "desk/desk.html", context)


@staff(Permission.CHECK_IN, people=True)
def desk_list(request: StaffRequest) -> HttpResponse:
    """Return the list with its numbers and the last drawn seat, for an open page."""
    context = {"event": request.event, "is_update": True, **_list(request), **_shown(request)}
    return render(request, "desk/desk_list.html", context)


def _list(request: StaffRequest) -> dict[str, Any]:
    event, actor = request.event, request.actor
    search = request.GET.get("q", "").strip()[:LONGEST_SEARCH]
    only = next((only for only in Only if only == request.GET.get("only")), Only.ALL)
    code = scanned(event, search, present(event))
    if code is None:
        rows = desk_only(event, search, only)
    else:
        here = code.registration if not code.is_elsewhere and not code.is_gone else None
        rows = desk_only(event, "", Only.ALL).filter(pk=here.pk if here else 0)
    found, now = rows.count(), present(event)
    lines = desk_lines(event, list(rows[:MOST_ROWS]))
    names, due = noshow_names(event, now)
    is_of_all = code is None and only in (Only.ALL, Only.MISSING)
    regulars = regulars_found(event, search) if is_of_all else []
    return {
        "search": search,
        "only": str(only),
        "rows": lines,
        "regulars": regulars,
        "known": regulars[0] if len(regulars) == 1 and not lines else None,
        "found": found,
        "most": MOST_ROWS,
        "numbers": door_numbers(event),
        "noshow_names": names,
        "noshows_due": due,
        "noshows_pay": noshows_are_blinded(event),
        "refunds": refunds_due(event),
        "may_place": allows(actor, Permission.MANAGE),
        "now": now,
        **_one(event, search, code, lines),
    }


def _one(event: Event, search: str, code: Scanned | None, lines: list[DeskLine]) -> dict[str, Any]:
    """Return the person of a code or the only match, ready for Enter or with the obstacle.

    Where all matches except one are checked in, that one is meant.
    """
    is_one = code is None and bool(search) and len(lines) == 1
    missing = [line for line in lines if not line.entry] if code is None and search else []
    may = len(missing) == 1 and len(lines) < MOST_ROWS and missing[0].may_check_in
    return {
        "scanned": code,
        "scanned_url": reverse("desk-check-in", args=[event.slug, lines[0].registration.pk])
        if code and lines
        else "",
        "one": missing[0] if may and not event.is_over else None,
        "one_in": lines[0] if is_one and lines[0].entry else None,
    }


def _shown(request: StaffRequest) -> dict[str, Any]:
    """Return the seat shown large, in its present state: moved, or undone."""
    number = whole(request.GET.get("shown", ""), most=MOST_ID)
    if number is None:
        return {}
    found = Registration.objects.live().filter(event=request.event, pk=number)
    row = found.select_related("event__head", "person").first()
    line = desk_line(row) if row else None
    if line is None or line.entry is None:
        return {"gone": number}
    return {**seat_context(line, request.actor), "line_shown": line}


# --- One-tap actions of the desk: give a place, record an arrival, settle no-shows


@staff(Permission.MANAGE, people=True, methods=("POST",))
def place(request: StaffRequest, registration: int) -> HttpResponse:
    """Give a waiting player a place out of turn."""
    row = registration_or_404(request.event, registration)
    return undoable_response(request, place_give(command_of(request), registration=row))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def accept(request: StaffRequest, registration: int) -> HttpResponse:
    """Accept the offered place for a player who is here or has called."""
    row = registration_or_404(request.event, registration)
    return undoable_response(request, offer_accept(command_of(request), registration=row))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def arrived(request: StaffRequest, registration: int) -> HttpResponse:
    row = registration_or_404(request.event, registration)
    return undoable_response(request, registration_arrive(command_of(request), registration=row))


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def release(request: StaffRequest) -> HttpResponse:
    """Release the places of no-shows, or blind them off, by rule."""
    return undoable_response(request, noshows_settle(command_of(request)))


@staff(Permission.MANAGE, people=True, methods=("GET", "HEAD", "POST"))
def noshow(request: StaffRequest, entry: int) -> HttpResponse:
    """Ask for the chips left in a no-show's stack; on POST, take it from play."""
    rows = Entry.objects.select_related("registration__person")
    row = get_object_or_404(rows, event=request.event, pk=entry)
    if request.method == "POST":
        stack = whole_number(request, "stack", str(BAD_STACK))
        return undoable_response(
            request, noshow_remove(command_of(request), entry=row, stack=stack)
        )
    context = {"event": request.event, "entry": row, "may": is_blinded(request.event, row)}
    return render(request, "desk/noshow.html", context)


# --- Register people of an earlier event again, as chosen


MOST_EVENINGS = 10
CAME, EVERYBODY, NOBODY = "dabei", "alle", "niemand"


@never_cache
@staff(Permission.MANAGE, people=True, methods=("GET", "HEAD", "POST"))
def carry_over(request: StaffRequest) -> HttpResponse:
    """Show the registrations of another event; on POST, register the ticked people."""
    event = request.event
    evenings = evenings_with_guests(event)
    asked = (request.POST if request.method == "POST" else request.GET).get("von", "")
    # Without a choice the last event of this name, else the last.
    source = evenings.filter(name=event.name).first() or evenings.first()
    if asked:
        source = get_object_or_404(evenings, slug=asked)
    guests = guests_of(source, event) if source else []
    if request.method == "POST":
        return _register(request, guests)
    who = request.GET.get("wer", CAME if any(guest.came for guest in guests) else EVERYBODY)
    meant = [
        guest
        for guest in guests
        if not guest.is_here and (who == EVERYBODY or (who == CAME and guest.came))
    ]
    context = {
        "source": source,
        "evenings": evenings[:MOST_EVENINGS],
        "who": who,
        "ways": ((CAME, _("wer da war")), (EVERYBODY, _("alle")), (NOBODY, _("niemand"))),
        "guests": [(guest, guest in meant) for guest in guests],
        "free": capacity_of(event).free,
    }
    page = page_context(request, event, request.actor)
    return render(request, "desk/carry.html", {**page, **context})


def registered_many(action: Action, count: int) -> str:
    """Return how many were registered at once, and how many of them wait."""
    waiting = action.payload.get("waits", 0)
    if not waiting:
        return ngettext(
            "%(count)d Person ist angemeldet.", "%(count)d Personen sind angemeldet.", count
        ) % {"count": count}
    return ngettext(
        "%(count)d Person ist angemeldet, auf der Warteliste: %(waiting)d.",
        "%(count)d Personen sind angemeldet, davon auf der Warteliste: %(waiting)d.",
        count,
    ) % {"count": count, "waiting": waiting}


def _register(request: StaffRequest, guests: list[Guest]) -> HttpResponse:
    chosen = set(request.POST.getlist("person"))
    people = [
        taken_again(guest.person, guest.registration)
        for guest in guests
        if str(guest.person.pk) in chosen
    ]
    if not people:
        raise Refused(_("Niemand ist ausgewählt."), code="nobody_chosen")
    action = registrations_import(command_of(request), people=people)
    go_to = reverse("desk", args=[request.event.slug])
    sentence = registered_many(action, len(people))
    return action_response(request, action, sentence=sentence, go_to=go_to)


# --- Walk-ins: register a new or known person and check in


NEWCOMER = "desk/newcomer.html"


@staff(Permission.CHECK_IN, people=True, methods=GET_AND_POST)
def desk_register(request: StaffRequest) -> HttpResponse:
    """Register a player at the door and check in, unless only registering is asked."""
    event = request.event
    fee = fee_taken(price_cents(price_now(event, present(event))))
    if fee and event.fee_rates:  # its amount depends on the person
        fee = _("Startgeld kassiert")
    if request.method != "POST":
        name = request.GET.get("q", "")[:LONGEST_SEARCH]
        return person_sheet(request, NEWCOMER, DeskForm(initial={"name": name}, pays=fee))
    form = DeskForm(request.POST, pays=fee)
    if not form.is_valid():
        return person_sheet(request, NEWCOMER, form)
    try:
        _ask_if_double(request, form)
        return _taken_in(request, form.arguments, form)
    except Refused as refusal:
        if refusal.code == PLAYS_ELSEWHERE:
            return ask_elsewhere(request, refusal)
        return refused_beside(request, refusal, NEWCOMER, form)


@staff(Permission.CHECK_IN, people=True, methods=("POST",))
def desk_known(request: StaffRequest, person: int) -> HttpResponse:
    """Register a known person and check in, unless only registering is asked."""
    row = get_object_or_404(Person, club=request.event.club, pk=person)
    key = part_of(command_of(request), "before").key
    if not was_served(request.actor, key):
        row = get_object_or_404(people_not_registered(request.event), pk=person)
    others = Registration.objects.live().filter(person=row).exclude(event=request.event)
    last = others.order_by("-registered_at", "-pk").first()
    try:
        return _taken_in(request, taken_again(row, last))
    except Refused as refusal:
        if refusal.code == PLAYS_ELSEWHERE:
            return ask_elsewhere(request, refusal)
        raise


def _taken_in(
    request: StaffRequest, arguments: dict[str, Any], form: DeskForm | None = None
) -> HttpResponse:
    """Do all in one transaction; answer with the seat, or with a toast if only registered.

    Without a free place the player goes on the waiting list, marked as arrived.
    """
    command, is_only = command_of(request), "only" in request.POST
    is_cash_guest = request.POST.get("only") == "cash"
    with transaction.atomic():
        action = registration_create(
            part_of(command, "before"), **arguments, is_cash_guest=is_cash_guest
        )
        row = Registration.objects.get(pk=action.payload["registration"])
        waits = action.payload.get("waits", False)
        if waits and not is_only:
            text = _("Alle Plätze sind vergeben. „Nur anmelden“ setzt auf die Warteliste.")
            raise Refused(text, code="full")
        if waits and form is not None and form.cleaned_data.get("pays"):
            raise Refused(_("Wer auf der Warteliste steht, zahlt noch nichts."), code="waits")
        if form is not None:
            pay_if_ticked(command, row, form)
        if not is_only:
            action = entry_check_in(command, registration=row, plays_at_both=BOTH in request.POST)
        elif waits and command.at >= command.event.starts_at - DOORS_OPEN:
            registration_arrive(part_of(command, "here"), registration=row)
    if not is_only:
        return seat_shown(request, action, row)
    sentence = _("%(name)s steht auf der Warteliste.") % {"name": action.text.data["name"]}
    return undoable_response(request, action, sentence if waits else "")


def _ask_if_double(request: StaffRequest, form: DeskForm) -> None:
    """Ask whether a similar person is the same; once answered, take the registration."""
    # On a repeated request, the person just registered would be found as similar.
    if was_served(request.actor, part_of(command_of(request), "before").key):
        return
    known = people_not_registered(request.event)
    double = double_at_the_desk(request.event, known, form.cleaned_data["name"])
    if double is None or form.is_somebody_else(double):
        return
    form.double = double
    if double.registration:
        sentence = _("%(name)s ist schon angemeldet.") % {"name": double.name}
    else:
        sentence = _("Der Verein kennt %(name)s.") % {"name": double.name}
    raise Refused(sentence, code="double")
