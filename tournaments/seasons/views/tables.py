"""Public standings of a league: table, a player's season, files."""

from typing import Any

from csp.decorators import csp_update
from django.core.paginator import Paginator
from django.http import Http404, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt

from tournaments.changes.access import Permission, actor_of, allows, leads_club
from tournaments.changes.club import club_get
from tournaments.changes.views.decorators import open_to_all
from tournaments.models import League
from tournaments.papers.views.papers import send_csv, send_xlsx
from tournaments.public.views.previews import KEPT, Head, head_of_club, public_url
from tournaments.seasons.domain.review import BARS_HEIGHT, BARS_WIDTH
from tournaments.seasons.selectors.labels import points_in_words, reckoning_in_words
from tournaments.seasons.selectors.leagues import (
    Standings,
    file_rows,
    league_standings,
    leagues_of,
    lines_of,
    purse_of,
    ranked,
    season_of,
    team_lines,
)

LINES_A_PAGE = 100
LONGEST_SEARCH = 100


@open_to_all()
def leagues(request: Any) -> HttpResponse:
    """Show the leagues; if there is only one, its table."""
    club = club_get()
    rows = list(leagues_of(club, only_public=True))
    if len(rows) == 1:
        return HttpResponseRedirect(rows[0].get_absolute_url())
    context = {"club": club, "leagues": rows, "preview": head_of_club(request, club)}
    return render(request, "seasons/leagues_public.html", context)


@open_to_all()
def league(request: Any, league: str) -> HttpResponse:
    """Show the standings."""
    standings, to_staff = _standings(request, league)
    search = request.GET.get("q", "")[:LONGEST_SEARCH]
    page = Paginator(ranked(standings, search), LINES_A_PAGE).get_page(request.GET.get("seite"))
    context = {
        "club": standings.league.club,
        "league": standings.league,
        "standings": standings,
        "page": page,
        "lines": lines_of(standings, page),
        "search": search,
        "teams": team_lines(standings),
        "purse": purse_of(standings),
        "rules": reckoning_in_words(standings.league.reckoning),
        "leads": to_staff and leads_club(request.device),
        "preview": _head(request, standings),
    }
    return render(request, "seasons/league.html", context)


@xframe_options_exempt
@csp_update({"frame-ancestors": ["*"]})
@open_to_all()
def league_embed(request: Any, league: str) -> HttpResponse:
    """Show the table in a frame of another site, with public names for everybody."""
    rows = leagues_of(club_get(), only_public=True).select_related("club")
    row: League = get_object_or_404(rows, slug=league)
    standings = league_standings(row, to_staff=False)
    context = {
        "club": row.club,
        "league": row,
        "lines": lines_of(standings, ranked(standings)[:LINES_A_PAGE]),
        "teams": team_lines(standings),
        "page": public_url(request, row.get_absolute_url()),
    }
    response = render(request, "seasons/embed.html", context)
    response["Cache-Control"] = KEPT
    return _unlisted(response)


@open_to_all()
def league_team(request: Any, league: str) -> HttpResponse:
    """Show a team with its members."""
    standings, _to_staff = _standings(request, league)
    name = request.GET.get("name", "")
    team = next((row for row in standings.teams if standings.team_names[row.team] == name), None)
    if team is None:
        raise Http404(_("In dieser Liga gibt es kein solches Team."))
    members = [pair for pair in ranked(standings) if pair[0].person in team.members]
    context = _in_league(standings, name, team.rank, team.points)
    context |= {"lines": lines_of(standings, members), "counted": team.counted}
    return render(request, "seasons/team.html", context)


@open_to_all()
def league_player(request: Any, league: str, person: int) -> HttpResponse:
    """Show a player's season by event."""
    standings, _to_staff = _standings(request, league)
    row = standings.row_of(person)
    if row is None:
        raise Http404(_("In dieser Liga ist niemand mit dieser Nummer."))
    context = _in_league(standings, standings.name(person), row.rank, row.points) | {
        "season": season_of(standings, row),
        "person": person,
        "has_profile": standings.names[person].has_profile,
        "width": BARS_WIDTH,
        "height": BARS_HEIGHT,
    }
    return render(request, "seasons/player.html", context)


def _in_league(standings: Standings, name: str, rank: int, points: int) -> dict[str, Any]:
    league, words = standings.league, points_in_words(points)
    return {"club": league.club, "league": league, "name": name, "rank": rank, "points": words}


@open_to_all()
def league_csv(request: Any, league: str) -> HttpResponse:
    """Send the whole table as CSV, with names as on the page."""
    standings, _to_staff = _standings(request, league)
    return _unlisted(send_csv(file_rows(standings), standings.league.slug))


@open_to_all()
def league_xlsx(request: Any, league: str) -> HttpResponse:
    """Send the whole table as a workbook."""
    standings, _to_staff = _standings(request, league)
    return _unlisted(send_xlsx(file_rows(standings), standings.league.slug))


def _unlisted(response: HttpResponse) -> HttpResponse:
    response["X-Robots-Tag"] = "noindex"
    return response


def _standings(request: Any, slug: str) -> tuple[Standings, bool]:
    """Return a league's standings for this reader, and whether the reader is staff.

    A league that is not public is visible to staff only.
    """
    to_staff = allows(actor_of(request.device, None), Permission.SEE_FLOOR)
    row: League = get_object_or_404(
        leagues_of(club_get(), only_public=not to_staff).select_related("club"), slug=slug
    )
    return league_standings(row, to_staff=to_staff), to_staff


def _head(request: Any, standings: Standings) -> Head | None:
    club = standings.league.club
    of_club = head_of_club(request, club)
    if of_club is None or not standings.league.is_public:
        return None
    first = lines_of(standings, ranked(standings)[:3])
    leaders = ", ".join(f"{line['rank']}. {line['name']} ({line['points']})" for line in first)
    return Head(
        title=standings.league.name,
        text=leaders or _("Noch hat niemand Punkte."),
        site=club.name,
        url=public_url(request, reverse("league", args=[standings.league.slug])),
        image=of_club.image,
    )
