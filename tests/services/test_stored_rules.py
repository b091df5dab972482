"""Rules that another edition of the program stored: older ones lack a setting, newer have more."""

import pytest

from tests import factories as f
from tests.views.pages import soon, text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.event.domain.rules import NoShow
from tournaments.event.services.lifecycle import event_copy, rules_with
from tournaments.models import Event
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
