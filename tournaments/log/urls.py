"""URLs of `log`."""

from django.urls import URLPattern, path

from tournaments.log.views import log
from tournaments.papers.views.papers import send_csv, send_xlsx

_EVENT = "t/<slug:slug>/"

urlpatterns: list[URLPattern] = [
    path("verein/alles.zip", log.archive, name="archive"),
    path(f"{_EVENT}protokoll/", log.log, name="director-log-all"),
    path(f"{_EVENT}protokoll/stand.json", log.heads, name="log-heads"),
    path(f"{_EVENT}protokoll.csv", log.log_table, {"send": send_csv}, name="log-csv"),
    path(f"{_EVENT}protokoll.xlsx", log.log_table, {"send": send_xlsx}, name="log-xlsx"),
    path(f"{_EVENT}protokoll.json", log.log_json, name="log-json"),
]
