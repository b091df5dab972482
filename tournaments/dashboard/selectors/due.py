"""The due items of an event for the director's page, most urgent first, from its facts only.

An item has its reason and words; its button is chosen by the page.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_state
from tournaments.dashboard.selectors.due_before import (
    Backups,
    before_items,
    call_items,
    clock_items,
    contest_items,
    machine_items,
    outage_items,
    screen_items,
    set_back_items,
    start_item,
)
from tournaments.dashboard.selectors.due_money import (
    bounty_items,
    cash_items,
    closing_items,
    deal_items,
    payout_items,
    purchase_items,
)
from tournaments.dashboard.selectors.due_play import (
    bubble_items,
    clock_stands_rightly,
    conduct_items,
    halt_items,
    late_items,
    moved_items,
    race_items,
    stack_items,
    summons_items,
)
from tournaments.dashboard.selectors.items import LATER, NOW, SOON, DueItem, DueKind, Urgency
from tournaments.dashboard.selectors.tables import (
    asks_first_dealers,
    card_items,
    dealer_items,
    floor_items,
)
from tournaments.event.domain.hall_plan import numbers_text
from tournaments.event.selectors.clock import counted
from tournaments.event.selectors.event import (
    chips_in_play,
    entries_live_count,
    event_alive_entry_ids,
    players_left,
    registrations_placed_count,
)
from tournaments.event.selectors.hall import held_words, numbers_allowed, numbers_free
from tournaments.models import ChipMovement, Entry, Event, OnSite
from tournaments.play.selectors.bubble import undecided
from tournaments.play.selectors.ranking import winner_name
from tournaments.prizes.selectors.plans import seats_left, seats_to_win
from tournaments.rebuys.selectors.offers import may_come_in
from tournaments.seating.domain.seating import TableCount
from tournaments.seating.selectors.balancing import FloorAdvice
from tournaments.seating.selectors.tables import table_counts

__all__ = ["Backups", "DueItem", "DueKind", "Phase", "Urgency", "due_items", "phase_of"]

MOST_COUNTS_SHOWN = 3


class Phase(StrEnum):
    REGISTRATION = "registration"
    DRAW = "draw"
    PLAY = "play"
    END = "end"


def phase_of(event: Event) -> Phase:
    """Return the phase of the evening. The draw begins once all players are checked in."""
    if event.is_over or winner_name(event) is not None:
        return Phase.END
    if event.has_started:
        return Phase.PLAY
    registered, entered = registrations_placed_count(event), entries_live_count(event)
    return Phase.DRAW if 0 < registered <= entered else Phase.REGISTRATION


def due_items(
    event: Event,
    now: datetime,
    *,
    advice: FloorAdvice,
    backups: Backups | None = None,
    away: tuple[datetime, datetime] | None = None,
    ahead: timedelta = timedelta(),
) -> list[DueItem]:
    """Return the due items, the most urgent first, equal ones in the order of an evening.

    `away` is the computer's latest outage (switched off or asleep), `ahead` how far the time is
    ahead of its clock.
    """
    counts = table_counts(event)
    if event.is_clock_only:
        items = _without_people(event, now)
    elif event.is_over:
        items = [_ended(event), *_stacks_to_count(event), *bounty_items(event)]
    elif event.is_cash_only:
        items = []
    elif event.has_started:
        items = [*contest_items(event, now), *_in_play(event, now, counts, advice)]
    else:
        items = [*contest_items(event, now), *before_items(event, now, counts, advice)]
    if not (event.is_over or event.is_clock_only):
        items = [*summons_items(event), *items, *hall_items(event, counts)]
    items += [*payout_items(event, now), *cash_items(event, now)]
    items += [*machine_items(event, backups or Backups())]
    if not event.is_over:
        items += screen_items(event, now)
        items = [*outage_items(event, now, away), *set_back_items(now, ahead), *items]
    order = list(Urgency)
    return sorted(items, key=lambda item: order.index(item.urgency))


def _without_people(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items with only the clock; there are no results."""
    if event.is_over:
        return [_ended(event)]
    if event.has_started:
        now_counted = counted(event)
        if now_counted.left == 1 < now_counted.entries:
            title = _("Einer ist übrig und hat gewonnen")
            note = _("Das Turnier lässt sich beenden.")
            return [DueItem(DueKind.WINNER, NOW, title, note)]
        return clock_items(event, now)
    return [start_item(event, now, all_here=True), *call_items(event, now)]


def _in_play(
    event: Event, now: datetime, counts: Sequence[TableCount], advice: FloorAdvice
) -> list[DueItem]:
    won = _decided(event, now)
    if won is not None:
        return [won, *_clock_runs(event, now), *_stacks_to_count(event), *bounty_items(event)]
    floor = floor_items(event, counts, advice, now)
    if advice.draws_final:
        floor += _clock_runs(event, now)
    asked = {number for item in floor for number in item.asks}
    return [
        *bubble_items(event, now),
        *race_items(event, now),
        *stack_items(event, now),
        *late_items(event),
        *closing_items(event, now),
        *floor,
        *card_items(event, counts, NOW),
        *halt_items(event, now, asked),
        *moved_items(event, now),
        *purchase_items(event, now),
        *_stacks_to_count(event),
        *(item for item in clock_items(event, now) if not clock_stands_rightly(event, item, now)),
        *(dealer_items(event, counts, LATER) if asks_first_dealers(event, now) else []),
        *conduct_items(event, now),
        *deal_items(event),
        *bounty_items(event),
    ]


def _decided(event: Event, now: datetime) -> DueItem | None:
    """Return the winner, or that no more players are left than a satellite has seats."""
    winner = winner_name(event)
    if winner is not None:
        title = _("%(name)s hat gewonnen") % {"name": winner}
        note = _("Ergebnis ansehen, dann das Turnier beenden.")
        return DueItem(DueKind.WINNER, NOW, title, note)
    seats = seats_to_win(event)
    is_seated = seats > 0 and 0 < players_left(event) <= seats_left(event)
    if not is_seated or may_come_in(event, now) or undecided(event):
        return None
    title = _("Satellit entschieden: beenden")
    note = _("Laufende Hände werden fertig gespielt. Alle %(seats)d haben einen Platz.")
    return DueItem(DueKind.WINNER, NOW, title, note % {"seats": seats})


def _clock_runs(event: Event, now: datetime) -> Iterator[DueItem]:
    if clock_state(event.clock, now).is_running:
        title = _("Die Uhr läuft noch")
        yield DueItem(DueKind.CLOCK_RUNS, NOW, title, _("Es wird gerade nicht gespielt."))


def _stacks_to_count(event: Event) -> Iterator[DueItem]:
    if chips_in_play(event)[1]:
        return
    rows = (
        ChipMovement.objects.live()
        .filter(event=event, amount=None)
        .select_related("entry__registration__person")
        .order_by("pk")[:MOST_COUNTS_SHOWN]
    )
    for row in rows:
        if row.entry is None:
            continue
        title = _("Stapel zählen: %(name)s") % {"name": row.entry.registration.person.name}
        note = _("Disqualifiziert. Bis dahin gilt der Schnitt nur ungefähr.")
        if row.reason == ChipMovement.Reason.SURRENDER:
            note = _("Aufgegeben. Bis dahin gilt der Schnitt nur ungefähr.")
        yield DueItem(DueKind.COUNT_STACK, SOON, title, note, number=row.entry_id)


def _ended(event: Event) -> DueItem:
    if event.cancelled_by_id is not None:
        title = _("Der Abend ist abgesagt") if event.is_cash_only else _("Das Turnier ist abgesagt")
        note = _("Die Turnierseite sagt es auch den Angemeldeten.")
        return DueItem(DueKind.CANCELLED, LATER, title, note)
    if event.is_cash_only:
        title = _("Der Abend ist beendet")
        note = _("Die abgeschlossenen Tische, und wer wem wie viel gibt.")
        return DueItem(DueKind.CASH_GAME, LATER, title, note)
    if event.is_clock_only:
        title = _("Der Abend ist beendet")
        note = _("Die Uhr steht. Ein Irrtum lässt sich unter „Letzte Aktionen“ zurücknehmen.")
        return DueItem(DueKind.COUNTED_OUT, LATER, title, note)
    title = _("Das Turnier ist beendet")
    note = _("Das Ergebnis steht zum Ansehen, Drucken und Herunterladen bereit.")
    return DueItem(DueKind.RESULTS, NOW, title, note)


def hall_items(event: Event, counts: Sequence[TableCount]) -> Iterator[DueItem]:
    """Yield that players wait for a table; nothing where the club has no plan of its hall."""
    if not event.club.hall and not event.hall_tables:
        return
    entered = Entry.objects.live().filter(event=event).values("registration")
    arrived = OnSite.objects.live().filter(registration__event=event, registration__voided_by=None)
    arrived = arrived.exclude(registration__in=entered)
    seated = sum(count.players for count in counts)
    # Without a seat are those who arrived, and those checked in before the draw.
    unseated = arrived.count() + max(0, len(event_alive_entry_ids(event)) - seated)
    waiting = unseated - sum(count.seats - count.players for count in counts)
    if waiting <= 0:
        return
    told = ngettext("Jemand wartet auf einen Platz.", "%(count)s warten auf einen Platz.", waiting)
    told %= {"count": waiting}
    tables = -(-waiting // event.seats_per_table)
    free, held = numbers_free(event, tables)
    if free:
        title = ngettext("Tisch %(numbers)s ist frei", "Tische %(numbers)s sind frei", len(free))
        title %= {"numbers": numbers_text(free)}
        yield DueItem(DueKind.HALL_FREE, NOW, title, told, number=len(free))
        return
    used = held_words(held, numbers_allowed(event))
    title = ngettext("Ein Tisch fehlt", "%(tables)s Tische fehlen", tables) % {"tables": tables}
    note = f"{told} {used and _('Vergeben: %(held)s.') % {'held': used}}".strip()
    yield DueItem(DueKind.HALL_FULL, SOON, title, note)
