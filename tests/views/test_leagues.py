"""The pages of a league: the director's, the table for everybody, files, profiles."""

import csv
import io
from datetime import date
from decimal import Decimal

import pytest
from django.urls import reverse
from openpyxl import load_workbook

from tests import factories as f
from tests.calling import call_service
from tests.pressing import shows
from tests.seasons import PLAYERS, evening, in_club, make_league, person, points, standing
from tests.views.pages import errors_of, text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.selectors.event import chips_in_play
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import League, LeagueCorrection, Registration
from tournaments.money.services.fees import fee_pay
from tournaments.seasons.domain.points import Terms
from tournaments.seasons.services.leagues import (
    Takes,
    league_correct,
    league_remove,
    league_team_set,
)
from tournaments.seasons.views import tables

pytestmark = pytest.mark.django_db
A, B, C, D = PLAYERS
DAYS = 9 * 24 * 60
TYPED = {
    "name": "Winterliga", "way": "linear", "ties": "shared", "counts": "first", "best": "4",
    "tie_1": "wins", "by_rule": "on", "rule_name": "Freitag", "is_public": "on",
    "attendance": "2,5", "each": "10", "table": "",
}  # fmt: skip


def url(name, league, *more):
    return reverse(name, args=[league.pk, *more])


def table(client, league, **asked):
    return text_of(client.get(league.get_absolute_url(), asked))


def rows_of(answer):
    text = b"".join(answer.streaming_content).decode().lstrip("\ufeff")
    return list(csv.reader(io.StringIO(text), delimiter=";" if ";" in text else ","))


def test_a_league_is_made_with_what_was_typed(dora):
    answer = dora.post(reverse("league-new"), TYPED)
    league = League.objects.get()
    assert answer.url == url("league-evenings", league) or answer.url == url("league-edit", league)
    assert (league.name, league.reckoning.best, league.reckoning.attendance) == (
        "Winterliga", 4, 250,
    )  # fmt: skip
    assert dora.get(url("league-edit", league)).context["form"].initial["rule_name"] == "Freitag"
    changed = dora.post(url("league-edit", league), {**TYPED, "way": "table", "table": "10 7,5 5"})
    assert changed.status_code == 302
    league.refresh_from_db()
    assert league.reckoning.table == (1000, 750, 500)


WRONG = [
    ({"name": ""}, "name"),
    ({"best": "-1"}, "best"),
    ({"attendance": "viel"}, "attendance"),
    ({"attendance": "²"}, "attendance"),
    ({"way": "table"}, "table"),
    ({"way": "table", "table": "10 x"}, "table"),
    ({"way": "pool", "table": "60 50"}, "table"),
    ({"way": "formula", "formula": "1/0"}, "formula"),
    ({"way": "formula", "formula": "import os"}, "formula"),
    ({"way": "würfeln"}, "way"),
    ({"tie_2": "wins"}, "tie_2"),
    ({"rule_since": "2026-05-01", "rule_until": "2026-01-01"}, "rule_until"),
]


def test_what_is_wrong_stands_beside_its_field_and_nothing_is_made(dora):
    for typed, field in WRONG:
        assert errors_of(dora.post(reverse("league-new"), TYPED | typed), field), typed
    assert not League.objects.exists()


def test_a_formula_is_shown_before_it_is_saved(dora):
    typed = TYPED | {"way": "formula", "formula": "spieler - platz", "preview": "1"}
    shows(text_of(dora.post(reverse("league-new"), typed)), "24", "50 Spieler")
    wrong = dora.post(reverse("league-new"), typed | {"formula": "10 / (platz - 1)"})
    assert "Die Formel teilt durch null." in text_of(wrong)
    assert not League.objects.exists()


def test_the_table_says_who_stands_where_and_what_it_takes(client):
    evening()
    evening((B, A, C, D), number=1)
    league = make_league(terms=Terms(best=1))
    text = table(client, league)
    assert "Nach 2 Abenden" in text
    assert text.index(A) < text.index(B) < text.index(C)
    shows(text, "noch 4,01 bis zum nächsten Platz", "Es zählen die besten Abende: 1.")


def test_names_are_found_as_they_are_read_a_part_at_a_time(client, monkeypatch):
    event = evening()
    Registration.objects.filter(event=event, person=person(B)).update(is_listed=False)
    league = make_league()
    assert "Bert" not in table(client, league)
    assert "Niemand gefunden" in table(client, league, q="bert")
    assert "Clement" in table(client, league, q="clem")
    assert f">{A}<" not in table(client, league, q="clem")
    text = text_of(client.get(reverse("league-player", args=[league.slug, person(B).pk])))
    shows(text, "BB", but=("Bert",))
    monkeypatch.setattr(tables, "LINES_A_PAGE", 3)
    shows(table(client, league), "Seite 1 von 2", but=(f">{D}<",))
    for page in ("99", "2"):
        assert f">{D}<" in table(client, league, seite=page)
    League.objects.update(is_public=False)
    for name in ("league", "league-csv", "league-xlsx"):
        assert client.get(reverse(name, args=[league.slug])).status_code == 404
    f.sign_browser_in(client, Role.ARBITER)
    assert B in table(client, league), "staff reads full names, public or not"


def test_a_league_that_was_put_away_has_no_pages(dora):
    league = make_league()
    in_club(league_remove, league=league)
    assert dora.get(league.get_absolute_url()).status_code == 404
    assert dora.get(url("league-edit", league)).status_code == 404
    assert "Zurückholen" in text_of(dora.get(reverse("leagues")))
    dora.post(url("league-restore", league))
    assert dora.get(league.get_absolute_url()).status_code == 200


def test_somebodys_season_is_shown_evening_by_evening(client):
    evening()
    evening((D, A, B, C), number=1)
    league = make_league(terms=Terms(best=1, attendance=100))
    answer = client.get(reverse("league-player", args=[league.slug, person(D).pk]))
    text = text_of(answer)
    assert "gestrichen" in text
    played = answer.context["season"]["played"]
    assert [(one["points"], one["after"]) for one in played] == [("1", "2"), ("4", "6")]
    assert "Darin fürs Dabeisein: 2 Punkte" in text
    assert client.get(reverse("league-player", args=[league.slug, 9999])).status_code == 404


def test_the_file_adds_up_in_a_german_spreadsheet(client):
    evening()
    evening((D, A, B, C), number=1)
    league = make_league(terms=Terms(best=1, attendance=25, run=2, run_bonus=75))
    in_club(league_correct, league=league, person=person(D), points=-50, reason="Zu spät")
    rows = rows_of(client.get(reverse("league-csv", args=[league.slug])))
    assert rows[0][:9] == [
        *("Rang", "Name", "Punkte", "Abende", "Siege", "Dabeisein", "Zusatzpunkte", "Berichtigt"),
        "Gestrichen",
    ]
    assert [row[1] for row in rows[1:]] == [A, D, B, C]
    assert rows[2][5:] == ["0,50", "0,75", "-0,50", "-1,00", "1,00", "4,00", "2026-11-20"]
    for row in rows[1:]:
        total, *parts = [Decimal(cell.replace(",", ".")) for cell in (row[2], *row[5:-1])]
        assert total == sum(parts)
    answer = client.get(reverse("league-xlsx", args=[league.slug]))
    book = load_workbook(io.BytesIO(b"".join(answer.streaming_content)))
    assert [cell.value for cell in book.worksheets[0][3]][2:9] == [4.75, 2, 1, 0.5, 0.75, -0.5, -1]


def test_evenings_are_dropped_points_corrected_and_teams_set_on_the_page(dora):
    event, league = evening(), make_league()
    here = url("league-evening-set", league)
    assert dora.post(here, {"event": event.pk, "is_in": "out"}).status_code == 302
    assert points(league) == {}
    assert dora.post(here, {"event": event.pk, "is_in": "rule"}).status_code == 302
    assert points(league)[A] == 400
    for wrong in ({"event": "9999", "is_in": "in"}, {"event": event.pk, "is_in": "x"}, {}):
        assert dora.post(here, wrong).status_code == 422
    typed = {"person": person(D).pk, "points": "-0,5", "reason": "Zu spät"}
    assert dora.post(url("league-correct", league), typed).status_code == 302
    assert points(league)[D] == 50
    assert "Zu spät" in text_of(dora.get(url("league-evenings", league)))
    for wrong in ({"points": ""}, {"points": "x"}, {"reason": ""}, {"person": "9999"}):
        answer = dora.post(url("league-correct", league), typed | wrong)
        assert answer.status_code == 422
        assert answer.context["correction_form"].errors
    row = LeagueCorrection.objects.live().get()
    dora.post(reverse("league-correction-withdraw", args=[row.pk]))
    assert points(league)[D] == 100
    typed = {"person": person(D).pk, "team": "Pik"}
    assert dora.post(url("league-team-set", league), typed).status_code == 302
    assert "Pik" in table(dora, league)
    again = dora.post(url("league-team-set", league), typed)
    assert "Es hat sich nichts geändert." in text_of(again)


def test_the_final_is_a_table_of_stacks_by_points_and_begins_with_them(dora):
    """Average, ICM and sums are of these chips, and an entry beside the table keeps the usual."""
    evening()
    league = make_league()
    answer = dora.get(url("league-final", league), {"base": "1000", "per_point": "250"})
    assert [row["chips"] for row in answer.context["stacks"]] == [2000, 1800, 1500, 1300]
    assert answer.context["sum"] == 6600
    file = rows_of(dora.get(url("league-final-csv", league), {"first": "2"}))
    assert [row[1] for row in file[1:]] == [A, B]
    wrong = dora.get(url("league-final", league), {"unit": "0"})
    assert wrong.context["form"].errors["unit"]
    assert not wrong.context["stacks"]
    final = f.make_event(name="Finale", starts_at=f.after(DAYS))
    page = url("league-final", league) + "?base=1000&per_point=250"
    assert (dora.post(page, {"event": final.pk}).status_code, f.fresh(final).version) == (422, 0)
    entries = {name: f.check_in(final, f.register(final, name)) for name in (A, C, "Neuling")}
    before = chips_in_play(f.fresh(final))
    assert dora.post(page, {"event": final.pk}).status_code == 302
    f.assert_logged(final, "stacks.given", entries=2, chips=3500)
    assert chips_in_play(f.fresh(final)) == (3500 + final.starting_stack, True)
    f.refuses("needed", f.undo, final, entries[A].made_by)
    f.undo(final)
    assert chips_in_play(f.fresh(final)) == before
    dora.post(page, {"event": final.pk})
    f.drive(clock_start, final, DAYS)
    assert dora.post(page, {"event": final.pk}).status_code == 422
    counted = zip(entries.values(), (2000, 1500, final.starting_stack), strict=True)
    f.drive(event_end, final, DAYS + 5, stacks={entry.pk: chips for entry, chips in counted})


def test_a_profile_is_seen_once_its_owner_shows_it(client):
    evening()
    event = evening((B, A, C, D), number=1)
    evening((C, D), number=2)
    own = Registration.objects.get(event=event, person=person(A))
    public = reverse("profile", args=[own.person_id])
    here = reverse("own-profile", args=[own.link_token])
    assert client.get(public).status_code == 404
    assert "Nur du siehst das." in text_of(client.get(here))
    assert client.post(here, {"open": "1"}).status_code == 302
    assert A in text_of(client.get(public))
    shown = client.get(public).context["profile"]
    assert [(row.place, row.players) for row in shown.places] == [(2, 4), (1, 4)]
    assert (shown.wins, shown.run, shown.knockouts) == (1, 2, 2)
    assert shown.knocked_out == [(B, 1), (C, 1)]
    Registration.objects.filter(person=person(B)).update(is_listed=False)
    assert "Bert" not in text_of(client.get(public))
    league = make_league()
    assert public in text_of(
        client.get(reverse("league-player", args=[league.slug, own.person_id]))
    )
    assert client.post(here, {"open": "0"}).status_code == 302
    assert client.get(public).status_code == 404
    # The link may be another person's.
    Registration.objects.filter(pk=own.pk).update(owns_person=False)
    assert "Abende in Folge" not in text_of(client.get(here))
    assert client.post(here, {"open": "1"}).status_code == 422


def test_the_home_page_leads_to_the_league(client):
    assert reverse("leagues-public") not in text_of(client.get(reverse("home")))
    league = make_league()
    assert reverse("leagues-public") in text_of(client.get(reverse("home")))
    assert client.get(reverse("leagues-public")).url == league.get_absolute_url()
    make_league("Zweite")
    assert "Zweite" in text_of(client.get(reverse("leagues-public")))


def test_merging_asks_about_two_teams_and_keeps_that_of_who_stays(dora):
    evening()
    evening((B, "Anna Ost", C), number=1)
    league, double = make_league(), person("Anna Ost")
    for name, team in ((A, "Rot"), (B, "Rot"), ("Anna Ost", "Blau")):
        in_club(league_team_set, league=league, person=person(name), team=team)
    compared = reverse("person-merge", args=[person(A).pk])
    text = text_of(dora.get(compared, {"mit": double.pk}))
    shows(text, "Zwei Teams in Liga 2026", "Alle Punkte zählen dann für Rot, keine mehr für Blau.")
    assert dora.post(compared, {"gone": double.pk}).status_code == 302
    teams = standing(league)
    assert [(teams.team_names[row.team], row.points) for row in teams.teams] == [("Rot", 1200)]


def test_next_seasons_league_begins_like_this_one_with_teams_and_guests(dora):
    evening()
    takes = Takes(name="Freitag", since=date(2026, 9, 1), until=date(2027, 6, 30))
    league = make_league("Liga 2026/27", Terms(best=7, purse="Saison"), takes=takes)
    in_club(league_team_set, league=league, person=person(B), team="Pik")
    dora.post(url("league-guest-set", league), {"person": person(D).pk, "is_guest": "1"})
    here = f"{reverse('league-new')}?wie={league.pk}"
    assert here in text_of(dora.get(url("league-evenings", league)))
    form = dora.get(here).context["form"]
    assert (form["name"].value(), form["purse"].value()) == ("Liga 2027/28", "Saison")
    assert (form["rule_since"].value(), form["rule_until"].value()) == (
        date(2027, 7, 1), date(2028, 6, 30),
    )  # fmt: skip
    typed = {name: value for name, value in form.initial.items() if value not in (None, "")}
    assert dora.post(here, typed | {"table": "", "each": "10"}).status_code == 302
    copied = League.objects.get(name="Liga 2027/28")
    assert (copied.reckoning.best, copied.rule_name) == (7, "Freitag")
    assert list(copied.members.live().values_list("person__name", "team")) == [(B, "Pik")]
    assert list(copied.guests.live().values_list("person__name", flat=True)) == [D]


def test_the_table_is_shown_in_a_frame_of_any_site_with_public_names(dora):
    evening()
    Registration.objects.filter(person=person(A)).update(is_listed=False)
    league = make_league()
    in_club(league_team_set, league=league, person=person(A), team="Pik & Herz")
    answer = dora.get(reverse("league-embed", args=[league.slug]))
    page = text_of(answer)
    assert "X-Frame-Options" not in answer
    assert "frame-ancestors 'self' *" in answer["Content-Security-Policy"]
    shows(page, "AA", but=(A,))
    shows(answer.content.decode(), "Pik &amp; Herz", but=("<script",))
    code = dora.get(url("league-evenings", league)).context["embed_code"]
    assert reverse("league-embed", args=[league.slug]) in code
    League.objects.update(is_public=False)
    assert dora.get(reverse("league-embed", args=[league.slug])).status_code == 404


def test_a_team_has_a_page_with_its_members(dora):
    evening()
    league = make_league(terms=Terms(team_best=1))
    for name in (A, C):
        in_club(league_team_set, league=league, person=person(name), team="Pik / Herz")
    league_page = dora.get(league.get_absolute_url()).content.decode()
    here = reverse("league-team", args=[league.slug]) + "?name=Pik%20/%20Herz"
    assert here in league_page
    page = text_of(dora.get(here))
    shows(page, "Liga 2026: Rang 1 mit 4 Punkten", A, C, but=(B,))
    assert page.count("zählt nicht") == 1
    assert dora.get(here + "x").status_code == 404


def test_the_purse_of_the_season_is_what_was_paid_for_its_part(dora):
    event = f.make_event(name="Freitag", fee_cents=1500, fee_parts=[["extra", 200, "Saison"]])
    for name in (A, B):
        row = f.register(event, name)
        call_service(fee_pay, event=event, by=SYSTEM, at=f.ARRIVAL, registration=row)
    f.register(event, C)
    league = make_league(terms=Terms(purse="saison"))
    assert "Im Saisontopf: <strong>4 €</strong>" in table(dora, league)
    assert "Saisontopf" not in table(dora, make_league("Ohne"))
