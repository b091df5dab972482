"""The hall belongs to the club: of two events in it no table bears the number of another."""

import io
from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone
from PIL import Image

from clock.domain import instant_ms
from clock.models import Level
from clock.selectors import clock_levels, clock_state
from tests import factories as f
from tests.calling import call_service
from tests.costs import statements
from tests.domain.test_field_cases import case
from tests.services.test_races import at_once, call
from tournaments.changes.access import SYSTEM
from tournaments.changes.kinds import describe
from tournaments.changes.selectors.log import log_first_fault
from tournaments.club.services.club import club_hall_set
from tournaments.door.services.arrivals import entry_check_in
from tournaments.event.selectors.hall import numbers_in_use, way_at
from tournaments.event.services.clock import clock_pause
from tournaments.event.services.lifecycle import event_end, event_update
from tournaments.models import Action, Club, Event, Screen, Slide, Table
from tournaments.screens.domain.lobby import order_of
from tournaments.screens.selectors.lobby import OPEN, lobby_of
from tournaments.screens.selectors.own_face import hall_own, own_face
from tournaments.screens.services.own_face import (
    KEPT,
    MOST_SLIDES,
    face_arrange,
    face_undo,
    slide_add,
    slide_move,
    slide_remove,
)
from tournaments.screens.services.screens import screen_claim, screen_make
from tournaments.screens.views.screens import _shows
from tournaments.seating.services.seats import seats_draw
from tournaments.seating.services.tables import table_break, table_close, table_open

pytestmark = [pytest.mark.django_db, pytest.mark.planned]
PLAN = "Großer Saal\n1-3\n4 . 5\n\nGalerie\n9"


def numbers(event: Event) -> list[int]:
    return sorted(Table.objects.live().filter(event=event).values_list("number", flat=True))


def draw_a_plan(text: str = PLAN) -> Club:
    call_service(club_hall_set, club=f.house(), by=SYSTEM, at=f.ARRIVAL, hall=text)
    return Club.objects.get()


@pytest.fixture
def main():
    return f.make_running_event(12, seats=6, name="Main Event")


def test_a_satellite_beside_the_main_event_gets_other_numbers_and_a_sample_its_own_hall(main):
    sample = f.make_event(is_sample=True)
    f.drive(table_open, sample, -5, count=2)
    assert numbers(sample) == [1, 2]
    satellite = f.make_running_event(8, seats=4, name="Satellit")
    assert (numbers(main), numbers(satellite)) == ([1, 2], [3, 4])
    assert numbers_in_use(main.club) == dict.fromkeys((1, 2), "Main Event") | dict.fromkeys(
        (3, 4), "Satellit"
    )
    f.out(main, *f.at_table(main, 1)[:3])
    f.out(main, *f.at_table(main, 2)[:3])
    f.drive(table_break, main, 10, table=f.table_of(main, 1), reason="Platz")
    f.drive(table_open, satellite, 11, count=2)
    assert numbers(satellite) == [1, 3, 4, 5]
    f.refuses("number_held", f.undo, main)
    f.drive(table_close, satellite, 12, table=f.table_of(satellite, 1))
    f.undo(main)
    assert numbers(main) == [1, 2]


def test_the_numbers_of_an_event_are_free_once_it_is_over(main):
    end(main)
    other = f.make_running_event(6, seats=6)
    assert numbers(other) == [1]
    sentence = f.refuses("number_held", f.undo, main)
    assert "1 Freitagsturnier" in sentence


def end(event):
    players = f.entries_of(event)
    for minute, entry in enumerate(players[:-1], 2):
        f.out(event, entry, at=f.after(minute))
    f.drive(event_end, event, 60)


def test_an_event_takes_the_tables_of_the_plan_and_says_who_has_the_others():
    draw_a_plan()
    with f.refused("bad_hall"):
        draw_a_plan("Saal")
    main = f.make_running_event(12, seats=6, name="Main Event")
    side = f.make_event(seats=6)
    f.undo(side, f.drive(event_update, side, -20, settings={"hall_tables": "9"}))
    assert f.fresh(side).hall_tables == ""
    f.drive(event_update, f.fresh(side), -20, settings={"hall_tables": "2–3, 9"})
    f.drive(table_open, f.fresh(side), -10, count=2)
    assert (numbers(main), numbers(side)) == ([1, 2], [3, 9])
    assert way_at(f.fresh(side), 9) == "Galerie"
    sentence = f.refuses("hall_full", table_open, f.fresh(side), -5)
    assert sentence == (
        "Im Saal fehlt ein freier Tisch. Vergeben: 2 Main Event. "
        "Mehr erlauben die Einstellungen unter „Tische dieses Turniers“."
    )
    sentence = f.refuses("hall_full", table_open, main, 5, count=5)
    assert sentence == (
        "Im Saal fehlen 3 freie Tische. Vergeben: 3, 9 Freitagsturnier. "
        "Mehr kennt der Saalplan des Vereins nicht."
    )


def test_who_finds_no_table_is_not_checked_in_and_the_field_is_not_drawn():
    draw_a_plan("1")
    event = f.make_seated_event(2, seats=2)
    third = f.register(event, "Dritte")
    f.refuses("hall_full", entry_check_in, event, -5, registration=third)
    field = f.make_event(draw_mode="field")
    for name in ("Eins", "Zwei"):
        f.check_in(field, f.register(field, name))
    f.refuses("hall_full", seats_draw, field, -5)


def test_tables_that_are_not_there_are_refused():
    draw_a_plan()
    event = f.make_event()
    for typed, sentence in (
        ("1-12", "Tisch 6–8, 10–12 steht nicht im Saalplan."),
        ("x", "„x“ ist keine Tischnummer. Bitte so: 1–12."),
        ("3, 2-4", "Tisch 2-4 steht zweimal da."),
        ("5-1", "„5-1“: Solche Tischnummern gibt es nicht."),
    ):
        said = {"settings": {"hall_tables": typed}}
        assert f.refuses("bad_hall_tables", event_update, event, -20, **said) == sentence


@pytest.mark.django_db(transaction=True)
def test_two_directors_at_once_open_different_tables():
    events = [f.make_event(name=name) for name in ("Main Event", "Satellit", "Omaha")]
    at_once(*(call(table_open, event, at=f.ARRIVAL, count=3) for event in events))
    found = [number for event in events for number in numbers(event)]
    assert sorted(found) == list(range(1, 10))


@pytest.mark.django_db(transaction=True)
def test_the_last_table_of_the_hall_goes_to_one():
    draw_a_plan("1-3")
    events = [f.make_event(name=name) for name in ("Main Event", "Satellit")]
    answers = at_once(*(call(table_open, event, at=f.ARRIVAL, count=2) for event in events))
    assert sorted(map(len, map(numbers, events))) == [0, 2]
    assert answers.count("hall_full") == 1


# Who sits at another event


def test_who_is_out_there_or_at_a_sample_comes_in_without_a_word(main):
    gone = f.entries_of(main)[0]
    f.out(main, gone)
    person = gone.registration.person
    side = f.make_event(name="Satellit")
    f.drive(entry_check_in, side, 6, registration=f.register(side, person.name, person=person.pk))
    sample = f.make_event(is_sample=True)
    other = f.entries_of(main)[1].registration.person
    f.drive(entry_check_in, sample, 6, registration=f.register(sample, other.name, person=other.pk))


# --- The lobby: rows by the next instant to miss, all counted from instants told once


def at(text):
    hour, minute = map(int, text.split(":"))
    return instant_ms(datetime(2026, 11, 27, hour, minute, tzinfo=UTC))


def test_lobby_order():
    given, expect = case("lobby-order")
    rows = {row["e"]: [at(row["next"][1])] if row["next"] else [] for row in given["rows"]}

    def key(name):
        return order_of(rows[name], at(given["now"]), is_cash=name.startswith("Cash"))

    assert sorted(rows, key=key) == expect["order"]


def rows_at(minute):
    found = lobby_of(f.house(), f.after(minute))["rows"]
    return {row["name"]: row for row in found}, [row["name"] for row in found]


def test_a_running_event_tells_all_its_instants_at_once():
    f.make_running_event(12, name="Main", late_registration_level=2)
    f.make_event(name="PLO", starts_at=f.after(15))
    found, order = rows_at(1)
    assert order == ["PLO", "Main"]
    main = found["Main"]
    begins = [at for at, _text in main["levels"]]
    assert begins[:3] == [instant_ms(f.after(minute)) for minute in (0, 20, 40)]
    assert main["late"] == begins[2]
    assert ["late", begins[2]] in main["coming"]
    assert main["field"] == "12 / 12"
    assert found["PLO"]["coming"] == [["start", instant_ms(f.after(15))]]
    # Once the first has begun by its time, the other one is next: no new data are needed.
    instants = {name: [at for _what, at in row["coming"]] for name, row in found.items()}
    later = instant_ms(f.after(16))
    assert sorted(found, key=lambda name: order_of(instants[name], later)) == ["Main", "PLO"]


def test_where_the_clock_stands_no_instant_is_told():
    event = f.make_running_event(12, name="Main", late_registration_level=2)
    f.drive(clock_pause, event, 3)
    main, _order = rows_at(4)
    assert main["Main"]["stands"]
    assert (main["Main"]["coming"], main["Main"]["late"]) == ([], OPEN)
    assert len(main["Main"]["levels"]) == 1


def test_an_unchanged_lobby_is_told_from_what_is_kept():
    for name in ("Main", "Satellit", "PLO"):
        f.make_running_event(4, name=name)
    club = f.house()
    lobby_of(club, f.after(1))
    with statements() as asked:
        again = lobby_of(club, f.after(2))
    assert (len(again["rows"]), len(asked)) == (3, 1)
    event = f.make_event(name="Turbo", starts_at=f.after(60))
    assert len(lobby_of(f.house(), f.after(3))["rows"]) == 4
    f.register(event, "Petra Probst", at=f.after(4))
    assert rows_at(5)[0]["Turbo"]["field"] == "1 / 60"


def test_a_page_of_its_own_and_nothing_of_it_with_one_event(client):
    event = f.make_running_event(4, name="Main")
    assert "lobby" not in dict(_shows(event))
    assert "Lobby" not in client.get("/").content.decode()
    f.make_running_event(4, name="Satellit")
    assert "lobby" in dict(_shows(event))
    assert "/lobby/" in client.get("/").content.decode()
    page = client.get("/lobby/").content.decode()
    assert "Main" in page
    assert "Satellit" in page
    assert [row["name"] for row in client.get("/lobby/stand.json").json()["rows"]]


def test_events_of_other_days_are_not_in_the_lobby():
    f.make_event(name="Morgen", starts_at=f.START + timedelta(days=2))
    assert rows_at(0)[1] == []


# --- The club's own face of its walls: slides and figures, each refusal, each undo


GRID = ["pot", "prizes", "", "rebuys", "break", "hunter"]


def do(service, event, /, **own):
    return call_service(service, club=event.club, by=SYSTEM, at=f.ARRIVAL, **own)


def slide(event, text="Danke, Brauerei", seconds=10, **own):
    do(slide_add, event, text=text, seconds=seconds, **own)
    return Slide.objects.latest("pk").pk


def photo(size=(3000, 2000), kind="JPEG", **own):
    out = io.BytesIO()
    Image.effect_noise(size, 60).convert("RGB").save(out, kind, **own)
    return out.getvalue()


def texts(event):
    return [text for _seconds, text, _picture, _figures in hall_own(event, f.ARRIVAL)]


def test_slides_are_shown_in_their_order_and_each_change_is_undone(event):
    first, second = slide(event, "Eins"), slide(event, "Zwei", 30)
    assert [row[:2] for row in hall_own(event, f.ARRIVAL)] == [[10, "Eins"], [30, "Zwei"]]
    do(slide_move, event, slide=second)
    assert texts(event) == ["Zwei", "Eins"]
    do(slide_move, event, slide=second)
    assert texts(event) == ["Eins", "Zwei"]
    removed = do(slide_remove, event, slide=first)
    assert texts(event) == ["Zwei"]
    do(face_undo, event, action=removed)
    assert texts(event) == ["Eins", "Zwei"]
    refused("already_undone", face_undo, event, action=removed)
    assert log_first_fault(event.club) is None
    assert "?" not in describe(Action.objects.select_related("text").latest("pk"))


def test_chosen_figures_are_undone(event):
    before = own_face(event.club).figures
    chosen = do(face_arrange, event, figures=GRID, in_breaks=True)
    chosen = Action.objects.select_related("text").get(pk=chosen.pk)
    do(face_undo, event, action=chosen)
    assert (own_face(event.club).figures, own_face(event.club).in_breaks) == (before, False)


def test_a_change_that_something_followed_is_not_undone(event):
    slide(event, "Eins")
    added = Action.objects.latest("pk")
    slide(event, "Zwei")
    refused("overtaken", face_undo, event, action=added)
    refused("gone", face_undo, event, action=Action.objects.order_by("pk").first())


def refused(why, service, event, **own):
    before = hall_own(event, f.ARRIVAL)
    with f.refused(why):
        do(service, event, **own)
    assert hall_own(event, f.ARRIVAL) == before


def test_a_bad_slide_is_refused(event):
    for why, given in (
        ("empty", {"text": "  "}),
        ("too_long", {"text": "x" * 201}),
        ("seconds", {"seconds": 4}),
        ("seconds", {"seconds": 61}),
        ("no_picture", {"data": b"GIF89a"}),
        ("no_picture", {"data": photo((300, 200))[:2000]}),
        ("too_large", {"data": b"\xff\xd8" + bytes(9_000_001)}),
        ("too_many_pixels", {"data": photo((4200, 10))}),
        ("bad_part", {"data": b'<svg xmlns="http://www.w3.org/2000/svg" onload="x()"/>'}),
    ):
        refused(why, slide_add, event, **{"text": "Danke", "seconds": 10, **given})


def test_there_are_not_too_many_slides(event):
    for number in range(MOST_SLIDES):
        slide(event, str(number))
    refused("too_many", slide_add, event, text="noch eine", seconds=10)
    refused("gone", slide_remove, event, slide=10**9)


def test_removed_slides_are_kept_for_a_while_only(event):
    for number in range(KEPT + 3):
        do(slide_remove, event, slide=slide(event, str(number)))
    assert Slide.objects.count() == KEPT


def test_a_photo_is_made_anew_without_what_the_camera_wrote(event):
    exif = Image.Exif()
    exif[0x010F] = "Kamera von Petra"
    slide(event, data=photo(exif=exif))
    data = bytes(Slide.objects.get().data)
    assert len(data) <= 300_000
    with Image.open(io.BytesIO(data)) as made:
        assert (made.format, max(made.size) >= 400, dict(made.getexif())) == ("JPEG", True, {})
    assert b"Petra" not in data


def test_the_grid_shows_chosen_figures_of_the_evening():
    event = f.make_running_event(9)
    levels = clock_levels(event.clock)
    Level.objects.filter(pk=levels[1].id).update(kind=Level.Kind.BREAK)
    begins = timezone.localtime(clock_state(event.clock, f.after(1)).next_change_at)
    do(face_arrange, event, figures=["left", "rebuys", "break", "", "pot", "end"], in_breaks=True)
    [[_seconds, _text, _picture, cells]] = hall_own(event, f.after(1))
    assert cells[0] == ["Im Spiel", ["9 / 9"]]
    assert cells[1] == ["Re-buys", ["0"]]
    assert cells[2] == ["Nächste Pause", [f"{begins:%H:%M}"]]
    assert cells[3:5] == [[], []]
    assert own_face(event.club).in_breaks


def test_a_bad_grid_is_refused(event):
    do(face_arrange, event, figures=GRID, in_breaks=False)
    for why, figures in (
        ("unknown_figure", [*GRID[:5], "money"]),
        ("unknown_figure", GRID[:5]),
        ("unknown_figure", [*GRID, ""]),
        ("twice", ["pot", "pot", "", "", "", ""]),
        ("no_change", GRID),
    ):
        refused(why, face_arrange, event, figures=figures, in_breaks=False)


def test_walls_hear_of_each_change(event):
    screen = screen_make(club=event.club, secret="s", at=f.ARRIVAL)
    do(screen_claim, event, code=screen.code, name="Beamer", event=event)
    version = Screen.objects.get().version
    slide(event)
    assert Screen.objects.get().version == version + 1
