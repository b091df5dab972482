"""The rules as they stood: after every change, and when somebody agreed to them."""

import pytest

from tests import factories as f
from tournaments.models import ActionText, RulePreset
from tournaments.rules.selectors.rule import (
    rule_state_agreed,
    rule_state_number,
    rule_states,
)
from tournaments.rules.selectors.rule_texts import differences_between, rules_shown_then
from tournaments.rules.services.rules import (
    event_preset_choose,
    event_preset_save,
    event_rules_change,
)

pytestmark = pytest.mark.django_db


def deeds(event):
    """Return every way to change the rules."""
    tda = RulePreset.objects.get(key="tda-2024")
    return (
        lambda: f.drive(event_rules_change, event, 1, rules={"balancing_tolerance": 2}),
        lambda: f.drive(
            event_rules_change, event, 2, rules={"deals_allowed": True}, own_text="Kein Bier."
        ),
        lambda: f.drive(event_preset_save, event, 3, name="Haus"),
        lambda: f.undo(event),
        lambda: f.drive(event_preset_choose, event, 5, preset=tda),
        lambda: f.drive(event_rules_change, event, 6, rules={}, own_text="Doch Bier."),
        lambda: f.undo(event),
    )


def played(event):
    """Change the rules in every way there is, and return them as they were after each."""
    kept = [event.rule_set]
    for deed in deeds(event):
        deed()
        kept.append(f.fresh(event).rule_set)
    return f.fresh(event), kept


def test_every_state_of_the_rules_is_told_as_it_was():
    event, kept = played(f.make_event())
    states = rule_states(event)
    assert [state.rules for state in states] == kept
    assert [state.number for state in states] == list(range(1, 9))
    assert [state.is_latest for state in states] == [False] * 7 + [True]
    assert states[0].at is None
    assert states[1].at == f.after(1)
    assert rule_state_number(event) == 8


def test_what_an_earlier_version_wrote_is_read_too():
    event, kept = played(f.make_event())
    for text in ActionText.objects.filter(action__event=event):
        old = {name: one for name, one in text.data.items() if not name.startswith("rules_")}
        ActionText.objects.filter(pk=text.pk).update(data=old)
    states = rule_states(f.fresh(event))
    plain = [{**state.rules.as_data(), "key": "", "name": "", "version": ""} for state in states]
    assert plain == [{**one.as_data(), "key": "", "name": "", "version": ""} for one in kept]
    assert [states[0].rules.key, states[-1].rules.key] == ["krru-3", "tda-2024"]


def test_an_event_without_rules_has_no_states():
    event = f.make_event()
    type(event).objects.filter(pk=event.pk).update(rules={})
    assert rule_states(f.fresh(event)) == []


def test_who_registers_agrees_to_what_is_in_force_then():
    event = f.make_event()
    early = f.register(event, agrees_to_rules=True)
    f.drive(event_rules_change, f.fresh(event), 1, rules={"break_order": "lowest_number"})
    late = f.register(f.fresh(event), "Paul", agrees_to_rules=True, at=f.after(2))
    at_the_desk = f.register(f.fresh(event), "Zeno", at=f.after(3))
    assert [rule_state_agreed(one) for one in (early, late, at_the_desk)] == [1, 2, None]


def test_a_state_is_told_without_what_the_settings_say():
    event = f.make_event(no_show_minutes=30)
    f.drive(event_rules_change, event, 1, rules={"break_order": "lowest_number"})
    event = f.fresh(event)
    [first, now] = rule_states(event)
    shown = rules_shown_then(event, first.rules, differences_between(event, first.rules, now.rules))
    told = " ".join(part.text for part in shown.parts)
    assert "mit der höchsten Nummer" in told
    assert "30 Minuten" not in told
    [part] = [part for part in shown.parts if part.differs]
    assert part.preset == ("Aufgelöst wird immer der Tisch mit der niedrigsten Nummer.",)
