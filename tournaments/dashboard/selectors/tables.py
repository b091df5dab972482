"""Due by tables: a final table, a table to break or close, a move, first dealers."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from clock.selectors import clock_state
from tournaments.dashboard.selectors.items import (
    NOW,
    SOON,
    DueItem,
    DueKind,
    Urgency,
    words_joined,
)
from tournaments.event.selectors.event import (
    entry_names,
    event_accepts_late,
    players_left,
    tables_live_count,
)
from tournaments.models import Event
from tournaments.seating.domain.moves import MoverReason, Suggestion
from tournaments.seating.domain.seating import TableCount, Transfer
from tournaments.seating.selectors.balancing import FloorAdvice
from tournaments.seating.selectors.draw_inputs import partner_tables
from tournaments.seating.selectors.seat_cards import tables_to_draw, tables_without_dealer

RULES = {
    "next_big_blind.worst_seat": gettext_lazy(
        "Wer als Nächstes den Big Blind setzt, zieht auf den schlechtesten freien Platz."
    ),
    "next_big_blind.waits": gettext_lazy(
        "Wer als Nächstes den Big Blind setzt, zieht um und wartet, bis der Button vorbei ist."
    ),
    "next_big_blind.drawn": gettext_lazy(
        "Wer als Nächstes den Big Blind setzt, zieht um; der Platz ist ausgelost."
    ),
    "next_big_blind.small_blind": gettext_lazy(
        "Wer als Nächstes den Big Blind setzt, zieht auf den Platz des Small Blind: "
        "Nur der ist frei."
    ),
    "drawn.worst_seat": gettext_lazy(
        "Ausgelost, weil der Button nicht bekannt ist; auf den schlechtesten freien Platz."
    ),
    "drawn.waits": gettext_lazy(
        "Ausgelost, weil der Button nicht bekannt ist; wartet, bis der Button vorbei ist."
    ),
    "drawn.small_blind": gettext_lazy(
        "Ausgelost, weil der Button nicht bekannt ist; auf den Platz des Small Blind: "
        "Nur der ist frei."
    ),
    "drawn.drawn": gettext_lazy("Beides ausgelost, weil die Buttons nicht bekannt sind."),
    "position.last_opened": gettext_lazy(
        "Stud: Besetzt wird der Platz, der zuletzt frei wurde; es zieht um, wer auf dem gleichen "
        "Platz sitzt."
    ),
    "position.drawn": gettext_lazy(
        "Stud: Der Platz ist ausgelost; es zieht um, wer auf dem gleichen Platz sitzt."
    ),
}
GIVES = {
    False: gettext_lazy("Tisch %(table)s gibt ab, weil er mit %(players)s der größte ist."),
    True: gettext_lazy(
        "Tisch %(table)s gibt ab: mit %(players)s unter den größten, davon die niedrigste Nummer."
    ),
}
GETS = {
    False: gettext_lazy("Tisch %(table)s bekommt, weil er mit %(players)s der kleinste ist."),
    True: gettext_lazy(
        "Tisch %(table)s bekommt: mit %(players)s unter den kleinsten, davon die niedrigste Nummer."
    ),
}


def card_items(event: Event, counts: Sequence[TableCount], urgency: Urgency) -> Iterator[DueItem]:
    """Yield the tables with seat cards to enter, if players draw their seats."""
    filled = {count.number for count in counts if count.players > 1}
    numbers = [number for number in tables_to_draw(event) if number in filled]
    if not numbers:
        return
    title = ngettext(
        "Karten für die Plätze an Tisch %(table)s",
        "Karten für die Plätze an %(count)s Tischen",
        len(numbers),
    )
    title %= {"table": numbers[0], "count": len(numbers)}
    note = _("Jeder zieht am Tisch eine Karte: A ist Platz 1, dann im Uhrzeigersinn.")
    yield DueItem(DueKind.CARDS, urgency, title, note, number=numbers[0])


def asks_first_dealers(event: Event, now: datetime) -> bool:
    """Tell whether first dealers are drawn: until the second level, and at the final table."""
    if not event.has_started or tables_live_count(event) == 1:
        return True
    return clock_state(event.clock, now).index == 0


def dealer_items(event: Event, counts: Sequence[TableCount], urgency: Urgency) -> Iterator[DueItem]:
    numbers = tables_without_dealer(event, counts)
    if not numbers:
        return
    title = ngettext(
        "Erster Geber an Tisch %(table)s", "Erste Geber an %(count)s Tischen", len(numbers)
    )
    title %= {"table": numbers[0], "count": len(numbers)}
    note = _("Die höchste Karte gibt: Pik vor Herz vor Karo vor Kreuz.")
    number = numbers[0] if len(numbers) == 1 else None
    yield DueItem(DueKind.DEALER, urgency, title, note, number=number)


def floor_items(
    event: Event, counts: Sequence[TableCount], advice: FloorAdvice, now: datetime
) -> list[DueItem]:
    if advice.draws_final:
        note = _("Noch %(count)s im Spiel: alle an einen Tisch, jeder Platz neu.")
        note %= {"count": players_left(event)}
        return [DueItem(DueKind.FINAL_TABLE, NOW, _("Finaltisch auslosen"), note)]
    if advice.redraws_at is not None:
        note = _("Noch %(count)s im Spiel: alle Plätze neu, an so wenigen Tischen wie möglich.")
        title = _("Neu auslosen bei %(count)s") % {"count": advice.redraws_at}
        return [DueItem(DueKind.REDRAW, NOW, title, note % {"count": players_left(event)})]
    if advice.breaks_table is not None:
        return [_break_item(counts, advice.breaks_table, comes_more=event_accepts_late(event, now))]
    if len(advice.round) > 1:
        return [_round_item(counts, advice)]
    return [_move_item(event, counts, advice)] if advice.moves else []


def why_move(move: Suggestion, transfer: Transfer) -> list[str]:
    """Return the reasons of a move from this table to that seat, rule by rule."""
    gives = {"table": transfer.from_table, "players": transfer.from_players}
    gets = {"table": transfer.to_table, "players": transfer.to_players}
    is_lot = move.reason_code.startswith(f"{MoverReason.DRAWN}.")
    return [
        str(RULES[move.reason_code]),
        *([_("Wer auf einem gesperrten Platz sitzt, bleibt.")] if move.facts.get("passed") else []),
        str(GIVES[transfer.from_is_tied]) % gives,
        str(GETS[transfer.to_is_tied]) % gets,
        _("TDA 2024 11-C.") if is_lot else _("TDA 2024 11-A und 11-C."),
    ]


def _break_item(counts: Sequence[TableCount], number: int, *, comes_more: bool) -> DueItem:
    players = next(count.players for count in counts if count.number == number)
    if not players:
        title = _("Tisch %(table)s ist leer") % {"table": number}
        return DueItem(DueKind.CLOSE, SOON, title, number=number)
    note = _("Alle im Spiel passen an die anderen Tische.")
    room = sum(count.seats - count.players for count in counts if count.number != number)
    if comes_more and room == players:
        note += " " + _("Danach ist kein Platz frei, und es wird noch nachgemeldet.")
    title = _("Tisch %(table)s auflösen") % {"table": number}
    return DueItem(DueKind.BREAK, NOW, title, note, number=number)


def _move_item(event: Event, counts: Sequence[TableCount], advice: FloorAdvice) -> DueItem:
    move: Suggestion = advice.moves[0]
    short = next(count.players for count in counts if count.number == move.to_table)
    most = max(count.players for count in counts)
    missing = most - short
    title = ngettext(
        "An Tisch %(table)s fehlt einer", "An Tisch %(table)s fehlen %(count)s", missing
    ) % {"table": move.to_table, "count": missing}
    if move.asks:
        note = _("Wer umzieht, hängt am Button. Wo liegt er?")
        return DueItem(DueKind.MOVE, NOW, title, note, number=move.to_table, asks=move.asks)
    note = " ".join(_move_lines(event, move, advice.moves_in_all - 1))
    rule, number = "\n".join(why_move(move, advice.transfers[0])), move.to_table
    return DueItem(DueKind.MOVE, NOW, title, note, rule=rule, number=number, move=move)


def _round_item(counts: Sequence[TableCount], advice: FloorAdvice) -> DueItem:
    """Return the moves that are announced at once, with the tables before and after them."""
    moves, before = advice.round, {count.number: count.players for count in counts}
    after = Counter(before)
    after.update(move.to_table for move in moves)
    after.subtract(move.from_table for move in moves)
    # The numbers of players, the largest first: "9, 9, 9 und 2".
    sizes = [
        words_joined([str(count) for count in sorted(tables.values(), reverse=True)])
        for tables in (before, after)
    ]
    words = {"moves": len(moves), "before": sizes[0], "after": sizes[1]}
    note = _("%(before)s. Nach %(moves)s Umzügen: %(after)s.")
    pairs = zip(moves, advice.transfers, strict=False)
    reasons = [line for move, transfer in pairs for line in why_move(move, transfer)]
    title, rule = _("Tische ausgleichen"), "\n".join(dict.fromkeys(reasons))
    return DueItem(DueKind.BALANCE, NOW, title, note % words, rule=rule, number=len(moves))


def _move_lines(event: Event, move: Suggestion, more: int) -> list[str]:
    """Return the sentences of a move: from, to, how many follow, and the neighbours.

    :param more: How many moves are due after it.
    """
    lines = [
        _("%(name)s: von Tisch %(from)s, Platz %(seat)s, an Tisch %(to)s, Platz %(to_seat)s.")
        % {
            "name": entry_names({move.entry}).get(move.entry, ""),
            "from": move.from_table,
            "seat": move.from_seat,
            "to": move.to_table,
            "to_seat": move.to_seat,
        }
    ]
    if more:
        text = ngettext("Danach noch ein Umzug.", "Danach noch %(count)s Umzüge.", more)
        lines.append(text % {"count": more})
    if move.to_table in partner_tables(event, [move.entry]).get(move.entry, ()):
        lines.append(_("Dort sitzt jemand, von dem er getrennt sitzen soll."))
    return lines
