"""Deals on pages of other packages."""

from django import template

from tournaments.models import Event
from tournaments.payouts.selectors.deals import DealSeen, deal_open

register = template.Library()


@register.simple_tag
def deal_offered(event: Event) -> DealSeen | None:
    """Return the deal waiting for answers (one query without any)."""
    return deal_open(event) if event.has_started and not event.is_over else None
