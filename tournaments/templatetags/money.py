"""Amounts of money as pages show them."""

from django import template

from tournaments.event.selectors.words import money

register = template.Library()
register.filter("money", money)
