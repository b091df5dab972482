"""The page that sets the rules, the one that publishes them, and the club's own presets."""

import re

import pytest
from django.urls import reverse
from django.utils.html import escape

from clock.domain import Level, numbered, with_breaks
from tests import factories as f
from tests.pressing import HTMX, shows, url_of
from tests.views.pages import errors_of, page_of, planned, text_of
from tournaments.event.domain.cards import seat_cards
from tournaments.event.domain.games import KNOWN_GAMES
from tournaments.models import RulePreset
from tournaments.rules.selectors.book import ALWAYS, anchors_of, breaks_in_words
from tournaments.rules.selectors.rule import RuleGroup
from tournaments.rules.selectors.rules import rules_for
from tournaments.rules.services.rules import event_preset_save, event_rules_change
from tournaments.rulings.domain.pots import Stake, pots_of
from tournaments.rulings.selectors.labels import RULES

pytestmark = pytest.mark.django_db
ENGLISH = {"Accept-Language": "en"}


@pytest.fixture
def event():
    return planned()


def untouched(dora, event):
    """Return what the page sends back when nothing was touched."""
    form = dora.get(url_of(event, "event-rules")).context["form"]
    shown = {field.name: field.value() for field in form if not field.field.disabled}
    return shown | {f"initial-{name}": value for name, value in shown.items()}


def test_every_rule_stands_in_its_group_with_what_it_does_whence_it_comes_and_until_when(
    dora, event, django_assert_max_num_queries
):
    for name in ("event-rules", "rules"):
        with django_assert_max_num_queries(20):
            dora.get(url_of(event, name))
    assert url_of(event, "event-rules") in page_of(dora, event, "event-settings")
    page = page_of(dora, event, "event-rules")
    parts = page.split('aria-labelledby="group-')[1:]
    assert len(parts) == len(RuleGroup) == 3
    for rule in rules_for(event):
        [part] = [part for part in parts if part.startswith(f'{rule.heading.group}"')]
        for words in (rule.label, rule.sentence, rule.source, rule.binds.until):
            assert str(escape(words)) in part, (rule.name, words)


def test_only_what_this_person_changed_is_changed(dora, event):
    sent, page = untouched(dora, event), url_of(event, "event-rules")
    f.drive(event_rules_change, event, 700, rules={"tap_holds_minutes": 20})
    answer = dora.post(page, sent | {"button_rule": "dead", "own_text": "Kein Bier."})
    assert answer.url == page
    rules = f.fresh(event).rule_set
    found = (rules.button_rule, rules.own_text, rules.tap_holds_minutes)
    assert found == ("dead", "Kein Bier.", 20)
    assert "2 Regeln sind hier anders als in KRRU 3.0" in page_of(dora, event, "event-rules")
    assert dora.post(url_of(event, "event-preset"), {"preset": "krru-3"}).url == page
    assert "Alles ist wie in der Vorlage." in page_of(dora, event, "event-rules")
    assert f.fresh(event).rule_set.own_text == "Kein Bier."


def test_a_wrong_rule_says_so_beside_itself(dora, event):
    page, shown = url_of(event, "event-rules"), untouched(dora, event)
    for field, value, words in (
        ("balancing_tolerance", "4", "Höchstens 3."),
        ("balancing_tolerance", "", "Bitte eine Zahl"),
        ("hand_for_hand_minutes", "-1", "Mindestens 0."),
        ("button_rule", "forward", "nicht zur Wahl"),
        ("halt_when_short_by", "1", "Mindestens 2."),
        ("own_text", "x" * 2001, "Höchstens 2000 Zeichen."),
    ):
        answer = dora.post(page, shown | {"break_order": "lowest_number", field: value})
        assert words in errors_of(answer, field), field
        assert answer.context["form"]["break_order"].value() == "lowest_number"
    # Nor what does not go together, beside the one that is too low; nor nothing at all.
    answer = dora.post(page, shown | {"balancing_tolerance": "3"})
    assert "Angehalten wird erst" in errors_of(answer, "halt_when_short_by")
    assert dora.post(page, shown).status_code == 422
    assert f.fresh(event).version == event.version


def test_binding_rules_are_grey_with_their_reason_and_an_old_page_gets_it_too(dora):
    event = f.make_running_event(4)
    page, sent = url_of(event, "event-rules"), untouched(dora, event)
    form = dora.get(page).context["form"]
    assert form.fields["break_order"].disabled
    assert not form.fields["same_hand"].disabled
    old = {"break_order": "lowest_number", "initial-break_order": "highest_number"}
    assert "Seit dem Start" in errors_of(dora.post(page, sent | old), "break_order")
    assert dora.post(page, sent | {"deals_allowed": "True"}).url


def test_a_preset_is_kept_offered_renamed_and_deleted(dora, event):
    url = url_of(event, "event-preset-save")
    assert "gibt es schon" in text_of(dora.post(url, {"name": "krru 3.0"}))
    assert dora.post(url, {"name": "Haus"}).url == url_of(event, "event-rules")
    own = RulePreset.objects.get(name="Haus")
    assert f'value="{own.key}"' in page_of(dora, planned(), "event-rules")
    name = reverse("preset-rename", args=[own.key])
    assert dora.post(name, {"name": "TDA 2024"}).status_code == 422
    assert dora.post(name, {"name": "Haus am See"}).status_code == 302
    assert "Haus am See" in text_of(dora.get(reverse("club-settings")))
    assert dora.post(reverse("preset-delete", args=[own.key])).status_code == 302
    assert not RulePreset.objects.filter(pk=own.pk).exists()
    assert "Diese Vorlage gibt es nicht mehr" in page_of(dora, event, "event-rules")
    assert dora.post(url_of(event, "event-preset"), {"preset": own.key}).status_code == 422


def test_players_read_the_rules_in_their_language_and_the_own_text_is_no_markup(client):
    event = planned(no_show_minutes=30)
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"},
            own_text="<script>alert(1)</script>\nLetzte Runde um eins.")  # fmt: skip
    german = page_of(client, event, "rules")
    assert "Aufgelöst wird immer der Tisch mit der niedrigsten Nummer." in german
    assert "&lt;script&gt;alert(1)&lt;/script&gt;<br>Letzte Runde um eins." in german
    assert german.index("Letzte Runde") < german.index("Neue Stufe")
    assert german.count(">Hausregel<") == 2  # the sentence that explains it, and the one rule
    english = text_of(client.get(url_of(event, "rules"), headers=ENGLISH))
    assert "The table with the lowest number is always broken first." in english
    registration = f.register(event)
    own = text_of(client.get(reverse("player", args=[registration.link_token])))
    assert url_of(event, "rules") in own
    assert url_of(event, "rules") in text_of(client.get(event.get_absolute_url()))


def test_the_log_says_what_changed_in_the_language_of_who_reads(dora, event):
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"})
    url = reverse("undo-preview", args=[event.slug, f.last_action(event).pk])
    page = text_of(dora.post(url, headers=HTMX))
    shows(page, "Reihenfolge beim Auflösen", "die höchste Nummer zuerst", but=("Mindesterhöhung",))
    f.drive(event_preset_save, f.fresh(event), 701, name="Haus")
    url = reverse("director-log-all", args=[event.slug])
    german, english = text_of(dora.get(url)), text_of(dora.get(url, headers=ENGLISH))
    assert "Reihenfolge beim Auflösen: die höchste Nummer zuerst → die niedrigste" in german
    assert "Order of breaking: the highest number first → the lowest number first" in english


# --- The rule book that players read: games, betting, hands, house rules, and the state agreed to


def parts_of(page):
    """Return the parts of the book by their place on the page, without markup."""
    page = page.partition("Im Zweifel gilt")[0]
    found = re.split(r'<(?:div|li) id="([\w-]+)"[^>]*data-part>', page)
    return {
        key: " ".join(re.sub(r"<[^>]+>", " ", text).split())
        for key, text in zip(found[1::2], found[2::2], strict=True)
    }


def test_the_book_has_the_game_betting_the_hands_the_house_conduct_times_and_seat_cards(client):
    page = page_of(client, planned(), "rules")
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


def test_every_answer_of_the_desk_links_to_its_rule_on_the_page(client, event):
    anchors = anchors_of(event)
    assert anchors.keys() == RULES.keys()
    desk = client.get(url_of(event, "ruling-desk"))
    linked = re.findall(rf'href="{url_of(event, "rules")}#([^"]+)"', text_of(desk))
    assert linked == ["raising", "no_limit"]
    assert set(anchors.values()) <= parts_of(page_of(client, event, "rules")).keys()


def test_s12_s23_the_examples_of_the_book_are_those_of_the_desk_and_the_tables(client):
    stakes = [Stake(put=70, is_all_in=True), Stake(put=140), Stake(put=140)]
    pots = pots_of(stakes).pots
    assert [pot.amount for pot in pots] == [210, 140]
    parts = parts_of(page_of(client, planned(seats_per_table=6), "rules"))
    assert "also 210; im Side Pot zweimal 70, also 140" in parts["pots"]
    drawn = " ".join(["weiter.", *(rank.label for rank in seat_cards(6)), "Regelfragen"])
    assert drawn in parts["seat_cards"]


def test_other_games_are_explained_where_the_schedule_names_them(client, event):
    assert parts_of(page_of(client, event, "rules")).keys() & {"razz", "triple_draw"} == set()
    event.clock.levels.filter(position=2).update(game="Razz", limit="split_limit")
    parts = parts_of(page_of(client, event, "rules"))
    assert "die niedrigste Hand gewinnt" in parts["razz"]
    assert "wird hier gespielt" in parts["razz"]
    assert "wird hier gespielt" in parts["split_limit"]
    assert "triple_draw" not in parts
    assert {game.key for game in KNOWN_GAMES} >= set(ALWAYS)


def test_what_the_house_holds_otherwise_says_what_the_preset_would(client, event):
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"})
    part = parts_of(page_of(client, event, "rules"))["rule-break"]
    assert "mit der niedrigsten Nummer" in part
    assert "In KRRU 3.0: Aufgelöst wird immer der Tisch mit der höchsten Nummer." in part


def test_who_registered_reads_the_rules_he_agreed_to_whatever_changed_since(client, event):
    petra = f.register(event, agrees_to_rules=True)
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"},
            own_text="Kein Bier.")  # fmt: skip
    own = text_of(client.get(reverse("player", args=[petra.link_token])))
    shows(own, "Die Regeln, denen du zugestimmt hast", url_of(event, "rules-then", 1))
    then = page_of(client, event, "rules-then", 1)
    shows(then, "Regeln, Stand 1", "Seither hat das Haus etwas geändert.")
    shows(then, "Auch seine eigenen Worte lauten heute anders.", but=("Kein Bier.",))
    part = parts_of(then)["rule-break"]
    assert "mit der höchsten Nummer. Heute: Aufgelöst wird immer" in part
    shows(page_of(client, event, "rules-then", 2), "Diese Regeln gelten.", "Kein Bier.")
    page = text_of(client.get(event.get_absolute_url()))
    assert page.count(url_of(event, "rules-then", 2)) == 2
    assert url_of(event, "rules-then", 1) not in page
    assert "Stand 1, von Anfang an" in page_of(client, event, "rules")


def test_a_state_there_never_was_is_no_page(client, event):
    assert client.get(url_of(event, "rules-then", 0)).status_code == 404
    assert client.get(url_of(event, "rules-then", 2)).status_code == 404
    type(event).objects.filter(pk=event.pk).update(rules={})
    assert client.get(url_of(event, "rules-then", 1)).status_code == 404
    assert "keine Regeln hinterlegt" in page_of(client, event, "rules")


def test_the_whole_book_is_in_english_too(client, event):
    german = parts_of(page_of(client, event, "rules"))
    english = parts_of(text_of(client.get(url_of(event, "rules"), headers=ENGLISH)))
    assert german.keys() == english.keys()
    assert [key for key in german if german[key] == english[key]] == []
    then = text_of(client.get(url_of(event, "rules-then", 1), headers=ENGLISH))
    assert "These rules apply." in then


@pytest.mark.parametrize(
    ("breaks", "words"),
    [({}, "Pausen sind keine geplant."), ({3: 10}, "Eine Pause ist nach Stufe 3."),
     ({2: 10, 4: 10, 6: 5}, "Pausen sind nach den Stufen 2, 4 und 6.")],
)  # fmt: skip
def test_the_times_say_where_the_breaks_are(breaks, words):
    levels = with_breaks([Level(id=number, big_blind=2) for number in range(1, 9)], breaks)
    assert breaks_in_words(numbered(levels)) == words
