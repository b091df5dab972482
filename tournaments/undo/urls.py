"""URLs of `undo`."""

from django.urls import URLPattern, path

from tournaments.undo.views import undo

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/ruecknahme/<int:action>/", undo.undo, name="action-undo"),
    path("t/<slug:slug>/ruecknahme/<int:action>/vorschau/", undo.preview, name="undo-preview"),
]
