"""Change the rules of an event: single rules, a preset, or save them as a preset.

Rules that are binding since play began are refused by name.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.text import slugify
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, club_service, service, undoes
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.event.domain.rules import RuleSet, rule_set_from
from tournaments.event.services.names import first_free, name_kept, refuse_shipped
from tournaments.models import Action, RulePreset
from tournaments.rules.selectors.rule import IDENTITY, obstacles_to_rules
from tournaments.rules.selectors.rules import LONGEST_OWN_TEXT, RULES, rule_of


def _words(payload: Mapping[str, Any]) -> dict[str, str]:
    changed = [
        f"{rule.label}: {rule.words(before)} → {rule.words(after)}"
        for rule, (before, after) in (
            (rule_of(name), values) for name, values in payload.get("rules", {}).items()
        )
        if rule is not None
    ]
    if payload.get("own_text"):
        changed.append(_("der eigene Text"))
    return {"changes": "; ".join(changed) or _("die Regeln bleiben, wie sie sind")}


RULES_CHANGED = Kind(
    "rules.changed", lazy("Regeln geändert: %(changes)s"), Group.EVENT, sets_rules=True,
    words=_words,
)  # fmt: skip


@service(RULES_CHANGED, Permission.MANAGE, Topic.SETTINGS)
def event_rules_change(
    change: Change, *, rules: Mapping[str, Any], own_text: str | None = None
) -> None:
    """Change rules by name, and the house's own text."""
    event = change.event
    if not event.rules:
        raise Refused(_("Dieses Turnier hat keine Regeln: Bitte erst eine Vorlage wählen."),
                      code="no_rules")  # fmt: skip
    for name, value in rules.items():
        _refuse_what_cannot_be(name, value)
    wanted = {**event.rule_set.as_data(), **rules}
    if own_text is not None:
        wanted["own_text"] = own_text.replace("\r\n", "\n").strip()
    if len(wanted["own_text"]) > LONGEST_OWN_TEXT:
        raise Refused(
            _("Der eigene Text darf höchstens %(most)d Zeichen haben.")
            % {"most": LONGEST_OWN_TEXT},
            code="long_own_text",
        )
    _set(change, rule_set_from(wanted))


def _refuse_what_cannot_be(name: str, value: Any) -> None:
    rule = rule_of(name)
    if rule is None:
        raise Refused(_("Diese Regel gibt es nicht."), code="unknown_rule")
    if rule.may_be(value):
        return
    if rule.number is None:
        text = _("„%(rule)s“ kann das nicht sein.") % {"rule": rule.label}
    else:
        text = _("„%(rule)s“ liegt zwischen %(least)d und %(most)d.") % {
            "rule": rule.label, "least": rule.number.least, "most": rule.number.most,
        }  # fmt: skip
    raise Refused(text, code="bad_rule")


def _set(change: Change, wanted: RuleSet) -> None:
    """Set these rules of the event, and record the differences.

    :raises Refused: When nothing differs, a rule is binding, or the rules conflict.
    """
    event = change.event
    before = event.rule_set
    changed = [rule for rule in RULES if getattr(before, rule.name) != getattr(wanted, rule.name)]
    if wanted.as_data() == before.as_data():
        raise Refused(_("Es hat sich nichts geändert."), code="nothing_changed")
    for name, reason in obstacles_to_rules(event, changed).items():
        rule = rule_of(name)
        assert rule is not None
        raise Refused(f"{rule.label}: {reason}", code="rule_is_binding")
    if wanted.halt_when_short_by <= wanted.balancing_tolerance:
        raise Refused(
            _("Angehalten wird erst, wenn ein Tisch weiter zurückliegt, als der Unterschied ist, "
              "der bleiben darf."), code="halt_before_balance",
        )  # fmt: skip
    change.record(
        rules={
            rule.name: [getattr(before, rule.name), getattr(wanted, rule.name)] for rule in changed
        },
        own_text=before.own_text != wanted.own_text,
    )
    change.tell(own_text_before=before.own_text, own_text_after=wanted.own_text)
    _tell_names(change, before.as_data(), wanted.as_data())
    change.set(rules=wanted.as_data(), arbiters_may_call_clock=None)


def _tell_names(change: Change, before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Record the old and new name of the rule set, for undo and history."""
    change.tell(**{f"{name}_before": before[name] for name in IDENTITY})
    change.tell(**{f"rules_{name}_after": after[name] for name in IDENTITY})


PRESET_CHOSEN = Kind(
    "rules.preset_chosen", lazy("Regeln wie %(preset)s: %(changes)s"), Group.EVENT,
    sets_rules=True, words=_words,
)  # fmt: skip


@service(PRESET_CHOSEN, Permission.MANAGE, Topic.SETTINGS)
def event_preset_choose(change: Change, *, preset: RulePreset) -> None:
    """Set the rules of a preset; the event's own text stays if the preset has none.

    After the start only the present preset can be chosen again; binding rules stay.
    """
    event = change.event
    before, wanted = event.rule_set, rule_set_from(preset.rules).as_data()
    if event.has_started and preset.key != before.key:
        raise Refused(
            _("Die Regeln sind den Teilnehmern schon bekannt gegeben."), code="fixed_after_start"
        )
    stay = {name: getattr(before, name) for name in obstacles_to_rules(event, RULES)}
    text = wanted["own_text"] or before.own_text
    change.tell(preset=preset.name)
    _set(change, rule_set_from({**wanted, **stay, "own_text": text, **before.unknown}))


PRESET_SAVED = Kind(
    "rules.preset_saved", lazy("Regeln als Vorlage behalten: %(preset)s"), Group.EVENT,
    sets_rules=True,
)  # fmt: skip


@service(PRESET_SAVED, Permission.MANAGE, Topic.SETTINGS)
def event_preset_save(change: Change, *, name: str) -> None:
    """Save the event's rules as a named preset of the club, and select it."""
    event = change.event
    name = name_kept(name, RulePreset.objects.all())
    edition = f"1, {localtime(change.at):%d.%m.%Y}"
    stem = f"own-{slugify(name)[:30] or 'rules'}"
    taken = RulePreset.objects.filter(key__startswith=stem).values_list("key", flat=True)
    identity = {"key": first_free(stem, taken), "name": name, "version": edition}
    before = event.rule_set
    rules = {**before.as_data(), **identity}
    row = RulePreset.objects.create(key=identity["key"], name=name, rules=rules)
    change.record(rules={}, own_text=False, preset_row=row.pk)
    change.tell(preset=name)
    _tell_names(change, before.as_data(), rules)
    change.set(rules=rules, arbiters_may_call_clock=None)


@undoes(RULES_CHANGED, PRESET_CHOSEN, PRESET_SAVED)
def _undo_rules(change: Change, action: Action) -> None:
    """Restore the rules changed by this entry; other rules stay."""
    event, payload, texts = change.event, action.payload, action.text.data
    now = event.rule_set
    back = {name: before for name, (before, _after) in payload["rules"].items()}
    changed = [
        rule for rule in RULES if rule.name in back and getattr(now, rule.name) != back[rule.name]
    ]
    for reason in obstacles_to_rules(event, changed).values():
        raise Refused(reason, code="rule_is_binding")
    if payload["own_text"]:
        back["own_text"] = texts.get("own_text_before", "")
    names = [name for name in IDENTITY if f"{name}_before" in texts]
    identity = {name: texts[f"{name}_before"] for name in names}
    change.set(rules=rule_set_from({**now.as_data(), **back, **identity}).as_data())
    RulePreset.objects.filter(pk=payload.get("preset_row")).delete()


PRESET_RENAMED = Kind(
    "club.preset_renamed", lazy("Vorlage für Regeln umbenannt: %(name)s"), Group.CLUB
)


@club_service(PRESET_RENAMED, Permission.MANAGE)
def preset_rename(change: Change, *, preset: RulePreset, name: str) -> None:
    """Rename one of the club's own presets; existing tournaments keep the old name.

    :raises Refused: For a preset that ships with the program.
    """
    refuse_shipped(preset.name, preset.revision)
    name = name_kept(name, RulePreset.objects.exclude(pk=preset.pk))
    change.record(preset=preset.pk)
    change.tell(name=name, before=preset.name)
    rules = {**preset.rules, "name": name}
    RulePreset.objects.filter(pk=preset.pk).update(name=name, rules=rules)


PRESET_DELETED = Kind(
    "club.preset_deleted", lazy("Vorlage für Regeln gelöscht: %(name)s"), Group.CLUB
)


@club_service(PRESET_DELETED, Permission.MANAGE)
def preset_delete(change: Change, *, preset: RulePreset) -> None:
    """Delete one of the club's own presets. Tournaments have copies and do not change.

    :raises Refused: For a preset that ships with the program.
    """
    refuse_shipped(preset.name, preset.revision)
    if RulePreset.objects.count() < 2:
        raise Refused(_("Die letzte Vorlage bleibt."), code="last_preset")
    change.record(preset=preset.pk)
    change.tell(name=preset.name)
    RulePreset.objects.filter(pk=preset.pk).delete()
