"""Addresses of the pages for everybody, and of a player's own page."""

from django.urls import path

from tournaments.views import player, public, results

urlpatterns = [
    path("", public.home, name="home"),
    path("health/", public.health, name="health"),
    path("t/<slug:slug>/", public.tournament, name="tournament"),
    path("t/<slug:slug>/anmelden/", public.register, name="register"),
    path("t/<slug:slug>/ergebnis/", results.results, name="results"),
    path("t/<slug:slug>/ergebnis.csv", results.results_csv, name="results-csv"),
    path("t/<slug:slug>/ergebnis.json", results.results_json, name="results-json"),
    path("t/<slug:slug>/auslosung/", results.draws, name="draws"),
    path("p/<str:token>/", player.player, name="player"),
    path("p/<str:token>/karte/", player.player_card, name="player-card"),
    path("p/<str:token>/angekommen/", player.player_arrived, name="player-arrived"),
    path("p/<str:token>/abmelden/", player.player_withdraw, name="player-withdraw"),
]
