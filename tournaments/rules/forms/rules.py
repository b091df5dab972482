"""The form for changing rules, one field for each, made from its declaration."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import WholeNumberField
from tournaments.event.forms.settings import FixableForm
from tournaments.models import Event
from tournaments.rules.selectors.rule import Rule, RuleGroup
from tournaments.rules.selectors.rules import LONGEST_OWN_TEXT


class RuleRow(NamedTuple):
    """A rule on the page: field, reason if binding, and the preset's value if different."""

    rule: Rule
    field: forms.BoundField
    obstacle: str
    preset: str


class RulesForm(FixableForm):
    """The rules of a tournament; as in the settings, only this person's edits are saved."""

    own_text = forms.CharField(
        label=_("Dazu sagt das Haus"),
        required=False,
        max_length=LONGEST_OWN_TEXT,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text=_("Steht unter den Regeln, wie es hier steht. Leer: nichts."),
        error_messages={"max_length": _("Höchstens %(limit_value)d Zeichen.")},
    )

    def __init__(
        self,
        sent: Any,
        *,
        event: Event,
        rules: list[Rule],
        obstacles: Mapping[str, str],
    ) -> None:
        now = event.rule_set
        initial = {rule.name: getattr(now, rule.name) for rule in rules}
        super().__init__(sent, initial={**initial, "own_text": now.own_text})
        self.rules = rules
        self.fields.update({rule.name: _field(rule) for rule in rules})
        self.fix(obstacles)

    def changes(self) -> dict[str, Any]:
        """Return this person's edits for `event_rules_change`."""
        typed = {name: self.cleaned_data[name] for name in self.changed_data}
        text = typed.pop("own_text", None)
        return {"rules": typed, "own_text": text}

    def groups(self, presets: Mapping[str, str]) -> list[tuple[RuleGroup, list[RuleRow]]]:
        """Return the rows of each group; `presets` are the preset's differing values."""
        rows = [
            RuleRow(rule, self[rule.name], self.obstacles.get(rule.name, ""),
                    presets.get(rule.name, ""))
            for rule in self.rules
        ]  # fmt: skip
        return [
            (group, [row for row in rows if row.rule.heading.group is group]) for group in RuleGroup
        ]


def _field(rule: Rule) -> forms.Field:
    own: dict[str, Any] = {"label": rule.label, "help_text": rule.sentence}
    if rule.number is not None:
        return WholeNumberField(least=rule.number.least, most=rule.number.most, **own)
    values = {str(value): value for value in rule.choices or {}}
    return forms.TypedChoiceField(
        choices=[(text, rule.words(value)) for text, value in values.items()],
        coerce=lambda text: values.get(str(text), text),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Das steht hier nicht zur Wahl.")},
        **own,
    )
