"""Addresses of the floor pages."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
