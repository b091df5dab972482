"""The lobby: a public page and its data, over all events of the club that run or begin soon."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import open_to_all
from tournaments.changes.views.requests import present
from tournaments.screens.selectors.lobby import lobby_of


@never_cache
@open_to_all()
def lobby(request: HttpRequest) -> HttpResponse:
    """Show all events at once, first the one with the next thing to miss."""
    club = club_get()
    context = {"club": club, "lobby": lobby_of(club, present(club))}
    return render(request, "screens/lobby.html", context)


@never_cache
@open_to_all()
def lobby_state(request: HttpRequest) -> JsonResponse:
    """Return the lobby's data as of now."""
    club = club_get()
    return JsonResponse(lobby_of(club, present(club)))
