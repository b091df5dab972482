"""URLs of `log`."""

from django.urls import URLPattern, path

from tournaments.log.views import log

_EVENT = "t/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path("verein/alles.zip", log.archive, name="archive"),
    path(f"{_EVENT}protokoll/", log.log, name="director-log-all"),
    path(f"{_EVENT}protokoll/stand.json", log.heads, name="log-heads"),
    path(f"{_EVENT}protokoll.csv", log.log_csv, name="log-csv"),
    path(f"{_EVENT}protokoll.xlsx", log.log_xlsx, name="log-xlsx"),
    path(f"{_EVENT}protokoll.json", log.log_json, name="log-json"),
]
