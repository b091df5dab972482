"""Addresses of the desk: registrations, check-in, slips, lists from files."""

from django.urls import path

from tournaments.views import apart, desk, imports, slips

urlpatterns = [
    path("t/<slug:slug>/anmeldung/", desk.desk, name="desk"),
    path("t/<slug:slug>/anmeldung/liste/", desk.desk_list, name="desk-list"),
    path("t/<slug:slug>/anmeldung/neu/", desk.desk_register, name="desk-register"),
    path(
        "t/<slug:slug>/anmeldung/<int:registration>/einchecken/",
        desk.desk_check_in,
        name="desk-check-in",
    ),
    path(
        "t/<slug:slug>/anmeldung/<int:registration>/daten/", desk.desk_correct, name="desk-correct"
    ),
    path(
        "t/<slug:slug>/anmeldung/<int:registration>/abmelden/",
        desk.desk_withdraw,
        name="desk-withdraw",
    ),
    path("t/<slug:slug>/zettel/", slips.slips, name="slips"),
    path("t/<slug:slug>/zettel/<int:entry>/", slips.slip, name="slip"),
    path("t/<slug:slug>/zettel/umzug/<int:action>/", slips.moved, name="slips-moved"),
    path("t/<slug:slug>/getrennt/", apart.apart, name="keep-apart"),
    path("t/<slug:slug>/getrennt/<int:wish>/aufheben/", apart.drop, name="keep-apart-drop"),
    path("t/<slug:slug>/einlesen/", imports.import_file, name="import"),
    path("t/<slug:slug>/einlesen/uebernehmen/", imports.import_confirm, name="import-confirm"),
]
