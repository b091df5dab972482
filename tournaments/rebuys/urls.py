"""Addresses of `entries`."""

from django.urls import URLPattern, path

from tournaments.rebuys.views import purchases

_BUY = "t/<slug:slug>/nachkauf/"

urlpatterns: list[URLPattern] = [
    path(_BUY, purchases.open_panel, name="purchases-open"),
    path(f"{_BUY}add-ons/", purchases.addons, name="addons"),
    path(f"{_BUY}<num:entry>/", purchases.sheet, name="purchase"),
    path(f"{_BUY}<num:entry>/zurueck/", purchases.unask, name="purchase-unask"),
    path(f"{_BUY}<num:entry>/<str:what>/", purchases.buy, name="purchase-buy"),
    path(f"{_BUY}<num:entry>/<str:what>/wunsch/", purchases.ask, name="purchase-ask"),
]
