"""The club's settings: its name, its backups and their state, its stock."""

import csv
import io
from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.models import ScheduleTemplate
from clock.selectors import template_levels
from krru import backups
from krru.background.mailing import base_url
from krru.backups.database import CannotCopy
from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.changes.domain.errors import Refused
from tournaments.changes.forms.parts import Refusable
from tournaments.changes.views.decorators import club_staff, open_to_all
from tournaments.changes.views.requests import StaffRequest, action_response, club_command_of
from tournaments.club.forms.club import (
    AboutForm,
    ClubForm,
    ColourForm,
    HallForm,
    LogoForm,
    PassphraseForm,
    ScheduleFileForm,
)
from tournaments.club.selectors.theme import club_style, club_theme, style_digest
from tournaments.club.services.club import (
    club_about_set,
    club_colour_set,
    club_hall_set,
    club_logo_remove,
    club_logo_set,
)
from tournaments.club.services.staff import backups_seal, club_update, may_seal
from tournaments.event.domain.hall_plan import numbers_text, plan_drawn
from tournaments.event.domain.schedule_files import (
    schedule_as_table,
    schedule_as_text,
)
from tournaments.event.forms.schedule import ChipSetForm
from tournaments.event.selectors.event import event_current
from tournaments.event.selectors.hall import hall_of, held_by_event, numbers_in_use
from tournaments.event.selectors.plans import plan_of
from tournaments.event.selectors.schedule import schedule_as_file
from tournaments.event.services.chip_sets import chip_set_delete, chip_set_save
from tournaments.event.services.schedule.own import (
    read_in_words,
    schedule_delete,
    schedule_import,
    schedule_of_file,
    schedule_rename,
)
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Action, ChipSet, Club, ClubLogo, RulePreset
from tournaments.rules.services.rules import preset_delete, preset_rename

HERE = "club-settings"
USUAL_COLOUR = "#f5c445"


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def settings(request: StaffRequest) -> HttpResponse:
    """Show and change the name and the backup folder."""
    club = club_get()
    if request.method != "POST":
        return render(request, "club/settings.html", club_page(club))
    form = ClubForm(request.POST, kept_folder=club.backup_folder)
    return _saved(request, "form", form, lambda command: club_update(command, **form.cleaned_data))


def _saved(
    request: StaffRequest,
    part: str,
    form: Refusable,
    act: Callable[[ClubCommand], Action],
    *,
    field: str = "",
    sentence: str = "",
) -> HttpResponse:
    """Carry out a form of the page, or show it again with its faults.

    :param part: The name of the form in the page's context.
    :param field: The field of every refusal, if there is one.
    """
    if form.is_valid():
        try:
            action = act(club_command_of(request))
            told = sentence or _("Gespeichert.")
            return action_response(request, action, sentence=told, go_to=reverse(HERE))
        except Refused as refusal:
            if field:
                form.add_error(field, str(refusal))
            else:
                form.refuse(refusal)
    return _wrong(request, **{part: form})


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def backup(request: StaffRequest) -> HttpResponse:
    """Back up now; tell the folder or the problem."""
    try:
        files = backups.backup_now()
    except (OSError, CannotCopy, DatabaseError) as error:
        problem = _("Nicht gesichert: %(problem)s") % {"problem": error}
        return _wrong(request, backup_refusal=problem)
    for file in files:
        messages.success(request, _("Gesichert: %(file)s") % {"file": file})
    return HttpResponseRedirect(reverse(HERE))


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def passphrase_end(request: StaffRequest) -> HttpResponse:
    """Make backups from now on without a passphrase."""
    try:
        action = backups_seal(club_command_of(request), passphrase="")
    except Refused as refusal:
        return _wrong(request, backup_refusal=str(refusal))
    sentence = _("Sicherungen haben ab jetzt kein Kennwort mehr.")
    return action_response(request, action, sentence=sentence, go_to=reverse(HERE))


def frame_code(path: str, title: str) -> str:
    """Return the HTML to show a page in a frame of another site."""
    return format_html(
        '<iframe src="{}" title="{}" width="100%" height="480" loading="lazy"></iframe>',
        base_url() + path,
        title,
    )


def club_page(club: Club, **typed: Any) -> dict[str, Any]:
    """Return the page's context; `typed` contains a refused form to show again."""
    initial = {name: getattr(club, name) for name in ClubForm.base_fields}
    about = {name: getattr(club, name) for name in AboutForm.base_fields}
    colour = {"is_own": bool(club.colour), "colour": club.colour or USUAL_COLOUR}
    chosen = backups.backup_status()
    schedules = [
        {"row": row, "plan": plan_of(template_levels(row), row.starting_stack, None)}
        for row in ScheduleTemplate.objects.order_by("starting_stack", "name")
    ]
    return {
        "club": club,
        "form": ClubForm(initial=initial),
        "embed_code": frame_code(reverse("embed"), club.name),
        "about_form": AboutForm(initial=about),
        "colour_form": ColourForm(initial=colour),
        "logo_form": LogoForm(),
        "schedule_form": ScheduleFileForm(),
        "theme": club_theme(club),
        "is_chosen": bool(chosen),
        "passphrase_form": PassphraseForm(),
        "is_sealing": backups.is_sealing(),
        "may_seal": may_seal(),
        "statuses": chosen or [backups.own_status()],
        "hints": backups.hints(chosen),
        "schedules": schedules,
        "presets": RulePreset.objects.order_by("pk"),
        "chip_sets": ChipSet.objects.filter(club=club).order_by("name"),
        "back": event_current(),
    } | typed


# --- Parts of the page with a form of one field: texts, look, passphrase


PARTS: dict[str, tuple[type[Refusable], Callable[[ClubCommand, dict[str, Any]], Action]]] = {
    "about": (AboutForm, lambda command, typed: club_about_set(command, **typed)),
    "colour": (ColourForm, lambda command, typed: club_colour_set(command, colour=typed["colour"])),
    "logo": (LogoForm, lambda command, typed: club_logo_set(command, data=typed["logo"].read())),
    "passphrase": (
        PassphraseForm,
        lambda command, typed: backups_seal(command, passphrase=typed["passphrase"]),
    ),
}


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def save(request: StaffRequest, part: str) -> HttpResponse:
    """Save a part of the page, or show the error beside its field."""
    form_class, act = PARTS[part]
    form, sentence = form_class(request.POST, request.FILES), ""
    if part == "passphrase":
        sentence = _("Sicherungen haben ab jetzt ein Kennwort. Ältere bleiben, wie sie sind.")
    return _saved(
        request,
        f"{part}_form",
        form,
        lambda command: act(command, form.cleaned_data),
        field=part if part in form.fields else "",
        sentence=sentence,
    )


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def logo_remove(request: StaffRequest) -> HttpResponse:
    action = club_logo_remove(club_command_of(request))
    sentence = _("Das Logo ist entfernt.")
    return action_response(request, action, sentence=sentence, go_to=reverse(HERE))


@open_to_all()
def logo_file(_request: HttpRequest, digest: str) -> HttpResponse:
    row = ClubLogo.objects.filter(digest=digest).first()
    if row is None:
        raise Http404
    return picture_answer(bytes(row.data), row.media_type)


@open_to_all()
def style_file(_request: HttpRequest, digest: str) -> HttpResponse:
    clubs = Club.objects.exclude(colour="")
    found = next((text for text in map(club_style, clubs) if style_digest(text) == digest), None)
    if found is None:
        raise Http404
    return kept_answer(found.encode(), "text/css")


def _wrong(request: StaffRequest, **forms: Any) -> HttpResponse:
    return render(request, "club/settings.html", club_page(club_get(), **forms), status=WRONG)


# --- The club's hall: its plan, and which event has which tables now


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def hall(request: StaffRequest) -> HttpResponse:
    """Show the plan as drawn and as text; on POST, change it."""
    club = club_get()
    form = HallForm(request.POST or None, initial={"hall": club.hall})
    if request.method == "POST" and form.is_valid():
        command = club_command_of(request)
        if action := attempt(form, lambda: club_hall_set(command, **form.cleaned_data)):
            to = reverse("club-hall")
            return action_response(request, action, sentence=_("Gespeichert."), go_to=to)
    used = numbers_in_use(club)
    context = {
        "club": club,
        "form": form,
        "areas": plan_drawn(hall_of(club), dict.fromkeys(used, "own")),
        "events": [(name, numbers_text(found)) for name, found in held_by_event(used).items()],
    }
    return render(request, "club/hall.html", context, status=WRONG if form.errors else 200)


# --- Files served by their digest: kept by browsers for good


FOREVER = "public, max-age=31536000, immutable"
# A drawing may hold scripts. In an <img> none runs; opened as a page, this policy blocks them.
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def kept_answer(data: bytes, media_type: str, **headers: str) -> HttpResponse:
    own = {"Cache-Control": FOREVER, "X-Content-Type-Options": "nosniff", **headers}
    return HttpResponse(data, content_type=media_type, headers=own)


def picture_answer(data: bytes, media_type: str) -> HttpResponse:
    """Return a picture, harmless also when opened as a page."""
    return kept_answer(data, media_type, **{"Content-Security-Policy": PICTURE_POLICY})


# --- What a club keeps for its evenings: blind schedules, chip sets, rule presets


ROWS: dict[str, Any] = {"preset": RulePreset, "schedule": ScheduleTemplate, "chip_set": ChipSet}
RENAMES: dict[str, Any] = {"preset": preset_rename, "schedule": schedule_rename}
DELETES: dict[str, Any] = {
    "preset": preset_delete, "schedule": schedule_delete, "chip_set": chip_set_delete,
}  # fmt: skip


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def rename(request: StaffRequest, what: str, **key: str | int) -> HttpResponse:
    name = request.POST.get("name", "")
    action = RENAMES[what](club_command_of(request), **{what: _row(what, key)}, name=name)
    return action_response(request, action, go_to=reverse(HERE))


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def delete(request: StaffRequest, what: str, **key: str | int) -> HttpResponse:
    action = DELETES[what](club_command_of(request), **{what: _row(what, key)})
    return action_response(request, action, go_to=reverse(HERE))


def _row(what: str, key: dict[str, str | int]) -> Any:
    (value,) = key.values()
    return get_object_or_404(ROWS[what], **{"key" if what == "preset" else "pk": value})


@never_cache
@club_staff(Permission.MANAGE)
def as_file(request: StaffRequest, plan: int) -> HttpResponse:
    """Send a schedule as a file for another club, or as a table for a spreadsheet."""
    row = get_object_or_404(ScheduleTemplate, pk=plan)
    schedule, name = schedule_as_file(row), slugify(row.name) or "blindplan"
    if request.GET.get("als") == "csv":
        out = io.StringIO()
        csv.writer(out, delimiter=";").writerows(schedule_as_table(schedule))
        response = HttpResponse(f"\ufeff{out.getvalue()}", content_type="text/csv; charset=utf-8")
        name += ".csv"
    else:
        response = HttpResponse(schedule_as_text(schedule), content_type="application/json")
        name += ".json"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@never_cache
@club_staff(Permission.MANAGE, methods=("POST",))
def from_file(request: StaffRequest) -> HttpResponse:
    """Save a file's schedule among the club's own."""
    form = ScheduleFileForm(request.POST, request.FILES)
    if form.is_valid():
        try:
            data, usual = form.content()
            told = {name: form.cleaned_data[name] for name in ("name", "stack")}
            read = schedule_of_file(data, usual=usual, **told)
            action = schedule_import(club_command_of(request), schedule=read.schedule)
            sentence = read_in_words(read)
            return action_response(request, action, sentence=sentence, go_to=reverse(HERE))
        except Refused as refusal:
            form.add_error("schedule", str(refusal))
    return _wrong(request, schedule_form=form)


@never_cache
@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def chip_set(request: StaffRequest, chips: int | None = None) -> HttpResponse:
    """Add a chip set, or change one of the club's own."""
    row = None if chips is None else get_object_or_404(ChipSet, pk=chips, revision=None)
    sent = request.POST if request.method == "POST" else None
    form = ChipSetForm(sent, chip_set=row)
    if sent is not None and form.is_valid():
        told = {name: form.cleaned_data[name] for name in ("name", "pieces")}
        command = club_command_of(request)
        action = attempt(form, lambda: chip_set_save(command, **told, chip_set=row))
        if action:
            return action_response(request, action, go_to=reverse(HERE))
    context = {"form": form, "chip_set": row, "club": club_get()}
    return render(request, "club/chip_set.html", context, status=WRONG if form.errors else 200)
