"""The rule book that players read: games, betting, hands, house rules, and the state agreed to."""

import re

import pytest
from django.urls import reverse

from clock.domain import Level, numbered, with_breaks
from tests import factories as f
from tests.views.pages import planned, text_of
from tournaments.event.domain.cards import seat_cards
from tournaments.event.domain.games import KNOWN_GAMES
from tournaments.rules.selectors.book import ALWAYS, anchors_of
from tournaments.rules.selectors.book_evening import breaks_in_words
from tournaments.rules.services.rules import event_rules_change
from tournaments.rulings.domain.pots import Stake, pots_of
from tournaments.rulings.selectors.labels import RULES

pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en"}


def book_url(event, name="rules", *args):
    return reverse(name, args=[event.slug, *args])


def parts_of(page):
    """Return the parts of the book by their place on the page, without markup."""
    page = page.partition("Im Zweifel gilt")[0]
    found = re.split(r'<(?:div|li) id="([\w-]+)"[^>]*data-part>', page)
    return {
        key: " ".join(re.sub(r"<[^>]+>", " ", text).split())
        for key, text in zip(found[1::2], found[2::2], strict=True)
    }


def test_the_book_has_the_game_betting_the_hands_the_house_conduct_times_and_seat_cards(client):
    page = text_of(client.get(book_url(planned())))
    heads = re.findall(r'<h2 id="((?:book|rules)-\w+)"', page)
    assert heads == [
        "book-play", "book-bets", "book-hands", "book-house", "rules-table", "rules-seats",
        "rules-places", "book-conduct", "book-times", "book-seats",
    ]  # fmt: skip
    parts = parts_of(page)
    assert "wird hier gespielt" in parts["holdem"]
    assert "wird hier gespielt" in parts["no_limit"]
    assert "wird hier gespielt" not in parts["omaha"] + parts["pot_limit"]
    assert "Vierling" in parts["four"]
    assert "Jede Stufe dauert 20 Minuten." in parts["times"]
    places = re.findall(r'\bid="([^"]+)"', page)
    assert len(places) == len(set(places))


def test_every_answer_of_the_desk_links_to_its_rule_on_the_page(client):
    event = planned()
    anchors = anchors_of(event)
    assert anchors.keys() == RULES.keys()
    desk = client.get(book_url(event, "ruling-desk"))
    linked = re.findall(rf'href="{book_url(event)}#([^"]+)"', text_of(desk))
    assert linked == ["raising", "no_limit"]
    assert set(anchors.values()) <= parts_of(text_of(client.get(book_url(event)))).keys()


def test_s12_s23_the_examples_of_the_book_are_those_of_the_desk_and_the_tables(client):
    stakes = [Stake(put=70, is_all_in=True), Stake(put=140), Stake(put=140)]
    pots = pots_of(stakes).pots
    assert [pot.amount for pot in pots] == [210, 140]
    parts = parts_of(text_of(client.get(book_url(planned(seats_per_table=6)))))
    assert "also 210; im Side Pot zweimal 70, also 140" in parts["pots"]
    drawn = " ".join(["weiter.", *(rank.label for rank in seat_cards(6)), "Regelfragen"])
    assert drawn in parts["seat_cards"]


def test_other_games_are_explained_where_the_schedule_names_them(client):
    event = planned()
    assert parts_of(text_of(client.get(book_url(event)))).keys() & {"razz", "triple_draw"} == set()
    event.clock.levels.filter(position=2).update(game="Razz", limit="split_limit")
    parts = parts_of(text_of(client.get(book_url(event))))
    assert "die niedrigste Hand gewinnt" in parts["razz"]
    assert "wird hier gespielt" in parts["razz"]
    assert "wird hier gespielt" in parts["split_limit"]
    assert "triple_draw" not in parts
    assert {game.key for game in KNOWN_GAMES} >= set(ALWAYS)


def test_what_the_house_holds_otherwise_says_what_the_preset_would(client):
    event = planned()
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"})
    part = parts_of(text_of(client.get(book_url(event))))["rule-break"]
    assert "mit der niedrigsten Nummer" in part
    assert "In KRRU 3.0: Aufgelöst wird immer der Tisch mit der höchsten Nummer." in part


def test_who_registered_reads_the_rules_he_agreed_to_whatever_changed_since(client):
    event = planned()
    petra = f.register(event, agrees_to_rules=True)
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"},
            own_text="Kein Bier.")  # fmt: skip
    own = text_of(client.get(reverse("player", args=[petra.link_token])))
    assert "Die Regeln, denen du zugestimmt hast" in own
    assert book_url(event, "rules-then", 1) in own
    then = text_of(client.get(book_url(event, "rules-then", 1)))
    assert "Regeln, Stand 1" in then
    assert "Seither hat das Haus etwas geändert." in then
    assert "Auch seine eigenen Worte lauten heute anders." in then
    assert "Kein Bier." not in then
    part = parts_of(then)["rule-break"]
    assert "mit der höchsten Nummer. Heute: Aufgelöst wird immer" in part
    now = text_of(client.get(book_url(event, "rules-then", 2)))
    assert "Diese Regeln gelten." in now
    assert "Kein Bier." in now
    page = text_of(client.get(event.get_absolute_url()))
    assert page.count(book_url(event, "rules-then", 2)) == 2
    assert book_url(event, "rules-then", 1) not in page
    assert "Stand 1, von Anfang an" in text_of(client.get(book_url(event)))


def test_a_state_there_never_was_is_no_page(client):
    event = planned()
    assert client.get(book_url(event, "rules-then", 0)).status_code == 404
    assert client.get(book_url(event, "rules-then", 2)).status_code == 404
    type(event).objects.filter(pk=event.pk).update(rules={})
    assert client.get(book_url(event, "rules-then", 1)).status_code == 404
    assert "keine Regeln hinterlegt" in text_of(client.get(book_url(event)))


def test_the_whole_book_is_in_english_too(client):
    event = planned()
    german = parts_of(text_of(client.get(book_url(event))))
    english = parts_of(text_of(client.get(book_url(event), headers=ENGLISH)))
    assert german.keys() == english.keys()
    assert [key for key in german if german[key] == english[key]] == []
    then = text_of(client.get(book_url(event, "rules-then", 1), headers=ENGLISH))
    assert "These rules apply." in then


@pytest.mark.parametrize(
    ("breaks", "words"),
    [({}, "Pausen sind keine geplant."), ({3: 10}, "Eine Pause ist nach Stufe 3."),
     ({2: 10, 4: 10, 6: 5}, "Pausen sind nach den Stufen 2, 4 und 6.")],
)  # fmt: skip
def test_the_times_say_where_the_breaks_are(breaks, words):
    levels = with_breaks([Level(id=number, big_blind=2) for number in range(1, 9)], breaks)
    assert breaks_in_words(numbered(levels)) == words
