"""Addresses for making and changing a tournament, and for the club's own settings."""

from django.urls import URLPattern, path

from tournaments.views import club, ending, events, log, log_files, rehearsal, schedule, theme

_EVENT = "t/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path("neu/", events.new_event, name="new-event"),
    path("probe/", rehearsal.rehearse, name="rehearsal"),
    path(f"{_EVENT}kopieren/", events.copy, name="event-copy"),
    path(f"{_EVENT}einstellungen/", events.settings, name="event-settings"),
    path(f"{_EVENT}blindplan/", schedule.schedule, name="event-schedule"),
    path(f"{_EVENT}blindplan/stufen/", schedule.edit, name="schedule-edit"),
    path(f"{_EVENT}blindplan/zeitpunkt/", schedule.at, name="clock-at"),
    path(f"{_EVENT}protokoll/", log.protocol, name="director-log-all"),
    path(f"{_EVENT}protokoll.csv", log_files.log_csv, name="log-csv"),
    path(f"{_EVENT}protokoll.xlsx", log_files.log_xlsx, name="log-xlsx"),
    path(f"{_EVENT}protokoll.json", log_files.log_json, name="log-json"),
    path(f"{_EVENT}absagen/", ending.cancel, name="event-cancel"),
    path(f"{_EVENT}beenden/", ending.end, name="event-end"),
    path(f"{_EVENT}beispiel-entfernen/", events.sample_gone, name="sample-remove"),
    path("verein/", club.settings, name="club-settings"),
    path("verein/sicherung/", club.backup, name="backup-now"),
    path("verein/farbe/", theme.colour, name="club-colour"),
    path("verein/farbe/<slug:digest>.css", theme.style_file, name="club-style"),
    path("verein/logo/", theme.logo, name="club-logo-set"),
    path("verein/logo/entfernen/", theme.logo_remove, name="club-logo-remove"),
    path("verein/logo/<slug:digest>/", theme.logo_file, name="club-logo"),
]
