"""Which points of a rule set a player should know before registering, in the order to read them.

Only which points, and with which figures: the sentences belong to the interface, in its languages.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from tournaments.event.domain.betting import LimitKind
from tournaments.event.domain.rules import (
    CLOCK_CALLS,
    ClockCall,
    DisqualifiedPrize,
    LanguageRule,
    MinimumRaise,
    RuleSet,
)

RAISES_COUNT = frozenset({LimitKind.NO_LIMIT, LimitKind.POT_LIMIT})


@dataclass(frozen=True, slots=True, kw_only=True)
class RulePoint:
    """One sentence to be said; `first` and `second` are its figures, 0 where it has none."""

    name: str
    first: int = 0
    second: int = 0


def edition_of(version: str) -> tuple[str, date | None]:
    """Return an edition as rule books print it, apart from its date if there is one behind it.

    >>> edition_of("3.0, 22.02.2025")
    ('3.0', datetime.date(2025, 2, 22))
    >>> edition_of("2024"), edition_of("2, 31.02.2025")
    (('2024', None), ('2, 31.02.2025', None))
    """
    edition, _comma, printed = version.rpartition(", ")
    day, _dot, rest = printed.partition(".")
    month, _dot, year = rest.partition(".")
    try:
        return edition, date(int(year), int(month), int(day))
    except ValueError:
        return version, None


def rule_points(rules: RuleSet, *, limit: LimitKind) -> tuple[RulePoint, ...]:
    """Return the points of a rule set in force.

    >>> from tournaments.event.domain.rules import rule_set_from
    >>> krru = rule_set_from({"phones_at_table": False, "language_rule": "german"})
    >>> [point.name for point in rule_points(krru, limit=LimitKind.SPLIT_LIMIT)]
    ['no_show_no_seat', 'level_next_hand', 'button_moving', 'clock_krru', 'phones_away', 'german',
     'same_hand_by_stack', 'no_deals', 'disqualified']
    """
    return tuple(_points(rules, limit))


def _points(rules: RuleSet, limit: LimitKind) -> Iterator[RulePoint]:
    yield RulePoint(name=f"no_show_{rules.no_show}")
    yield RulePoint(name="level_next_hand")  # TDA 2024 23, KRRU 3.0
    yield RulePoint(name=f"button_{rules.button_rule}")
    if limit in RAISES_COUNT:
        yield _raise(rules)
    yield _clock(rules.clock_call)
    yield RulePoint(name="phones_allowed" if rules.phones_at_table else "phones_away")
    if rules.language_rule == LanguageRule.GERMAN:
        yield RulePoint(name="german")
    yield RulePoint(name=f"same_hand_{rules.same_hand}")
    yield RulePoint(name="deals" if rules.deals_allowed else "no_deals")
    keeps_prize = rules.disqualified_prize == DisqualifiedPrize.PLACE
    yield RulePoint(name="disqualified_with_prize" if keeps_prize else "disqualified")


def _raise(rules: RuleSet) -> RulePoint:
    if rules.minimum_raise == MinimumRaise.DOUBLE_BET and rules.raises_by_double:
        return RulePoint(name="raise_by_double")
    return RulePoint(name=f"raise_{rules.minimum_raise}")


def _clock(kind: ClockCall) -> RulePoint:
    rule = CLOCK_CALLS[kind]
    first = rule.allowed_after_seconds or rule.thinking_seconds
    return RulePoint(name=f"clock_{kind}", first=first, second=rule.countdown_seconds)
