"""Addresses for signing a device in, and for the list of staff devices."""

from django.urls import URLPattern, path

from tournaments.views import signin, staff

urlpatterns: list[URLPattern] = [
    path("in/<str:token>/", signin.sign_in, name="sign-in"),
    path("abmelden/", signin.sign_out, name="sign-out"),
    path("t/<slug:slug>/geraete/", staff.devices, name="staff"),
    path("t/<slug:slug>/geraete/liste/", staff.device_list, name="staff-devices"),
    path("t/<slug:slug>/geraete/zugang/", staff.link_new, name="staff-link"),
    path("t/<slug:slug>/geraete/skript/", staff.token_new, name="staff-token"),
    path("t/<slug:slug>/geraete/<int:device>/abmelden/", staff.revoke, name="staff-revoke"),
]
