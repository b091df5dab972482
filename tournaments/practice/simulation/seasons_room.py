"""Leagues and profiles, done behind the club's closed door and rolled back with all of it."""

from __future__ import annotations

from typing import Any

from tournaments.changes.access import Actor, Role
from tournaments.models import League, LeagueCorrection, Registration
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import Evening
from tournaments.seasons.domain.points import Terms
from tournaments.seasons.services.corrections import (
    league_correct,
    league_correction_withdraw,
    league_team_set,
)
from tournaments.seasons.services.leagues import (
    Takes,
    league_evening_set,
    league_remove,
    league_restore,
    league_save,
)
from tournaments.seasons.services.profiles import profile_close, profile_open


@deed(
    league_save, league_evening_set, league_correct, league_correction_withdraw, league_team_set,
    league_remove, league_restore, when=When.ELSEWHERE,
)  # fmt: skip
def keep_a_league(room: Evening, guest: Registration) -> None:
    """Make a league, leave this evening out, give points for a reason, put somebody into a team."""
    name = f"Simulierte Liga {room.event.pk}"
    saved = room.do_in_club(league_save, name=name, terms=Terms(best=4), takes=Takes())
    league = League.objects.get(pk=saved.payload["league"])
    room.do_in_club(league_evening_set, league=league, event=room.event, is_in=False)
    own: dict[str, Any] = {"league": league, "person": guest.person}
    given = room.do_in_club(league_correct, **own, points=500, reason="Hat aufgebaut")
    correction = LeagueCorrection.objects.get(pk=given.payload["correction"])
    room.do_in_club(league_correction_withdraw, correction=correction)
    left = LeagueCorrection.objects.live().filter(league=league).count()
    room.checker.expect(left == 0, "corrections in force", left)
    room.do_in_club(league_team_set, **own, team="Die Simulanten")
    room.do_in_club(league_remove, league=league)
    room.do_in_club(league_restore, league=league)


@deed(profile_open, profile_close, when=When.ELSEWHERE)
def show_a_profile(room: Evening, guest: Registration) -> None:
    """Let everybody see one's own evenings, and hide them again."""
    himself = Actor(role=Role.PLAYER, registration_id=guest.pk)
    room.do_in_club(profile_open, by=himself, person=guest.person)
    room.do_in_club(profile_close, by=himself, person=guest.person)
