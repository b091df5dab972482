"""The rulings desk: for everybody, with the level of the table; staff writes down and looks up."""

import json

import pytest

from tests import factories as f
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.models import Ruling
from tournaments.rulings.domain.hands import category_of, value_of
from tournaments.rulings.selectors.hands_page import EXAMPLES
from tournaments.seating.domain.cards import card_from_code

pytestmark = pytest.mark.django_db
SIDE_POT = {"players": [{"put": 70, "all_in": True}, {"put": 140}, {"put": 140}]}


def path(event, name=""):
    return f"/t/{event.slug}/regelfragen/{name}"


def data_of(answer):
    return answer.context["desk_data"]


@pytest.fixture
def event():
    return f.make_running_event(12)


@pytest.fixture
def arno(client, event):
    f.sign_browser_in(client, Role.ARBITER, event)
    return client


def test_everybody_reckons_and_only_staff_sees_what_was_decided(client, event):
    answer = client.get(path(event))
    page = text_of(answer)
    assert "Regelfragen" in page
    assert "Schon entschieden" not in page
    assert "Entscheidung eintragen" not in page
    assert data_of(answer)["big_blind"] is None
    assert client.get(path(event, "entschieden/")).status_code == 403
    assert client.post(path(event, "eintragen/"), {"decided": "x"}).status_code == 403


def test_a_table_brings_the_blinds_in_force_and_the_rules_of_the_house(arno, event, monkeypatch):
    monkeypatch.setattr("clock.servertime.server_time.now", lambda: f.after(1))
    data = data_of(arno.get(path(event), {"tisch": "1"}))
    level = event.clock.levels.order_by("position").first()
    assert (data["small_blind"], data["big_blind"]) == (level.small_blind, level.big_blind)
    assert (data["rule"], data["cap"], data["limit"]) == ("double_bet", "last_round", "no_limit")
    assert data_of(arno.get(path(event), {"tisch": "99"}))["big_blind"] is None
    assert f"{path(event)}?tisch=1" in text_of(arno.get(f"/t/{event.slug}/tische/1/"))


def test_a_ruling_is_written_down_and_found_by_another(arno, event):
    said = {
        "topic": "pots",
        "question": json.dumps(SIDE_POT),
        "decided": "Side Pot an 2",
        "table": "1",
    }
    headers = {"HX-Request": "true"}
    answer = arno.post(path(event, "eintragen/"), said, headers=headers)
    assert "Entscheidung an Tisch 1: Side Pot an 2" in text_of(answer)
    f.sign_browser_in(arno, Role.DIRECTOR, event)
    found = text_of(arno.get(path(event, "entschieden/"), {"q": "side"}))
    assert "Side Pot an 2" in found
    assert "210" in found
    assert "Dazu ist noch nichts" in text_of(arno.get(path(event, "entschieden/"), {"q": "Flush"}))


@pytest.mark.parametrize("question", ["", "[]", "null", "{", '{"players": 7}', '{"x": 1.5}'])
def test_what_is_no_question_is_refused_with_a_sentence(arno, event, question):
    said = {"topic": "pots", "question": question, "decided": "x"}
    answer = arno.post(path(event, "eintragen/"), said, headers={"HX-Request": "true"})
    assert answer.status_code == 422
    assert "keine Frage" in text_of(answer)
    assert not Ruling.objects.exists()


def test_s24_the_ten_hands_are_drawn_with_their_shares_for_everybody(client, event):
    answer = client.get(f"/t/{event.slug}/regeln/haende/")
    page = text_of(answer)
    assert [hand.key for hand in answer.context["hands"]][::9] == ["royal_flush", "high_card"]
    assert len(answer.context["hands"]) == 10
    assert "43,823 % aller Hände aus sieben Karten (58.627.800 von 133.784.560)" in page
    assert f"/t/{event.slug}/regeln/haende/" in text_of(client.get(f"/t/{event.slug}/regeln/"))


def test_the_ten_hands_are_told_in_english_too(client, event):
    page = text_of(client.get(f"/t/{event.slug}/regeln/haende/", headers={"Accept-Language": "en"}))
    assert "Four of a kind" in page
    assert "% of all seven-card hands" in page


def test_each_drawn_hand_is_what_it_is_called():
    for key, codes, _text in EXAMPLES:
        cards = [card_from_code(code) for code in codes.split()]
        assert category_of(value_of(cards)).name.lower() == key
