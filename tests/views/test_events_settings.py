"""A tournament's settings on their page, and what club and tournament say of themselves."""

from datetime import time

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.bubble import begin, make_event
from tests.pressing import url_of, words_of
from tests.views.desk import post
from tests.views.pages import FILLED, NOW, bare, errors_of, planned, sent_by, settings_of, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.event.services.lifecycle import event_cancel, event_update
from tournaments.models import Action, Club, Entry, Event

pytestmark = pytest.mark.django_db


def test_settings_before_the_start_all_change(dora):
    event = planned()
    url = reverse("event-settings", args=[event.slug])
    changed = {
        **settings_of(event), "name": "Anders", "time": "20:15", "capacity": "1.000",
        "game": "omaha", "limit": "pot_limit", "seats_per_table": "8",
        "starting_stack": "500", "late_registration_level": "3", "draw_mode": "field",
    }  # fmt: skip
    del changed["is_registration_open"]
    assert dora.post(url, changed).url == url
    again = f.fresh(event)
    assert (again.name, again.capacity, again.game, again.limit) == (
        "Anders", 1000, "omaha", "pot_limit"
    )  # fmt: skip
    assert (again.seats_per_table, again.starting_stack, again.draw_mode) == (8, 500, "field")
    assert again.late_registration_level == 3
    assert again.is_registration_open is False
    assert timezone.localtime(again.starts_at).time() == time(20, 15)


def test_only_what_this_person_changed_is_changed(dora):
    event = planned()
    sent = settings_of(event) | {"name": "Anders"}
    untouched = dora.post(reverse("event-settings", args=[event.slug]), settings_of(event))
    assert untouched.status_code == 422
    assert "nichts geändert" in untouched.content.decode()
    event_update(Command(event=event, by=SYSTEM, at=NOW), settings={"capacity": 20})
    dora.post(reverse("event-settings", args=[event.slug]), sent)
    again = f.fresh(event)
    assert (again.name, again.capacity) == ("Anders", 20)


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        ("name", "", ""),
        ("capacity", "1", "Mindestens 2"),
        ("seats_per_table", "12", "Höchstens 10"),
        ("day", "2020-01-01", "schon vorbei"),
        ("game", "stud", "höchstens 8"),
        ("late_registration_level", "400", ""),
        ("paid_places", "viele", "ganze Zahl"),
        ("paid_places", "61", "höchstens so viele"),
        ("redraw_at", "27 und 18", "ganze Zahlen"),
        ("redraw_at", "18, 27", "werden kleiner"),
        ("redraw_at", "1", "mindestens 2"),
        ("final_table_seats", "11", "Höchstens 10"),
        ("areas", "im Saal", "„im Saal“ ist nicht zu lesen. Bitte so: 1-6: Großer Saal."),
        ("areas", "6-1: Saal", "„6-1“: Solche Tischnummern gibt es nicht."),
        ("areas", "1-6:", "Bei „1-6“ fehlt, wo diese Tische stehen."),
        ("areas", "1: " + "x" * 81, "Bei „1“ bitte höchstens 80 Zeichen."),
        ("areas", "1-6: A\n6: B", "„6“: Einer dieser Tische steht schon in einem anderen Bereich."),
    ],
)
def test_a_wrong_setting_says_so_beside_itself(dora, field, typed, said):
    event = planned(seats=10)
    url = reverse("event-settings", args=[event.slug])
    sent = sent_by(dora.get(url).context["form"], limit="pot_limit", **{field: typed})
    answer = dora.post(url, sent)
    assert answer.status_code == 422
    errors = errors_of(answer, "seats_per_table" if field == "game" else field)
    assert errors
    assert said in errors[0]
    again = f.fresh(event)
    assert (again.version, again.limit) == (event.version, "no_limit")
    # What was typed is still there, and so is what the page began with.
    page = answer.content.decode()
    assert '<option value="pot_limit" selected>' in page
    assert 'name="initial-limit" value="no_limit"' in page


def test_after_the_start_the_fixed_settings_are_grey_with_their_reason(dora):
    event = f.make_running_event(3)
    page = dora.get(reverse("event-settings", args=[event.slug])).content.decode()
    for reason in ("schon begonnen", "Die Tische sind schon besetzt", "Karten gegeben",
                   "gleich viele Chips", "schon ausgelost"):  # fmt: skip
        assert reason in page
    form = dora.get(reverse("event-settings", args=[event.slug])).context["form"]
    grey = {name for name, field in form.fields.items() if field.disabled}
    assert grey == {
        "day", "time", "game", "limit", "seats_per_table", "starting_stack", "draw_mode",
        "on_time_chips",
        "bounty_kind", "bounty_cut",
    }  # fmt: skip


def test_a_page_from_before_the_start_gets_the_reason_beside_the_field(dora):
    event = f.make_running_event(3)
    url = reverse("event-settings", args=[event.slug])
    sent = settings_of(event) | {"name": "Anders"}
    answer = dora.post(url, sent | {"seats_per_table": "8"})
    assert answer.status_code == 422
    assert "Die Tische sind schon besetzt" in str(errors_of(answer, "seats_per_table"))
    assert f.fresh(event).version == event.version
    # What is grey, a browser does not send.
    grey = {"day", "time", "game", "limit", "seats_per_table", "starting_stack", "draw_mode"}
    answer = dora.post(url, {name: value for name, value in sent.items() if name not in grey})
    assert (answer.status_code, f.fresh(event).name) == (302, "Anders")


def test_settings_of_an_evening_that_is_over_are_all_grey(dora):
    event = planned()
    event_cancel(Command(event=event, by=SYSTEM, at=NOW))
    url = reverse("event-settings", args=[event.slug])
    page = dora.get(url)
    assert all(field.disabled for field in page.context["form"].fields.values())
    assert "Speichern" not in page.content.decode()
    answer = dora.post(url, settings_of(event) | {"name": "Anders"})
    assert (answer.status_code, f.fresh(event).name) == (422, event.name)


def test_pages_cost_a_fixed_number_of_queries(dora, django_assert_max_num_queries):
    event = f.make_running_event(10)
    for name in ("event-settings", "event-copy"):
        with django_assert_max_num_queries(20):
            dora.get(reverse(name, args=[event.slug]))


def test_settings_of_late_play_are_set_and_shown_and_fixed_at_the_bubble(dora):
    event = make_event()
    where = reverse("event-settings", args=[event.slug])
    form = dora.get(where).context["form"]
    assert form["paid_places"].value() == 7
    typed = {"paid_places": "6", "redraw_at": "27, 18", "final_table_seats": "3"}
    assert dora.post(where, sent_by(form, **typed)).status_code == 302
    again = f.fresh(event)
    assert (again.paid_places, again.redraw_at, again.final_table_seats) == (6, [27, 18], 3)
    assert "27, 18" in dora.get(where).content.decode()
    assert "6 bezahlt" in words_of(dora, event, "director-facts")
    begin(event)
    form = dora.get(where).context["form"]
    assert form.fields["paid_places"].disabled
    assert "steht fest, wie viele bezahlt werden" in form.fields["paid_places"].help_text


def test_a_new_tournament_has_them_behind_more_and_takes_them_from_the_last(dora):
    where = reverse("new-event")
    typed = {"paid_places": "5", "redraw_at": "18; 9", "final_table_seats": "9"}
    sent = sent_by(dora.get(where).context["form"], **typed)
    answer = dora.post(where, sent | {"redraw_at": "9, 18"})
    assert answer.status_code == 422
    assert answer.context["is_more_open"]
    assert "werden kleiner" in str(errors_of(answer, "redraw_at"))
    assert dora.post(where, sent).status_code == 302
    event = Event.objects.get()
    assert (event.paid_places, event.redraw_at, event.final_table_seats) == (5, [18, 9], 9)
    form = dora.get(where).context["form"]
    assert [form[name].value() for name in typed] == [5, "18, 9", 9]


TYPED = {
    "venue": "Gasthof Post",
    "address": "Hauptplatz 3, 4020 Linz",
    "contact": "info@klub.at\r\n+43 660 1234",
    "description": "Jeden Freitag.\r\n\r\nAlle sind <b>willkommen</b>.",
    "house_text": "Einlass ab 18.",
    "imprint": "Verein Linz\r\nZVR 123",
}


def save(client, **own):
    return client.post(reverse("club-about"), {**TYPED, **own})


def test_the_club_says_where_it_plays_and_whom_to_ask(dora):
    f.house()
    assert save(dora).status_code == 302
    club = Club.objects.get()
    assert (club.venue, club.contact) == ("Gasthof Post", "info@klub.at\n+43 660 1234")
    made = Action.objects.get(kind="club.about_set")
    assert made.payload["about"] == sorted(TYPED)
    page = text_of(dora.get(reverse("club-settings")))
    assert 'value="Gasthof Post"' in page
    assert "&lt;b&gt;willkommen" in page


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("contact", "javascript:alert(1)", "weder Mailadresse"),
        ("contact", "\n".join(["a@b.at"] * 7), "Höchstens 6 Zeilen"),
        ("venue", "x" * 121, "120"),
        ("imprint", "x" * 6001, "6000"),
    ],
)
def test_what_cannot_be_shown_is_refused_beside_its_field(dora, field, value, said):
    f.house()
    answer = save(dora, **{field: value})
    assert answer.status_code == 422
    assert said in str(answer.context["about_form"].errors[field])
    assert Club.objects.get().venue == ""
    assert not Action.objects.filter(kind="club.about_set").exists()


def test_a_tournament_says_otherwise_for_its_evening_and_takes_it_back(dora):
    event = f.make_event()
    save(dora)
    changed = {"venue": "Kulturhaus ", "contact": "https://kh.at"}
    made = f.drive(event_update, event, -60, settings=changed)
    about = f.fresh(event).about
    assert (about.venue, about.address, about.house_text) == ("Kulturhaus", "", "Einlass ab 18.")
    assert [one.href for one in about.contacts] == ["https://kh.at"]
    f.undo(event, made)
    assert f.fresh(event).about.place == "Gasthof Post, Hauptplatz 3, 4020 Linz"
    with pytest.raises(Refused, match="weder Mailadresse"):
        f.drive(event_update, event, 91, settings={"contact": "ruf an"})
    assert f.fresh(event).contact == ""


def test_the_settings_of_a_tournament_ask_for_it_in_a_section_of_its_own(dora):
    event = f.make_event()
    page = reverse("event-settings", args=[event.slug])
    typed = {"venue": "Kulturhaus", "description": "Eins\r\n\r\nZwei"}
    answer = dora.post(page, sent_by(dora.get(page).context["form"], **typed))
    assert answer.status_code == 302, answer.context["form"].errors
    event = f.fresh(event)
    assert (event.venue, event.description) == ("Kulturhaus", "Eins\n\nZwei")


AREAS = "2-9: Galerie, Treppe hinten\n1: Großer Saal <b>links</b>"
KEPT = [[1, 1, "Großer Saal <b>links</b>"], [2, 9, "Galerie, Treppe hinten"]]
SHOWN = "Großer Saal &lt;b&gt;links&lt;/b&gt;"


@pytest.fixture
def halls():
    """A tournament in two rooms."""
    made = f.make_event()
    f.drive(event_update, made, -60, settings={"areas": KEPT})
    return f.fresh(made)


def test_a_new_tournament_takes_areas_and_the_next_one_begins_with_them(dora):
    assert dora.post(reverse("new-event"), FILLED | {"areas": AREAS}).status_code == 302
    assert Event.objects.latest("pk").areas == KEPT
    again = text_of(dora.get(reverse("new-event")))
    assert f"1: {SHOWN} 2-9: Galerie, Treppe hinten</textarea>" in again


def test_areas_saved_unchanged_change_nothing_and_a_change_is_taken_back(dora, halls):
    url, data = url_of(halls, "event-settings"), settings_of(halls)
    shown = "\r\n".join(reversed(AREAS.splitlines()))  # as browsers send it
    dora.post(url, data | {"areas": shown, "initial-areas": shown, "name": "Pokal"})
    assert (f.fresh(halls).name, f.fresh(halls).areas) == ("Pokal", KEPT)
    assert f.last_action(halls).payload["settings"] == ["name"]
    dora.post(url, data | {"areas": "1-9: Saal", "initial-areas": shown})
    assert f.fresh(halls).areas == [[1, 9, "Saal"]]
    page = text_of(post(dora, "undo-preview", halls, f.last_action(halls).pk))
    assert f"1: {SHOWN}, 2-9: Galerie, Treppe hinten" in page
    f.undo(halls)
    assert f.fresh(halls).areas == KEPT
    for areas in ([[6, 1, "Saal"]], [[2, 9, "Saal"], [1, 2, "Galerie"]]):
        with f.refused("bad_areas", halls):
            f.drive(event_update, halls, 91, settings={"areas": areas})


def test_everybody_who_looks_for_a_table_is_told(dora, halls):
    petra = f.register(halls, "Petra")
    f.register(halls, "Otto")  # a table is enough for the two who are expected
    assert SHOWN in text_of(post(dora, "desk-check-in", halls, petra.pk))
    entry = Entry.objects.get(registration=petra)
    own = reverse("player", args=[petra.link_token])
    for url in (own, url_of(halls, "slip", entry.pk), url_of(halls, "slips")):
        page = bare(text_of(dora.get(url)))
        assert 'class="slip-way"' in page, url
        assert f"{SHOWN}</p>" in page, url
    for name in ("paper-seats", "paper-tables"):
        page = bare(text_of(dora.get(url_of(halls, name))))
        assert f"<dt>Tisch 1</dt><dd>{SHOWN}</dd>" in page
        assert "<dt>Tische 2 bis 9</dt><dd>Galerie, Treppe hinten</dd>" in page
    f.drive(event_update, halls, -50, settings={"areas": []})
    for url in (own, url_of(halls, "slip", entry.pk)):
        assert "slip-way" not in text_of(dora.get(url))
    assert "sheet-areas" not in text_of(dora.get(url_of(halls, "paper-seats")))
