"""The clock's controls on the dashboard: one service call each, refusals beside the button."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from clock.domain import schedule_changes
from clock.selectors import clock_levels, clock_state
from clock.servertime import server_time
from tournaments.changes.access import Permission
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.numbers import MOST
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    optional_number,
    present,
    undoable_response,
    whole_number,
)
from tournaments.event.domain.latecomers import seconds_typed
from tournaments.event.selectors.clock import (
    TOLERANCE,
    counted,
    lacks_call,
    obstacle_to_first_start,
    rebuy_chips,
)
from tournaments.event.selectors.event import average_stack, is_stage
from tournaments.event.selectors.moments import PAST, moments_told
from tournaments.event.selectors.schedule import row_name
from tournaments.event.services import clock, clock_hands
from tournaments.event.services.counts import Counter, count_change
from tournaments.event.services.schedule import edit
from tournaments.event.services.trying import moved_by
from tournaments.event.views.context import over
from tournaments.models import Action, Event

BREAKS = (5, 10, 15, 20, 30)
LONGEST_TIME = 12
AT_ONCE_SECONDS = 60
LATEST = 2**33  # seconds of the last valid instant
Run = Callable[[Command], Action]


def _done(request: StaffRequest, run: Run) -> HttpResponse:
    return undoable_response(request, run(command_of(request)))


def _press(
    asked: Callable[[StaffRequest], Run], permission: Permission = Permission.DRIVE_CLOCK
) -> Callable[..., Any]:
    """Return the page of a button that calls the service asked for at once."""
    press = staff(permission, people=False, methods=("POST",))
    return press(lambda request: _done(request, asked(request)))


call_start = _press(lambda _request: clock.start_announce)
pause = _press(lambda _request: clock.clock_pause)
hand = _press(lambda _request: clock_hands.clock_hand, Permission.RUN_HANDS)
counting_table = _press(
    lambda request: partial(
        clock_hands.clock_counting_table, table=optional_number(request, "table")
    )
)
break_stop = _press(
    lambda request: partial(clock.clock_stop_after_breaks, stops=whole_number(request, "stops") > 0)
)
plan_start = _press(
    lambda request: partial(
        clock.clock_plan_start, by_itself=whole_number(request, "by_itself") > 0
    )
)


@staff(Permission.DRIVE_CLOCK, people=False, methods=("POST",))
def start(request: StaffRequest) -> HttpResponse:
    """Start the clock, or resume after a pause; the first start begins the tournament.

    Without the five-minute call a sheet warns first and offers the call, unless the start is
    impossible anyway or nobody has a seat to take.
    """
    event = request.event
    is_asked = request.htmx and "at_once" not in request.POST and not event.is_clock_only
    if is_asked and lacks_call(event, present(event)) and not obstacle_to_first_start(event):
        return _sheet(request, "director/start_uncalled.html")
    return _done(request, clock.clock_start)


def _step(run: Run) -> Callable[..., Any]:
    """Return the page of a step to another level; it asks first if something turns by that."""

    def step(request: StaffRequest) -> HttpResponse:
        here = clock_state(request.event.clock, present(request.event)).level.id
        return _once_seen(request, run, {"level": here}, only_turned=True)

    return staff(Permission.DRIVE_CLOCK, people=False, methods=("POST",))(step)


next_level, previous_level = _step(clock.clock_next_level), _step(clock.clock_previous_level)


@staff(Permission.DRIVE_CLOCK, people=False, methods=("POST",))
def adjust(request: StaffRequest) -> HttpResponse:
    """Add time to the level (`seconds` above zero) or remove some (below).

    A minute acts at once, unless something ends by it; more is asked first.
    """
    seconds = whole_number(request, "seconds", least=-MOST)
    is_small = abs(seconds) <= AT_ONCE_SECONDS
    run = partial(clock.clock_adjust, seconds=seconds)
    return _once_seen(request, run, {"seconds": seconds}, only_turned=is_small)


@staff(Permission.DRIVE_CLOCK, people=False, methods=("POST",))
def put(request: StaffRequest) -> HttpResponse:
    """Set the time left in the present level."""
    seconds = seconds_typed(request.POST.get("time", "")[:LONGEST_TIME])
    if seconds is None:
        reason = _("Bitte Minuten und Sekunden eingeben, zum Beispiel 12:30.")
        raise Refused(reason, code="bad_time")
    run = partial(clock.clock_set, seconds=seconds)
    return _once_seen(request, run, {"time": request.POST["time"]})


@staff(Permission.DRIVE_CLOCK, people=False, methods=("POST",))
def put_back(request: StaffRequest) -> HttpResponse:
    """Put the clock back to before the computer's outage."""
    since = datetime.fromtimestamp(whole_number(request, "since", most=LATEST), UTC)
    return _done(request, partial(clock.clock_put_back, since=since))


@staff(Permission.DRIVE_CLOCK, people=False, methods=("POST",))
def computer_time(request: StaffRequest) -> HttpResponse:
    """Take over the computer's clock, to which the time of the program is ahead."""
    if server_time.ahead() < TOLERANCE:
        raise Refused(_("Die Zeit ist schon die des Rechners."), code="nothing_changed")
    action = clock.time_take_everywhere(replace(command_of(request), at=server_time.wall()))
    # The other processes see it in the log within a second.
    server_time.begin(None)
    return action_response(request, action)


@staff(Permission.DRIVE_CLOCK, people=False, methods=("GET", "HEAD", "POST"))
def break_now(request: StaffRequest) -> HttpResponse:
    """Ask for the length of a break and begin it now."""
    if request.method == "POST":
        minutes = whole_number(request, "minutes", _("Bitte ganze Minuten eingeben."))
        return _done(request, partial(edit.clock_break_now, minutes=minutes))
    event = request.event
    told = moments_told(event, present(event)).items()
    context = {"event": event, "minutes": BREAKS, "obstacle": over(event)}
    context["moves"] = [(label, text) for label, text in told if text != str(PAST)]
    return render(request, "director/break_now.html", context)


@staff(Permission.DRIVE_CLOCK, people=False, methods=("GET", "HEAD", "POST"))
def correct_level(request: StaffRequest) -> HttpResponse:
    """Show and correct the amounts of the present level."""
    event = request.event
    if request.method == "POST":
        amounts = {
            name: whole_number(request, name, _("Bitte ganze Zahlen eingeben."))
            for name in edit.AMOUNTS
            if name in request.POST
        }
        raises = "raises_next" in request.POST
        run = partial(edit.level_correct, amounts=amounts, raises_next=raises)
        fields = amounts | ({"raises_next": 1} if raises else {})
        try:
            return _once_seen(request, run, fields, label=_("Berichtigen und ansagen"))
        except Refused as refusal:
            if raises or refusal.code != "blinds_fall" or not request.htmx:
                raise
            return _propose_raise(request, amounts)
    level = clock_state(event.clock, present(event)).level
    labels = {"small_blind": "Small Blind", "big_blind": "Big Blind"}
    if level.small_bet:
        labels = {"small_bet": "Small Bet", "bring_in": "Bring-in"}
    labels |= {"ante": "Ante"}
    context = {
        "event": event,
        "level": level,
        "fields": [(name, label, getattr(level, name)) for name, label in labels.items()],
        "obstacle": over(event) or (_("Es ist gerade Pause.") if level.is_break else None),
    }
    return render(request, "director/correct_level.html", context)


def _propose_raise(request: StaffRequest, amounts: Mapping[str, int]) -> HttpResponse:
    """Return the sheet with the following levels raised above the corrected one."""
    event = request.event
    before = clock_levels(event.clock)
    after = edit.levels_corrected(event, present(event), amounts, raises_next=True)
    edit.refuse_if_wrong(after)
    rows = [
        (row_name(before, item.index), before[item.index], after[item.index])
        for item in schedule_changes(before, after)
    ]
    fields = {**amounts, "raises_next": 1}
    run = partial(edit.level_correct, command_of(request), amounts=amounts, raises_next=True)
    asked = moves_unseen(request, run, fields)
    return _sheet(request, "director/raise_levels.html", rows=rows, fields=fields, asked=asked)


def _sheet(request: StaffRequest, template: str, **context: Any) -> HttpResponse:
    response = render(request, template, {"event": request.event, **context})
    response["HX-Retarget"], response["HX-Reswap"] = "#sheet", "innerHTML"
    return response


@staff(Permission.DRIVE_CLOCK, people=False, methods=("GET", "HEAD", "POST"))
def jump(request: StaffRequest) -> HttpResponse:
    """Show the blinds of each level and go to the chosen one."""
    event = request.event
    if request.method == "POST":
        level = whole_number(request, "level", _("Bitte eine Stufe wählen."))
        return _once_seen(request, partial(clock.clock_jump, level=level), {"level": level})
    context = {
        "event": event,
        "state": clock_state(event.clock, present(event)),
        "levels": clock_levels(event.clock),
        "obstacle": over(event),
    }
    return render(request, "director/jump.html", context)


@staff(Permission.DRIVE_CLOCK, people=False, methods=("GET", "HEAD", "POST"))
def last_hands(request: StaffRequest) -> HttpResponse:
    """Ask for the number of last hands and stop the clock for them."""
    if request.method != "POST":
        context = {
            "event": request.event,
            "numbers": range(1, clock_hands.MOST_LAST_HANDS + 1),
            "is_stage": is_stage(request.event),
            "obstacle": over(request.event),
        }
        return render(request, "director/last_hands.html", context)
    hands = whole_number(request, "hands")
    return _done(request, partial(clock_hands.clock_last_hands, hands=hands))


# --- Consequences shown before saving; packages above add those of settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """A consequence shown before saving.

    :param template: Shows `found`.
    :param seen: The same for two that say the same: sent back by who has read it.
    """

    template: str
    found: Any
    seen: str


Step = Callable[[Event, Mapping[str, Any]], Consequence | None]
_STEPS: list[Step] = []


def tells_before_saving(step: Step) -> Step:
    """Register a function that returns the consequence of changed settings, or None."""
    _STEPS.append(step)
    return step


def consequence_unseen(event: Event, changed: Mapping[str, Any], seen: str) -> Consequence | None:
    """Return a consequence the director has not yet seen, or None."""
    for step in _STEPS:
        found = step(event, changed)
        if found is not None and found.seen != seen:
            return found
    return None


def moves_unseen(
    request: StaffRequest,
    run: Callable[[], Action],
    content: object,
    *,
    only_turned: bool = False,
) -> Consequence | None:
    """Return what a change of the levels moves, unless seen with the same content.

    :param run: Makes the change; it is tried and rolled back.
    :param only_turned: Whether only a moment that ends or begins again is worth the question.
    """
    seen = sha256(repr(content).encode()).hexdigest()[:32]
    if request.POST.get("seen") == seen:
        return None
    found = moved_by(request.event, present(request.event), run)
    if not any(one.is_turned or not only_turned for one in found):
        return None
    return Consequence(template="events/moves.html", found=found, seen=seen)


def _once_seen(
    request: StaffRequest,
    run: Run,
    fields: Mapping[str, object],
    *,
    only_turned: bool = False,
    label: str = "",
) -> HttpResponse:
    """Move the clock; a running one once it is seen what moves with it.

    :param run: The service, with all of its arguments but the command.
    :param fields: Those of the press, to repeat it under this label.
    """

    def call() -> Action:
        return run(command_of(request))

    if request.htmx and request.event.has_started:
        asked = moves_unseen(request, call, fields, only_turned=only_turned)
        if asked:
            own = {"asked": asked, "fields": fields, "label": label or _("Uhr stellen")}
            return _sheet(request, "director/moves.html", **own)
    return undoable_response(request, call())


# --- The counters of an evening without names


STEPS = ((-1, "less"), (1, "more"))


@staff(Permission.MANAGE, people=False, methods=("POST",))
def count(request: StaffRequest) -> HttpResponse:
    """Count one up or down."""
    chips = optional_number(request, "chips", _("Ein Re-buy ist eine ganze Zahl von Chips."))
    what, step = request.POST.get("what", ""), whole_number(request, "step", least=-MOST)
    return _done(request, partial(count_change, what=what, step=step, chips=chips))


def counts_shown(request: StaffRequest) -> dict[str, Any]:
    """Return the three counters with their keys, and the derived figures."""
    now = counted(request.event)
    return {
        "counters": [
            ("left", _("im Spiel"), now.left, ("z", _("Wieder einer im Spiel")),
             ("a", _("Einer ist ausgeschieden"))),
            ("entries", _("Einstiege"), now.entries, ("e", _("Ein Einstieg mehr")),
             ("d", _("Ein Einstieg weniger"))),
            ("rebuys", _("Re-buys"), now.rebuys, ("r", _("Ein Re-buy mehr")),
             ("f", _("Ein Re-buy weniger"))),
        ],
        "chips": now.chips,
        "average": average_stack(now.chips, now.left),
    }  # fmt: skip


def counting_context(event: Event) -> dict[str, Any]:
    """Return the context outside of the panels: the values of each press, and a re-buy's chips."""
    return {
        "steps": [(what, step, name) for what in Counter for step, name in STEPS],
        "rebuy_chips": rebuy_chips(event),
    }
