"""Addresses of `seasons`."""

from django.urls import URLPattern, path

from tournaments.seasons.views import leagues, review, tables

_CLUB = "verein/ligen/"
_HERE = f"{_CLUB}<num:league>/"

urlpatterns: list[URLPattern] = [
    path("t/<slug:slug>/rueckblick/", review.review, name="review"),
    path("verein/statistik/", review.statistics, name="club-statistics"),
    path("ligen/", tables.leagues, name="leagues-public"),
    path("liga/<slug:league>/", tables.league, name="league"),
    path("liga/<slug:league>/tabelle.csv", tables.league_csv, name="league-csv"),
    path("liga/<slug:league>/tabelle.xlsx", tables.league_xlsx, name="league-xlsx"),
    path("liga/<slug:league>/einbetten/", tables.league_embed, name="league-embed"),
    path("liga/<slug:league>/team/", tables.league_team, name="league-team"),
    path("liga/<slug:league>/<num:person>/", tables.league_player, name="league-player"),
    path("spieler/<num:person>/", review.profile, name="profile"),
    path("p/<str:token>/profil/", review.own_profile, name="own-profile"),
    path(_CLUB, leagues.leagues, name="leagues"),
    path(f"{_CLUB}neu/", leagues.new, name="league-new"),
    path(_HERE, leagues.change, name="league-edit"),
    path(f"{_HERE}abende/", leagues.evenings, name="league-evenings"),
    path(f"{_HERE}abend/", leagues.evening_set, name="league-evening-set"),
    path(f"{_HERE}berichtigen/", leagues.correct, name="league-correct"),
    path(f"{_HERE}team/", leagues.team_set, name="league-team-set"),
    path(f"{_HERE}gast/", leagues.guest_set, name="league-guest-set"),
    path(f"{_HERE}weglegen/", leagues.remove, name="league-remove"),
    path(f"{_HERE}zurueckholen/", leagues.restore, name="league-restore"),
    path(f"{_HERE}finale/", review.final, name="league-final"),
    path(f"{_HERE}finale.csv", review.final_csv, name="league-final-csv"),
    path(
        f"{_CLUB}berichtigung/<num:correction>/zurueck/",
        leagues.correction_withdraw,
        name="league-correction-withdraw",
    ),
]
