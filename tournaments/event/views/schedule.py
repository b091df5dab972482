"""The blind schedule: choose another one before the start, edit its rows at any time.

The editor works without scripts: each press sends all rows, keeps the input and returns. A valid
schedule applies at once; an invalid one stays in the fields until corrected.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clock.domain import Level, LevelKind, numbered, spelled_out
from clock.selectors import clock_anchor, clock_levels
from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import numbers_in, whole
from tournaments.changes.forms.parts import Refusable
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, action_response, command_of, present
from tournaments.event.domain.games import LimitKind, Mix, shows_big_bet
from tournaments.event.domain.planning.planner import overtaken_by
from tournaments.event.forms import schedule as forms
from tournaments.event.forms.event import ScheduleForm
from tournaments.event.forms.settings import PresetNameForm
from tournaments.event.selectors.chips import (
    chips_leaving,
    dealing_of,
    levels_with_plan,
    stack_notes,
)
from tournaments.event.selectors.clock import rows_begun
from tournaments.event.selectors.labels import GAMES
from tournaments.event.selectors.level_words import more_of
from tournaments.event.selectors.schedule import (
    chip_values,
    schedule_faults,
    schedule_lines,
    schedule_warnings,
)
from tournaments.event.selectors.settings.entries import CAPACITY_LIMIT
from tournaments.event.services.chip_sets import event_chips_choose
from tournaments.event.services.lifecycle import event_schedule_set
from tournaments.event.services.schedule.edit import (
    MOST_LEVELS,
    refuse_if_stale,
    schedule_edit,
    schedule_mixed,
    schedule_paced,
)
from tournaments.event.services.schedule.own import event_schedule_save
from tournaments.event.views import events
from tournaments.event.views.clock import Consequence, moves_unseen
from tournaments.event.views.context import page_context
from tournaments.models import Action, ChipSet, Event


@never_cache
@staff(Permission.MANAGE, people=False, methods=events.FORM_METHODS)
def schedule(request: StaffRequest) -> HttpResponse:
    """Show every level with its time; before the start, choose another schedule."""
    event = request.event
    sent = request.POST if request.method == "POST" else None
    if "plan" in request.GET:
        return render(request, "events/plan.html", _plan_context(event, ScheduleForm(request.GET)))
    form = ScheduleForm(sent, initial=events.schedule_of(event))
    if sent is not None and form.is_valid():
        action = events.attempt(
            form,
            lambda: event_schedule_set(
                command_of(request),
                schedule=form.templates[form.cleaned_data["schedule"]],
                level_minutes=form.cleaned_data["level_minutes"],
                breaks=form.breaks(),
            ),
        )
        if action:
            return _edited(request, action)
    return schedule_page(request, form=form)


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def save(request: StaffRequest) -> HttpResponse:
    """Save the schedule under a name."""
    form = PresetNameForm(request.POST)
    if form.is_valid():
        name = form.cleaned_data["name"]
        action = events.attempt(form, lambda: event_schedule_save(command_of(request), name=name))
        if action:
            return _edited(request, action)
    return schedule_page(request, name_form=form)


def _plan_context(event: Event, form: ScheduleForm) -> dict[str, Any]:
    url = reverse("event-schedule", args=[event.slug])
    return {"plan_url": url, "form": form, **events.schedule_shown(form, event)}


def schedule_page(
    request: StaffRequest, *, asked: Consequence | None = None, **sent: Refusable
) -> HttpResponse:
    """Show the schedule with its forms, and the errors of the one that was sent."""
    event = request.event
    shown: dict[str, Any] = {
        "form": ScheduleForm(initial=events.schedule_of(event)),
        "name_form": PresetNameForm(),
        "mix_form": forms.MixForm(),
        "pace_form": forms.PaceForm(),
        **sent,
    }
    context = page_context(request, event, request.actor) | {
        **shown,
        **_plan_context(event, shown["form"]),
        "asked": asked,
        "stand": ",".join(str(level.id) for level in clock_levels(event.clock)),
        "tab": "schedule",
        "lines": schedule_lines(event, present(event)),
        "warnings": _warnings(event),
        "obstacle": events.obstacles_of(event).get("schedule", ""),
        "anchor": clock_anchor(event.clock),
        "starts_by_itself": event.clock.starts_at == event.starts_at,
        "instant_form": forms.InstantForm(),
    }
    has_faults = any(form.errors for form in shown.values())
    return render(
        request, "events/schedule.html", context, status=events.WRONG if has_faults else 200
    )


def _warnings(event: Event) -> list[str]:
    """Return what is odd about the schedule, and before the start about the stack for it."""
    levels = clock_levels(event.clock)
    notes = [] if event.has_started else stack_notes(event.starting_stack, levels, event.chip_set)
    return notes + schedule_warnings(event, levels)


@never_cache
@staff(Permission.MANAGE, people=False, methods=events.FORM_METHODS)
def edit(request: StaffRequest) -> HttpResponse:
    """Edit the rows not yet begun. A row's button also saves all rows.

    An invalid schedule stays in the fields, with each error at its row, until corrected.
    """
    event = request.event
    sent = _Sent(event, request.POST if request.method == "POST" else None)
    reason, marks, asked = "", dict[int, str](), None
    is_done = "done" in request.POST
    if sent.post is not None:
        try:
            if sent.rows.is_valid():
                whole, marks = sent.take(seen_rows(request))
                reason = " ".join(whole)
                if not (whole or marks):
                    asked, call = _edit_asked(request, sent.wanted)
                    if not asked:
                        then = "event-schedule" if is_done else "schedule-edit"
                        return _edited(request, call(), then)
                sent.show_wanted()
        except Refused as refusal:
            if is_done and refusal.code == "nothing_changed":
                return redirect("event-schedule", event.slug)
            reason = str(refusal)
    is_wrong = sent.post is not None and not asked
    context = page_context(request, event, request.actor) | {
        "tab": "schedule",
        "rows": sent.rows,
        "lines": sent.lines(marks),
        "based_on": request.POST.get("stand") or ",".join(str(row.id) for row in sent.levels),
        "reason": reason,
        "is_marked": bool(marks),
        "is_wrong": is_wrong,
        "is_done": is_done,
        "asked": asked,
        "show_bets": sent.has_big_bet,
        "warnings": [] if is_wrong else _warnings(event),
    }
    return render(
        request, "events/schedule_edit.html", context, status=events.WRONG if is_wrong else 200
    )


def _edit_asked(
    request: StaffRequest, levels: Sequence[Level]
) -> tuple[Consequence | None, Callable[[], Action]]:
    """Return what an edit of a running schedule moves, unless seen, and the edit."""

    def call() -> Action:
        return schedule_edit(command_of(request), levels=levels, based_on=seen_rows(request))

    if not request.event.has_started:
        return None, call
    return moves_unseen(request, call, [forms.initial_of(level) for level in levels]), call


def _edited(request: StaffRequest, action: Action, then: str = "event-schedule") -> HttpResponse:
    events.speak_beforehand(request.event)
    return action_response(request, action, go_to=reverse(then, args=[request.event.slug]))


class _Sent:
    """The editor's rows: as stored, or as typed.

    `wanted` is the whole schedule in the fields.
    """

    def __init__(self, event: Event, post: QueryDict | None) -> None:
        self.event, self.post = event, post
        self.levels = clock_levels(event.clock)
        index, self.begun = rows_begun(event, present(event))
        self.fixed = 0 if index is None else index + 1
        if event.is_over:
            self.fixed, self.begun = len(self.levels), frozenset()
        self.wanted = list(self.levels)
        self.of_event = shows_big_bet(LimitKind(event.limit))
        typed = [] if post is None else [post.get(f"stufe-{n}-limit") for n in range(MOST_LEVELS)]
        self.has_big_bet = self.of_event or LimitKind.SPLIT_LIMIT in (
            *typed,
            *(level.limit for level in self.levels),
        )
        self.rows = self._rows(post)
        if self.rows.is_bound and self.rows.forms:
            shells = [_shell(form) for form in self.rows]
            self.wanted = _woven(self.levels, self.fixed, self.begun, shells)

    def take(self, seen: list[int]) -> tuple[list[str], dict[int, str]]:
        """Apply the input and the pressed button; return the errors of the whole and by row."""
        refuse_if_stale(self.levels, seen)
        stored = {level.id: level for level in self.levels}
        was_shown = any(name.endswith("-big_bet") for name in self.post or ())
        hides_bets = not (self.has_big_bet and was_shown)
        typed = forms.as_stored((row.level() for row in self.rows), stored, hides_bets=hides_bets)
        game = str(GAMES.get(self.event.game, ""))
        woven = _woven(self.levels, self.fixed, self.begun, typed)
        pressed = self.post.get("tun", "") if self.post else ""
        wanted = forms.operated(woven, self.fixed, pressed, self.begun, chip_values(self.event))
        spelled = spelled_out(wanted, game=game, limit=self.event.limit)
        self.wanted = [
            was if row < self.fixed or was.id in self.begun else now
            for row, (was, now) in enumerate(zip(wanted, spelled, strict=True))
        ]
        return schedule_faults(self.wanted)

    def show_wanted(self) -> None:
        """Fill the fields from the schedule after the press."""
        self.has_big_bet = self.of_event or any(
            level.limit == LimitKind.SPLIT_LIMIT for level in self.wanted
        )
        self.rows = self._rows(None)

    def lines(self, marks: Mapping[int, str]) -> list[dict[str, Any]]:
        """Return the rows of the page, with their forms where editable."""
        waiting, lines = list(self.rows), []
        for index, level in enumerate(numbered(self.wanted)):
            is_open = index >= self.fixed and level.id not in self.begun
            form = waiting.pop(0) if is_open and waiting else None
            lines.append({
                "index": index, "level": level, "form": form, "mark": marks.get(index, ""),
                "above": overtaken_by(self.wanted, index), "more": more_of(level),
                "follows": index >= self.fixed - 1,
            })  # fmt: skip
        return lines

    def _rows(self, post: QueryDict | None) -> Any:
        open_rows = [row for row in self.wanted[self.fixed :] if row.id not in self.begun]
        own = {"chips": chip_values(self.event), "has_big_bet": self.has_big_bet}
        shown = [forms.initial_of(level) for level in open_rows]
        return forms.LevelRows(post, initial=shown, prefix="stufe", form_kwargs=own)


def _shell(form: forms.LevelForm) -> Level:
    """Return an unvalidated row's id and kind."""
    kind = form["kind"].value()
    return Level(
        id=whole(str(form["id"].value())) or forms.NEW,
        kind=LevelKind.BREAK if kind == LevelKind.BREAK else LevelKind.PLAY,
    )


def seen_rows(request: StaffRequest) -> list[int]:
    """Return the ids of the rows shown in the editor."""
    return numbers_in(request.POST.get("stand", "")[:2000].split(","))


def _woven(
    levels: tuple[Level, ...], fixed: int, begun: frozenset[int], typed: list[Level]
) -> list[Level]:
    """Return the whole schedule: fixed rows in place, and the typed ones."""
    rows = list(levels[:fixed])
    waiting = list(typed)
    for level in levels[fixed:]:
        if level.id in begun:
            rows.append(level)
        elif waiting:
            rows.append(waiting.pop(0))
    return [*rows, *waiting]


# --- Mixed games, and another pace: each in one act for all rows not yet begun


def _in_one_act(
    name: str,
    form_class: type[Refusable],
    make: Callable[[Event, Mapping[str, Any], datetime], Sequence[Level]],
) -> Callable[..., Any]:
    """Return the page to save the schedule made of a form's data, once it is seen what moves."""

    def act(request: StaffRequest) -> HttpResponse:
        form = form_class(request.POST)
        asked: Consequence | None = None
        if form.is_valid():
            try:
                levels = make(request.event, form.cleaned_data, present(request.event))
                asked, call = _edit_asked(request, levels)
                if not asked:
                    return _edited(request, call())
            except Refused as refusal:
                form.refuse(refusal)
        return schedule_page(request, asked=asked, **{name: form})

    return never_cache(staff(Permission.MANAGE, people=False, methods=("POST",))(act))


mix = _in_one_act(
    "mix_form",
    forms.MixForm,
    lambda event, data, now: schedule_mixed(event, Mix(data["mix"]), data["hands"], now),
)
pace = _in_one_act(
    "pace_form",
    forms.PaceForm,
    lambda event, data, now: schedule_paced(event, data["rest_minutes"], now),
)


# --- The stack of each player: its chips, the number of sets, the colour-ups


@never_cache
@staff(Permission.MANAGE, people=False)
def chips(request: StaffRequest) -> HttpResponse:
    """Show each player's stack for the requested number of players."""
    event = request.event
    players, leaving = _players(request), chips_leaving(event)
    context = page_context(request, event, request.actor) | {
        "tab": "chips",
        "players": players,
        "dealing": dealing_of(event, players),
        "leaving": leaving,
        "is_unplanned": not all(row.is_planned for row in leaving),
        "chip_sets": ChipSet.objects.filter(club=event.club_id).order_by("name"),
    }
    return render(request, "events/chips.html", context)


@never_cache
@staff(Permission.CHECK_IN, people=False)
def sheet(request: StaffRequest) -> HttpResponse:
    """Show the stacks to lay out, on paper."""
    event, players = request.event, _players(request)
    dealing = dealing_of(event, players)
    context = page_context(request, event, request.actor) | {
        "dealing": dealing,
        "lines": [
            (row, row.count * event.seats_per_table, row.count * players)
            for row in (dealing.pieces if dealing else ())
        ],
        "leaving": chips_leaving(event),
    }
    return render(request, "print/chips.html", context)


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def choose(request: StaffRequest) -> HttpResponse:
    """Choose another of the club's chip sets."""
    row = ChipSet.objects.filter(pk=whole(request.POST.get("chips", "")) or 0).first()
    if row is None:
        raise Refused(_("Diese Chips gibt es nicht mehr."), code="gone")
    action = event_chips_choose(command_of(request), chip_set=row)
    return action_response(request, action, go_to=_here(request))


@never_cache
@staff(Permission.MANAGE, people=False, methods=("POST",))
def plan(request: StaffRequest) -> HttpResponse:
    """Write the colour-ups into the schedule."""
    event = request.event
    _position, begun = rows_begun(event, present(event))
    wanted = levels_with_plan(event, begun)
    seen = [level.id for level in clock_levels(event.clock)]
    action = schedule_edit(command_of(request), levels=wanted, based_on=seen)
    return action_response(request, action, go_to=_here(request))


def _here(request: StaffRequest) -> str:
    return reverse("event-chips", args=[request.event.slug])


def _players(request: StaffRequest) -> int:
    """Return the requested number of players, else the capacity."""
    typed = whole(request.GET.get("spieler", ""), least=1, most=CAPACITY_LIMIT)
    return typed or request.event.capacity
