"""A tournament's settings on their page, and what club and tournament say of themselves."""

import re
from collections import Counter
from datetime import time, timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.bubble import begin, make_event
from tests.pressing import HTMX, shows, url_of, words_of
from tests.views.desk import post
from tests.views.pages import (
    NOW,
    assert_refused,
    bare,
    card_form,
    card_with,
    errors_of,
    page_of,
    planned,
    save,
    sent_by,
    text_of,
)
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.settings.declared import PHASES, SETTINGS
from tournaments.event.selectors.settings.setting import Section
from tournaments.event.services.lifecycle import event_cancel, event_copy, event_update
from tournaments.models import Action, Club, Entry, Event

pytestmark = pytest.mark.django_db


def test_settings_before_the_start_all_change(dora):
    event = planned()
    url = reverse("event-settings", args=[event.slug])
    evening = {"name": "Anders", "time": "20:15", "game": "omaha", "limit": "pot_limit"}
    assert save(dora, event, "name", **evening).url == url
    places = {"capacity": "1.000", "seats_per_table": "8", "draw_mode": "field"}
    assert save(dora, event, "capacity", **places).url == url
    assert save(dora, event, "starting_stack", starting_stack="500").url == url
    door = {"late_registration_level": "3", "is_registration_open": None}
    assert save(dora, event, "is_registration_open", **door).url == url
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
    sent = sent_by(card_form(dora, event, "capacity"), seats_per_table="8")
    assert_refused(save(dora, event, "capacity"), "nichts geändert")
    event_update(Command(event=event, by=SYSTEM, at=NOW), settings={"capacity": 20})
    dora.post(card_with(event, "capacity"), sent)
    again = f.fresh(event)
    assert (again.seats_per_table, again.capacity) == (8, 20)


def test_every_setting_stands_in_exactly_one_card(dora):
    """A setting declared without a card is either changed elsewhere or part of another field."""
    event = f.make_event(fee_cents=1000, kind="both", at=f.ARRIVAL)
    Club.objects.update(hall="Saal\n1 2")  # its tables are asked for where there is a plan
    found = Counter()
    for section in Section:
        page = dora.get(f"{url_of(event, 'event-settings')}?karte={section}")
        found.update(list(page.context["form"].fields))
        names = re.findall(r' name="(?!initial-)(\w+)"', text_of(page))
        assert set(page.context["form"].fields) <= set(names), section
    changeable = {one for one in SETTINGS if one.is_changeable and one.is_column}
    ends = {*PHASES.values()}  # chosen in the field of the level
    fields = {name for one in changeable if one.name not in ends for name in one.fields}
    assert found == dict.fromkeys(fields, 1)
    blinds = text_of(dora.get(card_with(event, "starting_stack")))
    assert f'href="{url_of(event, "event-schedule")}"' in blinds


MONEY = re.compile(r"Geld|€|Topf|Preis|Euro|Cash|Startgeld", re.IGNORECASE)


def test_an_evening_for_nothing_has_five_cards_without_a_word_of_money_or_cash(dora):
    event = f.make_event()
    url = url_of(event, "event-settings")
    sections = [card.section for card in dora.get(url).context["cards"]]
    assert sections == [one for one in Section if one != Section.MONEY]
    for where in (url, *(f"{url}?karte={section}" for section in sections)):
        assert MONEY.findall(text_of(dora.get(where))) == [], where
    assert "um nichts" in text_of(dora.get(url))
    # The card of the evening leads to where that is changed, and the search finds it, too.
    assert "?karte=money" in text_of(dora.get(f"{url}?karte=evening"))
    assert save(dora, event, "fee_cents", fee_cents="20").status_code == 302
    assert "20 €</b>, alles in den Topf" in text_of(dora.get(url))
    for typed in ("gespielt wird", "Cash"):  # its choices are found as its name is
        found = dora.get(url, {"suche": typed})
        assert found.url.endswith("?karte=evening&feld=kind")
    assert "Turnier und Cash Game" in text_of(dora.get(found.url))
    assert save(dora, event, "kind", kind="both").status_code == 302
    assert "Daneben Cash Game um" in text_of(dora.get(url))


def test_three_letters_and_enter_open_the_card_with_the_setting(dora):
    event = planned(fee_cents=1000)
    url = url_of(event, "event-settings")
    for typed, card in (("reb", "money&feld=rebuy_level"), ("sper", "evening&feld=closing_time"),
                        ("fin", "places&feld=final_table_seats")):  # fmt: skip
        answer = dora.get(url, {"suche": typed})
        assert answer.url == f"{url}?karte={card}"
        assert "autofocus" in text_of(dora.get(answer.url))
    live = HTMX
    shown = text_of(dora.get(url, {"suche": "Re-buy"}, headers=live))
    shows(shown, "karte=money&amp;feld=rebuy_cents", but=("<html",))
    assert "So heißt keine Einstellung" in text_of(dora.get(url, {"suche": "xyz"}))
    assert "setting-card" in text_of(dora.get(url, {"suche": ""}, headers=live))


def test_what_is_other_than_last_time_is_marked_with_its_old_value(dora):
    last = planned(fee_cents=2000, rebuy_level=3, rebuy_cents=2000, level_minutes=15)
    command = ClubCommand(club=last.club, by=SYSTEM, at=NOW)
    made = event_copy(command, source=last, starts_at=last.starts_at + timedelta(days=7))
    event = Event.objects.get(pk=made.payload["event"])
    shows(page_of(dora, event, "event-settings"), "übernommen. Alles ist gleich.", but=("<mark>",))
    event_update(Command(event=event, by=SYSTEM, at=NOW), settings={"rebuy_level": 4})
    page = page_of(dora, event, "event-settings")
    shows(page, "Re-buy <mark>bis Stufe 4</mark>", "Neu: Re-buy (war bis Stufe 3)")
    assert "1 Wert ist neu." in page
    other = {"schedule": "T200", "level_minutes": "20"}
    assert dora.post(url_of(event, "event-schedule"), other).status_code == 302
    assert "Neu: Minuten je Stufe (war 15 Minuten)" in page_of(dora, event, "event-settings")


def test_the_sentence_follows_what_is_typed_and_nothing_is_saved(dora):
    event = planned(fee_cents=2000)
    sent = sent_by(card_form(dora, event, "fee_cents"), fee_cents="25", fee_parts="Haus 5")
    where = f"{card_with(event, 'fee_cents')}&satz"
    told = dora.post(where, sent).content.decode()
    assert told == "<b>25\xa0€</b>, davon <b>20\xa0€</b> in den Topf."
    half = dora.post(where, sent | {"fee_parts": "Haus fünf"}).content.decode()
    assert half == "<b>25\xa0€</b>, alles in den Topf."
    assert f.fresh(event).fee_cents == 2000


def test_a_wrong_setting_says_so_beside_itself(dora):
    event = planned(seats=10)
    for field, typed, said in (
        ("name", "", ""),
        ("capacity", "1", "Mindestens 2"),
        ("seats_per_table", "12", "Höchstens 10"),
        ("day", "2020-01-01", "schon vorbei"),
        ("game", "stud", "sitzen 2 bis 8"),
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
    ):
        answer = save(dora, event, field, limit="pot_limit", **{field: typed})
        assert said in errors_of(answer, "__all__" if field == "game" else field)
        assert f.fresh(event).version == event.version
        if "limit" in answer.context["form"].fields:
            # What was typed is still there, and so is what the page began with.
            page = answer.content.decode()
            shows(
                page, '<option value="pot_limit" selected>', 'name="initial-limit" value="no_limit"'
            )


def test_after_the_start_the_fixed_settings_are_grey_with_their_reason(dora):
    event = f.make_running_event(3)
    grey, said = set(), ""
    for section in Section:
        page = dora.get(f"{url_of(event, 'event-settings')}?karte={section}")
        form = page.context["form"]
        grey |= {name for name, field in form.fields.items() if field.disabled}
        said += text_of(page)
    for reason in ("schon begonnen", "Die Tische sind schon besetzt", "Karten gegeben",
                   "gleich viele Chips", "schon ausgelost"):  # fmt: skip
        assert reason in said
    assert grey == {
        "day", "time", "game", "limit", "seats_per_table", "starting_stack", "draw_mode",
        "on_time_chips",
        "bounty_kind", "bounty_cut",
    }  # fmt: skip
    assert "Das Turnier hat schon begonnen." in page_of(dora, event, "event-settings")


def test_a_page_from_before_the_start_gets_the_reason_beside_the_field(dora):
    event = f.make_event()
    sent = sent_by(card_form(dora, event, "capacity"), capacity="50")
    event = f.make_running_event(3)
    where = card_with(event, "capacity")
    answer = dora.post(where, sent | {"seats_per_table": "8"})
    assert "Die Tische sind schon besetzt" in errors_of(answer, "seats_per_table")
    assert f.fresh(event).version == event.version
    # What is grey, a browser does not send.
    grey = {"seats_per_table", "draw_mode"}
    answer = dora.post(where, {name: value for name, value in sent.items() if name not in grey})
    assert (answer.status_code, f.fresh(event).capacity) == (302, 50)


def test_settings_of_an_evening_that_is_over_are_all_grey(dora):
    event = planned()
    event_cancel(Command(event=event, by=SYSTEM, at=NOW))
    page = dora.get(card_with(event, "name"))
    assert all(field.disabled for field in page.context["form"].fields.values())
    assert "Speichern" not in page.content.decode()
    answer = save(dora, event, "name", name="Anders")
    assert (answer.status_code, f.fresh(event).name) == (422, event.name)


def test_settings_of_late_play_are_set_and_shown_and_fixed_at_the_bubble(dora):
    event = make_event()
    assert card_form(dora, event, "paid_places")["paid_places"].value() == 7
    assert save(dora, event, "paid_places", paid_places="6").status_code == 302
    typed = {"redraw_at": "27, 18", "final_table_seats": "3"}
    assert save(dora, event, "redraw_at", **typed).status_code == 302
    again = f.fresh(event)
    assert (again.paid_places, again.redraw_at, again.final_table_seats) == (6, [27, 18], 3)
    assert card_form(dora, event, "redraw_at")["redraw_at"].value() == "27, 18"
    assert "6 bezahlt" in words_of(dora, event, "director-facts")
    begin(event)
    page = dora.get(card_with(event, "paid_places"))
    assert page.context["form"].fields["paid_places"].disabled
    assert "steht fest, wie viele bezahlt werden" in text_of(page)


TYPED = {
    "venue": "Gasthof Post",
    "address": "Hauptplatz 3, 4020 Linz",
    "contact": "info@klub.at\r\n+43 660 1234",
    "description": "Jeden Freitag.\r\n\r\nAlle sind <b>willkommen</b>.",
    "house_text": "Einlass ab 18.",
    "imprint": "Verein Linz\r\nZVR 123",
}


def save_club(client, **own):
    return client.post(reverse("club-about"), {**TYPED, **own})


def test_the_club_says_where_it_plays_and_whom_to_ask(dora):
    assert save_club(dora).status_code == 302
    club = Club.objects.get()
    assert (club.venue, club.contact) == ("Gasthof Post", "info@klub.at\n+43 660 1234")
    assert Action.objects.get(kind="club.about_set").payload["about"] == sorted(TYPED)
    page = text_of(dora.get(reverse("club-settings")))
    shows(page, 'value="Gasthof Post"', "&lt;b&gt;willkommen")


def test_what_cannot_be_shown_is_refused_beside_its_field(dora):
    for field, value, said in (
        ("contact", "javascript:alert(1)", "weder Mailadresse"),
        ("contact", "\n".join(["a@b.at"] * 7), "Höchstens 6 Zeilen"),
        ("venue", "x" * 121, "120"),
        ("imprint", "x" * 6001, "6000"),
    ):
        assert said in errors_of(save_club(dora, **{field: value}), field, "about_form")
    assert Club.objects.get().venue == ""
    assert not Action.objects.filter(kind="club.about_set").exists()


def test_a_tournament_says_otherwise_for_its_evening_and_takes_it_back(dora):
    event = f.make_event()
    save_club(dora)
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


AREAS = "2-9: Galerie, Treppe hinten\n1: Großer Saal <b>links</b>"
KEPT = [[1, 1, "Großer Saal <b>links</b>"], [2, 9, "Galerie, Treppe hinten"]]
SHOWN = "Großer Saal &lt;b&gt;links&lt;/b&gt;"


@pytest.fixture
def halls():
    """A tournament in two rooms."""
    made = f.make_event()
    f.drive(event_update, made, -60, settings={"areas": KEPT})
    return f.fresh(made)


def test_areas_saved_unchanged_change_nothing_and_a_change_is_taken_back(dora, halls):
    shown = "\r\n".join(reversed(AREAS.splitlines()))  # as browsers send it
    same = {"areas": shown, "initial-areas": shown}
    assert save(dora, halls, "areas", **same, capacity="50").status_code == 302
    assert (f.fresh(halls).capacity, f.fresh(halls).areas) == (50, KEPT)
    assert f.last_action(halls).payload["settings"] == ["capacity"]
    assert save(dora, halls, "areas", areas="1-9: Saal").status_code == 302
    assert f.fresh(halls).areas == [[1, 9, "Saal"]]
    page = text_of(post(dora, "undo-preview", halls, f.last_action(halls).pk))
    assert f"1: {SHOWN}, 2-9: Galerie, Treppe hinten" in page
    f.undo(halls)
    assert f.fresh(halls).areas == KEPT
    for areas in ([[6, 1, "Saal"]], [[2, 9, "Saal"], [1, 2, "Galerie"]]):
        f.refuses("bad_areas", event_update, halls, 91, settings={"areas": areas})


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
        page = bare(page_of(dora, halls, name))
        assert f"<dt>Tisch 1</dt><dd>{SHOWN}</dd>" in page
        assert "<dt>Tische 2 bis 9</dt><dd>Galerie, Treppe hinten</dd>" in page
    f.drive(event_update, halls, -50, settings={"areas": []})
    for url in (own, url_of(halls, "slip", entry.pk)):
        assert "slip-way" not in text_of(dora.get(url))
    assert "sheet-areas" not in page_of(dora, halls, "paper-seats")
