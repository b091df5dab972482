"""URLs of `dashboard`."""

from django.urls import URLPattern, path

from tournaments.dashboard.views import dashboard

_DIRECTOR = "t/<slug:slug>/leitung/"

urlpatterns: list[URLPattern] = [
    path(_DIRECTOR, dashboard.dashboard, name="director"),
    path(f"{_DIRECTOR}uhr-bei-hand-fuer-hand/", dashboard.start_in_round, name="clock-in-round"),
    path(f"{_DIRECTOR}stand/uhr/", dashboard.clock_panel, name="director-clock"),
    path(f"{_DIRECTOR}stand/zahlen/", dashboard.facts_panel, name="director-facts"),
    path(f"{_DIRECTOR}stand/ende/", dashboard.end_panel, name="director-end"),
    path(f"{_DIRECTOR}stand/tische/", dashboard.tables_panel, name="director-tables"),
    path(f"{_DIRECTOR}stand/bubble/", dashboard.bubble_panel, name="director-bubble"),
    path(f"{_DIRECTOR}stand/cash-tische/", dashboard.cash_panel, name="director-cash"),
    path(f"{_DIRECTOR}stand/was-ansteht/", dashboard.due_panel, name="director-due"),
    path(f"{_DIRECTOR}beiseite/", dashboard.put_aside, name="due-aside"),
    path(f"{_DIRECTOR}stand/stufen/", dashboard.in_force_panel, name="director-in-force"),
    path(f"{_DIRECTOR}stand/probe/", dashboard.rehearsal_panel, name="director-rehearsal"),
    path(f"{_DIRECTOR}stand/letzte/", dashboard.log_panel, name="director-log"),
    path(f"{_DIRECTOR}stand/zaehler/", dashboard.counts_panel, name="director-counts"),
]
