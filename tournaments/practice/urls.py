"""Addresses of `practice`."""

from django.urls import URLPattern, path

from tournaments.practice.views import rehearsal

_EVENT = "t/<slug:slug>/"
_TABLES = "t/<slug:slug>/tische/"

urlpatterns: list[URLPattern] = [
    path("probe/", rehearsal.rehearse, name="rehearsal"),
    path(f"{_EVENT}probe/abspielen/", rehearsal.play, name="rehearsal-play"),
    path(f"{_EVENT}probe/anhalten/", rehearsal.halt, name="rehearsal-halt"),
    path(f"{_EVENT}probe/schritt/", rehearsal.step, name="rehearsal-step"),
    path(f"{_EVENT}beispiel-entfernen/", rehearsal.sample_gone, name="sample-remove"),
    path(f"{_TABLES}<num:number>/probe/", rehearsal.scene, name="floor-scene"),
]
