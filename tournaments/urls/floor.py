"""Addresses of the pages an arbiter carries round the hall."""

from django.urls import URLPattern, path

from tournaments.views import announcing, calls, floor, hands

_TABLES = "t/<slug:slug>/tische/"

urlpatterns: list[URLPattern] = [
    path(_TABLES, floor.tables, name="floor"),
    path("t/<slug:slug>/durchsage/", announcing.announce, name="announce"),
    path(f"{_TABLES}liste/", floor.table_list, name="floor-tables"),
    path(f"{_TABLES}suche/", floor.find, name="floor-find"),
    path(f"{_TABLES}aus/", floor.out_many, name="floor-out-many"),
    path(f"{_TABLES}spieler/<int:entry>/", floor.player, name="floor-player"),
    path(f"{_TABLES}spieler/<int:entry>/aus/", floor.out, name="floor-out"),
    path(f"{_TABLES}<int:number>/", floor.table, name="floor-table"),
    path(f"{_TABLES}<int:number>/stand/", floor.table_panel, name="floor-table-panel"),
    path(f"{_TABLES}<int:number>/mehrere/", floor.many, name="floor-many"),
    path(f"{_TABLES}<int:number>/geber/", floor.dealer, name="floor-dealer"),
    path(f"{_TABLES}<int:number>/karten/", floor.cards, name="floor-cards"),
    path(f"{_TABLES}<int:number>/hand/", hands.begin, name="floor-hand"),
    path(f"{_TABLES}spieler/<int:entry>/uhr/", calls.start, name="floor-call-start"),
    path(f"{_TABLES}uhr/<int:call>/", calls.count, name="floor-call"),
    path(f"{_TABLES}uhr/<int:call>/gehandelt/", calls.stop, name="floor-call-stop"),
    path(f"{_TABLES}uhr/<int:call>/abgelaufen/", calls.run_out, name="floor-call-over"),
    path(f"{_TABLES}<int:number>/stufe/", hands.in_force, name="floor-in-force"),
]
