"""The rules after each change, against a book in which every state was written down."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.rules.domain.editions import RuleChange, rules_through

NAMES = ("button", "raise", "text")
values = st.integers(0, 3)
changes = st.dictionaries(st.sampled_from(NAMES), values, min_size=1)
# What is done next: something changed, or the so-manieth change taken back.
deeds = st.lists(st.one_of(changes, st.integers(0, 5)), max_size=8)


@given(st.fixed_dictionaries(dict.fromkeys(NAMES, values)), deeds)
def test_every_state_is_found_again_from_the_last_one(first, deeds):
    written, log, made = [first], [], []
    for number, deed in enumerate(deeds, 1):
        now = written[-1]
        if isinstance(deed, dict):
            changed = {name: (now[name], value) for name, value in deed.items()}
            log.append(RuleChange(number=number, changed=changed))
            made.append(log[-1])
            written.append(now | deed)
        elif deed < len(made):
            back = made.pop(deed)
            log.append(RuleChange(number=number, undoes=back.number))
            written.append(now | {name: was for name, (was, _) in back.changed.items()})
    assert rules_through(written[-1], log) == written


def test_without_a_change_there_is_one_state():
    assert rules_through({"button": 1}, []) == [{"button": 1}]
