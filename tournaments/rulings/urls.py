"""Addresses of `rulings`."""

from django.urls import URLPattern, path

from tournaments.rulings.views import desk

_DESK = "t/<slug:slug>/regelfragen/"

urlpatterns: list[URLPattern] = [
    path(_DESK, desk.desk, name="ruling-desk"),
    path(f"{_DESK}entschieden/", desk.rulings, name="rulings"),
    path(f"{_DESK}eintragen/", desk.note, name="ruling-note"),
    path("t/<slug:slug>/regeln/haende/", desk.hands, name="hands-page"),
]
