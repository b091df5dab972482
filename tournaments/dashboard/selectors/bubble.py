"""Due near the money: hand-for-hand, the next hand, differing head counts, the announcement."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clock.selectors import clock_state
from tournaments.dashboard.selectors.items import DueItem, DueKind, Urgency
from tournaments.models import Event
from tournaments.play.selectors.bubble import (
    Bubble,
    bubble_of,
    money_taken_back,
    round_current,
    tables_awaited,
)
from tournaments.play.selectors.bubble_words import difference, waits_for_break

MOST_DIFFERING = 3


def bubble_items(event: Event, now: datetime) -> list[DueItem]:
    """Return the due items near the money; of differing tables only the first few.

    After the bubble: count heads, announce the money, end hand-for-hand. No hand is released.
    """
    bubble = bubble_of(event)
    items = [*_taken_back(event, bubble), *_differing(bubble)]
    if bubble.is_near and not bubble.to_money:
        return [*items, *_money(bubble)]
    if bubble.round is not None and bubble.is_reached:
        return [*items, *_end(bubble)]
    if bubble.round is not None:
        items += _in_hand_for_hand(event, bubble, now)
    elif bubble.is_near and bubble.may_burst and len(bubble.tables) > 1:
        items.append(_begin(bubble))
    return items


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


def _taken_back(event: Event, bubble: Bubble) -> list[DueItem]:
    if not bubble.is_near or not money_taken_back(event):
        return []
    note = _("Noch %(left)s im Spiel, %(paid)s Plätze bezahlt. Die Tische werden neu gezählt.")
    return [
        DueItem(
            kind=DueKind.MONEY_BACK,
            urgency=Urgency.NOW,
            title=_("„Im Geld“ gilt nicht mehr"),
            note=note % {"left": bubble.left, "paid": bubble.paid},
        )
    ]


def _differing(bubble: Bubble) -> list[DueItem]:
    if not bubble.is_near:
        return []
    return [
        DueItem(
            kind=DueKind.HEADS,
            urgency=Urgency.NOW,
            title=difference(heads),
            note=_("Nachzählen, oder eintragen, wer fehlt oder dazukam."),
            number=heads.number,
        )
        for heads in bubble.differing[:MOST_DIFFERING]
    ]


def _in_hand_for_hand(event: Event, bubble: Bubble, now: datetime) -> list[DueItem]:
    if bubble.awaited:
        return []
    assert bubble.round is not None
    stays = waits_for_break(event, now)
    if stays:
        return [
            DueItem(
                kind=DueKind.ROUND_WAITS,
                urgency=Urgency.SOON,
                title=_("Alle Tische sind fertig"),
                note=stays,
            )
        ]
    return [
        DueItem(
            kind=DueKind.ROUND,
            urgency=Urgency.NOW,
            title=_("Alle Tische sind fertig"),
            note=_("Die nächste Hand wird für alle zugleich freigegeben."),
            number=bubble.round.number,
        )
    ]


def _begin(bubble: Bubble) -> DueItem:
    title = ngettext("Noch einer bis zum Geld", "Noch %(shown)s bis zum Geld", bubble.to_money)
    return DueItem(
        kind=DueKind.HAND_FOR_HAND,
        urgency=Urgency.NOW,
        title=title % {"shown": bubble.to_money},
        note=_("Eine einzige Hand an allen Tischen kann jetzt ins Geld führen."),
    )


def _end(bubble: Bubble) -> list[DueItem]:
    if bubble.is_round_open:
        return []
    return [
        DueItem(
            kind=DueKind.HAND_FOR_HAND_END,
            urgency=Urgency.NOW,
            title=_("Hand für Hand beenden"),
            note=_(
                "Alle sind im Geld. Jeder Tisch spielt wieder für sich, und die Uhr läuft weiter."
            ),
        )
    ]


def _money(bubble: Bubble) -> list[DueItem]:
    if bubble.hindrance is None:
        return [
            DueItem(
                kind=DueKind.MONEY,
                urgency=Urgency.NOW,
                title=_("„Im Geld“ ansagen"),
                note=_("Jeder Tisch ist gezählt, und die Zahlen stimmen."),
            )
        ]
    if not bubble.open or bubble.is_round_open:
        return []
    return [
        DueItem(
            kind=DueKind.HEADS_OPEN,
            urgency=Urgency.NOW,
            title=_("Spieler zählen, dann „im Geld“ ansagen"),
            note=_("Sitzen dort so viele? Sonst die Zahl ändern."),
            heads=tuple(
                (row.number, row.heads.players)
                for row in bubble.tables
                if row.number in bubble.open
            ),
        )
    ]
