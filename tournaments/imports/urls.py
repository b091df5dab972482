"""Addresses of `imports`."""

from django.urls import URLPattern, path

from tournaments.imports.views import evenings, imports, people

_HERE = "verein/personen/"

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/einlesen/", imports.import_file, name="import"),
    path("t/<slug:slug>/einlesen/uebernehmen/", imports.import_confirm, name="import-confirm"),
    path(_HERE, people.people, name="people"),
    path("verein/personen.csv", people.people_csv, name="people-csv"),
    path("verein/personen.xlsx", people.people_xlsx, name="people-xlsx"),
    path(f"{_HERE}<num:person>/", people.person, name="person"),
    path(f"{_HERE}<num:person>/zusammenfuehren/", people.merge, name="person-merge"),
    path(f"{_HERE}trennen/<num:merge>/", people.unmerge, name="person-unmerge"),
    path("verein/nachtragen/", evenings.evening_file, name="evening-file"),
    path("verein/nachtragen/uebernehmen/", evenings.evening_confirm, name="evening-confirm"),
    path(f"{_HERE}mitglieder/", people.members, name="members"),
    path(f"{_HERE}mitglieder/uebernehmen/", people.members_confirm, name="members-confirm"),
]
