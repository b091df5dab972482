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


def test_the_page_carries_all_it_needs_to_go_on_alone_as_the_state_has_it(client, event):
    answer = page(client)
    assert answer.status_code == 200
    state, setup = answer.context["state"], answer.context["setup"]
    assert [level["big_blind"] for level in state["clock"]["levels"]] == [2, 15, 25]
    assert state["clock"]["anchor"]["since"] < state["clock"]["now"]
    assert setup["zone"] == "Europe/Vienna"
    assert "gilt ab der nächsten Hand" in answer.text
    fresh = page(client, "screen-state").json()
    for one in (state, fresh):
        one["clock"].pop("now")
        assert topic_of_token(one.pop("stream").split("/")[2]) == f"event-{event.pk}"
    assert json.loads(json.dumps(state)) == fresh


@pytest.mark.parametrize("name", ["screen", "screen-state"])
def test_it_is_only_read_kept_by_no_cache_and_only_of_an_event_there_is(client, event, name):
    assert "no-store" in page(client, name)["Cache-Control"]
    assert client.post(reverse(name, args=["sommer"])).status_code == 405
    assert page(client, name, slug="winter").status_code == 404


def test_no_inline_script_or_style_gets_into_the_page(client, event):
    text = page(client).text
    assert not [word for word in ("<style", " style=", " onload") if word in text]
    scripts = ('<script type="module" src=', "<script defer src=", 'type="application/json"')
    assert text.count("<script") == sum(map(text.count, scripts))
    assert text.count('type="application/json"') == 2
