"""Conduct of players: warnings, penalties, absences, arrivals at a new seat.

None of these ends an entry; disqualification is in `eliminations`.
"""

from collections.abc import Sequence
from typing import NoReturn

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy
from django.utils.translation import ngettext

from tournaments.changes.access import REFUSED_TO_STRANGERS, Permission, Role
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.selectors.event import entry_is_out
from tournaments.models import Absence, Arrival, Entry, Event, Penalty, PenaltyServed, Seating
from tournaments.seating.domain.penalties import hands_of_rounds
from tournaments.seating.selectors.conduct import penalties_of, walking
from tournaments.seating.selectors.tables import seating_of

MOST_HANDS = 50
MOST_ROUNDS = 10
LONGEST_REASON = 200


PENALTY_GIVEN = Kind(
    "penalty.given",
    lazy("%(name)s muss %(hands)s Hände aussetzen"),
    Group.CONDUCT,
    outcomes={
        "warning": lazy("Verwarnt: %(name)s"),
        "hand": lazy("%(name)s muss eine Hand aussetzen"),
    },
)


@service(PENALTY_GIVEN, Permission.PENALISE, Topic.CONDUCT)
def penalty_give(
    change: Change, *, entry: Entry, kind: str, amount: int = 0, reason: str = ""
) -> None:
    """Give a warning, or a penalty in hands or rounds; rounds become hands now (TDA 2024 71)."""
    if obstacle := obstacle_to_penalise(change.event, entry):
        raise obstacle
    stated_reason = reason.strip()
    if not stated_reason:
        raise Refused(_("Bitte den Grund antippen."), code="no_reason")
    if len(stated_reason) > LONGEST_REASON:
        raise Refused(
            _("Der Grund hat höchstens %(most)d Zeichen.") % {"most": LONGEST_REASON},
            code="long_reason",
        )
    rounds = amount if kind == Penalty.Kind.ROUNDS else 0
    hands = _hands(entry, kind, amount)
    Penalty.objects.create(
        event=change.event,
        entry=entry,
        kind=kind,
        rounds=rounds,
        hands=hands,
        given_at=change.at,
        made_by=change.action,
    )
    outcome = kind if kind == Penalty.Kind.WARNING else "hand" if hands == 1 else "hands"
    change.record(entry=entry.pk, outcome=str(outcome), hands=hands, rounds=rounds)
    change.tell(name=_name(entry), reason=stated_reason)


def _hands(entry: Entry, kind: str, amount: int) -> int:
    if kind == Penalty.Kind.WARNING:
        return 0
    most = MOST_ROUNDS if kind == Penalty.Kind.ROUNDS else MOST_HANDS
    if kind not in Penalty.Kind.values or not 1 <= amount <= most:
        raise Refused(
            _("Möglich sind 1 bis %(hands)d Hände oder 1 bis %(rounds)d Umläufe.")
            % {"hands": MOST_HANDS, "rounds": MOST_ROUNDS},
            code="bad_amount",
        )
    if kind == Penalty.Kind.HANDS:
        return amount
    seating = seating_of(entry)
    if seating is None:
        raise Refused(
            _("Ein Umlauf zählt die Spieler am Tisch, und hier sitzt noch niemand."),
            code="not_seated",
        )
    players = Seating.objects.live().filter(table=seating.table_id).count()
    return hands_of_rounds(amount, players)


def obstacle_to_penalise(event: Event, entry: Entry) -> Refused | None:
    """Return why no conduct can be recorded for this entry now, or None."""
    if entry.event_id != event.pk or entry.voided_by_id is not None:
        return Refused(_("Dieser Teilnehmer gehört nicht zu diesem Turnier."), code="not_here")
    if entry_is_out(entry):
        return Refused(
            _("%(name)s ist schon ausgeschieden.") % {"name": _name(entry)}, code="already_out"
        )
    return None


PENALTY_SERVED = Kind("penalty.served", lazy("Eine Hand ausgesetzt: %(name)s"), Group.CONDUCT)


@service(PENALTY_SERVED, Permission.PENALISE, Topic.CONDUCT)
def penalty_serve(change: Change, *, penalty: Penalty, left: int) -> None:
    """Record one missed hand where no hands are tapped.

    `left` is the number shown on the page: two taps for the same hand count once.
    """
    row = Penalty.objects.live().filter(event=change.event, pk=penalty.pk).first()
    if row is None:
        raise Refused(_("Diese Strafe wurde inzwischen zurückgenommen."), code="gone")
    views = penalties_of([row.entry_id])[row.entry_id]
    now = next(view.served.left for view in views if view.penalty.pk == row.pk)
    if not now:
        raise Refused(_("Diese Strafe ist schon abgesessen."), code="already_served")
    if now != left:
        text = ngettext(
            "Inzwischen ist es nur noch eine Hand.",
            "Inzwischen sind es noch %(count)d Hände.",
            now,
        )
        raise Refused(text % {"count": now}, code="overtaken")
    PenaltyServed.objects.create(penalty=row, hands=1, made_by=change.action)
    change.record(entry=row.entry_id, penalty=row.pk, left=now - 1)
    change.tell(name=_name(row.entry))


ENTRY_LEFT = Kind("entry.left", lazy("Nicht am Platz: %(name)s"), Group.CONDUCT)


@service(ENTRY_LEFT, Permission.NOTE_ABSENCE, Topic.CONDUCT)
def entry_leave(change: Change, *, entry: Entry) -> None:
    """Record that a player left the seat: the hand is dead, blinds go on (KRRU 3.0, TDA 30)."""
    if obstacle := obstacle_to_leave(change.event, entry):
        raise obstacle
    if Absence.objects.filter(entry=entry, voided_by__at__gt=change.at).exists():
        _refuse_late(entry)
    Absence.objects.create(
        event=change.event, entry=entry, left_at=change.at, made_by=change.action
    )
    change.record(entry=entry.pk)
    change.tell(name=_name(entry))


def obstacle_to_leave(event: Event, entry: Entry) -> Refused | None:
    """Return why this entry cannot be recorded as away now, or None."""
    if obstacle := obstacle_to_penalise(event, entry):
        return obstacle
    if seating_of(entry) is None:
        return Refused(_("Wer keinen Platz hat, ist von keinem weg."), code="not_seated")
    if Absence.objects.live().filter(entry=entry).exists():
        return Refused(
            _("%(name)s ist schon als abwesend eingetragen.") % {"name": _name(entry)},
            code="already_away",
        )
    return None


ENTRY_RETURNED = Kind("entry.returned", lazy("Wieder am Platz: %(name)s"), Group.CONDUCT)


@service(ENTRY_RETURNED, Permission.NOTE_ABSENCE, Topic.CONDUCT)
def entry_return(change: Change, *, entry: Entry) -> None:
    """Record that a player is back at the seat."""
    rows = Absence.objects.live().filter(event=change.event, entry=entry)
    if not rows.exists():
        raise Refused(
            _("%(name)s ist nicht als abwesend eingetragen.") % {"name": _name(entry)},
            code="not_away",
        )
    if rows.filter(left_at__gt=change.at).exists():
        _refuse_late(entry)
    rows.update(voided_by=change.action)
    change.record(entry=entry.pk)
    change.tell(name=_name(entry))


SEATING_ARRIVED = Kind(
    "seating.arrived", lazy("An Tisch %(table)s angekommen: %(name)s"), Group.TABLES, is_quiet=True
)


@service(SEATING_ARRIVED, Permission.CONFIRM_SEAT, Topic.CONDUCT)
def seating_arrive(change: Change, *, seatings: Sequence[Seating]) -> None:
    """Record arrivals at these seats; also confirms a first seat.

    An outdated seating is refused. Players can confirm only their own.
    """
    rows = _live(change, seatings)
    if change.by.role == Role.PLAYER and any(
        row.entry.registration_id != change.by.registration_id for row in rows
    ):
        raise Refused(REFUSED_TO_STRANGERS, code="not_allowed")
    arrived = _arrive(change, rows)
    change.record(
        entries=[row.entry_id for row in arrived],
        table=arrived[0].table.number,
        seats=[row.seat for row in arrived],
    )
    change.tell(name=", ".join(_name(row.entry) for row in arrived))


STACK_BROUGHT = Kind(
    "stack.brought", lazy("Stapel an Tisch %(table)s gebracht: %(name)s"), Group.TABLES
)


@service(STACK_BROUGHT, Permission.NOTE_ABSENCE, Topic.CONDUCT)
def stack_bring(change: Change, *, seating: Seating) -> None:
    """Record that staff moved an absent player's stack to the new seat."""
    (row,) = _arrive(change, _live(change, [seating]))
    if not Absence.objects.live().filter(entry=row.entry_id).exists():
        Absence.objects.create(
            event=change.event, entry=row.entry, left_at=change.at, made_by=change.action
        )
    change.record(entry=row.entry_id, table=row.table.number, seat=row.seat)
    change.tell(name=_name(row.entry))


def _refuse_late(entry: Entry) -> NoReturn:
    raise Refused(
        _("Seither wurde von %(name)s schon Neueres eingetragen.") % {"name": _name(entry)},
        code="overtaken",
    )


def _live(change: Change, seatings: Sequence[Seating]) -> list[Seating]:
    """Return these seatings as they are now, all at one table."""
    rows = Seating.objects.filter(event=change.event, pk__in=[seating.pk for seating in seatings])
    found = list(rows.select_related("table", "entry__registration__person").order_by("seat"))
    if not found or len({row.table_id for row in found}) > 1:
        raise Refused(_("Diesen Platz gibt es hier nicht."), code="gone")
    for row in found:
        now = seating_of(row.entry)
        if row.voided_by_id is None:
            continue
        if now is None:
            raise Refused(
                _("%(name)s sitzt an keinem Tisch mehr.") % {"name": _name(row.entry)}, code="gone"
            )
        raise Refused(
            _("%(name)s gehört inzwischen an Tisch %(table)d, Platz %(seat)d.")
            % {"name": _name(row.entry), "table": now.table.number, "seat": now.seat},
            code="overtaken",
        )
    return found


def _arrive(change: Change, rows: list[Seating]) -> list[Seating]:
    on_the_way = {row.pk for row in walking(change.event, [row.entry_id for row in rows])}
    confirmed = Arrival.objects.live().filter(seating__in=rows)
    known = set(confirmed.values_list("seating_id", flat=True)) - on_the_way
    arriving = [row for row in rows if row.pk not in known]
    if not arriving:
        raise Refused(
            _("Das ist schon bestätigt: %(name)s ist da.") % {"name": _name(rows[0].entry)},
            code="already_arrived",
        )
    confirmed.filter(seating__in=arriving).update(voided_by=change.action)
    Arrival.objects.bulk_create(
        Arrival(seating=row, arrived_at=change.at, made_by=change.action) for row in arriving
    )
    return arriving


def _name(entry: Entry) -> str:
    return entry.registration.person.name
