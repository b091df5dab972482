"""Addresses of `rules`."""

from django.urls import URLPattern, path

from tournaments.rules.views import rules

_RULES = "t/<slug:slug>/einstellungen/regeln/"

urlpatterns: list[URLPattern] = [
    path(_RULES, rules.rules, name="event-rules"),
    path(f"{_RULES}vorlage/", rules.preset_choose, name="event-preset"),
    path(f"{_RULES}behalten/", rules.preset_save, name="event-preset-save"),
]
