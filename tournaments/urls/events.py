"""Addresses for making and changing a tournament, and for the club's own settings."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
