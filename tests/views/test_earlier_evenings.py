"""Evenings played elsewhere: entered from a list or a file, counted, and taken back."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from tests import factories as f
from tests.pressing import shows
from tests.seasons import make_league, person, points, standing
from tests.views.importing import hidden
from tests.views.pages import assert_refused, text_of
from tournaments.changes.selectors.log import log_first_fault
from tournaments.models import Action, Event, Person, Registration
from tournaments.play.selectors.ranking import standings
from tournaments.seasons.domain.points import Terms, Way
from tournaments.seasons.selectors.review import review_of
from tournaments.seasons.selectors.statistics import profile_of

pytestmark = pytest.mark.django_db
CASES = Path(__file__).parents[1] / "cases" / "people"
HERE, CONFIRM = "evening-file", "evening-confirm"


GRID = (
    "Donnerstagsliga;;;;\nName;3.9.2026;Do 10.09.26;24.9.;Summe\nEva Lang;9;8;;17\n"
    "Max Bauer;12,5;-;3;15,5\nIna Moser;9;(4);5;18\nSumme;30,5;12;8;50,5\n"
)


def case(name):
    return SimpleUploadedFile(name, (CASES / name).read_bytes())


def enter(dora, **sent):
    """Send a result, confirm its preview, and return the event."""
    preview = dora.post(reverse(HERE), sent)
    assert preview.status_code == 200, text_of(preview)
    assert not Event.objects.filter(name=sent.get("name", "Abend 1")).exists()
    told = {name: hidden(preview, name) for name in ("told", "idempotency_key")}
    for _press in range(2):
        answer = dora.post(reverse(CONFIRM), told)
        assert answer.status_code == 302
    event = Event.objects.filter(name=sent.get("name", "Abend 1")).earliest("pk")
    assert answer.url == reverse("results", args=[event.slug])
    assert log_first_fault(event) is None
    return event


def test_a_result_from_a_list_counts_in_leagues_and_profiles_and_was_not_played(dora):
    file = case("11-ergebnis-frueherer-abend.csv")
    event = enter(dora, file=file, name="Freitag im September")
    assert event.starts_at.date().isoformat() == "2026-09-03"
    assert [(line.place, line.name) for line in standings(event)] == [
        *[(1, "Karla Grünwald"), (2, "Peter Sommer"), (3, "Otto Fuchs")]
    ]
    assert not event.has_started
    assert event.is_over
    assert review_of(event) is None
    assert points(make_league()) == {"Karla Grünwald": 300, "Peter Sommer": 200, "Otto Fuchs": 100}
    terms = Terms(way=Way.FORMULA, formula="preis - ausgaben + 1000 * rebuys + topf + startgeld")
    assert points(make_league("Mit Geld", terms)) == {
        "Karla Grünwald": 114000, "Peter Sommer": 14000, "Otto Fuchs": 10000,
    }  # fmt: skip
    profile = profile_of(person("Karla Grünwald"))
    assert [(place.place, place.players) for place in profile.places] == [(1, 3)]
    page = text_of(dora.get(reverse("results", args=[event.slug])))
    shows(page, "Peter Sommer", "Nachgetragen, nicht mit diesem Programm gespielt", "60 €")
    assert "19:0" not in page
    assert dora.get(reverse("director", args=[event.slug])).status_code == 200


def test_an_evening_of_the_tournament_director_has_its_takers(dora):
    event = enter(dora, file=case("09-abend.tdt"), day="2026-08-06")
    assert (event.name, event.starts_at.date().isoformat()) == ("Abend 1", "2026-08-06")
    found = standing(make_league(terms=Terms(knockout=50)))
    assert {found.name(row.person): (row.points, row.knockouts) for row in found.rows} == {
        "Peter Sommer": (250, 1), "Karla Grünwald": (100, 0),
    }  # fmt: skip
    assert profile_of(person("Peter Sommer")).knocked_out == [("KG", 1)]
    money = Terms(way=Way.FORMULA, formula="preis - ausgaben")
    assert points(make_league("Geld", money)) == {"Peter Sommer": 2000, "Karla Grünwald": -2000}


def test_several_days_are_several_evenings_and_ties_are_kept(dora):
    text = (
        "Datum;Platz;Name\n3.9.2026;1.;Eva Lang\n3.9.2026;2.;Max Bauer\n3.9.2026;2.;Ina Moser\n"
        "10.9.2026;1;Max Bauer\n10.9.2026;1;Eva Lang\n"
    )
    enter(dora, text=text, name="Herbst")
    first, second = Event.objects.filter(name="Herbst").order_by("starts_at")
    assert sorted((line.place, line.name) for line in standings(first)) == [
        *[(1, "Eva Lang"), (2, "Ina Moser"), (2, "Max Bauer")]
    ]
    assert {line.place for line in standings(second)} == {1}
    assert Person.objects.filter(name="Eva Lang").count() == 1


def test_what_was_entered_is_taken_back_by_one_press(dora):
    event = enter(dora, text="Platz;Name\n1;Eva Lang\n2;Max Bauer\n", name="A", day="2026-09-03")
    league = make_league()
    assert points(league)
    action = Action.objects.get(event=event, kind="event.entered_afterwards")
    f.undo(event, action)
    assert points(league) == {}
    assert f.fresh(event).cancelled_by_id is not None
    assert not Registration.objects.live().filter(event=event).exists()


def test_who_agreed_to_be_named_stays_named_and_the_others_have_initials(client, dora):
    before = f.make_event(name="Davor")
    f.register(before, "Eva Lang")
    Registration.objects.update(is_listed=True)
    enter(dora, text="Platz;Name\n1;Eva Lang\n2;Max Bauer\n", name="A", day="2026-09-03")
    found = standing(make_league(), to_staff=False)
    assert [found.name(row.person) for row in found.rows] == ["Eva Lang", "MB"]


WRONG = [
    ({}, "Bitte eine Datei wählen oder ein Ergebnis einfügen."),
    ({"text": "Name\nEva\nMax"}, "Es fehlen Überschriften"),
    ({"text": "Platz;Name\n1;Eva\n2;Max"}, "Bitte sagen, an welchem Tag das war."),
    ({"text": "Platz;Name\n1;Eva", "day": "2026-09-03"}, "mindestens zwei Spieler"),
    ({"text": "Platz;Name\n1;Eva\nx;Max", "day": "2026-09-03"}, "In Zeile 3 steht kein Platz."),
    ({"text": "Platz;Name\n1;Eva\n2;eva", "day": "2026-09-03"}, "zweimal"),
    ({"text": "Platz;Name;Preis\n1;Eva;viel\n2;Max;"}, "In Zeile 2 ist ein Betrag"),
    ({"text": "Datum;Platz;Name\nneulich;1;Eva\n;2;Max"}, "In Zeile 2 steht kein Datum"),
    ({"text": "{T: new Tournament("}, "beschädigt"),
    ({"text": GRID}, "Stehen unter den Tagen Plätze oder Punkte?"),
    ({"text": GRID, "holds": "places"}, "In Zeile 4 steht kein Platz."),
    ({"text": GRID.replace("12,5", "viel"), "holds": "points"}, "In Zeile 4 stehen keine"),
    ({"text": GRID.replace("3.9.2026", "3.9."), "holds": "points"}, "fehlt das Jahr"),
]


def test_what_is_no_result_is_refused_in_a_sentence(dora):
    for typed, sentence in WRONG:
        assert_refused(dora.post(reverse(HERE), typed), sentence)
    assert not Event.objects.exists()


def test_a_day_to_come_is_refused_and_nothing_is_made(dora):
    future = {"text": "Platz;Name\n1;Eva\n2;Max", "day": "2099-09-03"}
    preview = dora.post(reverse(HERE), future)
    answer = dora.post(reverse(CONFIRM), {"told": hidden(preview, "told")})
    assert_refused(answer, "Nachtragen lässt sich nur ein Tag, der vorbei ist.")
    assert dora.post(reverse(CONFIRM), {"told": "x"}).status_code == 422
    assert not Event.objects.exists()


def test_a_grid_of_points_becomes_an_evening_a_column(dora):
    enter(dora, text=GRID, name="Liga", holds="points")
    found = Event.objects.filter(name="Liga").order_by("starts_at")
    assert [event.starts_at.date().isoformat() for event in found] == [
        "2026-09-03", "2026-09-10", "2026-09-24",
    ]  # fmt: skip
    assert [sorted((line.place, line.name) for line in standings(event)) for event in found] == [
        [(1, "Max Bauer"), (2, "Eva Lang"), (2, "Ina Moser")],
        [(1, "Eva Lang"), (2, "Ina Moser")],
        [(1, "Ina Moser"), (2, "Max Bauer")],
    ]


def test_a_grid_of_places_counts_on_from_its_first_day_and_makes_the_leagues_table(dora):
    text = (
        "Spieler\t29.10.\t7.1.\nEva Lang\t2\t1\nMax Bauer\t1.\t3\nIna Moser\t4\t\nOtto Kurz\t\t2\n"
    )
    enter(dora, text=text, name="Liga", holds="places", day="2025-10-29")
    found = Event.objects.filter(name="Liga").order_by("starts_at")
    assert [event.starts_at.date().isoformat() for event in found] == ["2025-10-29", "2026-01-07"]
    # Place 3 of the first evening was a guest's: those behind move up.
    assert points(make_league()) == {
        "Eva Lang": 500, "Max Bauer": 400, "Otto Kurz": 200, "Ina Moser": 100,
    }  # fmt: skip
