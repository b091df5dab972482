"""Addresses of `imports`."""

from django.urls import URLPattern, path

from tournaments.imports.views import evenings, imports

_HERE = "verein/personen/"

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/einlesen/", imports.import_file, name="import"),
    path("t/<slug:slug>/einlesen/uebernehmen/", imports.import_confirm, name="import-confirm"),
    path(_HERE, imports.people, name="people"),
    path("verein/personen.csv", imports.people_file, {"ending": "csv"}, name="people-csv"),
    path("verein/personen.xlsx", imports.people_file, {"ending": "xlsx"}, name="people-xlsx"),
    path(f"{_HERE}<num:person>/", imports.person, name="person"),
    path(f"{_HERE}<num:person>/zusammenfuehren/", imports.merge, name="person-merge"),
    path(f"{_HERE}trennen/<num:merge>/", imports.unmerge, name="person-unmerge"),
    path("verein/nachtragen/", evenings.evening_file, name="evening-file"),
    path("verein/nachtragen/uebernehmen/", evenings.evening_confirm, name="evening-confirm"),
    path(f"{_HERE}mitglieder/", imports.members, name="members"),
    path(f"{_HERE}mitglieder/uebernehmen/", imports.members_confirm, name="members-confirm"),
]
