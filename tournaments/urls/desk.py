"""Addresses of the desk: registrations, check-in, slips, lists from files."""

from django.urls import path

from tournaments.views import apart, desk, desk_acts, desk_people, exports, imports, papers, slips

_PERSON = "t/<slug:slug>/anmeldung/<int:registration>/"

urlpatterns = [
    path("t/<slug:slug>/anmeldung/", desk.desk, name="desk"),
    path("t/<slug:slug>/anmeldung/liste/", desk.desk_list, name="desk-list"),
    path("t/<slug:slug>/anmeldung/neu/", desk_people.desk_register, name="desk-register"),
    path(
        "t/<slug:slug>/anmeldung/<int:registration>/einchecken/",
        desk_people.desk_check_in,
        name="desk-check-in",
    ),
    path(
        "t/<slug:slug>/anmeldung/<int:registration>/daten/",
        desk_people.desk_correct,
        name="desk-correct",
    ),
    path(
        "t/<slug:slug>/anmeldung/<int:registration>/abmelden/",
        desk_people.desk_withdraw,
        name="desk-withdraw",
    ),
    path(f"{_PERSON}da/", desk_acts.arrived, name="desk-arrived"),
    path(f"{_PERSON}platz/", desk_acts.place, name="desk-place"),
    path(f"{_PERSON}angebot/", desk_acts.accept, name="desk-accept"),
    path(f"{_PERSON}bezahlt/", desk_acts.pay, name="fee-pay"),
    path(f"{_PERSON}zurueckgegeben/", desk_acts.refund, name="fee-refund"),
    path("t/<slug:slug>/anmeldung/nicht-gekommen/", desk_acts.release, name="noshows-release"),
    path("t/<slug:slug>/drucken/", papers.papers, name="papers"),
    path("t/<slug:slug>/drucken/aushang/", papers.poster, name="paper-poster"),
    path("t/<slug:slug>/drucken/plaetze/", papers.seat_list, name="paper-seats"),
    path("t/<slug:slug>/drucken/tische/", papers.table_plan, name="paper-tables"),
    path("t/<slug:slug>/drucken/notfall/", papers.blank, name="paper-blank"),
    path("t/<slug:slug>/zettel/", slips.slips, name="slips"),
    path("t/<slug:slug>/zettel/<int:entry>/", slips.slip, name="slip"),
    path("t/<slug:slug>/zettel/umzug/<int:action>/", slips.moved, name="slips-moved"),
    path("t/<slug:slug>/getrennt/", apart.apart, name="keep-apart"),
    path("t/<slug:slug>/getrennt/<int:wish>/aufheben/", apart.drop, name="keep-apart-drop"),
    path("t/<slug:slug>/einlesen/", imports.import_file, name="import"),
    path("t/<slug:slug>/einlesen/uebernehmen/", imports.import_confirm, name="import-confirm"),
    path("t/<slug:slug>/dateien/", exports.export, name="export"),
    *(
        path(
            f"t/<slug:slug>/dateien/{table.file}.{ending}",
            view,
            {"table": name},
            name=f"export-{name}-{ending}",
        )
        for name, table in exports.TABLES.items()
        for ending, view in (("csv", exports.export_csv), ("xlsx", exports.export_xlsx))
    ),
]
