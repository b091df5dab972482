"""Disqualifying, and counting the stack afterwards: what is said before, done, and refused."""

import pytest

from tests import factories as f
from tests.pressing import done, refused, sheet, url_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import ChipMovement
from tournaments.play.services.eliminations import entry_disqualify

pytestmark = pytest.mark.django_db


def test_a_disqualification_states_what_follows_and_needs_a_reason(dora):
    event = f.make_running_event(5)
    entry = f.entries_of(event)[0]
    shown = sheet(dora, event, "disqualify", entry.pk)
    assert "auf Platz 5, und kann nicht wieder einsteigen" in shown
    assert "Der Stapel geht aus dem Spiel" in shown
    refused(dora, event, "disqualify", entry.pk, sentence="Bitte den Grund angeben.", reason=" ")
    for stack in ("viele", "-1", "1.001", "1.00"):
        own = {"reason": "Betrug", "stack": stack}
        refused(dora, event, "disqualify", entry.pk, sentence="Chips", **own)
    html = done(dora, event, "disqualify", entry.pk, reason="Betrug", stack="180")
    assert "Disqualifiziert: Spieler 001" in html
    assert ChipMovement.objects.live().get(event=event, amount=-180).entry == entry
    refused(dora, event, "disqualify", entry.pk, sentence="schon disqualifiziert", reason="Nochmal")
    assert "schon disqualifiziert" in sheet(dora, event, "disqualify", entry.pk)


def test_who_is_out_already_is_disqualified_and_keeps_the_place(dora):
    event = f.make_running_event(5)
    entry = f.entries_of(event)[0]
    f.out(event, entry)
    assert sheet(dora, event, "floor-player", entry.pk).endswith("Disqualifizieren")
    shown = sheet(dora, event, "disqualify", entry.pk)
    assert "behält Platz 5" in shown
    assert "Chips im Stapel" not in shown
    html = done(dora, event, "disqualify", entry.pk, reason="Betrug")
    assert "Nach dem Ausscheiden disqualifiziert: Spieler 001" in html
    assert not ChipMovement.objects.live().filter(event=event, entry=entry, amount=None).exists()
    after = sheet(dora, event, "floor-player", entry.pk)
    assert "disqualifiziert, 5. Platz" in after
    assert "Disqualifizieren" not in after


def test_a_stack_that_was_not_counted_is_counted_later(dora):
    event = f.make_running_event(5)
    entry, other = f.entries_of(event)[:2]
    assert dora.get(url_of(event, "dq-count", other.pk)).status_code == 404
    entry_disqualify(Command(event=event, by=SYSTEM, at=f.after(5)), entry=entry, reason="Betrug")
    assert "Stapel von Spieler 001" in sheet(dora, event, "dq-count", entry.pk)
    for stack in ("", "x", "9999999"):
        refused(dora, event, "dq-count", entry.pk, sentence="Chips", stack=stack)
    done(dora, event, "dq-count", entry.pk, stack="220")
    refused(dora, event, "dq-count", entry.pk, sentence="schon gezählt", stack="220")
    assert "schon gezählt" in sheet(dora, event, "dq-count", entry.pk)
