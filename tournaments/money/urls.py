"""Addresses of `money`."""

from django.urls import URLPattern, path

from tournaments.money.views import drawers

_HERE = "t/<slug:slug>/kassa/"

urlpatterns: list[URLPattern] = [
    path("verein/zahlungsarten/", drawers.means, name="club-means"),
    path("verein/tickets/", drawers.tickets, name="tickets"),
    path(f"{_HERE}ticket/<num:ticket>/", drawers.slip, name="ticket"),
    path(_HERE, drawers.drawers, name="drawer"),
    path(f"{_HERE}oeffnen/", drawers.opened, name="drawer-open"),
    path(f"{_HERE}<num:drawer>/bewegen/", drawers.moved, name="drawer-move"),
    path(f"{_HERE}<num:drawer>/uebernehmen/", drawers.filled, name="drawer-fill"),
    path(f"{_HERE}<num:drawer>/uebergeben/", drawers.handed, name="drawer-hand"),
    path(f"{_HERE}<num:drawer>/abschliessen/", drawers.closed, name="drawer-close"),
    path(f"{_HERE}beleg/<num:receipt>/", drawers.receipt, name="receipt"),
    path(f"{_HERE}beleg/<num:receipt>/mail/", drawers.mailed, name="receipt-mail"),
]
