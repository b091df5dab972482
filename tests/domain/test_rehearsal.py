"""Invented names and scenes."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.practice.domain.rehearsal import SHARES, SceneKind, invented_names, scene

tables = st.dictionaries(st.integers(1, 10), st.integers(1, 99), max_size=10)


@given(tables, st.integers(1, 1200), st.integers(1, 500))
def test_a_scene_is_about_somebody_who_sits_there(players, table, hand):
    found = scene("ab12", table=table, hand=hand, players=players)
    if found.kind is SceneKind.QUIET:
        assert (found.seat, found.by) == (None, None)
    else:
        assert found.seat in players
    if found.kind is SceneKind.OUT:
        assert found.by in players
        assert found.by != found.seat
    else:
        assert found.by is None
    assert found == scene("ab12", table=table, hand=hand, players=dict(players))


def test_scenes_come_about_as_often_as_said():
    players = {seat: seat for seat in range(1, 10)}
    kinds = Counter(scene("ab", table=1, hand=hand, players=players).kind for hand in range(4000))
    for kind, share in SHARES.items():
        assert kinds[kind] == pytest.approx(40 * share, rel=0.25)


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_names_differ(firsts, lasts, data):
    count = data.draw(st.integers(0, firsts * lasts))
    names = invented_names([*"abcdef"[:firsts]], [*"uvwxyz"[:lasts]], count=count)
    assert len(set(names)) == len(names) == count


def test_too_many_names_are_refused():
    with pytest.raises(ValueError, match="not so many"):
        invented_names(["Anna"], ["Huber", "Maier"], count=3)
