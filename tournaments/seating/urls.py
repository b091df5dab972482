"""Addresses of `seating`."""

from django.urls import URLPattern, path

from tournaments.seating.views import seats, tables

_DIRECTOR = "t/<slug:slug>/leitung/"
_TABLE = f"{_DIRECTOR}tisch/<num:number>/"

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/getrennt/", tables.apart, name="keep-apart"),
    path("t/<slug:slug>/getrennt/<num:wish>/aufheben/", tables.drop, name="keep-apart-drop"),
    path(f"{_DIRECTOR}auslosung/", tables.draw_seats, name="seats-draw"),
    path(f"{_DIRECTOR}saalzahl/", tables.hall_number, name="hall-number"),
    path(f"{_DIRECTOR}tisch/oeffnen/", tables.open_table, name="table-open"),
    path(f"{_TABLE}schliessen/", tables.close_table, name="table-close"),
    path(f"{_TABLE}stuhl/", tables.add_chair, name="chair-add"),
    path(f"{_TABLE}aufloesen/", tables.break_table, name="table-break"),
    path(f"{_DIRECTOR}finaltisch/", tables.final_table, name="final-table"),
    path(f"{_DIRECTOR}ausgleich/", tables.balance, name="balance-step"),
    path(f"{_DIRECTOR}ausgleich/runde/", tables.balance_all, name="balance-round"),
    path(f"{_DIRECTOR}neu-auslosen/", tables.redraw, name="tables-redraw"),
    path("t/<slug:slug>/tische/<num:number>/platzkarten/", seats.seat_cards, name="seat-cards"),
    path(f"{_TABLE}anhalten/", tables.halt, name="table-halt"),
    path(f"{_DIRECTOR}sperre/<str:place>/", seats.lock, name="seat-lock"),
    path(f"{_DIRECTOR}platz/<num:entry>/", seats.put, name="seat-place"),
    path(f"{_DIRECTOR}tausch/<num:entry>/", seats.swap, name="seats-swap"),
    path(f"{_DIRECTOR}umsetzen/<num:entry>/", tables.move, name="entry-move"),
]
