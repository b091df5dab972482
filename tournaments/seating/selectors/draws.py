"""The draws of an event for display, recomputed to check their outcome."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from django.db.models import Q, QuerySet

from tournaments.changes.access import Role
from tournaments.event.domain.cards import card_from_code
from tournaments.event.domain.promise import commitment
from tournaments.models import Action, DealerDraw, Draw, Entry, Event, Table
from tournaments.people.domain.naming import shown_name
from tournaments.seating.domain.draws import SEPARATOR
from tournaments.seating.selectors.draw_inputs import Sizes, recipe_of, wishes_kept
from tournaments.seating.selectors.seat_cards import BY_CARDS

# --- Hall numbers: called out in the hall, bound in the log before a draw uses them


NUMBER_SET = "draw.hall_number_set"
DRAWS_OF_MANY = ("seats.drawn", "tables.redrawn", "final_table.drawn", "table.broken")


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A hall number as it was bound. `sequence` is the position of its entry in the log."""

    number: str
    at: datetime
    by: str
    sequence: int


def numbers_called(event: Event) -> list[Called]:
    """Return the hall numbers of an event in the order of binding. One query."""
    rows = (
        Action.objects.filter(event=event)
        .filter(Q(kind=NUMBER_SET) | Q(kind__in=DRAWS_OF_MANY, payload__hall_number__isnull=False))
        .order_by("sequence")
    )
    return [
        Called(
            number=row.payload["number" if row.kind == NUMBER_SET else "hall_number"],
            at=row.at,
            by=_name_of(Role(row.role)),
            sequence=row.sequence,
        )
        for row in rows
    ]


def _name_of(role: Role) -> str:
    return str(role.work.name if role.work else role.place)


# --- How many tries a draw took: each draw undone and made again counts


OF_MANY = ("field", "redraw", "final", "break")


def tries_by_number(event: Event) -> dict[int, int]:
    """Return by draw number how many draws of its kind were undone in a row before it.

    Each broken table and each player's seat is a kind of its own.
    """
    gone = Draw.objects.filter(event=event, voided_by__isnull=False)
    if not gone.exists():
        return {}
    rows = Draw.objects.filter(event=event, kind__in=[*OF_MANY, "seat", "hands"]).order_by("number")
    found = list(
        rows.values_list(
            "number", "kind", "voided_by_id", "made_by__payload__table", "outcome__0__0"
        )
    )
    seated = [entry for _number, kind, *_rest, entry in found if kind == "seat"]
    people = dict(Entry.objects.filter(pk__in=seated).values_list("pk", "registration_id"))
    taken_back: Counter[Any] = Counter()
    tries = {}
    for number, kind, voided_by, table, entry in found:
        kin = (kind, {"break": table, "seat": people.get(entry)}.get(kind))
        tries[number] = taken_back[kin]
        taken_back[kin] = taken_back[kin] + 1 if voided_by else 0
    return tries


def taken_back_so_far(event: Event, kind: str, table: int = 0) -> int:
    """Return how many draws of this kind were undone since one was kept."""
    rows = Draw.objects.filter(event=event, kind=kind).order_by("-number")
    if table:
        rows = rows.filter(made_by__payload__table=table)
    return len(list(takewhile(bool, rows.values_list("voided_by_id", flat=True))))


@dataclass(frozen=True, slots=True, kw_only=True)
class Lot:
    """One hashed text; `digest` is empty until the secret is published."""

    text: str
    digest: str = ""


@dataclass(slots=True, kw_only=True)
class DrawPicture:
    """One draw. `agrees`: recomputing gave the same outcome; None if inputs are missing.

    `secret` is set once it is public. It is spent if the end was undone and the event has a new
    secret. `is_lost`: the secret is on another machine.

    `called` is the bound hall number or None; `is_called_with`: it was bound with this draw.
    `taken_back` counts the undone draws of the same kind just before it.

    `wishes` is the hash of the wishes used in the draw. Their names, and those in `together`
    (wishes not kept), are for the desk only: without them there is no recipe.
    """

    number: int
    kind: str
    at: datetime
    hall_number: str
    is_voided: bool
    table: int | None
    outcome: tuple[dict[str, Any], ...]
    lots: tuple[Lot, ...]
    agrees: bool | None
    recipe: dict[str, Any] | None = None
    together: tuple[str, ...] = ()
    secret: str = ""
    is_spent: bool = False
    is_lost: bool = False
    wishes: str = ""
    called: Called | None = None
    is_called_with: bool = False
    taken_back: int = 0

    @property
    def times(self) -> int:
        return self.taken_back + 1

    @property
    def rests_on(self) -> str:
        """Tell when the hall number of a draw of many was bound; empty for other draws."""
        if self.kind not in OF_MANY or not (self.outcome or self.agrees is None):
            return ""
        if not self.hall_number:
            return "nothing"
        if self.called is None:
            return "former"
        return "late" if self.is_called_with else "before"

    @property
    def commitment(self) -> str:
        """Return the published commitment of the secret; empty until the secret is public."""
        return commitment(self.secret) if self.secret else ""

    @property
    def script_id(self) -> str:
        return f"recipe-{self.number}"


def draws_of(event: Event) -> QuerySet[Draw]:
    """Return all draws, latest first, undone ones included."""
    return Draw.objects.filter(event=event).select_related("made_by__text").order_by("-number")


def draw_pictures(
    event: Event, draws: Sequence[Draw], *, to_staff: bool, with_wishes: bool = True
) -> list[DrawPicture]:
    """Return pictures of these draws, in a fixed number of queries."""
    names = _names(draws, to_staff=to_staff)
    dealers = DealerDraw.objects.filter(draw__in=draws)
    dealt_at = dict(dealers.values_list("draw_id", "table__number"))
    opened = Table.objects.filter(event=event)
    tables = sorted([*opened.values_list("made_by__sequence", "number", "seats"), *_chairs(event)])
    numbers, tries = numbers_called(event), tries_by_number(event)
    pictures = []
    for draw in draws:
        # The number may belong to another table by now, with a different size.
        made = draw.made_by.sequence
        sizes = {number: seats for opened, number, seats in tables if opened <= made}
        # A draw of an earlier version had no bound number.
        bound = (one for one in reversed(numbers) if one.sequence <= made)
        called = next((one for one in bound if one.number == draw.hall_number), None)
        picture = _picture(event, draw, sizes, names, dealt_at.get(draw.pk))
        picture.called, picture.taken_back = called, tries.get(draw.number, 0)
        picture.is_called_with = called is not None and called.sequence == made
        if picture.wishes and not with_wishes:
            picture.recipe, picture.together = None, ()
        pictures.append(picture)
    return pictures


def _chairs(event: Event) -> Iterator[tuple[int, int, int]]:
    """Return when a table had another number of chairs: sequence, table, chairs from then on."""
    rows = Action.objects.filter(event=event, kind="chair.added")
    undone = "undone_by__sequence"
    for sequence, payload, until in rows.values_list("sequence", "payload", undone):
        yield sequence, payload["table"], payload["seat"]
        if until is not None:
            yield until, payload["table"], payload["seat"] - 1


def _picture(
    event: Event, draw: Draw, sizes: Sizes, names: dict[int, str], table: int | None
) -> DrawPicture:
    # Open each sealed secret once; without a recipe there is no recomputation.
    recipe = None if draw.is_lost else recipe_of(draw, sizes)
    secret = draw.secret if draw.sealed else event.draw_secret
    is_public = bool(secret) and (event.is_over or bool(draw.sealed))
    lots = recipe.lots() if recipe else []
    together = wishes_kept(draw.made_by).get("together", ())
    return DrawPicture(
        number=draw.number,
        kind=draw.kind,
        at=draw.made_by.at,
        hall_number=draw.hall_number,
        is_voided=draw.voided_by_id is not None,
        table=draw.outcome[0][1] if draw.kind == BY_CARDS else table,
        outcome=tuple(_outcome(row, names) for row in draw.outcome),
        lots=_hashed(lots, secret, draw) if is_public else tuple(Lot(text=one) for one in lots),
        agrees=recipe.comes_out(secret) if recipe else None,
        secret=secret if is_public else "",
        is_spent=bool(draw.secret),
        is_lost=draw.is_lost,
        recipe=recipe.as_data() if recipe else None,
        together=tuple(names.get(entry, "") for entry in together),
        wishes=draw.made_by.payload.get("wishes", ""),
    )


def _hashed(lots: Iterable[str], secret: str, draw: Draw) -> tuple[Lot, ...]:
    prefix = SEPARATOR.join((secret, draw.hall_number, str(draw.number)))
    found = [
        Lot(text=lot, digest=hashlib.sha256(f"{prefix}{SEPARATOR}{lot}".encode()).hexdigest())
        for lot in lots
    ]
    return tuple(sorted(found, key=lambda lot: (lot.digest, lot.text)))


def _outcome(row: Any, names: dict[int, str]) -> dict[str, Any]:
    if isinstance(row, dict):
        entry, card = row["entry"], card_from_code(row["card"]).symbol
        return {"entry": entry, "name": names.get(entry, ""), "seat": row["seat"], "card": card}
    entry, table, seat = row
    return {"entry": entry, "name": names.get(entry, ""), "table": table, "seat": seat}


def _names(draws: Sequence[Draw], *, to_staff: bool) -> dict[int, str]:
    wanted = {
        row["entry"] if isinstance(row, dict) else row[0] for draw in draws for row in draw.outcome
    }
    rows = Entry.objects.filter(pk__in=wanted).values_list(
        "pk", "registration__person__name", "registration__is_listed"
    )
    return {
        pk: shown_name(name, is_listed=is_listed, to_staff=to_staff) for pk, name, is_listed in rows
    }
