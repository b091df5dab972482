"""The page that sets the rules, the one that publishes them, and the club's own presets."""

import pytest
from django.urls import reverse
from django.utils.html import escape

from tests import factories as f
from tests.views.pages import errors_of, planned, text_of
from tournaments.models import RulePreset
from tournaments.rules.selectors.rule import RuleGroup
from tournaments.rules.selectors.rules import rules_for
from tournaments.rules.services.rules import event_preset_save, event_rules_change

pytestmark = pytest.mark.django_db


def url_of(event, name="event-rules"):
    return reverse(name, args=[event.slug])


def untouched(dora, event):
    """Return what the page sends back when nothing was touched."""
    form = dora.get(url_of(event)).context["form"]
    shown = {field.name: field.value() for field in form if not field.field.disabled}
    return shown | {f"initial-{name}": value for name, value in shown.items()}


def test_every_rule_stands_in_its_group_with_what_it_does_whence_it_comes_and_until_when(
    dora, django_assert_max_num_queries
):
    event = planned()
    for name in ("event-rules", "rules"):
        with django_assert_max_num_queries(20):
            dora.get(url_of(event, name))
    assert url_of(event) in text_of(dora.get(url_of(event, "event-settings")))
    page = text_of(dora.get(url_of(event)))
    parts = page.split('aria-labelledby="group-')[1:]
    assert len(parts) == len(RuleGroup) == 3
    for rule in rules_for(event):
        [part] = [part for part in parts if part.startswith(f'{rule.heading.group}"')]
        for words in (rule.label, rule.sentence, rule.source, rule.binds.until):
            assert str(escape(words)) in part, (rule.name, words)


def test_only_what_this_person_changed_is_changed(dora):
    event = planned()
    sent = untouched(dora, event)
    f.drive(event_rules_change, event, 700, rules={"tap_holds_minutes": 20})
    answer = dora.post(url_of(event), sent | {"button_rule": "dead", "own_text": "Kein Bier."})
    assert answer.url == url_of(event)
    rules = f.fresh(event).rule_set
    assert (rules.button_rule, rules.own_text, rules.tap_holds_minutes) == (
        "dead", "Kein Bier.", 20,
    )  # fmt: skip
    page = text_of(dora.get(url_of(event)))
    assert "2 Regeln sind hier anders als in KRRU 3.0" in page
    answer = dora.post(url_of(event, "event-preset"), {"preset": "krru-3"})
    assert answer.url == url_of(event)
    assert "Alles ist wie in der Vorlage." in text_of(dora.get(url_of(event)))
    assert f.fresh(event).rule_set.own_text == "Kein Bier."


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("balancing_tolerance", "4", "Höchstens 3."),
        ("balancing_tolerance", "", "Bitte eine Zahl"),
        ("hand_for_hand_minutes", "-1", "Mindestens 0."),
        ("button_rule", "forward", "nicht zur Wahl"),
        ("halt_when_short_by", "1", "Mindestens 2."),
        ("own_text", "x" * 2001, "Höchstens 2000 Zeichen."),
    ],
)
def test_a_wrong_rule_says_so_beside_itself(dora, field, value, words):
    event = planned()
    sent = untouched(dora, event) | {"break_order": "lowest_number"}
    answer = dora.post(url_of(event), sent | {field: value})
    assert answer.status_code == 422
    assert words in str(errors_of(answer, field))
    assert answer.context["form"]["break_order"].value() == "lowest_number"
    # Nor what does not go together, beside the one that is too low; nor nothing at all.
    answer = dora.post(url_of(event), untouched(dora, event) | {"balancing_tolerance": "3"})
    assert "Angehalten wird erst" in str(errors_of(answer, "halt_when_short_by"))
    assert dora.post(url_of(event), untouched(dora, event)).status_code == 422
    assert f.fresh(event).version == event.version


def test_binding_rules_are_grey_with_their_reason_and_an_old_page_gets_it_too(dora):
    event = f.make_running_event(4)
    form = dora.get(url_of(event)).context["form"]
    assert form.fields["break_order"].disabled
    assert not form.fields["same_hand"].disabled
    sent = untouched(dora, event) | {
        "break_order": "lowest_number", "initial-break_order": "highest_number",
    }  # fmt: skip
    answer = dora.post(url_of(event), sent)
    assert answer.status_code == 422
    assert "Seit dem Start" in str(errors_of(answer, "break_order"))
    assert dora.post(url_of(event), untouched(dora, event) | {"deals_allowed": "True"}).url


def test_a_preset_is_kept_offered_renamed_and_deleted(dora):
    event = planned()
    url = url_of(event, "event-preset-save")
    assert "gibt es schon" in text_of(dora.post(url, {"name": "krru 3.0"}))
    assert dora.post(url, {"name": "Haus"}).url == url_of(event)
    own = RulePreset.objects.get(name="Haus")
    assert f'value="{own.key}"' in text_of(dora.get(url_of(planned())))
    name = reverse("preset-rename", args=[own.key])
    assert dora.post(name, {"name": "TDA 2024"}).status_code == 422
    assert dora.post(name, {"name": "Haus am See"}).status_code == 302
    assert "Haus am See" in text_of(dora.get(reverse("club-settings")))
    assert dora.post(reverse("preset-delete", args=[own.key])).status_code == 302
    assert not RulePreset.objects.filter(pk=own.pk).exists()
    assert "Diese Vorlage gibt es nicht mehr" in text_of(dora.get(url_of(event)))
    answer = dora.post(url_of(event, "event-preset"), {"preset": own.key})
    assert answer.status_code == 422


def test_players_read_the_rules_in_their_language_and_the_own_text_is_no_markup(client):
    event = planned(no_show_minutes=30)
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"},
            own_text="<script>alert(1)</script>\nLetzte Runde um eins.")  # fmt: skip
    german = text_of(client.get(url_of(event, "rules")))
    assert "Aufgelöst wird immer der Tisch mit der niedrigsten Nummer." in german
    assert "&lt;script&gt;alert(1)&lt;/script&gt;<br>Letzte Runde um eins." in german
    assert german.index("Letzte Runde") < german.index("Neue Stufe")
    assert german.count(">Hausregel<") == 2  # the sentence that explains it, and the one rule
    english = text_of(client.get(url_of(event, "rules"), headers={"Accept-Language": "en"}))
    assert "The table with the lowest number is always broken first." in english
    registration = f.register(event)
    own = text_of(client.get(reverse("player", args=[registration.link_token])))
    assert url_of(event, "rules") in own
    assert url_of(event, "rules") in text_of(client.get(event.get_absolute_url()))


def test_the_log_says_what_changed_in_the_language_of_who_reads(dora):
    event = planned()
    f.drive(event_rules_change, event, 700, rules={"break_order": "lowest_number"})
    url = reverse("undo-preview", args=[event.slug, f.last_action(event).pk])
    page = text_of(dora.post(url, headers={"HX-Request": "true"}))
    assert "Reihenfolge beim Auflösen" in page
    assert "die höchste Nummer zuerst" in page
    assert "Mindesterhöhung" not in page
    f.drive(event_preset_save, f.fresh(event), 701, name="Haus")
    url = reverse("director-log-all", args=[event.slug])
    german = text_of(dora.get(url))
    assert "Reihenfolge beim Auflösen: die höchste Nummer zuerst → die niedrigste" in german
    english = text_of(dora.get(url, headers={"Accept-Language": "en"}))
    assert "Order of breaking: the highest number first → the lowest number first" in english
