"""Addresses for making and changing a tournament, and for the club's own settings."""

from django.urls import URLPattern, path

from tournaments.views import club, ending, events, log, schedule

_EVENT = "t/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path("neu/", events.new_event, name="new-event"),
    path(f"{_EVENT}kopieren/", events.copy, name="event-copy"),
    path(f"{_EVENT}einstellungen/", events.settings, name="event-settings"),
    path(f"{_EVENT}blindplan/", schedule.schedule, name="event-schedule"),
    path(f"{_EVENT}blindplan/stufen/", schedule.edit, name="schedule-edit"),
    path(f"{_EVENT}blindplan/zeitpunkt/", schedule.at, name="clock-at"),
    path(f"{_EVENT}protokoll/", log.protocol, name="director-log-all"),
    path(f"{_EVENT}absagen/", ending.cancel, name="event-cancel"),
    path(f"{_EVENT}beenden/", ending.end, name="event-end"),
    path(f"{_EVENT}beispiel-entfernen/", events.sample_gone, name="sample-remove"),
    path("verein/", club.settings, name="club-settings"),
    path("verein/sicherung/", club.backup, name="backup-now"),
]
