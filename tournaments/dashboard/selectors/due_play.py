"""Due in play: the bubble, tables far short, colour-ups, stack counts, calls, conduct."""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_levels, clock_state
from tournaments.changes.access import Role
from tournaments.changes.kinds import kind_names
from tournaments.dashboard.selectors.items import (
    LATER,
    NOW,
    SOON,
    DueItem,
    DueKind,
    time_of,
    words_joined,
)
from tournaments.models import Action, Event, Seating
from tournaments.play.selectors.bubble import (
    Bubble,
    bubble_of,
    difference,
    money_taken_back,
    round_current,
    tables_awaited,
    waits_for_break,
)
from tournaments.play.selectors.calls import summons_live, word_of
from tournaments.play.selectors.eliminations import late_questions
from tournaments.play.selectors.stacks import counting_of, race_due, race_tables
from tournaments.prizes.domain.plans import Way
from tournaments.rebuys.selectors.offers import may_come_in
from tournaments.seating.selectors.conduct import PenaltyView, absences, penalties_sat_out, walking
from tournaments.seating.selectors.tables import FarShort, seating_of, tables_far_short

MOST_DIFFERING = 3


def bubble_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items near the money; of differing tables only the first few.

    After the bubble: count heads, announce the money, end hand-for-hand. No hand is released.
    Nothing is proposed while somebody may still come in or buy again.
    """
    bubble = bubble_of(event)
    is_taken_back = bubble.is_near and money_taken_back(event)
    if bubble.round is None and not is_taken_back and may_come_in(event, now):
        return []
    items = []
    if is_taken_back:
        note = _("Noch %(left)s im Spiel, %(paid)s Plätze bezahlt. Die Tische werden neu gezählt.")
        note %= {"left": bubble.left, "paid": bubble.paid}
        items.append(DueItem(DueKind.MONEY_BACK, NOW, _("„Im Geld“ gilt nicht mehr"), note))
    if bubble.is_near:
        note = _("Nachzählen, oder eintragen, wer fehlt oder dazukam.")
        items += [
            DueItem(DueKind.HEADS, NOW, difference(heads), note, number=heads.number)
            for heads in bubble.differing[:MOST_DIFFERING]
        ]
    return [*items, *_stage(event, bubble, now)]


def _stage(event: Event, bubble: Bubble, now: datetime) -> Iterator[DueItem]:
    """Yield the next step: announce the money, or begin, go on with or end hand-for-hand."""
    if bubble.is_near and not bubble.to_money:
        yield from _money(bubble)
    elif bubble.round is None:
        if bubble.is_near and bubble.may_burst and len(bubble.tables) > 1:
            left = bubble.to_money
            title = ngettext("Noch einer bis zum Geld", "Noch %(shown)s bis zum Geld", left)
            note = _("Eine einzige Hand an allen Tischen kann jetzt ins Geld führen.")
            yield DueItem(DueKind.HAND_FOR_HAND, NOW, title % {"shown": left}, note)
        elif bubble.may_burst_seats and bubble.table_count > 1:
            yield _begin_again(bubble, is_flight=event.prize_plan.way is Way.FLIGHT)
    elif bubble.is_reached and not bubble.may_burst_seats:
        if not bubble.is_round_open:
            title = _("Hand für Hand beenden")
            note = _(
                "Alle sind im Geld. Jeder Tisch spielt wieder für sich, und die Uhr läuft weiter."
            )
            yield DueItem(DueKind.HAND_FOR_HAND_END, NOW, title, note)
    elif not (bubble.awaited or waits_for_break(event, now)):
        title = _("Alle Tische sind fertig")
        note = _("Die nächste Hand wird für alle zugleich freigegeben.")
        yield DueItem(DueKind.ROUND, NOW, title, note, number=bubble.round.number)


def late_items(event: Event) -> Iterator[DueItem]:
    """Yield the late taps whose time the director decides about."""
    for one in late_questions(event):
        title = _("Nachgetragen, bitte entscheiden: %(name)s") % {"name": one.names}
        told = _("Gemeldet für %(at)s, angekommen um %(told_at)s.")
        note = " ".join([told % {"at": one.at, "told_at": one.told_at}, *one.passes])
        yield DueItem(DueKind.LATE_TAP, NOW, title, note, number=one.tap.pk)


def clock_stands_rightly(event: Event, item: DueItem, now: datetime) -> bool:
    """Tell whether the clock stands for hand-for-hand, so that this item is wrong.

    In a break this is so until all tables are done, and again after the break.
    """
    current = round_current(event) if item.kind is DueKind.CLOCK_STANDS else None
    if current is None:
        return False
    state = clock_state(event.clock, now)
    is_break = state.level.is_break and not state.is_waiting
    return not is_break or bool(tables_awaited(event, current))


def _begin_again(bubble: Bubble, *, is_flight: bool) -> DueItem:
    """Return the second bubble: at the seat of a satellite, or at the bag of a flight."""
    left = bubble.left - bubble.seats
    title = ngettext("Noch einer bis zum Platz", "Noch %(shown)s bis zum Platz", left)
    if is_flight:
        title = ngettext("Noch einer bis zum Sack", "Noch %(shown)s bis zum Sack", left)
    note = _("Eine einzige Hand an allen Tischen kann es jetzt entscheiden.")
    return DueItem(DueKind.HAND_FOR_HAND, NOW, title % {"shown": left}, note)


def _money(bubble: Bubble) -> Iterator[DueItem]:
    if bubble.hindrance is None:
        title = _("„Im Geld“ ansagen")
        note = _("An jedem Tisch stimmt die Zahl.")
        yield DueItem(DueKind.MONEY, NOW, title, note)
    elif bubble.open and not bubble.is_round_open:
        title = _("Spieler zählen, dann „im Geld“ ansagen")
        note = _("Sitzen dort so viele? Sonst die Zahl ändern.")
        rows = [row for row in bubble.tables if row.number in bubble.open]
        heads = tuple((row.number, row.heads.players) for row in rows)
        yield DueItem(DueKind.HEADS_OPEN, NOW, title, note, heads=heads)


# --- Due after changes of tables: a table far short, slips for moved players


SLIPS_FOR = timedelta(minutes=10)


def halt_items(event: Event, now: datetime, asked: Collection[int]) -> list[DueItem]:
    """Return the tables that must stop, and the stopped ones (TDA 2024 11-D).

    :param asked: The tables that another item asks for their button.
    """
    states = (state for state in tables_far_short(event, now) if not state.is_waived)
    return [_halt_item(state, is_asked=state.number in asked) for state in states]


def _halt_item(state: FarShort, *, is_asked: bool) -> DueItem:
    words = {"table": state.number, "count": state.short_by}
    if state.is_halted:
        title = _("Tisch %(table)s ist angehalten")
        note = _("Dort fehlen %(count)s. Das endet von selbst, sobald wieder genug dort sitzen.")
    else:
        title = _("Tisch %(table)s anhalten: Dort fehlen %(count)s")
        note = {
            None: _("Sobald die Blinds betroffen sind. Wo der Button liegt, weiß gerade niemand."),
            True: _("Ein leerer Platz betrifft schon die nächsten Blinds."),
            False: _("Noch nicht: erst wenn ein leerer Platz die Blinds betrifft."),
        }[state.blinds_affected]
    waits = state.is_halted or state.blinds_affected is False
    does_ask = state.asks and state.blinds_affected is None and not is_asked
    asks = (state.number,) if does_ask else ()
    title, note, rule = title % words, note % words, _("TDA 2024 11-D.")
    urgency, number = SOON if waits else NOW, state.number
    return DueItem(DueKind.HALT, urgency, title, note, rule=rule, number=number, asks=asks)


def moved_items(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield the slips of the latest break or redraw, for some minutes."""
    rows = Action.objects.filter(
        event=event, kind__in=kind_names(lambda kind: kind.moves_many), at__gte=now - SLIPS_FOR
    )
    action = rows.order_by("-sequence").first()
    if action is None:
        return
    moved = Seating.objects.live().filter(event=event, made_by=action).count()
    if moved:
        title = ngettext("Platzzettel für einen", "Platzzettel für %(count)s", moved)
        note = _("Für alle, die gerade umgezogen sind: zum Drucken oder zum Zeigen.")
        yield DueItem(DueKind.SLIPS, LATER, title % {"count": moved}, note, number=action.pk)


# --- Tables with a colour-up still to do


def race_items(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield the colour-up while some tables have not exchanged their chips."""
    due = race_due(event, now)
    tables = race_tables(event, due) if due is not None else []
    waiting = [str(table.number) for table in tables if not table.is_done]
    if due is None or not waiting:
        return
    note = _("Fertig: %(done)s von %(all)s Tischen. Es fehlt: %(tables)s.")
    done = len(tables) - len(waiting)
    note %= {"done": done, "all": len(tables), "tables": ", ".join(waiting)}
    # In words: "25er und 100er".
    chips = words_joined([_("%(value)ser") % {"value": intcomma(value)} for value in due.values])
    title = _("Color-up: %(chips)s raus") % {"chips": chips}
    yield DueItem(DueKind.RACE, NOW, title, note, fact="race")


# --- A stack count begun in a break: missing tables, and its sum


def stack_items(event: Event, now: datetime) -> Iterator[DueItem]:
    """Yield the rest of a count, during its break and the level after it."""
    levels, index = clock_levels(event.clock), clock_state(event.clock, now).index
    if not any(level.is_break for level in levels[max(0, index - 1) : index + 1]):
        return
    counting = counting_of(event, now)
    over = counting.over
    if counting.counted and not counting.is_complete:
        tables = [str(table.number) for table in counting.tables if not table.is_done]
        note = _("Gezählt: %(done)s von %(all)s. Es fehlt an: %(tables)s.")
        note %= {"done": counting.counted, "all": counting.players, "tables": ", ".join(tables)}
        yield DueItem(DueKind.STACKS, LATER, _("Stapel fertig zählen"), note, fact="count")
    elif counting.counted and over:
        title = (
            ngettext("Ein Chip zu viel gezählt", "%(chips)s Chips zu viel gezählt", over)
            if over > 0
            else ngettext("Ein Chip zu wenig gezählt", "%(chips)s Chips zu wenig gezählt", -over)
        )
        note = _("Gezählt sind %(total)s, im Spiel %(chips)s. Bitte nachzählen.")
        note %= {"total": intcomma(counting.total), "chips": intcomma(counting.chips)}
        yield DueItem(DueKind.STACKS, SOON, title % {"chips": intcomma(abs(over))}, note)


# --- Tables that call the director: due at once until answered


def summons_items(event: Event) -> list[DueItem]:
    """Return the calling tables, last those the director is coming to."""
    items = []
    for row in summons_live(event):
        words = {"table": row.table.number, "word": word_of(row.reason)}
        title = _("Tisch %(table)s ruft: %(word)s") % words
        note = _("Seit %(at)s.") % {"at": time_of(row.called_at)}
        kind, urgency = (DueKind.COMING, SOON) if row.is_coming else (DueKind.SUMMONED, NOW)
        items.append(DueItem(kind, urgency, title, note, number=row.table.number))
    return items


# --- Due by the conduct of players: a stack to bring, an ending penalty


# After this time, or in a known absence, staff bring the player's stack.
STACK_AFTER = timedelta(minutes=5)
MOST_LATE = 4
MOST_NAMES = 4
MOST_PENALTIES = 5


def conduct_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items of players' moves, absences and penalties."""
    coming = walking(event, None)
    known = {row.entry_id for row in absences(event, None)} if coming else set()
    # Arrivals count once one is told, or an arbiter has acted.
    told = Q(kind="seating.arrived") | Q(role=Role.ARBITER)
    tells = bool(coming) and Action.objects.filter(told, event=event).exists()
    overdue = now - STACK_AFTER
    late = [row for row in coming if row.entry_id in known or (tells and row.seated_at <= overdue)]
    # The penalties that end first.
    views = sorted(penalties_sat_out(event), key=lambda view: view.served.left)
    return [*_late_items(late, known), *map(_penalty_item, views[:MOST_PENALTIES])]


def _late_items(late: Sequence[Seating], known: Collection[int]) -> list[DueItem]:
    tables: dict[int, list[Seating]] = {}
    for row in late:
        tables.setdefault(row.table.number, []).append(row)
    items = [_missing_item(number, rows, known) for number, rows in tables.items()]
    return sorted(items, key=lambda item: item.urgency is not NOW)[:MOST_LATE]


def _missing_item(number: int, rows: Sequence[Seating], known: Collection[int]) -> DueItem:
    """Return the missing player of a table, or the first few by name."""
    names = [row.entry.registration.person.name for row in rows]
    if len(rows) == 1:
        row, words = rows[0], {"name": names[0], "table": number}
        title = _("Stapel von %(name)s an Tisch %(table)s bringen") % words
        note = _("Platz %(seat)s, vergeben um %(at)s, niemand ist angekommen.")
        note %= {"seat": row.seat, "at": time_of(row.seated_at)}
        urgency = NOW if row.entry_id in known else SOON
        return DueItem(DueKind.STACK, urgency, title, note, number=row.pk)
    more = len(names) - MOST_NAMES
    if more > 0:
        rest = ngettext("und einer mehr", "und %(count)s mehr", more) % {"count": more}
        names[MOST_NAMES:] = [rest]
    title = _("Tisch %(table)s: %(count)s nicht angekommen") % {"table": number, "count": len(rows)}
    note = _("Stapel bringen oder bestätigen, dass sie da sind: %(names)s") % {
        "names": f"{', '.join(names)}."
    }
    return DueItem(DueKind.MISSING, SOON, title, note, number=number)


def _penalty_item(view: PenaltyView) -> DueItem:
    left = view.served.left
    seating = seating_of(view.penalty.entry)
    words = {
        "name": view.penalty.entry.registration.person.name,
        "table": seating.table.number if seating else "",
        "count": left,
    }
    if not left:
        title = _("Strafe von %(name)s endet mit dieser Hand")
        note = _("Tisch %(table)s: ab der nächsten Hand spielt er wieder mit.")
    else:
        title = ngettext(
            "Strafe von %(name)s: noch eine Hand", "Strafe von %(name)s: noch %(count)s Hände", left
        )
        note = _("Tisch %(table)s.")
    urgency, fact = SOON if left <= 1 else LATER, f"{view.penalty.pk} {left <= 1}"
    title, note, entry = title % words, note % words, view.penalty.entry_id
    return DueItem(DueKind.PENALTY, urgency, title, note, number=entry, fact=fact)
