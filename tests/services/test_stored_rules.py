"""Rules that another edition of the program stored: older ones lack a setting, newer have more."""

import json
from dataclasses import replace

import pytest

from tests import factories as f
from tests.views.pages import soon, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand, Command
from tournaments.event.domain.rules import MinimumRaise, NoShow
from tournaments.event.services.lifecycle import event_copy, event_update, rules_with
from tournaments.models import Action, ActionText, Event
from tournaments.play.selectors.ranking import places_of

pytestmark = pytest.mark.django_db
SENTENCE = (
    "Diese Regeln sind neuer als das Programm. Was es nicht kennt, gilt hier nicht: straddle."
)


def with_rules(event, rules):
    Event.objects.filter(pk=event.pk).update(rules=rules)
    return f.fresh(event)


def test_a_tournament_stored_without_a_setting_goes_on(client):
    event = f.make_running_event(4)
    older = ("same_hand", "button_rule", "break_order")
    event = with_rules(event, {k: v for k, v in event.rules.items() if k not in older})
    first = f.entries_of(event)[0]
    f.out(event, first)
    assert places_of(f.fresh(event))[first.pk] == 4
    assert client.get(f"/t/{event.slug}/").status_code == 200


def test_rules_that_were_changed_as_a_whole_are_taken_back_before_the_start_only():
    event = f.make_event()
    update = Command(event=event, by=SYSTEM, at=f.ARRIVAL)
    action = event_update(update, settings={"capacity": 20})
    # What a program from before wrote down of it.
    before = {**event.rules, "raises_by_double": True, "minimum_raise": "double_bet"}
    Action.objects.filter(pk=action.pk).update(payload={"settings": ["rules"], "before": {}})
    ActionText.objects.filter(action=action).update(data={"rules_before": json.dumps(before)})
    f.undo(event, f.last_action(event))
    assert f.fresh(event).rule_set.minimum_raise is MinimumRaise.BY_DOUBLE
    running = f.make_running_event(2)
    action = event_update(replace(update, event=running), settings={"capacity": 20})
    Action.objects.filter(pk=action.pk).update(payload={"settings": ["rules"], "before": {}})
    ActionText.objects.filter(action=action).update(data={"rules_before": json.dumps(before)})
    with f.refused("fixed_after_start", running):
        f.undo(running, f.last_action(running))


def test_a_setting_of_tomorrow_is_named_kept_and_copied(client):
    event = soon()
    event = with_rules(event, {**event.rules, "straddle": True})
    text = text_of(client.get(f"/t/{event.slug}/"))
    assert SENTENCE in text
    event_copy(ClubCommand(club=event.club, by=SYSTEM, at=f.START), source=event)
    copy = Event.objects.latest("pk")
    assert copy != event
    assert copy.rules == event.rules
    assert rules_with(event.rules, NoShow.BLINDED) == {
        **event.rules,
        "no_show": "blinded",
    }
