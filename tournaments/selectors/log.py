"""The log as people read it: one sentence per action, and whether it is still in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import access
from tournaments.domain.logchain import LogRow, verify
from tournaments.models import Action, Club, Event

SENTENCES: Mapping[str, Any] = {
    "event.created": gettext_lazy("Turnier angelegt: %(name)s"),
    "event.copied": gettext_lazy("Turnier kopiert: %(name)s"),
    "event.updated": gettext_lazy("Einstellungen geändert"),
    "event.schedule_set": gettext_lazy("Blindplan gewählt: %(schedule)s"),
    "event.cancelled": gettext_lazy("Turnier abgesagt"),
    "event.ended": gettext_lazy("Turnier beendet"),
    "sample.removed": gettext_lazy("Beispielabend entfernt"),
    "registration.created": gettext_lazy("Angemeldet: %(name)s"),
    "registration.imported": gettext_lazy("Liste eingelesen: %(count)s Anmeldungen"),
    "registration.withdrawn": gettext_lazy("Abgemeldet: %(name)s"),
    "offer.accepted": gettext_lazy("Platz angenommen: %(name)s"),
    "offer.declined": gettext_lazy("Platz abgelehnt: %(name)s"),
    "offers.expired": gettext_lazy("Frist abgelaufen: %(name)s"),
    "line.moved": gettext_lazy("Warteliste aufgerückt"),
    "place.given": gettext_lazy("Platz vergeben: %(name)s"),
    "noshows.released": gettext_lazy("Nicht gekommen, Platz frei: %(name)s"),
    "noshows.blinded": gettext_lazy("Nicht gekommen, gesetzt: %(name)s"),
    "registration.arrived": gettext_lazy("Ist da: %(name)s"),
    "registration.expected": gettext_lazy("Kommt später: %(name)s"),
    "fee.paid": gettext_lazy("Startgeld bezahlt: %(name)s"),
    "fee.refunded": gettext_lazy("Startgeld zurückgegeben: %(name)s"),
    "registration.corrected": gettext_lazy("Daten berichtigt: %(name)s"),
    "entry.checked_in": gettext_lazy("Eingecheckt: %(name)s"),
    "rehearsal.filled": gettext_lazy("Probe: %(entries)s erfundene Spieler"),
    "draw.hall_number_set": gettext_lazy("Saalzahl gesetzt: %(number)s"),
    "seats.drawn": gettext_lazy("Plätze ausgelost: %(entries)s Teilnehmer"),
    "dealer.drawn": gettext_lazy("Erster Geber an Tisch %(table)s ausgelost: Platz %(seat)s"),
    "table.opened": gettext_lazy("Tisch eröffnet: %(tables_opened)s"),
    "table.closed": gettext_lazy("Tisch %(table)s geschlossen"),
    "table.broken": gettext_lazy("Tisch %(table)s aufgelöst"),
    "final_table.drawn": gettext_lazy("Finaltisch ausgelost"),
    "tables.redrawn": gettext_lazy("Neu ausgelost: %(entries)s Spieler"),
    "table.halted": gettext_lazy("Tisch %(table)s angehalten, um %(short_by)s kurz"),
    "seat.locked": gettext_lazy("Platz %(seat)s an Tisch %(table)s gesperrt"),
    "seat.unlocked": gettext_lazy("Platz %(seat)s an Tisch %(table)s wieder frei"),
    "seats.swapped": gettext_lazy("%(first)s und %(second)s haben die Plätze getauscht"),
    "keep_apart.wished": gettext_lazy("Nicht an einen Tisch: %(first)s und %(second)s"),
    "keep_apart.dropped": gettext_lazy("Wunsch aufgehoben: %(first)s und %(second)s"),
    "hand.begun": gettext_lazy("Hand %(hand)s an Tisch %(table)s"),
    "button.marked": gettext_lazy("Button an Tisch %(table)s: Platz %(seat)s"),
    "count.changed": gettext_lazy(
        "Gezählt: %(left)s im Spiel, %(entries)s Einstiege, %(rebuys)s Re-buys"
    ),
    "hand_for_hand.begun": gettext_lazy("Hand für Hand angesagt"),
    "table.reported": gettext_lazy("Tisch %(table)s: Hand %(round)s fertig"),
    "round.released": gettext_lazy("Hand %(released)s freigegeben"),
    "hand_for_hand.ended": gettext_lazy("Hand für Hand beendet (Hände: %(rounds)s)"),
    "heads.checked": gettext_lazy("Tisch %(table)s: %(players)s gezählt"),
    "money.reached": gettext_lazy("Im Geld: noch %(left)s im Spiel, %(paid)s Plätze bezahlt"),
    "seat.moved": gettext_lazy("%(name)s umgesetzt: Tisch %(table)s, Platz %(seat)s"),
    "seat.balanced": gettext_lazy("%(name)s umgesetzt: Tisch %(table)s, Platz %(seat)s"),
    "entry.eliminated": gettext_lazy("Ausgeschieden: %(name)s"),
    "entry.disqualified": gettext_lazy("Disqualifiziert: %(name)s"),
    "disqualification.counted": gettext_lazy("Stapel gezählt: %(name)s"),
    "knockout.set": gettext_lazy("%(name)s ausgeschieden gegen %(takers)s"),
    "elimination.corrected": gettext_lazy("Zeit des Ausscheidens berichtigt: %(name)s"),
    "penalty.given": gettext_lazy("%(name)s muss %(hands)s Hände aussetzen"),
    "penalty.served": gettext_lazy("Eine Hand ausgesetzt: %(name)s"),
    "entry.left": gettext_lazy("Nicht am Platz: %(name)s"),
    "entry.returned": gettext_lazy("Wieder am Platz: %(name)s"),
    "seating.arrived": gettext_lazy("An Tisch %(table)s angekommen: %(name)s"),
    "stack.brought": gettext_lazy("Stapel an Tisch %(table)s gebracht: %(name)s"),
    "clock_call.started": gettext_lazy("Auf die Uhr gesetzt: %(name)s"),
    "clock_call.stopped": gettext_lazy("Auf der Uhr, hat gehandelt: %(name)s"),
    "clock_call.ran_out": gettext_lazy("Zeit abgelaufen, Hand tot: %(name)s"),
    "clock.started": gettext_lazy("Uhr gestartet"),
    "clock.paused": gettext_lazy("Uhr angehalten"),
    "clock.adjusted": gettext_lazy("Uhr verstellt: %(seconds)s Sekunden"),
    "clock.corrected": gettext_lazy(
        "Uhr des Rechners gestellt (%(step)s), die Turnieruhr geht weiter wie zuvor"
    ),
    "clock.level_advanced": gettext_lazy("Nächste Stufe"),
    "clock.level_reverted": gettext_lazy("Eine Stufe zurück"),
    "clock.jumped": gettext_lazy("Uhr gestellt auf %(level)s"),
    "clock.last_hands_set": gettext_lazy("Noch %(hands)s Hände angesagt"),
    "clock.hand_counted": gettext_lazy("Hand gezählt"),
    "clock.counting_table_set": gettext_lazy("Zählender Tisch umgestellt"),
    "clock.break_stop_set": gettext_lazy("Anhalten nach Pausen umgestellt"),
    "clock.start_planned": gettext_lazy("Start zur geplanten Zeit umgestellt"),
    "schedule.edited": gettext_lazy(
        "Blindplan geändert: %(changed)s geändert, %(added)s dazu, %(removed)s weg, "
        "%(moved)s verschoben"
    ),
    "announcement.start_called": gettext_lazy("Fünf Minuten bis zum Beginn"),
    "announcement.made": gettext_lazy("Durchsage: %(text)s"),
    "message.sent": gettext_lazy("Nachricht: %(text)s"),
    "mail.resent": gettext_lazy("Mail noch einmal versucht: %(name)s"),
    "registration.link_renewed": gettext_lazy("Neuer Link: %(name)s"),
    "person.erased": gettext_lazy("Daten einer Person gelöscht"),
    "person.corrected": gettext_lazy("Daten einer Person berichtigt"),
    "person.merged": gettext_lazy("Zwei Personen zusammengeführt"),
    "person.unmerged": gettext_lazy("Zusammenführung zurückgenommen"),
    "person.imported": gettext_lazy("Mitgliederliste eingelesen: %(count)s Mitglieder"),
    "contacts.erased": gettext_lazy("Kontaktdaten gelöscht: %(people)s Personen"),
    "club.privacy_set": gettext_lazy("Kontaktdaten löschen nach %(days)s Tagen"),
    "staff.link_made": gettext_lazy("Zugang ausgegeben"),
    "staff.signed_in": gettext_lazy("Gerät angemeldet: %(name)s"),
    "staff.token_made": gettext_lazy("Token ausgegeben: %(name)s"),
    "staff.signed_out": gettext_lazy("Gerät hat sich abgemeldet: %(name)s"),
    "staff.revoked": gettext_lazy("Gerät abgemeldet: %(name)s"),
    "club.updated": gettext_lazy("Vereinsdaten geändert"),
    "club.colour_set": gettext_lazy("Vereinsfarbe geändert"),
    "club.logo_set": gettext_lazy("Vereinslogo geändert"),
    "club.logo_removed": gettext_lazy("Vereinslogo entfernt"),
    "screen.claimed": gettext_lazy("Leinwand dazugenommen: %(name)s"),
    "screen.changed": gettext_lazy("Leinwand eingestellt: %(name)s"),
    "screen.retired": gettext_lazy("Leinwand abgegeben: %(name)s"),
}
UNDOING = frozenset({"action.undone", "screen.undone"})


# Where one kind comes out in several ways, the outcome in the payload chooses the sentence.
OUTCOMES: Mapping[tuple[str, str], Any] = {
    ("button.marked", "unknown"): gettext_lazy("Button an Tisch %(table)s: nicht bekannt"),
    ("table.halted", "waived"): gettext_lazy(
        "Tisch %(table)s spielt weiter, obwohl um %(short_by)s kurz"
    ),
    ("table.reported", "running"): gettext_lazy("Tisch %(table)s: laufende Hand fertig"),
    ("clock_call.ran_out", "check"): gettext_lazy("Zeit abgelaufen, Check: %(name)s"),
    ("message.sent", "table"): gettext_lazy("Nachricht an Tisch %(table)s: %(text)s"),
    ("message.sent", "player"): gettext_lazy("Nachricht an %(name)s: %(text)s"),
    ("knockout.set", "unknown"): gettext_lazy("Offen, gegen wen: %(name)s"),
    ("elimination.corrected", "stacks"): gettext_lazy("Stapel vor der Hand: %(name)s"),
    ("penalty.given", "warning"): gettext_lazy("Verwarnt: %(name)s"),
    ("penalty.given", "hand"): gettext_lazy("%(name)s muss eine Hand aussetzen"),
}


class _Known(dict[str, Any]):
    def __missing__(self, key: str) -> str:
        return "?"


def describe(action: Action) -> str:
    """Return what an action did, as one sentence in the reader's language."""
    texts = action.text.data if hasattr(action, "text") else {}
    if action.kind in UNDOING:
        undone = _sentence(action.undoes) if action.undoes else ""
        values = _Known({**(action.undoes.payload if action.undoes else {}), **texts})
        if action.undoes is not None and action.undoes.kind == "action.undone":
            return _("Rücknahme zurückgenommen")
        return _("Zurückgenommen: %(action)s") % {"action": str(undone) % values}
    sentence = _sentence(action)
    if sentence is None:
        return action.kind
    payload = {
        name: ", ".join(map(str, value)) if isinstance(value, list) else value
        for name, value in action.payload.items()
    }
    return str(sentence) % _Known({**payload, **texts})


def _sentence(action: Action) -> Any:
    outcome = action.payload.get("outcome", "")
    return OUTCOMES.get((action.kind, outcome)) or SENTENCES.get(action.kind)


def action_is_in_force(action: Action) -> bool:
    """Tell whether an action still counts: no undo of it is itself in force."""
    return not any(action_is_in_force(undo) for undo in action.undone_by.all())


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    action: Action
    sentence: str
    reason: str
    is_in_force: bool
    may_undo: bool


# What is done outside, and why it cannot be taken back.
IRREVOCABLE: Mapping[str, Any] = {
    "mail.resent": gettext_lazy("Eine Mail lässt sich nicht zurückholen."),
    "registration.link_renewed": gettext_lazy(
        "Der alte Link gilt nicht mehr. Bei Bedarf noch einmal einen neuen ausgeben."
    ),
}
UNDOABLE_NEVER = frozenset({"event.created", "event.copied", "sample.removed", *IRREVOCABLE})
# Tapped every other minute at every table: in the log, but not among the last actions.
QUIET = frozenset({
    "hand.begun", "button.marked", "seating.arrived", "table.reported",
    "heads.checked", "announcement.start_called",
})  # fmt: skip


def log_lines(event: Event, actor: access.Actor, *, most: int = 12) -> list[LogLine]:
    """Return the latest actions but for the quiet ones, newest first, with what may be undone."""
    actions = log_actions(event).exclude(kind__in=QUIET).exclude(undoes__kind__in=QUIET)
    return [log_line(action, actor) for action in actions[:most]]


def log_actions(event: Event) -> QuerySet[Action]:
    """Return the actions, newest first, with what `log_line` needs of each."""
    undos = Prefetch("undone_by", Action.objects.prefetch_related("undone_by__undone_by"))
    return (
        Action.objects.filter(event=event)
        .select_related("text", "device", "undoes")
        .prefetch_related(undos)
        .order_by("-sequence")
    )


def log_line(action: Action, actor: access.Actor) -> LogLine:
    in_force = action_is_in_force(action)
    texts = action.text.data if hasattr(action, "text") else {}
    undoable = in_force and action.kind not in UNDOABLE_NEVER and action.kind != "action.undone"
    return LogLine(
        action=action,
        sentence=describe(action),
        reason=texts.get("reason", ""),
        is_in_force=in_force,
        may_undo=undoable and access.may_undo(actor, action),
    )


def log_first_fault(subject: Event | Club) -> int | None:
    """Return the sequence of the first log entry whose chain does not verify, or None."""
    rows = (
        Action.objects.filter(event=subject)
        if isinstance(subject, Event)
        else Action.objects.filter(club=subject, event__isnull=True)
    )
    return verify(
        LogRow(
            sequence=row.sequence,
            kind=row.kind,
            at_ms=round(row.at.timestamp() * 1000),
            recorded_at_ms=round(row.recorded_at.timestamp() * 1000),
            payload={**row.payload, "role": row.role, "device": row.device_id},
            hash=row.hash,
        )
        for row in rows.order_by("sequence").iterator()
    )
