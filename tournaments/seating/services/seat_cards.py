"""Seats drawn with real cards: staff enters each player's card on one sheet."""

from collections.abc import Collection, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.cards import (
    CardFault,
    Rank,
    faulty_card,
    rank_from_letter,
    seat_cards,
    seats_by_card,
)
from tournaments.event.selectors.event import entry_names
from tournaments.models import Arrival, Draw, Entry, Event, Seating, Table
from tournaments.seating.selectors.balancing import next_draw_number
from tournaments.seating.selectors.seat_cards import BY_CARDS, FEWEST, draws_seats
from tournaments.seating.selectors.tables import locks_of
from tournaments.seating.services.seats import live_table, seat_many, unseat

SEATS_DRAWN_BY_CARDS = Kind(
    "seats.drawn_by_cards",
    lazy("Plätze an Tisch %(table)s mit Karten gezogen"),
    Group.TABLES,
    moves_players=True,
)


@service(SEATS_DRAWN_BY_CARDS, Permission.DRAW_DEALER, Topic.TABLES, Topic.CONDUCT)
def seats_draw_by_cards(change: Change, *, table: Table, cards: Mapping[int, str]) -> None:
    """Seat the players of a table by their cards: card letter by entry id (HOME).

    A player on a locked seat keeps it and draws no card. Entering a card also marks an arrival.
    """
    event = change.event
    row = live_table(event, table.pk)
    sitting = dict(Seating.objects.live().filter(table=row).values_list("entry_id", "seat"))
    locked = locks_of(event, [row.pk]).get(row.pk, frozenset())
    drawing = [entry for entry, seat in sitting.items() if seat not in locked]
    obstacle = obstacle_to_cards(event, row, len(drawing))
    if obstacle:
        raise obstacle
    drawn = _cards_of(row, drawing, cards, locked)
    seats = {entry: (row.number, seat) for entry, seat in seats_by_card(drawn).items()}
    unseat(change, seats)
    seat_many(change, seats)
    come = Seating.objects.live().filter(event=event, made_by=change.action)
    Arrival.objects.bulk_create(
        Arrival(seating=seating, arrived_at=change.at, made_by=change.action) for seating in come
    )
    outcome = [[entry, *place] for entry, place in sorted(seats.items())]
    number = next_draw_number(event)
    Draw.objects.create(
        event=event, number=number, kind=BY_CARDS, outcome=outcome, made_by=change.action
    )
    change.record(table=row.number, draw=number, moves=outcome)


def obstacle_to_cards(event: Event, table: Table, drawing: int) -> Refused | None:
    """Return why `drawing` players cannot draw seats at this table, or None."""
    if drawing < FEWEST:
        return Refused(
            _("An Tisch %(number)d sitzen keine zwei.") % {"number": table.number}, code="too_few"
        )
    if not draws_seats(event, table.number):
        return Refused(
            _("An Tisch %(table)d werden gerade keine Plätze gezogen. Das geht vor dem Start, "
              "nach dem Neuauslosen und am Finaltisch, bis dort ein Geber ausgelost ist oder "
              "gespielt wird.") % {"table": table.number},
            code="not_drawn_now",
        )  # fmt: skip
    return None


def _cards_of(
    table: Table, drawing: Collection[int], cards: Mapping[int, str], locked: Collection[int]
) -> dict[int, Rank]:
    """Return the card of each player who draws.

    :raises Refused: When somebody left meanwhile, or the cards give no seats.
    """
    gone = [entry for entry in cards if entry not in drawing]
    if gone:
        rows = Entry.objects.filter(event=table.event_id, pk__in=gone)
        left = ", ".join(rows.values_list("registration__person__name", flat=True)) or "–"
        raise Refused(
            _("Inzwischen zieht hier jemand keine Karte mehr: %(names)s. Bitte neu öffnen.")
            % {"names": left},
            code="overtaken",
        )
    found = {entry: rank_from_letter(cards.get(entry, "")) for entry in drawing}
    faulty = faulty_card(found, table.chairs, locked)
    if faulty:
        names, card = entry_names({faulty.entry, faulty.other}), found[faulty.entry]
        text = _WRONG[faulty.fault] % {
            "name": names.get(faulty.entry, ""),
            "other": names.get(faulty.other, ""),
            "card": card.label if card else "",
            "table": table.number,
            "last": seat_cards(table.chairs)[-1].label,
        }
        raise Refused(text, code=f"card_{faulty.fault}")
    return {entry: card for entry, card in found.items() if card}


_WRONG = {
    CardFault.MISSING: lazy("Für %(name)s fehlt die Karte."),
    CardFault.OUTSIDE: lazy(
        "%(card)s von %(name)s ist nicht dabei: An Tisch %(table)s gehen die Karten von A bis "
        "%(last)s."
    ),
    CardFault.LOCKED: lazy(
        "%(card)s von %(name)s ist nicht dabei: Dieser Platz an Tisch %(table)s ist gesperrt."
    ),
    CardFault.TWICE: lazy(
        "%(other)s und %(name)s haben beide %(card)s. Jede Karte gibt es einmal."
    ),
}
