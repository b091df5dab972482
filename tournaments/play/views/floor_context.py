"""Data of the arbiter's pages. Bounded by the page's content, not by the field."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Exists, OuterRef
from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils.translation import gettext as _

from clock.snapshot import snapshot
from tournaments.changes.access import Actor, Permission, allows, may_undo, refusal_of
from tournaments.changes.domain.numbers import whole
from tournaments.changes.kinds import describe
from tournaments.changes.views.requests import StaffRequest, present
from tournaments.door.selectors.places import is_blinded
from tournaments.event.domain.cards import card_from_code
from tournaments.event.selectors.event import entry_names, players_left, sells_again
from tournaments.models import (
    Absence,
    Action,
    DealerDraw,
    Elimination,
    Entry,
    Event,
    Seating,
    Table,
)
from tournaments.money.selectors.drawers import takes_money
from tournaments.people.domain.naming import sort_key
from tournaments.play.selectors.calls import WORDS, calls_open, summons_of, word_of
from tournaments.play.selectors.ranking import overruled_of, place_of, places_of, winner_name
from tournaments.play.services.calls import obstacle_to_call
from tournaments.play.services.conduct import obstacle_to_leave, obstacle_to_penalise
from tournaments.play.services.elimination_details import obstacle_to_disqualify
from tournaments.play.services.eliminations import entries_eliminate, obstacle_to_eliminate
from tournaments.play.views.hands import button_shown, in_force_shown
from tournaments.rebuys.selectors.prices import buy_sheet
from tournaments.seating.domain.seating import TableCount
from tournaments.seating.selectors.button import old_in_s
from tournaments.seating.selectors.conduct import (
    NO_MARK,
    Leaving,
    conduct_at,
    hands_are_tapped,
    leaving,
    marks_shown,
    penalties_of,
    walking,
)
from tournaments.seating.selectors.layout import SeatView, TablePicture, counts_told, table_pictures
from tournaments.seating.selectors.seat_cards import draws_seats, tables_to_draw
from tournaments.seating.selectors.tables import seating_of, table_counts, table_far_short

MOST_FOUND = 12
MOST_TABS = 12
MOST_TILES = 60
GROUP_SIZE = 50
MOST_UNDOS = 3


def tables(request: StaffRequest) -> dict[str, Any]:
    """Return the tables as tiles; in a large hall, groups of tables or one chosen group."""
    event = request.event
    counts = table_counts(event)
    groups = _groups(counts) if len(counts) > MOST_TILES else []
    asked = request.GET.get("ab", "")
    group = next((group for group in groups if asked == str(group["first"])), None)
    return {
        "event": event,
        "groups": [] if group else groups,
        "group": group,
        "counts": group["counts"] if group else ([] if groups else counts),
        "tables": len(counts),
        "left": players_left(event),
        "winner": winner_name(event),
    }


def _groups(counts: list[TableCount]) -> list[dict[str, Any]]:
    chunks = [counts[at : at + GROUP_SIZE] for at in range(0, len(counts), GROUP_SIZE)]
    return [
        {
            "first": chunk[0].number,
            "last": chunk[-1].number,
            "players": sum(count.players for count in chunk),
            "counts": chunk,
        }
        for chunk in chunks
    ]


def found(event: Event, asked: str) -> dict[str, Any]:
    """Return the players whose names contain all words, and the table of that number."""
    words = sort_key(asked).split()
    number = whole(asked)
    tables = Table.objects.live().filter(event=event, number=number) if number else None
    return {
        "event": event,
        "table": tables.first() if tables is not None else None,
        "found": _people(event, words) if words else [],
        "asked": asked.strip(),
    }


def _people(event: Event, words: list[str]) -> list[dict[str, Any]]:
    rows = Entry.objects.live().filter(event=event)
    for word in words:
        rows = rows.filter(registration__person__sort_name__contains=word)
    rows = rows.select_related("registration__person")
    entries = list(rows.order_by("registration__person__sort_name", "number")[:MOST_FOUND])
    seated = Seating.objects.live().filter(entry__in=entries).select_related("table")
    seats = {row.entry_id: row for row in seated}
    all_seated = all(entry.pk in seats for entry in entries)
    places = {} if all_seated else places_of(event)
    overruled = frozenset() if all_seated else overruled_of(event)
    return [
        {
            "entry": entry,
            "name": entry.registration.person.name,
            "seating": seats.get(entry.pk),
            "place": None if entry.pk in seats else places.get(entry.pk),
            "is_overruled": entry.pk in overruled,
        }
        for entry in entries
    ]


def table(request: StaffRequest, number: int) -> dict[str, Any]:
    """Return one table; a broken table has no picture."""
    event, actor, now = request.event, request.actor, present(request.event)
    picture = next(iter(table_pictures(event, now, [number])), None)
    row = picture.table if picture else Table.objects.filter(event=event, number=number).last()
    if row is None:
        raise Http404(_("Diesen Tisch gibt es nicht."))
    leaves = leaving(event, row)
    counts = table_counts(event)
    numbers = [count.number for count in counts]
    may_draw = allows(actor, Permission.DRAW_DEALER) and not event.is_over
    may_lock = allows(actor, Permission.RESEAT) and not event.is_over
    is_drawing = may_draw and bool(picture and picture.players > 1) and draws_seats(event, number)
    return {
        "event": event,
        "number": number,
        "picture": picture,
        "table_again_s": old_in_s(event, picture.button.said_at, now)
        if picture and any(seat.is_button for seat in picture.seats)
        else None,
        "seats": _seats(event, picture, leaves, may_lock=may_lock, has_cards=is_drawing)
        if picture
        else [],
        "leaves": leaves,
        "notes": counts_told(event, picture, len(leaves)) if picture else [],
        "draws_seats": is_drawing,
        "cards_first": is_drawing and number in tables_to_draw(event),
        "tabs": numbers if len(numbers) <= MOST_TABS else [],
        "may_eliminate": allows(actor, Permission.ELIMINATE),
        "takes_money": event.rebuy_cents > 0 and takes_money(event, actor),
        "may_draw_dealer": may_draw and picture is not None and picture.lacks_button,
        **_conduct(request, picture),
        "winner": winner_name(event),
        "undos": _own_undos(request),
        **(in_force_shown(request, picture.table) if picture else {}),
        **(button_shown(request, picture.table, picture.button) if picture else {}),
        **summons_shown(picture.table if picture else None),
        "far_short": table_far_short(event, number, now) if picture else None,
    }


def _conduct(request: StaffRequest, picture: TablePicture | None) -> dict[str, Any]:
    marked = [
        seat.entry
        for seat in (picture.seats if picture else ())
        if seat.entry and seat.mark is not NO_MARK
    ]
    if not marked or picture is None or request.event.is_over:
        return {"conduct": []}
    event = request.event
    lines = conduct_at(event, marked)
    return {
        "conduct": lines,
        "walkers": sum(line["is_walking"] for line in lines),
        "is_tapped": hands_are_tapped(event, picture.table.pk, present(event)),
        "may_penalise": allows(request.actor, Permission.PENALISE),
    }


def _seats(
    event: Event,
    picture: TablePicture,
    leaves: list[Leaving],
    *,
    may_lock: bool,
    has_cards: bool,
) -> list[dict[str, Any]]:
    """Return the seats for the map; a free one can be locked with the permission."""
    left = {one.seat: one for one in leaves}

    def url_of(seat: SeatView) -> str:
        if seat.entry:
            return reverse("floor-player", args=[event.slug, seat.entry])
        place = f"{picture.number}-{seat.seat}"
        return reverse("seat-lock", args=[event.slug, place]) if may_lock else ""

    return [
        {
            "number": seat.seat,
            "place": f"{picture.number}-{seat.seat}",
            "entry": seat.entry,
            "name": seat.name,
            "is_button": seat.is_button,
            "is_small_blind": seat.is_small_blind,
            "is_big_blind": seat.is_big_blind,
            "is_locked": seat.is_locked,
            "has_card": has_cards and not seat.is_locked,
            "left": None if seat.entry else left.get(seat.seat),
            "hx_url": url_of(seat),
            **marks_shown(seat.mark),
        }
        for seat in picture.seats
    ]


def _own_undos(request: StaffRequest) -> list[dict[str, Any]]:
    """Return the latest eliminations this device entered that are still in force."""
    if request.device is None or request.event.is_over:
        return []
    holds = Elimination.objects.live().filter(made_by=OuterRef("pk"))
    actions = Action.objects.filter(
        Exists(holds), event=request.event, device=request.device, kind=entries_eliminate.kind
    ).select_related("text", "undoes")
    latest = actions.order_by("-sequence")[:MOST_UNDOS]
    return [{"action": action, "sentence": describe(action)} for action in latest]


def cards(event: Event, table: Table, *, undo: Action | None = None) -> dict[str, Any]:
    """Return the cards of a table's first-dealer draw, highest first."""
    draw = DealerDraw.objects.live().filter(table=table).first()
    if draw is None:
        raise Http404(_("Für diesen Tisch ist noch kein Geber ausgelost."))
    names = entry_names({line["entry"] for line in draw.cards})
    return {"event": event, "table": table, "lines": _card_lines(draw, names), "undo": undo}


def dealers(event: Event, action: Action) -> dict[str, Any]:
    """Return the cards of first dealers drawn together, table by table."""
    rows = DealerDraw.objects.live().filter(made_by=action).select_related("table")
    draws = list(rows.order_by("table__number"))
    names = entry_names({line["entry"] for draw in draws for line in draw.cards})
    tables = [{"number": draw.table.number, "lines": _card_lines(draw, names)} for draw in draws]
    return {"event": event, "tables": tables, "undo": action}


def _card_lines(draw: DealerDraw, names: Mapping[int, str]) -> list[dict[str, Any]]:
    cards = [(line, card_from_code(line["card"])) for line in draw.cards]
    return [
        {
            "seat": line["seat"],
            "name": names.get(line["entry"], ""),
            "rank": card.rank.label,
            "suit": card.suit.sign,
        }
        for line, card in cards
    ]


def entry_or_404(event: Event, pk: int) -> Entry:
    rows = Entry.objects.select_related("registration__person")
    return get_object_or_404(rows, event=event, pk=pk)


def picture_or_404(event: Event, number: int) -> TablePicture:
    picture = next(iter(table_pictures(event, present(event), [number])), None)
    if picture is None:
        raise Http404(_("Diesen Tisch gibt es nicht."))
    return picture


def summons_shown(table: Table | None) -> dict[str, Any]:
    """Return a table's open call and the words to call with, for its page."""
    row = summons_of(table) if table is not None else None
    word = word_of(row.reason) if row is not None else ""
    return {"summons": row, "summons_word": word, "summons_words": list(WORDS.items())}


# --- The sheet of one player, with the reasons for disabled actions


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
        **_own_conduct(request, entry, seating, over),
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
    rule = event.rule_set.clock
    return {
        "call": calls_open(event).filter(entry=entry).order_by("-pk").first(),
        "call_rule": rule,
        "may_call": _may_call(event, actor),
        "has_watch": rule.allowed_after_seconds > 0,
        "no_call": refusal_of(actor, Permission.CALL_CLOCK)
        or over
        or obstacle_to_call(event, entry, actor),
    }


def _own_conduct(
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
