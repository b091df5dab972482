"""The size of the program, and how far a change of data goes: figures that only fall.

Of each figure this file holds the limit, as measured today, and the goal. More than the limit
fails; less by a margin warns, so that the limit is lowered. `pytest -s` on this file shows all.
"""

import json
import re
import sys
import warnings
from pathlib import Path
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from clock.servertime import server_time
from tests import factories as f
from tests.buying import TERMS
from tests.pressing import HTMX, url_of
from tests.views.pages import soon
from tournaments.changes.access import Role
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.prizes.domain.plans import PrizePlan, Way

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite_only]

ROOT = Path(__file__).parent.parent
OURS = tuple(f"{ROOT}/{package}/" for package in ("krru", "clock", "tournaments"))

# What is counted: (files, left out, limit, goal).
PYTHON = ("krru/**/*.py", "clock/**/*.py", "tournaments/**/*.py")
JAVASCRIPT = tuple(f"{part}/**/*.js" for part in ("bench", "clock", "tests", "tournaments"))
STYLES = ("clock/**/*.css", "tournaments/**/*.css")
SIZES = {
    "lines of the program": (PYTHON, "/migrations/", 94_230, 70_000),
    "lines of bench": (("bench/**/*.py",), None, 2_670, 2_500),
    "lines of tests": (("tests/**/*.py",), None, 67_760, 48_000),
    "lines of migrations": (("*/migrations/*.py",), None, 2_590, 3_000),
    "lines of JavaScript": (JAVASCRIPT, "/vendor/", 6_090, 5_500),
    "lines of CSS": (STYLES, "/vendor/", 11_720, 9_500),
    "lines of templates": (("templates/**/*.html",), None, 17_530, 14_500),
    "words of docs": (("docs/**/*.md",), "/guide/", 40_000, 40_000),
    "test functions": (("tests/**/*.py",), None, 2_655, 2_500),
}
# Of each walk: (limit, goal) of modules, of hops from one to another, of statements.
PARTS = ("modules", "hops", "statements")
WALKS = {
    "out": ((20, 69, 18), (20, 75, 21)),
    "registration": ((28, 82, 16), (28, 90, 16)),
    "re-buy": ((31, 113, 30), (32, 120, 30)),
    "payout": ((30, 97, 25), (30, 100, 25)),
    "undo, previewed": ((39, 201, 46), (40, 250, 60)),
    "undo, done": ((27, 97, 21), (36, 120, 30)),
}
# Under the limit by more than this part of it, the limit is to be lowered.
MARGIN = 0.02


def held(name, measured, limit, goal):
    """Show a figure beside its limit and its goal; warn where the limit is too high by now."""
    line = f"{name:30} {measured:7} | limit {limit:6} | goal {goal:6}"
    print(line)
    if measured < limit - limit * MARGIN:
        warnings.warn(f"lower the limit in tests/test_budget.py: {line}", stacklevel=2)
    return None if measured <= limit else line


# --- Sizes


def texts(patterns, left_out):
    paths = {path for pattern in patterns for path in ROOT.glob(pattern)}
    for path in paths:
        if left_out is None or left_out not in path.as_posix():
            yield path.read_text("utf-8")


def size_of(name, patterns, left_out):
    found = texts(patterns, left_out)
    if name.startswith("words"):
        return sum(len(text.split()) for text in found)
    if name.startswith("test functions"):
        return sum(len(re.findall(r"^ *def test_", text, re.MULTILINE)) for text in found)
    return sum(text.count("\n") for text in found)


def test_nothing_grows():
    rows = [
        held(name, size_of(name, patterns, left_out), limit, goal)
        for name, (patterns, left_out, limit, goal) in SIZES.items()
    ]
    assert not [row for row in rows if row]


# --- Walks


class Trace:
    """Counts own modules entered, changes from one to another, and statements with savepoints."""

    def __enter__(self):
        self.modules, self.hops, self._last = set(), 0, None
        self._queries = CaptureQueriesContext(connection)
        self._queries.__enter__()
        self._before = sys.getprofile()
        sys.setprofile(self._enter)
        return self

    def __exit__(self, *problem):
        sys.setprofile(self._before)
        self._queries.__exit__(*problem)

    def _enter(self, frame, event, _argument):
        path = frame.f_code.co_filename
        if event != "call" or not path.startswith(OURS) or frame.f_code.co_name == "<module>":
            return
        self.modules.add(path)
        if path != self._last:
            self.hops, self._last = self.hops + 1, path

    def figures(self):
        return len(self.modules), self.hops, len(self._queries)


def tapped(event, *, late=False):
    """Return headers of a tap; of one that a phone had kept, also when that was."""
    headers = {**HTMX, "X-Idempotency-Key": str(uuid4())}
    if late:
        at = int(f.after(1).timestamp() * 1000)
        tap = {"at": at, "offset": 0, "version": event.version, "seats": []}
        headers["X-Tap"] = json.dumps(tap)
    return headers


def traced(client, url, data=(), headers=None, status=200):
    """Post a form, and return how far it went."""
    with Trace() as trace:
        answer = client.post(url, dict(data), headers=headers)
    assert answer.status_code == status, answer.content[:500]
    return trace


def walk_out(client, _monkeypatch):
    event = f.make_running_event(12, seats=6)
    f.sign_browser_in(client, Role.ARBITER, event)
    client.get(url_of(event, "floor"))
    for entry in f.entries_of(event)[:2]:
        out = traced(client, url_of(event, "floor-out", entry.pk), headers=tapped(event))
    return {"out": out}


def walk_registration(client, _monkeypatch):
    event = soon()
    client.get(url_of(event, "tournament"))
    for name in ("Max Test", "Anna Zwei"):
        form = {"is_listed": "on", "agrees_to_rules": "on", "name": name}
        form["email"] = f"{name.split()[0].lower()}@example.org"
        came_in = traced(client, url_of(event, "register"), form, status=302)
    return {"registration": came_in}


def walk_rebuy(client, monkeypatch):
    event = f.make_running_event(12, **TERMS)
    entries = f.entries_of(event)[:2]
    monkeypatch.setattr(server_time, "now", lambda: f.after(1))
    f.sign_browser_in(client, Role.DIRECTOR, event)
    for entry in entries:
        traced(client, url_of(event, "floor-out", entry.pk), headers=HTMX)
    f.sign_browser_in(client, Role.DESK, event)
    event = f.fresh(event)
    for entry in entries:
        url, headers = url_of(event, "purchase-buy", entry.pk, "rebuy"), tapped(event, late=True)
        sold = traced(client, url, {"pays": "1"}, headers)
    return {"re-buy": sold}


def walk_payout(client, _monkeypatch):
    """Pay two prizes, then take the second back; each is done once before, so that it is warm."""
    event = f.make_running_event(10, fee_cents=1000)
    plan = PrizePlan(way=Way.SHARES, shares=(5000, 3000, 2000), unit_cents=500)
    f.drive(prizes_plan, event, 1, plan=plan)
    order = f.entries_of(event)
    for entry in order:
        f.drive(fee_pay, event, 1, registration=entry.registration)
    for minute, entry in enumerate(order[:-1], 10):
        f.out(event, entry, at=f.after(minute))
    f.drive(prizes_freeze, event, 30)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    actions = []
    for entry, cents in ((order[-3], 2000), (order[-2], 3000)):
        url = url_of(event, "payout-pay", entry.registration.pk)
        paid = traced(client, url, {"amount_cents": str(cents)}, HTMX)
        actions.append(f.last_action(event).pk)
    for pk in actions:
        previewed = traced(client, url_of(event, "undo-preview", pk), headers=HTMX)
    for pk in actions:
        done = traced(client, url_of(event, "action-undo", pk), headers=HTMX)
    return {"payout": paid, "undo, previewed": previewed, "undo, done": done}


@pytest.mark.parametrize("walk", [walk_out, walk_registration, walk_rebuy, walk_payout])
def test_no_walk_grows_longer(walk, client, monkeypatch):
    rows = []
    for name, trace in walk(client, monkeypatch).items():
        figures = zip(PARTS, trace.figures(), *WALKS[name], strict=True)
        rows += [held(f"{name}: {part}", *figure) for part, *figure in figures]
    assert not [row for row in rows if row]
