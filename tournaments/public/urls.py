"""Addresses of `public`."""

from django.urls import URLPattern, path

from tournaments.public.views import (
    about,
    calendars,
    connection,
    embedding,
    player,
    player_actions,
    previews,
    public,
    registering,
    results,
    rules,
)

urlpatterns: list[URLPattern] = [
    path("", public.home, name="home"),
    path("health/", public.health, name="health"),
    path("verbindung/", connection.connection, name="connection"),
    path("verbindung/krru.crt", connection.certificate, name="connection-certificate"),
    path("einbetten/", embedding.embed, name="embed"),
    path("termine.json", embedding.evenings_json, name="evenings-json"),
    path("impressum/", about.imprint, name="imprint"),
    path("robots.txt", about.robots, name="robots"),
    path("manifest.webmanifest", about.manifest, name="manifest"),
    path("bild.png", previews.club_preview, name="club-preview"),
    path("t/<slug:slug>/bild.png", previews.preview, name="preview"),
    path("t/<slug:slug>/", public.tournament, name="tournament"),
    path("t/<slug:slug>/anmelden/", registering.register, name="register"),
    path("t/<slug:slug>/ergebnis/", results.results, name="results"),
    path("t/<slug:slug>/ergebnis.csv", results.results_csv, name="results-csv"),
    path("t/<slug:slug>/ergebnis.json", results.results_json, name="results-json"),
    path("t/<slug:slug>/regeln/", rules.rules, name="rules"),
    path("t/<slug:slug>/auslosung/", results.draws, name="draws"),
    path("kalender.ics", calendars.feed, name="calendar-feed"),
    path("t/<slug:slug>/kalender.ics", calendars.calendar, name="calendar"),
    path("p/<str:token>/", player.player, name="player"),
    path("p/<str:token>/kalender.ics", calendars.own_calendar, name="own-calendar"),
    path("p/<str:token>/karte/", player.player_card, name="player-card"),
    path("p/<str:token>/angekommen/", player_actions.player_arrived, name="player-arrived"),
    path("p/<str:token>/umzuege/", player.player_moves, name="player-moves"),
    path("p/<str:token>/da/", player_actions.player_here, name="player-here"),
    path("p/<str:token>/spaeter/", player_actions.player_later, name="player-later"),
    path("p/<str:token>/doch-nicht/", player_actions.player_unsay, name="player-unsay"),
    path("p/<str:token>/bestaetigen/", player_actions.player_confirm, name="player-confirm"),
    path("p/<str:token>/annehmen/", player_actions.player_accept, name="player-accept"),
    path("p/<str:token>/ablehnen/", player_actions.player_decline, name="player-decline"),
    path("p/<str:token>/zahl/", player_actions.player_number, name="player-number"),
    path(
        "p/<str:token>/zahl/oeffnen/", player_actions.player_number_open, name="player-number-open"
    ),
    path("p/<str:token>/aendern/", player_actions.player_change, name="player-change"),
    path("p/<str:token>/abmelden/", player_actions.player_withdraw, name="player-withdraw"),
]
