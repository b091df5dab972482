"""Rules of the house: set, locked when play makes them binding, taken back, kept as presets."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.pressing import shows
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import ClubCommand
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import describe
from tournaments.event.domain.rules import NoShow
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_copy
from tournaments.models import ActionText, Event, RulePreset
from tournaments.play.services.bubble import hand_for_hand_begin
from tournaments.play.services.calls import clock_call_start
from tournaments.rules.selectors.rule import rule_state_number, rule_states
from tournaments.rules.selectors.rule_texts import (
    differences,
    differences_between,
    preset_of,
    rules_shown,
    rules_shown_then,
)
from tournaments.rules.selectors.rules import RULES, rule_of, rules_for
from tournaments.rules.services.rules import (
    event_preset_choose,
    event_preset_save,
    event_rules_change,
    preset_delete,
    preset_rename,
)
from tournaments.seating.services.breaking import final_table_draw

pytestmark = pytest.mark.django_db


def change(event, minute=1, *, own_text=None, **rules):
    return f.drive(event_rules_change, event, minute, rules=rules, own_text=own_text)


def other_value(rule, event):
    now = getattr(event.rule_set, rule.name)
    if rule.number is None:
        return next(value for value in rule.choices if value != now)
    return now + 1


def published(event):
    """Return all that players read."""
    return [part.text for part in rules_shown(event, paid=event.paid_places).parts]


def test_tda_2024_11c_what_players_read_follows_every_value_of_every_rule():
    event = f.make_event()
    assert {rule.name for rule in RULES if rule not in rules_for(event)} == {"raise_cap"}
    for rule in RULES:
        event.limit = "split_limit" if rule.name == "raise_cap" else "no_limit"
        told = set()
        values = rule.choices or range(rule.number.least, rule.number.most + 1)
        for value in values:
            event.rules = {**event.rules, rule.name: value}
            told.add("\n".join(published(event)))
        assert len(told) == len(values), rule.name


def test_tda_2024_11c_each_procedure_is_told():
    event = f.make_event(no_show_minutes=30, redraw_at=[27, 18], paid_places=7)
    told = " ".join(published(event))
    for words in (
        "Es gibt der vollste Tisch ab", "Aufgelöst wird immer der Tisch mit der höchsten Nummer",
        "wer als Nächstes den Big Blind setzt", "mindestens 3 Spielern weniger", "teilt sich den",
        "höchstens 10 Spieler", "27, 18", "darf jemand „Clock“ rufen", "Bezahlte Plätze: 7",
        "30 Minuten nach dem Start nicht da ist, verliert", "schon für die Hand, die gerade läuft",
    ):  # fmt: skip
        assert words in told, words
    stud = f.make_event(game="stud", limit="split_limit", seats_per_table=8)
    told = " ".join(published(stud))
    shows(told, "Nummer des Platzes", but=("Erhöht wird", "Big Blind setzt"))
    # A no-show is not said to pay blinds before there is a time for it.
    event = f.make_event(preset="tda-2024")
    [told] = [text for text in published(event) if "nicht kommt" in text]
    assert "Eine Frist dafür ist nicht gesetzt" in told
    event.no_show_minutes = 20
    [told] = [text for text in published(event) if "nicht kommt" in text]
    shows(told, "20 Minuten nach dem Start", "zahlt Blinds")


def test_rules_are_set_logged_in_words_and_taken_back():
    event = f.make_event()
    first = change(event, button_rule="dead", balancing_tolerance=2, own_text=" Kein Bier.\r\n ")
    event = f.fresh(event)
    assert (event.rule_set.balancing_tolerance, event.rule_set.own_text) == (2, "Kein Bier.")
    f.assert_logged(event, "rules.changed")
    told = describe(f.last_action(event))
    assert "Button: zum nächsten, der da ist → einen Platz weiter, auch auf einen leeren" in told
    assert "Unterschied, der bleiben darf: 1 → 2; der eigene Text" in told
    assert [one.rule.name for one in differences(event, preset_of(event))] == [
        "button_rule", "balancing_tolerance",
    ]  # fmt: skip
    change(event, 2, tap_holds_minutes=20)
    f.undo(event, first, at=f.after(3))
    event = f.fresh(event)
    rules = event.rule_set
    assert (rules.balancing_tolerance, rules.own_text, rules.tap_holds_minutes) == (1, "", 20)
    assert rule_states(event)[-1].at == f.after(3)


@pytest.mark.parametrize(
    ("rules", "code", "words"),
    [
        ({"straddle": True}, "unknown_rule", ""),
        ({"key": "mine"}, "unknown_rule", ""),
        ({"button_rule": "forward"}, "bad_rule", ""),
        ({"balancing_tolerance": 4}, "bad_rule", ""),
        ({"balancing_tolerance": 0}, "bad_rule", "liegt zwischen 1 und 3"),
        ({"phones_at_table": 1}, "bad_rule", ""),
        ({"balancing_tolerance": 3}, "halt_before_balance", ""),
        ({"balancing_tolerance": 1}, "nothing_changed", ""),
        ({"own_text": "x" * 2001}, "long_own_text", ""),
    ],
)
def test_a_rule_that_cannot_be_is_refused_in_words_and_changes_nothing(rules, code, words):
    event = f.make_event()
    assert words in f.refuses(code, change, event, **rules)


def test_rules_lock_when_play_makes_them_binding():
    event = f.make_seated_event(12, seats=9)
    f.undo(event, change(event, 0, break_order="lowest_number"), at=f.after(0))
    early = change(event, 0, break_order="lowest_number")
    f.drive(clock_start, event, 0)
    f.refuses("rule_is_binding", f.undo, event, early)
    free = {rule.name for rule in RULES if _may_change(event, rule)}
    assert not free & {"button_rule", "balancing_tolerance", "halt_when_short_by", "break_order",
                       "no_show", "minimum_raise"}  # fmt: skip
    assert {"same_hand", "bust_ties", "hand_for_hand_minutes", "redraws_final_table",
            "clock_countdown_seconds", "phones_at_table"} <= free  # fmt: skip
    f.drive(clock_call_start, event, 2, entry=f.at_table(event, 1)[0])
    assert not _may_change(event, rule_of("clock_countdown_seconds"))
    f.out(event, *f.at_table(event, 2)[:1])
    assert not _may_change(event, rule_of("same_hand"))
    f.drive(hand_for_hand_begin, event, 6)
    assert not _may_change(event, rule_of("bust_ties"))
    for entry in (*f.at_table(event, 1)[:2], *f.at_table(event, 2)[:1]):
        f.out(event, entry, at=f.after(7))
    f.drive(final_table_draw, event, 8)
    assert not _may_change(event, rule_of("redraws_final_table"))
    assert _may_change(event, rule_of("deals_allowed"))


def _may_change(event, rule):
    event = f.fresh(event)
    try:
        change(event, 9, **{rule.name: other_value(rule, event)})
    except Refused as refusal:
        return refusal.code != "rule_is_binding" or str(rule.binds.reason) not in str(refusal)
    f.undo(event, at=f.after(9))
    return True


def test_a_preset_is_chosen_before_the_start_and_gone_back_to_at_any_time():
    event = f.make_event()
    change(event, 0, own_text="Kein Bier.")
    tda = RulePreset.objects.get(key="tda-2024")
    f.drive(event_preset_choose, event, 0, preset=tda)
    event = f.fresh(event)
    assert (event.rule_set.name, event.rule_set.own_text) == ("TDA 2024", "Kein Bier.")
    assert describe(f.last_action(event)).startswith("Regeln wie TDA 2024: Button: ")
    f.undo(event, at=f.after(0))
    event = f.fresh(event)
    assert (event.rules["key"], event.rule_set.phones_at_table) == ("krru-3", False)

    running = f.make_running_event(4)
    f.refuses("fixed_after_start", event_preset_choose, running, 1, preset=tda)
    krru = RulePreset.objects.get(key="krru-3")
    f.refuses("nothing_changed", event_preset_choose, running, 1, preset=krru)
    binding = {**running.rules, "break_order": "lowest_number", "tap_holds_minutes": 20}
    Event.objects.filter(pk=running.pk).update(rules=binding)
    f.drive(event_preset_choose, f.fresh(running), 1, preset=krru)
    rules = f.fresh(running).rule_set
    assert (rules.tap_holds_minutes, rules.break_order) == (10, "lowest_number")


def test_a_preset_of_the_clubs_own_is_kept_chosen_renamed_and_deleted():
    event = f.make_event()
    change(event, 0, break_order="lowest_number", own_text="Kein Bier.")
    before = f.fresh(event).rules
    f.drive(event_preset_save, event, 0, name="Haus")
    f.undo(event, at=f.after(0))
    assert not RulePreset.objects.filter(name="Haus").exists()
    assert f.fresh(event).rules == before
    f.drive(event_preset_save, event, 0, name="  Haus   am See ")
    event = f.fresh(event)
    own = RulePreset.objects.get(name="Haus am See")
    assert event.rules["key"] == own.key
    assert not differences(event, preset_of(event))
    shown = rules_shown(event, paid=event.paid_places)
    assert (shown.name, shown.version, shown.dated) == (
        "Haus am See", "1", f.START.date(),
    )  # fmt: skip
    for code, name in (("no_name", " "), ("name_taken", "haus am see"), ("long_name", "x" * 81)):
        f.refuses(code, event_preset_save, event, 1, name=name)

    made = f.make_event(preset=own.key, name="Danach")
    assert (made.rule_set.break_order, made.rule_set.own_text) == ("lowest_number", "Kein Bier.")
    command = ClubCommand(club=event.club, by=SYSTEM, at=f.START)
    preset_rename(command, preset=own, name="Am See")
    own.refresh_from_db()
    assert (own.name, own.rules["name"]) == ("Am See", "Am See")
    preset_delete(command, preset=own)
    for row in (f.fresh(made), f.fresh(event)):
        assert row.rule_set.name == "Haus am See"
        assert preset_of(row) is None
        assert rules_shown(row, paid=row.paid_places)
    copied = call_service(event_copy, club=event.club, by=SYSTEM, at=f.START, source=event)
    assert Event.objects.get(pk=copied.payload["event"]).rules == event.rules
    with pytest.raises(Refused, match="kommt mit dem Programm"):
        preset_delete(command, preset=RulePreset.objects.get(key="krru-3"))


def test_what_an_earlier_program_said_of_arbiters_and_clock_holds_until_it_is_set_anew():
    event = f.make_event()
    Event.objects.filter(pk=event.pk).update(arbiters_may_call_clock=True)
    event = f.fresh(event)
    assert event.lets_arbiters_call_clock
    assert "oder ein Schiedsrichter" in " ".join(published(event))
    change(event, 0, arbiters_may_call_clock=False)
    assert not f.fresh(event).lets_arbiters_call_clock


def test_an_event_that_was_made_without_rules_gets_them_by_a_preset():
    event = f.make_event()
    Event.objects.filter(pk=event.pk).update(rules={})
    event = f.fresh(event)
    f.refuses("no_rules", change, event, 0, tap_holds_minutes=20)
    f.drive(event_preset_choose, event, 0, preset=RulePreset.objects.get(key="krru-3"))
    assert f.fresh(event).rule_set.no_show is NoShow.NO_SEAT


# The rules as they stood


def plain(rules):
    return {**rules.as_data(), "key": "", "name": "", "version": ""}


def test_every_state_of_the_rules_is_told_as_it_was():
    event = f.make_event()
    kept = [event.rule_set]
    tda = RulePreset.objects.get(key="tda-2024")
    for deed in (
        lambda: change(event, 1, balancing_tolerance=2),
        lambda: change(event, 2, deals_allowed=True, own_text="Kein Bier."),
        lambda: f.drive(event_preset_save, event, 3, name="Haus"),
        lambda: f.undo(event),
        lambda: f.drive(event_preset_choose, event, 5, preset=tda),
        lambda: change(event, 6, own_text="Doch Bier."),
        lambda: f.undo(event),
    ):
        deed()
        kept.append(f.fresh(event).rule_set)
    event = f.fresh(event)
    states = rule_states(event)
    assert [state.rules for state in states] == kept
    assert [state.number for state in states] == list(range(1, 9))
    assert [state.is_latest for state in states] == [False] * 7 + [True]
    assert states[0].at is None
    assert states[1].at == f.after(1)
    assert rule_state_number(event) == 8
    # What an earlier version wrote is read too.
    for text in ActionText.objects.filter(action__event=event):
        old = {name: one for name, one in text.data.items() if not name.startswith("rules_")}
        ActionText.objects.filter(pk=text.pk).update(data=old)
    states = rule_states(f.fresh(event))
    assert [plain(state.rules) for state in states] == [plain(one) for one in kept]
    assert [states[0].rules.key, states[-1].rules.key] == ["krru-3", "tda-2024"]
    type(event).objects.filter(pk=event.pk).update(rules={})
    assert rule_states(f.fresh(event)) == []


def test_a_state_is_told_without_what_the_settings_say():
    event = f.make_event(no_show_minutes=30)
    change(event, break_order="lowest_number")
    event = f.fresh(event)
    [first, now] = rule_states(event)
    shown = rules_shown_then(event, first.rules, differences_between(event, first.rules, now.rules))
    told = " ".join(part.text for part in shown.parts)
    shows(told, "mit der höchsten Nummer", but=("30 Minuten",))
    [part] = [part for part in shown.parts if part.preset]
    assert part.preset == ("Aufgelöst wird immer der Tisch mit der niedrigsten Nummer.",)
