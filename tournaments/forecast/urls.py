"""Addresses of `forecast`."""

from django.urls import URLPattern, path

from tournaments.forecast.views import forecast

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/leitung/schluss/", forecast.forecast, name="forecast"),
    path("t/<slug:slug>/blindplan/planen/", forecast.plan, name="schedule-plan"),
]
