"""Addresses of `cashgame`."""

from django.urls import URLPattern, path

from tournaments.cashgame.views import pages, tables

_HERE = "t/<slug:slug>/cash/"
_TABLE = f"{_HERE}<num:cash_table>/"
_SEAT = f"{_TABLE}platz/<num:cash_seat>/"

urlpatterns: list[URLPattern] = [
    path(_HERE, pages.overview, name="cash-game"),
    path(f"{_HERE}stand/", pages.overview_panel, name="cash-game-panel"),
    path(f"{_HERE}oeffnen/", tables.opened, name="cash-open"),
    path(f"{_HERE}ende/", tables.ended, name="cash-end"),
    path(f"{_HERE}haende/", tables.last_hands, name="cash-last-hands"),
    path(f"{_HERE}trinkgeld/", pages.tips, name="cash-tips"),
    path(f"{_HERE}wer-wem/", tables.page, name="cash-settling"),
    path(f"{_HERE}wer-wem/link/", tables.renew, name="cash-link"),
    path(f"{_HERE}wer-wem/erledigt/", tables.paid, name="cash-paid"),
    path("wer-wem/<str:share>/", tables.shared, name="cash-settling-shared"),
    path(_TABLE, pages.table, name="cash-table"),
    path(f"{_TABLE}stand/", pages.table_panel, name="cash-table-panel"),
    path(f"{_TABLE}zaehlen/", tables.counted, name="cash-count"),
    path(f"{_TABLE}abschliessen/", tables.closed, name="cash-close"),
    path(f"{_TABLE}trinkgeld/", tables.tip, name="cash-tip"),
    path(f"{_TABLE}bedingungen/", tables.terms, name="cash-terms"),
    path(f"{_TABLE}spiel/", tables.turn, name="cash-turn"),
    path(f"{_TABLE}differenz/", tables.difference, name="cash-difference"),
    path(f"{_TABLE}hand/", tables.hand, name="cash-hand"),
    path(f"{_TABLE}liste/", pages.wait, name="cash-wait"),
    path(f"{_TABLE}anbieten/", pages.offer, name="cash-offer"),
    path(_SEAT, pages.seat, name="cash-seat"),
    path(f"{_SEAT}setzen/", pages.sit, name="cash-sit"),
    path(f"{_SEAT}chips/", pages.chips, name="cash-chips"),
    path(f"{_SEAT}umsetzen/", pages.move, name="cash-move"),
    path(f"{_SEAT}weg/", pages.presence, name="cash-presence"),
]
