"""Data of the arbiter's sheet for one player, with the reasons for disabled actions."""

from typing import Any

from django.utils.translation import gettext as _

from clock.snapshot import snapshot
from tournaments.changes.access import Actor, Permission, may_undo, refusal_of
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.door.selectors.places import is_blinded
from tournaments.event.selectors.event import sells_again
from tournaments.models import Absence, Elimination, Entry, Event, Seating
from tournaments.play.selectors.calls import call_rule, calls_open
from tournaments.play.selectors.ranking import overruled_of, place_of
from tournaments.play.services.calls import obstacle_to_call
from tournaments.play.services.conduct import obstacle_to_leave, obstacle_to_penalise
from tournaments.play.services.elimination_details import obstacle_to_disqualify
from tournaments.play.services.eliminations import obstacle_to_eliminate
from tournaments.play.views.floor_context import entry_or_404, summons_shown
from tournaments.rebuys.selectors.sheets import buy_sheet
from tournaments.seating.selectors.conduct import hands_are_tapped, penalties_of, walking
from tournaments.seating.selectors.tables import seating_of


def player(request: StaffRequest, pk: int) -> dict[str, Any]:
    """Return one player, and for each action why it is disabled, or None."""
    event, actor = request.event, request.actor
    entry = entry_or_404(event, pk)
    snapshot(entry)
    seating = seating_of(entry)
    gone = Elimination.objects.live().filter(entry=entry).select_related("made_by").first()
    over = _("Das Turnier ist beendet.") if event.is_over else None
    obstacle = over or obstacle_to_eliminate(event, entry)
    unseated = None if seating else _("Wer keinen Platz hat, wird nicht umgesetzt.")
    no_move = refusal_of(actor, Permission.RESEAT)
    no_disqualify = refusal_of(actor, Permission.DISQUALIFY)
    return {
        "event": event,
        "entry": entry,
        "name": entry.registration.person.name,
        "seating": seating,
        "place": place_of(event, entry) if gone else None,
        "is_overruled": gone is not None and entry.pk in overruled_of(event),
        "may_overrule": gone is not None and refusal_of(actor, Permission.OVERRULE) is None,
        "is_out": gone is not None,
        "is_disqualified": gone is not None and gone.way == Elimination.Way.DISQUALIFIED,
        "has_seat": gone is not None and gone.way == Elimination.Way.SEAT,
        "target": 0 if gone else event.prize_plan.target_stack,
        "undo": gone.made_by if gone and not over and may_undo(actor, gone.made_by) else None,
        "may_write": not over and refusal_of(actor, Permission.ANNOUNCE) is None,
        "may_tell_out": not over and refusal_of(actor, Permission.ELIMINATE) is None,
        "left_to_director": _left_to_director(event, actor),
        **summons_shown(None),
        "number": seating.table.number if seating else 0,
        "may_move": no_move is None,
        "may_manage": refusal_of(actor, Permission.MANAGE) is None,
        "may_disqualify": no_disqualify is None,
        "no_out": refusal_of(actor, Permission.ELIMINATE) or obstacle,
        "no_move": no_move or over or unseated,
        "no_disqualify": no_disqualify
        or (obstacle_to_disqualify(entry, gone) if gone else obstacle),
        **_buying(request, entry, over),
        **_call(request, entry, over),
        **_conduct(request, entry, seating, over),
    }


def _buying(request: StaffRequest, entry: Entry, over: str | None) -> dict[str, Any]:
    if over or not (request.event.has_started and sells_again(request.event)):
        return {}
    entry.event = request.event
    sheet = buy_sheet(entry, present(request.event))
    return {
        "chance": sheet.chance,
        "wish": sheet.wish,
        "wish_name": sheet.wish_name,
        "buys": bool(sheet.open_lines or sheet.wish or sheet.chance),
        "buy_names": ", ".join(line.name for line in sheet.open_lines) or sheet.wish_name,
    }


def _left_to_director(event: Event, actor: Actor) -> str:
    """Return the actions reserved to the director, as one list."""
    left = {
        _("Clock"): not _may_call(event, actor),
        _("Umsetzen"): refusal_of(actor, Permission.RESEAT),
        _("Disqualifizieren"): refusal_of(actor, Permission.DISQUALIFY),
    }
    return ", ".join(name for name, is_refused in left.items() if is_refused)


def _may_call(event: Event, actor: Actor) -> bool:
    return event.lets_arbiters_call_clock or refusal_of(actor, Permission.MANAGE) is None


def _call(request: StaffRequest, entry: Entry, over: str | None) -> dict[str, Any]:
    event, actor = request.event, request.actor
    rule = call_rule(event)
    return {
        "call": calls_open(event).filter(entry=entry).order_by("-pk").first(),
        "call_rule": rule,
        "may_call": _may_call(event, actor),
        "has_watch": rule.allowed_after_seconds > 0,
        "no_call": refusal_of(actor, Permission.CALL_CLOCK)
        or over
        or obstacle_to_call(event, entry, actor),
    }


def _conduct(
    request: StaffRequest, entry: Entry, seating: Seating | None, over: str | None
) -> dict[str, Any]:
    event, actor = request.event, request.actor
    away = Absence.objects.live().filter(entry=entry).first()
    no_leave = obstacle_to_leave(event, entry) if away is None else None
    tapped = seating is not None and hands_are_tapped(event, seating.table_id, present(event))
    return {
        "away": away,
        "is_noshow": away is not None and is_blinded(event, entry),
        "walking": next(iter(walking(event, [entry.pk])), None),
        "penalties": penalties_of([entry.pk]).get(entry.pk, []),
        "is_tapped": tapped,
        "no_leave": refusal_of(actor, Permission.NOTE_ABSENCE) or over or no_leave,
        "no_penalty": refusal_of(actor, Permission.PENALISE)
        or over
        or obstacle_to_penalise(event, entry),
    }
