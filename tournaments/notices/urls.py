"""URLs of `notices`."""

from django.urls import URLPattern, path

from tournaments.notices.views import choosing, outside

_CLUB = "verein/nach-aussen/"

urlpatterns: list[URLPattern] = [
    path("handy/", choosing.start, name="start"),
    path("handy/arbeiter.js", choosing.worker, name="start-worker"),
    path("p/<str:token>/melden/", choosing.own, name="player-notices"),
    path("t/<slug:slug>/melden/", choosing.device, name="device-notices"),
    path(_CLUB, outside.outside, name="outside"),
    path(f"{_CLUB}bot/", outside.bot, name="outside-bot"),
    path(f"{_CLUB}webhook/", outside.add, name="webhook-add"),
    path(f"{_CLUB}webhook/<num:webhook>/entfernen/", outside.remove, name="webhook-remove"),
    path(f"{_CLUB}sendung/<num:delivery>/nochmal/", outside.resend, name="delivery-resend"),
]
