"""Amounts of money on pages, and whether an evening has money at all."""

from django import template

from tournaments.cashgame.selectors.due import cash_left
from tournaments.changes.views.requests import present
from tournaments.dashboard.selectors.due_money import open_at_end
from tournaments.event.selectors.event import sells_again
from tournaments.event.selectors.labels import amount, currency_code, in_currency, money, unit_typed
from tournaments.event.selectors.stakes import event_has_money
from tournaments.models import Event
from tournaments.rebuys.selectors.prices import Announced, announced

register = template.Library()
register.filter("money", money)
register.filter("in_currency", in_currency)
register.simple_tag(currency_code, name="currency")
register.filter("cash_amount", lambda cents, event: amount(cents, event.cash_unit))
register.filter("cash_unit", lambda event: unit_typed(event.cash_unit))
register.filter("has_money", event_has_money)
register.filter("cash_left", lambda event: cash_left(event, present(event)))
register.filter("open_at_end", open_at_end)
register.filter("sells_again", sells_again)


@register.simple_tag(name="announced")
def announced_lines(event: Event) -> list[Announced]:
    """Return the announced prices and purchases."""
    return announced(event)
