"""URLs of `public`."""

from django.urls import URLPattern, path

from tournaments.public.views import (
    connection,
    player,
    player_actions,
    previews,
    public,
    registering,
    results,
)

urlpatterns: list[URLPattern] = [
    path("", public.home, name="home"),
    path("health/", public.health, name="health"),
    path("verbindung/", connection.connection, name="connection"),
    path("verbindung/krru.crt", connection.certificate, name="connection-certificate"),
    path("einbetten/", previews.embed, name="embed"),
    path("termine.json", previews.evenings_json, name="evenings-json"),
    path("impressum/", public.imprint, name="imprint"),
    path("robots.txt", public.robots, name="robots"),
    path("manifest.webmanifest", public.manifest, name="manifest"),
    path("bild.png", previews.club_preview, name="club-preview"),
    path("t/<slug:slug>/bild.png", previews.preview, name="preview"),
    path("t/<slug:slug>/", public.tournament, name="tournament"),
    path("t/<slug:slug>/anmelden/", registering.register, name="register"),
    path("t/<slug:slug>/ergebnis/", results.results, name="results"),
    path("t/<slug:slug>/ergebnis.csv", results.results_csv, name="results-csv"),
    path("t/<slug:slug>/ergebnis.json", results.results_json, name="results-json"),
    path("t/<slug:slug>/regeln/", public.rules, name="rules"),
    path("t/<slug:slug>/regeln/stand/<int:number>/", public.rules_then, name="rules-then"),
    path("t/<slug:slug>/auslosung/", results.draws, name="draws"),
    path("kalender.ics", public.feed, name="calendar-feed"),
    path("t/<slug:slug>/kalender.ics", public.calendar, name="calendar"),
    path("p/<str:token>/", player.player, name="player"),
    path("p/<str:token>/kalender.ics", public.own_calendar, name="own-calendar"),
    path("p/<str:token>/karte/", player.player_card, name="player-card"),
    path("p/<str:token>/rang/", player.player_rank, name="player-rank"),
    path("p/<str:token>/angekommen/", player_actions.player_arrived, name="player-arrived"),
    path("p/<str:token>/umzuege/", player.player_moves, name="player-moves"),
    path("p/<str:token>/da/", player_actions.player_here, name="player-here"),
    path("p/<str:token>/spaeter/", player_actions.player_later, name="player-later"),
    path("p/<str:token>/doch-nicht/", player_actions.player_unsay, name="player-unsay"),
    path("p/<str:token>/bestaetigen/", player_actions.player_confirm, name="player-confirm"),
    path("p/<str:token>/annehmen/", player_actions.player_accept, name="player-accept"),
    path("p/<str:token>/ablehnen/", player_actions.player_decline, name="player-decline"),
    path("p/<str:token>/nachkauf/", player_actions.player_buys, name="player-buys"),
    path("p/<str:token>/nachkauf/zurueck/", player_actions.player_unasks, name="player-unasks"),
    path("p/<str:token>/cash/", player_actions.player_cash, name="player-cash"),
    path("p/<str:token>/deal/", player_actions.player_deal, name="player-deal"),
    path(
        "p/<str:token>/beleg/<int:receipt>/", player_actions.player_receipt, name="player-receipt"
    ),
    path("p/<str:token>/aendern/", player_actions.player_change, name="player-change"),
    path("p/<str:token>/abmelden/", player_actions.player_withdraw, name="player-withdraw"),
]
