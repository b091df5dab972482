"""Addresses of `practice`."""

from django.urls import URLPattern, path

from tournaments.practice.views import rehearsal, sample

_EVENT = "t/<slug:slug>/"
_TABLES = "t/<slug:slug>/tische/"

urlpatterns: list[URLPattern] = [
    path("probe/", rehearsal.rehearse, name="rehearsal"),
    path(f"{_EVENT}beispiel-entfernen/", sample.sample_gone, name="sample-remove"),
    path(f"{_TABLES}<int:number>/probe/", rehearsal.scene, name="floor-scene"),
]
