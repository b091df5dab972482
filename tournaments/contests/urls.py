"""Addresses of `contests`."""

from django.urls import URLPattern, path

from tournaments.contests.views import contests

_CLUB = "verein/flights/"
_EVENT = "t/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path(f"{_CLUB}neu/", contests.edit, name="contest-new"),
    path(f"{_CLUB}<num:contest>/", contests.contest, name="contest"),
    path(f"{_CLUB}<num:contest>/bearbeiten/", contests.edit, name="contest-edit"),
    path(f"{_CLUB}<num:contest>/neu/", contests.stage_edit, name="stage-new"),
    path(f"{_CLUB}flight/<num:stage>/", contests.stage_edit, name="stage-edit"),
    path(f"{_CLUB}flight/<num:stage>/weg/", contests.stage_drop, name="stage-remove"),
    path(f"{_EVENT}leitung/tag-beenden/", contests.end, name="day-end"),
    path(f"{_EVENT}leitung/haende-auslosen/", contests.draw_hands, name="last-hands-draw"),
    path(f"{_EVENT}leitung/tag-auslosen/", contests.draw, name="day-draw"),
    path(f"{_EVENT}leitung/preisgeld-uebernehmen/", contests.take_pool, name="pool-carry"),
    path(f"{_EVENT}tische/saecke/", contests.bags, name="bags"),
    path(f"{_EVENT}tische/saecke/<num:entry>/", contests.bag, name="bag-say"),
    path(f"{_EVENT}saecke/", contests.bag_list, name="bag-list"),
]
