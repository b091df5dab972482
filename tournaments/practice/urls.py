"""Addresses of `practice`."""

from django.urls import URLPattern, path

from tournaments.practice.views import rehearsal, sample, self_play

_EVENT = "t/<slug:slug>/"
_TABLES = "t/<slug:slug>/tische/"

urlpatterns: list[URLPattern] = [
    path("probe/", rehearsal.rehearse, name="rehearsal"),
    path(f"{_EVENT}probe/abspielen/", self_play.play, name="rehearsal-play"),
    path(f"{_EVENT}probe/anhalten/", self_play.halt, name="rehearsal-halt"),
    path(f"{_EVENT}probe/schritt/", self_play.step, name="rehearsal-step"),
    path(f"{_EVENT}beispiel-entfernen/", sample.sample_gone, name="sample-remove"),
    path(f"{_TABLES}<int:number>/probe/", rehearsal.scene, name="floor-scene"),
]
