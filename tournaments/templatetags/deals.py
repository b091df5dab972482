"""What pages of other areas say of deals."""

from django import template

from tournaments.models import Event
from tournaments.money.selectors.deals import DealSeen, deal_open

register = template.Library()


@register.simple_tag
def deal_offered(event: Event) -> DealSeen | None:
    """Return the deal that waits for answers. One question to the database where there is none."""
    return deal_open(event) if event.has_started and not event.is_over else None
