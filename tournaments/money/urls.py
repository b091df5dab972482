"""Addresses of `money`."""

from django.urls import URLPattern, path

from tournaments.money.views import deals

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/leitung/deal/", deals.deal, name="deal"),
]
