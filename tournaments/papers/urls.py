"""Addresses of `papers`."""

from django.urls import URLPattern, path

from tournaments.papers.views import exports, papers
from tournaments.papers.views.papers import SENDS

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/kassa/abrechnung/", papers.report, name="evening-report"),
    path("t/<slug:slug>/drucken/", papers.papers, name="papers"),
    path("t/<slug:slug>/drucken/aushang/", papers.poster, name="paper-poster"),
    path("t/<slug:slug>/drucken/plaetze/", papers.seat_list, name="paper-seats"),
    path("t/<slug:slug>/drucken/tische/", papers.table_plan, name="paper-tables"),
    path("t/<slug:slug>/drucken/saal/", papers.hall, name="paper-hall"),
    path("t/<slug:slug>/drucken/cash/", papers.cash_tables, name="paper-cash"),
    path("t/<slug:slug>/drucken/notfall/", papers.blank, name="paper-blank"),
    path("t/<slug:slug>/zettel/", papers.slips, name="slips"),
    path("t/<slug:slug>/zettel/<num:entry>/", papers.slip, name="slip"),
    path("t/<slug:slug>/zettel/umzug/<num:action>/", papers.moved, name="slips-moved"),
    path("t/<slug:slug>/dateien/", exports.export, name="export"),
    *(
        path(
            f"t/<slug:slug>/dateien/{table.file}.{ending}",
            exports.export_file,
            {"table": name, "ending": ending},
            name=f"export-{name}-{ending}",
        )
        for name, table in exports.TABLES.items()
        for ending in SENDS
    ),
]
