"""URLs of `undo`."""

from django.urls import URLPattern, path

from tournaments.undo.views import undo

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/ruecknahme/<num:action>/", undo.undo, name="action-undo"),
    path("t/<slug:slug>/ruecknahme/<num:action>/vorschau/", undo.preview, name="undo-preview"),
]
