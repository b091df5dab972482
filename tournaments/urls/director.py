"""Addresses of the director's dashboard: its panels, the clock, the floor, taking back."""

from django.urls import URLPattern, path

from tournaments.views import (
    breaking,
    bubble,
    clockwork,
    counts,
    director,
    floorwork,
    halts,
    seating,
    undo,
)

_DIRECTOR = "t/<slug:slug>/leitung/"
_CLOCK = f"{_DIRECTOR}uhr/"
_TABLE = f"{_DIRECTOR}tisch/<int:number>/"

urlpatterns: list[URLPattern] = [
    path(_DIRECTOR, director.dashboard, name="director"),
    path(f"{_DIRECTOR}stand/uhr/", director.clock_panel, name="director-clock"),
    path(f"{_DIRECTOR}stand/tische/", director.tables_panel, name="director-tables"),
    path(f"{_DIRECTOR}stand/bubble/", director.bubble_panel, name="director-bubble"),
    path(f"{_DIRECTOR}hand-fuer-hand/", bubble.begin, name="hand-for-hand-begin"),
    path(f"{_DIRECTOR}hand-fuer-hand/frei/", bubble.release, name="round-release"),
    path(f"{_DIRECTOR}hand-fuer-hand/ende/", bubble.end, name="hand-for-hand-end"),
    path(f"{_DIRECTOR}im-geld/", bubble.money, name="money-reach"),
    path(f"{_DIRECTOR}stand/was-ansteht/", director.due_panel, name="director-due"),
    path(f"{_DIRECTOR}stand/stufen/", director.in_force_panel, name="director-in-force"),
    path(f"{_DIRECTOR}stand/letzte/", director.log_panel, name="director-log"),
    path(f"{_DIRECTOR}stand/zaehler/", director.counts_panel, name="director-counts"),
    path(f"{_DIRECTOR}zaehlen/", counts.count, name="count-change"),
    path(f"{_CLOCK}start/", clockwork.start, name="clock-start"),
    path(f"{_CLOCK}pause/", clockwork.pause, name="clock-pause"),
    path(f"{_CLOCK}weiter/", clockwork.next_level, name="clock-next"),
    path(f"{_CLOCK}zurueck/", clockwork.previous_level, name="clock-previous"),
    path(f"{_CLOCK}stellen/", clockwork.adjust, name="clock-adjust"),
    path(f"{_CLOCK}springen/", clockwork.jump, name="clock-jump"),
    path(f"{_CLOCK}letzte-haende/", clockwork.last_hands, name="clock-last-hands"),
    path(f"{_CLOCK}hand/", clockwork.hand, name="clock-hand"),
    path(f"{_CLOCK}zaehltisch/", clockwork.counting_table, name="clock-counting-table"),
    path(f"{_CLOCK}pausenende/", clockwork.break_stop, name="clock-break-stop"),
    path(f"{_CLOCK}planstart/", clockwork.plan_start, name="clock-plan-start"),
    path(f"{_DIRECTOR}auslosung/", floorwork.draw_seats, name="seats-draw"),
    path(f"{_DIRECTOR}saalzahl/", floorwork.hall_number, name="hall-number"),
    path(f"{_DIRECTOR}tisch/oeffnen/", floorwork.open_table, name="table-open"),
    path(f"{_TABLE}schliessen/", floorwork.close_table, name="table-close"),
    path(f"{_TABLE}aufloesen/", breaking.break_table, name="table-break"),
    path(f"{_DIRECTOR}finaltisch/", breaking.final_table, name="final-table"),
    path(f"{_DIRECTOR}ausgleich/", floorwork.balance, name="balance-step"),
    path(f"{_DIRECTOR}neu-auslosen/", breaking.redraw, name="tables-redraw"),
    path(f"{_TABLE}anhalten/", halts.halt, name="table-halt"),
    path(f"{_DIRECTOR}sperre/<str:place>/", seating.lock, name="seat-lock"),
    path(f"{_DIRECTOR}platz/<int:entry>/", seating.put, name="seat-place"),
    path(f"{_DIRECTOR}tausch/<int:entry>/", seating.swap, name="seats-swap"),
    path(f"{_DIRECTOR}umsetzen/<int:entry>/", floorwork.move, name="entry-move"),
    path(f"{_DIRECTOR}disqualifikation/<int:entry>/", floorwork.disqualify, name="disqualify"),
    path(f"{_DIRECTOR}stapel/<int:entry>/", floorwork.count_stack, name="dq-count"),
    path("t/<slug:slug>/ruecknahme/<int:action>/", undo.undo, name="action-undo"),
    path("t/<slug:slug>/ruecknahme/<int:action>/vorschau/", undo.preview, name="undo-preview"),
]
