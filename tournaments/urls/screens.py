"""Addresses of the big screens: what a screen itself opens, and where a director directs them."""

from django.urls import URLPattern, path

from tournaments.views import big_screen, screens

_ANY = "leinwand/"
_SCREENS = "t/<slug:slug>/leinwaende/"

urlpatterns: list[URLPattern] = [
    path(_ANY, big_screen.screen_any, name="screen-any"),
    path(f"{_ANY}meldung/", big_screen.report, name="screen-report"),
    path(f"{_ANY}saal.json", big_screen.hall, name="screen-hall"),
    path(_SCREENS, screens.screens, name="screens"),
    path(f"{_SCREENS}liste/", screens.screen_list, name="screens-list"),
    path(f"{_SCREENS}code/", screens.claim, name="screen-claim"),
    path(f"{_SCREENS}<int:screen>/", screens.change, name="screen-change"),
    path(f"{_SCREENS}<int:screen>/abgeben/", screens.retire, name="screen-retire"),
    path(f"{_SCREENS}ruecknahme/<int:screen_action>/", screens.undo, name="screen-undo"),
]
