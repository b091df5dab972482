"""URLs of `dashboard`."""

from django.urls import URLPattern, path

from tournaments.dashboard.views import dashboard
from tournaments.dashboard.views.dashboard import panel_page

_DIRECTOR = "t/<slug:slug>/leitung/"

urlpatterns: list[URLPattern] = [
    path(_DIRECTOR, dashboard.dashboard, name="director"),
    path(f"{_DIRECTOR}uhr-bei-hand-fuer-hand/", dashboard.start_in_round, name="clock-in-round"),
    path(f"{_DIRECTOR}stand/uhr/", panel_page(dashboard.CLOCK), name="director-clock"),
    path(f"{_DIRECTOR}stand/zahlen/", panel_page(dashboard.FACTS), name="director-facts"),
    path(f"{_DIRECTOR}stand/ende/", panel_page(dashboard.END), name="director-end"),
    path(f"{_DIRECTOR}stand/tische/", panel_page(dashboard.TABLES), name="director-tables"),
    path(f"{_DIRECTOR}stand/bubble/", panel_page(dashboard.BUBBLE), name="director-bubble"),
    path(f"{_DIRECTOR}stand/cash-tische/", dashboard.cash_panel, name="director-cash"),
    path(f"{_DIRECTOR}stand/was-ansteht/", panel_page(dashboard.DUE), name="director-due"),
    path(f"{_DIRECTOR}beiseite/", dashboard.put_aside, name="due-aside"),
    path(f"{_DIRECTOR}stand/stufen/", panel_page(dashboard.IN_FORCE), name="director-in-force"),
    path(f"{_DIRECTOR}stand/probe/", panel_page(dashboard.REHEARSAL), name="director-rehearsal"),
    path(f"{_DIRECTOR}stand/letzte/", panel_page(dashboard.LOG), name="director-log"),
    path(f"{_DIRECTOR}stand/zaehler/", panel_page(dashboard.COUNTS), name="director-counts"),
]
