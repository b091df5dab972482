"""The house rules. Each is declared once, with all its texts.

A rule is a field of `event.domain.rules.RuleSet`. The settings page, the players' page, the log and
`docs/reference/rules.md` use the declarations in `rules_table`, `rules_seats` and `rules_places`.
"""

from tournaments.models import Event
from tournaments.rules.selectors.rule import Rule
from tournaments.rules.selectors.rules_table import AT_THE_TABLE, GOING_OUT, SEATS_AND_TABLES

LONGEST_OWN_TEXT = 2000

RULES: tuple[Rule, ...] = (*AT_THE_TABLE, *SEATS_AND_TABLES, *GOING_OUT)
_BY_NAME = {rule.name: rule for rule in RULES}


def rule_of(name: str) -> Rule | None:
    """Return the rule of this name, or None."""
    return _BY_NAME.get(name)


def rules_for(event: Event) -> list[Rule]:
    """Return the rules that matter for this event: for example no raise rules in fixed limit."""
    return [rule for rule in RULES if rule.limits is None or event.limit in rule.limits]
