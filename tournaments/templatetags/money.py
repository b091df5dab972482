"""Amounts of money as pages show them."""

from decimal import Decimal

from django import template
from django.utils.formats import number_format
from django.utils.translation import gettext as _

register = template.Library()
CENT = Decimal("0.01")


@register.filter
def money(cents: int) -> str:
    """Return an amount in the language of the page, its cents left out where there are none."""
    amount = Decimal(cents) * CENT
    is_whole = cents % 100 == 0
    shown = number_format(amount, decimal_pos=0 if is_whole else 2, force_grouping=True)
    return _("%(amount)s\u00a0€") % {"amount": shown}
