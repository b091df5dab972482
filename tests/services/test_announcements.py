"""Announcements: who may, what is refused, what the screens are told, and taking back."""

from datetime import timedelta

import pytest
from django.urls import reverse

from clock.domain.wording import Language
from clock.servertime import server_time
from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, VISITOR
from tournaments.changes.commands import Command
from tournaments.changes.domain.errors import Refused
from tournaments.changes.selectors.log import describe, log_first_fault
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action
from tournaments.post.selectors.announcements import (
    announcement_payload,
    announcement_standing,
    announcement_stock,
)
from tournaments.post.services.messages import announcement_made
from tournaments.undo.services.undo import action_undo

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


@pytest.fixture
def event():
    return f.make_running_event(4)


def make(event, text="Das Essen ist fertig.", at=None, by=SYSTEM, **own):
    return call_service(
        announcement_made, event=event, by=by, at=at or f.after(5), text=text, **own
    )


def shown(event, at):
    return announcement_payload(f.fresh(event), at)["announcement"]


def test_director_and_arbiter_may_and_it_is_logged(event):
    for by in (f.make_dora(event), f.make_arno(event)):
        action = make(event, by=by)
        assert action.kind == "announcement.made"
        assert describe(action) == "Durchsage: Das Essen ist fertig."
        assert "Essen" not in str(action.payload)
    assert log_first_fault(f.fresh(event)) is None


@pytest.mark.parametrize("who", ["desk", "stranger"])
def test_nobody_else_may(event, who):
    by = f.make_desk(event) if who == "desk" else VISITOR
    with pytest.raises(Refused):
        make(event, by=by)
    assert not Action.objects.filter(kind="announcement.made").exists()


@pytest.mark.parametrize(
    ("text", "code"), [("", "empty"), (" \n\0 ", "empty"), ("a" * 201, "too_long")]
)
def test_what_cannot_be_announced_is_refused(event, text, code):
    with pytest.raises(Refused) as refusal:
        make(event, text)
    assert refusal.value.code == code
    assert shown(event, f.after(5)) is None


def test_two_hundred_characters_are_not_too_many(event):
    make(event, "ß" * 200)
    assert shown(event, f.after(5))["text"] == "ß" * 200


def test_it_is_shown_for_twenty_seconds(event):
    make(event, "  Pause\n bis acht ")
    at = f.after(5)
    assert shown(event, at + 19 * SECOND)["text"] == "Pause bis acht"
    assert shown(event, at + 20 * SECOND) is None


def test_voice_and_language(event):
    make(event, "Dinner is ready.", language=Language.ENGLISH)
    assert shown(event, f.after(5))["url"].startswith("/stimme/en/")
    make(event, at=f.after(6), has_voice=False)
    assert shown(event, f.after(6))["url"] is None


def test_taken_back_it_goes_and_the_one_before_is_seen_again(event):
    make(event, "Erstens.")
    second = make(event, "Zweitens.", at=f.after(5) + SECOND)
    at = f.after(5) + 2 * SECOND
    assert shown(event, at)["text"] == "Zweitens."
    undone = action_undo(Command(event=event, by=SYSTEM, at=at), action=second)
    assert describe(undone) == "Zurückgenommen: Durchsage: Zweitens."
    assert shown(event, at)["text"] == "Erstens."
    action_undo(Command(event=event, by=SYSTEM, at=at), action=undone)
    assert shown(event, at)["text"] == "Zweitens."


def test_after_the_end_too_and_taken_back_too(event):
    event_end(Command(event=event, by=SYSTEM, at=f.after(5)))
    action = make(event, "Siegerehrung!", at=f.after(6))
    assert shown(event, f.after(6))["text"] == "Siegerehrung!"
    action_undo(Command(event=event, by=SYSTEM, at=f.after(6)), action=action)
    assert shown(event, f.after(6)) is None


def test_the_push_says_nothing_of_it(event):
    assert make(event).news["changed"] == ["log", "messages"]
    assert "Essen" not in str(make(event, at=f.after(6)).news)


def test_once_erased_it_is_not_shown(event):
    make(event).text.delete()
    assert shown(event, f.after(5)) is None


def test_the_screens_state_has_it(client, event, monkeypatch):
    url = reverse("screen-state", args=[event.slug])
    assert client.get(url).json()["announcement"] is None
    make(event, at=f.after(5))
    monkeypatch.setattr(server_time, "now", lambda: f.after(5))
    assert "Essen" in client.get(url).json()["announcement"]["text"]


def test_one_that_stays_is_shown_until_it_is_taken_back(event):
    action = make(event, "Pause bis neun", stays=True)
    make(event, "Essen", at=f.after(6))
    told = announcement_payload(f.fresh(event), f.after(6) + 5 * SECOND)
    assert (told["announcement"]["text"], told["standing"]) == ("Essen", "Pause bis neun")
    told = announcement_payload(f.fresh(event), f.after(60))
    assert told == {"announcement": None, "standing": "Pause bis neun"}
    assert announcement_standing(event) == action
    action_undo(Command(event=event, by=SYSTEM, at=f.after(61)), action=action)
    assert announcement_payload(f.fresh(event), f.after(62))["standing"] == ""
    assert announcement_standing(event) is None


def test_the_stock_is_what_was_announced_last_then_the_usual(event):
    usual = announcement_stock(event)
    assert len(usual) == len(set(usual)) == 6
    for text in ("Kuchen ist da", "Das Essen ist fertig.", "Kuchen ist da"):
        make(event, text)
    assert announcement_stock(event)[:2] == ["Kuchen ist da", "Das Essen ist fertig."]
    assert len(announcement_stock(event)) == 6
