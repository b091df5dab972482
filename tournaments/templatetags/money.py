"""Amounts of money on pages, and whether an evening has money at all."""

from typing import Any

from django import template
from django.utils.translation import gettext as _

from tournaments.cashgame.selectors.due import cash_left
from tournaments.changes.views.requests import present
from tournaments.dashboard.selectors.due_money import open_at_end
from tournaments.event.selectors.event import entry_names, sells_again
from tournaments.event.selectors.labels import amount, currency_code, in_currency, money, unit_typed
from tournaments.event.selectors.stakes import event_has_money
from tournaments.models import Elimination, Event, LostStack, Seating
from tournaments.payouts.domain.bounties import Hit
from tournaments.payouts.selectors.bounties import (
    bounties_of,
    event_has_bounties,
    heads_of,
    top_hunters,
)
from tournaments.people.domain.naming import shown_name
from tournaments.play.selectors.eliminations import stacks_lost
from tournaments.rebuys.selectors.prices import announced

register = template.Library()
register.filter("money", money)
register.filter("in_currency", in_currency)
register.simple_tag(announced)
register.simple_tag(currency_code, name="currency")
register.filter("cash_amount", lambda cents, event: amount(cents, event.cash_unit))
register.filter("cash_unit", lambda event: unit_typed(event.cash_unit))
register.filter("has_money", event_has_money)
register.filter("cash_left", lambda event: cash_left(event, present(event)))
register.filter("open_at_end", open_at_end)
register.filter("sells_again", sells_again)


# --- Bounties on pages of other packages


@register.filter
def has_bounties(event: object) -> bool:
    return isinstance(event, Event) and event_has_bounties(event)


@register.simple_tag
def head_of(event: Event, entry: int) -> int | None:
    """Return the bounty on a player still in, or None."""
    return heads_of(event).get(entry) if event_has_bounties(event) else None


@register.simple_tag
def hit_of(event: Event, row: Elimination | LostStack) -> Hit | None:
    """Return the takers and amounts of a lost stack's bounty, as far as known."""
    if not event_has_bounties(event):
        return None
    lost = row.pk if isinstance(row, LostStack) else None
    stacks = [one for one in stacks_lost(event) if (one.entry, one.lost) == (row.entry_id, lost)]
    number = stacks[0].number if stacks else 0
    hits = (
        hit for hit in bounties_of(event).hits if (hit.entry, hit.number) == (row.entry_id, number)
    )
    return next(hits, None)


@register.simple_tag
def won_by(event: Event, row: Elimination | LostStack) -> str:
    """Return who gets how much of a lost stack's bounty, in words; empty if not known."""
    hit = hit_of(event, row)
    won = hit.won if hit else {}
    names = entry_names(set(won))
    words = _("%(name)s bekommt %(amount)s")
    return ", ".join(
        words % {"name": names[entry], "amount": money(cents)} for entry, cents in won.items()
    )


@register.simple_tag
def heads_at(event: Event, number: int) -> dict[str, Any]:
    """Return the bounty of several heads at a table, and those named with theirs, by seat."""
    heads = heads_of(event) if event_has_bounties(event) else {}
    if not heads:
        return {}
    rows = Seating.objects.live().filter(event=event, table__number=number).order_by("seat")
    seated = rows.values_list("entry", "entry__registration__person__name")
    found = [(name, heads[entry]) for entry, name in seated if entry in heads]
    least = min((cents for _name, cents in found), default=0)
    larger = [one for one in found if one[1] > least]
    if len(found) - len(larger) == 1:  # one head alone is named like the others
        return {"least": 0, "named": found}
    return {"least": least, "named": larger} if found else {}


@register.simple_tag
def hunters(event: Event, to_staff: bool = False) -> list[dict[str, Any]]:
    """Return the top bounty winners; strangers see initials of unlisted people."""
    if not event_has_bounties(event):
        return []
    return [
        {
            "name": shown_name(line.name, is_listed=line.is_listed, to_staff=to_staff),
            "won": line.won,
            "heads": line.heads_taken,
        }
        for line in top_hunters(event)
    ]
