"""The big screen's page and its refresher: public, read-only, and nothing personal in it."""

import json

import pytest
from django.urls import reverse
from django.utils import timezone

from clock.stream import topic_of_token
from tests.clock.evening import make_event, minutes, start

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    event = make_event(timezone.now())
    start(event, timezone.now() - minutes(5))
    return event


def page(client, name="screen", slug="sommer", **headers):
    return client.get(reverse(name, args=[slug]), headers=headers)


def test_the_page_carries_all_it_needs_to_go_on_alone(client, event):
    answer = page(client)
    assert answer.status_code == 200
    state, setup = answer.context["state"], answer.context["setup"]
    assert [level["big_blind"] for level in state["clock"]["levels"]] == [2, 15, 25]
    assert state["clock"]["anchor"]["since"] < state["clock"]["now"]
    assert setup["zone"] == "Europe/Vienna"
    assert "gilt ab der nächsten Hand" in answer.text


def test_the_state_is_what_the_page_was_given(client, event):
    on_page = page(client).context["state"]
    fresh = page(client, "screen-state").json()
    for one in (on_page, fresh):
        one["clock"].pop("now")
        assert topic_of_token(one.pop("stream").split("/")[2]) == f"event-{event.pk}"
    assert json.loads(json.dumps(on_page)) == fresh


@pytest.mark.parametrize("name", ["screen", "screen-state"])
def test_nothing_is_kept_by_caches(client, event, name):
    assert "no-store" in page(client, name)["Cache-Control"]


@pytest.mark.parametrize("name", ["screen", "screen-state"])
def test_only_reading(client, event, name):
    assert client.post(reverse(name, args=["sommer"])).status_code == 405


@pytest.mark.parametrize("name", ["screen", "screen-state"])
def test_another_tournament_is_not_found(client, event, name):
    assert page(client, name, slug="winter").status_code == 404


def test_no_inline_script_or_style_gets_into_the_page(client, event):
    text = page(client).text
    assert "<style" not in text
    assert " style=" not in text
    assert " onload" not in text
    assert (
        text.count("<script")
        == text.count('<script type="module" src=') + text.count("<script defer src=") + 2
    )
    assert text.count('type="application/json"') == 2
