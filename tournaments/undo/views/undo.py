"""Undo with a preview, and the answer to a director's action."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import groupby, zip_longest
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma, ordinal
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clock.domain import ClockState, state_from
from tournaments.changes.access import Actor, Permission, may_undo
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import LED_BY, describe
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import (
    StaffRequest,
    action_response,
    command_of,
    present,
    undoable_response,
)
from tournaments.event.domain.rules import rule_set_from
from tournaments.event.selectors.event import average_stack, entry_names
from tournaments.event.selectors.labels import amounts
from tournaments.event.selectors.level_words import amounts_in_words
from tournaments.event.selectors.settings.declared import setting_of, setting_words
from tournaments.event.views.context import page_context
from tournaments.models import Action
from tournaments.money.domain.accounts import Account
from tournaments.money.selectors.journal import ACCOUNTS
from tournaments.rules.selectors.rules import RULES
from tournaments.undo.domain.preview_diff import Difference, Lot, Turn
from tournaments.undo.selectors.preview_state import FURTHER, CashLot, EventState
from tournaments.undo.services.undo import (
    Preview,
    action_undo,
    in_the_other_rooms,
    is_redoable,
    undo_preview,
)

# --- The preview of an undo: only differences, before and after


AT_ONCE = 4
MOST_SHOWN = 400

TITLES: Mapping[Turn, Any] = {
    Turn.BACK: gettext_lazy("Wieder im Spiel"),
    Turn.OUT: gettext_lazy("Wieder draußen"),
    Turn.NEW: gettext_lazy("Wieder dabei"),
    Turn.GONE: gettext_lazy("Nicht mehr dabei"),
    Turn.MOVES: gettext_lazy("Sitzt woanders"),
    Turn.PLACE: gettext_lazy("Anderer Platz in der Wertung"),
}
STATUS = {
    "planned": gettext_lazy("geplant"),
    "running": gettext_lazy("läuft"),
    "ended": gettext_lazy("beendet"),
    "cancelled": gettext_lazy("abgesagt"),
}
Line = tuple[str, str, str]
# The other accounts are below zero for money that comes in.
_AS_BOOKED = {Account.CASH, Account.PRIZES, Account.BOUNTIES, Account.MISSING, Account.OWED}


def preview_shown(found: Preview, action: Action, actor: Actor) -> dict[str, Any]:
    obstacle = found.obstacle
    rooms = in_the_other_rooms(action) if LED_BY in action.payload else []
    return {
        "action": action,
        "sentence": describe(action),
        "rooms": [row.event.name for row in rooms if row.event],
        "preview": found,
        "reason": str(obstacle.reason) if obstacle else "",
        "first": [
            {"action": step, "sentence": describe(step), "may_undo": may_undo(actor, step)}
            for step in (obstacle.first if obstacle else ())
        ],
        "is_whole": bool(obstacle and obstacle.is_whole),
        "figures": list(_figures(found)) if found.after else [],
        "sections": [*_cash_sections(found), *_sections(found.people)],
    }


def _sections(people: list[Difference]) -> list[dict[str, Any]]:
    groups = [(turn, list(rows)) for turn, rows in groupby(people, key=lambda row: row.turn)]
    names = entry_names({row.entry for _turn, rows in groups for row in rows[:MOST_SHOWN]})
    sections = []
    for turn, rows in groups:
        lines: list[Line] = [
            (names.get(row.entry, "?"), lot_words(row.before), lot_words(row.after))
            for row in rows[:MOST_SHOWN]
        ]
        # One more line is shorter than a fold with one line.
        cut = AT_ONCE if len(lines) > AT_ONCE + 1 else len(lines)
        sections.append(
            {
                "title": TITLES[turn],
                "count": len(rows),
                "lines": lines[:cut],
                "folded": lines[cut:],
                "not_shown": len(rows) - len(lines),
            }
        )
    return sections


def _cash_sections(found: Preview) -> list[dict[str, Any]]:
    if found.after is None:
        return []
    was, now = found.before.cash, found.after.cash
    lines = [
        ((now.get(guest) or was[guest]).name, cash_lot_words(was.get(guest)),
         cash_lot_words(now.get(guest)))
        for guest in sorted(was.keys() | now.keys())
        if was.get(guest) != now.get(guest)
    ]  # fmt: skip
    return [{"title": _("Am Cash-Tisch"), "count": len(lines), "lines": lines}] if lines else []


def cash_lot_words(lot: CashLot | None) -> str:
    words = []
    if lot is not None and lot.seat is not None:
        words.append(_("Tisch %(table)d, Platz %(seat)d") % {"table": lot.seat[0],
                                                             "seat": lot.seat[1]})  # fmt: skip
    if lot is not None and lot.offer is not None:
        words.append(_("Platz an Tisch %(table)d angeboten") % {"table": lot.offer})
    return ", ".join(words) or _("kein Platz")


def lot_words(lot: Lot | None) -> str:
    if lot is None:
        return _("nicht dabei")
    if lot.is_drawn:
        return _("Platz wird ausgelost")
    if lot.place is not None:
        return _("%(place)s Platz") % {"place": ordinal(lot.place)}
    if lot.seat is None:
        return _("im Spiel, ohne Platz") if lot.is_in else _("ausgeschieden")
    return _("Tisch %(table)d, Platz %(seat)d") % {"table": lot.seat[0], "seat": lot.seat[1]}


def _figures(found: Preview) -> Iterator[Line]:
    """Return the differences apart from people."""
    before, after = found.before, found.after
    assert after is not None
    yield from _differing(_counts(before), _counts(after))
    yield from _settings(before.settings, after.settings)
    if before.anchor != after.anchor or before.levels != after.levels:
        was, now = (state_from(one.anchor, one.levels, found.now) for one in (before, after))
        yield from _differing(_clock(was), _clock(now))
        both = zip_longest(before.levels, after.levels)
        edited = sum(1 for one, other in both if one != other)
        if edited:
            changed = ngettext("%(count)d Zeile anders", "%(count)d Zeilen anders", edited)
            yield _("Blindplan"), _("wie jetzt"), changed % {"count": edited}
    yield from _differing(_further(before), _further(after))
    yield from _money(before, after)


def _differing(before: Iterable[tuple[Any, str]], after: Iterable[tuple[Any, str]]) -> list[Line]:
    return [
        (str(label), was, now)
        for (label, was), (_label, now) in zip(before, after, strict=True)
        if was != now
    ]


def _counts(room: EventState) -> list[tuple[Any, str]]:
    average = average_stack(room.chips, room.left)
    about = "" if room.chips_are_exact else "≈ "
    person = room.person or ("", "")
    return [
        (_("Turnier"), str(STATUS[room.status])),
        (_("Im Spiel"), intcomma(room.left)),
        (_("Einstiege"), intcomma(room.entries)),
        (_("Anmeldungen"), intcomma(room.registrations)),
        (_("Re-buys"), intcomma(room.rebuys)),
        (_("Chips im Spiel"), about + intcomma(room.chips)),
        (_("Durchschnitt"), "–" if average is None else about + intcomma(average)),
        (_("Tische"), ", ".join(map(str, sorted(room.tables))) or "–"),
        (_("Name"), person[0]),
        (_("E-Mail"), person[1]),
    ]


def _settings(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Line]:
    for name in [name for name in before if before[name] != after[name]]:
        setting = setting_of(name)
        if name == "rules":
            yield from _differing(_rules(before[name]), _rules(after[name]))
        elif setting is not None:
            was, now = (setting_words(setting, value) for value in (before[name], after[name]))
            yield str(setting.label), was, now


def _rules(data: Mapping[str, Any]) -> list[tuple[Any, str]]:
    rules = rule_set_from(data)
    found = [(rule.label, rule.words(getattr(rules, rule.name))) for rule in RULES]
    further = [(_("Vorlage der Regeln"), rules.name), (_("Dazu sagt das Haus"), rules.own_text)]
    return [*found, *((label, value or "–") for label, value in further)]


def _clock(state: ClockState) -> list[tuple[Any, str]]:
    level, left = state.level, state.remaining
    if left is not None:  # rounded up, as on clocks
        minutes, seconds = divmod(-(-left // timedelta(seconds=1)), 60)
    stage = _("Pause") if level.is_break else f"{level.number}: {amounts_in_words(level)}"
    return [
        (_("Stufe"), stage),
        (_("Noch"), "–" if left is None else f"{minutes}:{seconds:02}"),
        (_("Uhr"), _("läuft") if state.is_running else _("steht")),
        (_("Letzte Hände"), "–" if state.last_hands is None else str(state.last_hands)),
    ]


def _further(room: EventState) -> list[tuple[Any, str]]:
    return [
        (name, intcomma(room.further[model.__name__])) for model, (_path, name) in FURTHER.items()
    ]


def _money(before: EventState, after: EventState) -> list[Line]:
    """Return the sums of money with a difference; what comes in is above zero."""
    moved = [one for one, cents in before.money.items() if cents != after.money[one]]
    cents = [
        (1 if one in _AS_BOOKED else -1) * room.money[one]
        for one in moved
        for room in (before, after)
    ]
    told = amounts(cents, before.unit)
    return [
        (str(ACCOUNTS[one]), was, now)
        for one, was, now in zip(moved, told[::2], told[1::2], strict=True)
    ]


@staff(Permission.UNDO_OWN, people=False, methods=("POST",))
def undo(request: StaffRequest, action: int) -> HttpResponse:
    """Undo an action. The toast names it and offers a redo where possible.

    From a preview the request carries its version. If the event has changed since, a preview with
    the same content is accepted; otherwise the new one is shown.
    """
    row = _action_or_404(request, action)
    seen = request.POST.get("seen", "")
    if not seen.isdecimal() or len(seen) > 18:
        return _undone(request, action_undo(command_of(request), action=row))
    try:
        made = action_undo(command_of(request, seen=int(seen)), action=row)
    except Refused as refusal:
        if refusal.code != "overtaken":
            raise
        found = _try(request, row)
        if found.fingerprint != request.POST.get("shown"):
            return _sheet(request, row, found, is_overtaken=True)
        made = action_undo(command_of(request, seen=found.seen), action=row)
    return _undone(request, made)


@staff(Permission.UNDO_OWN, people=False, methods=("POST",))
def preview(request: StaffRequest, action: int) -> HttpResponse:
    """Show the changes an undo would make.

    A POST, although it is rolled back: it holds the event's lock for a moment, so no browser
    should fetch it in advance.
    """
    row = _action_or_404(request, action)
    return _sheet(request, row, _try(request, row))


def _undone(request: StaffRequest, made: Action) -> HttpResponse:
    return undoable_response(request, made) if is_redoable(made) else action_response(request, made)


def _action_or_404(request: StaffRequest, action: int) -> Action:
    rows = Action.objects.select_related("text", "device", "undoes__text")
    return get_object_or_404(rows, event=request.event, pk=action)


def _try(request: StaffRequest, action: Action) -> Preview:
    now = present(request.event)
    return undo_preview(event=request.event, by=request.actor, at=now, action=action)


def _sheet(
    request: StaffRequest, action: Action, found: Preview, *, is_overtaken: bool = False
) -> HttpResponse:
    context = {
        "event": request.event,
        "is_overtaken": is_overtaken,
        **preview_shown(found, action, request.actor),
    }
    template = "director/undo_preview.html"
    if not request.htmx:
        context = page_context(request, request.event, request.actor) | context
        template = "director/undo_preview_page.html"
    response = render(request, template, context, status=422 if is_overtaken else 200)
    if is_overtaken:
        # The button has no target of its own: the undo closes the sheet.
        response["HX-Retarget"], response["HX-Reswap"] = "#sheet", "innerHTML"
    return response
