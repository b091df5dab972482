"""Defaults of a new installation: schedules, chip set, rule presets, the sample event."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db import transaction

from clock.services import is_due, schedules_load
from tournaments.changes.club import club_get
from tournaments.event.domain.rules import rule_set_from
from tournaments.models import ChipSet, Club, Event, RulePreset
from tournaments.practice.services.sample import sample_make


def house_load(*, at: datetime, with_sample: bool = True) -> Club:
    """Load the defaults shipped with the program, and newer revisions of them.

    The club's own data and its events do not change.
    """
    with transaction.atomic():
        club = club_get()
        is_new = not Event.objects.exists() and not RulePreset.objects.exists()
        schedules_load(settings.FIXTURES / "schedules.json")
        _rules_load()
        _chips_load(club)
        if is_new and with_sample:
            sample_make(club=club, at=at)
    return club


def _rules_load() -> None:
    data = _shipped("rules.json")
    known = dict(RulePreset.objects.values_list("key", "revision"))
    for preset in data["presets"]:
        rules = rule_set_from(preset)
        if is_due(data["revision"], known, rules.key):
            RulePreset.objects.update_or_create(
                key=rules.key,
                defaults={
                    "name": rules.name,
                    "rules": rules.as_data(),
                    "revision": data["revision"],
                },
            )


def _chips_load(club: Club) -> None:
    data = _shipped("chips.json")
    known = dict(club.chip_sets.values_list("name", "revision"))
    for row in data["chip_sets"]:
        if is_due(data["revision"], known, row["name"]):
            _keep_for_events(club.chip_sets.filter(name=row["name"]).first())
            values = {name: row[name] for name in ("pieces", "distributions")}
            club.chip_sets.update_or_create(
                name=row["name"], defaults={**values, "revision": data["revision"]}
            )


def _keep_for_events(before: ChipSet | None) -> None:
    """Keep a replaced chip set under another name for the events that use it."""
    events = Event.objects.filter(chip_set=before)
    if before is None or not events.exists():
        return
    kept = ChipSet.objects.create(
        club=before.club,
        name=f"{before.name} ({before.revision})",
        pieces=before.pieces,
        distributions=before.distributions,
    )
    events.update(chip_set=kept)


def _shipped(name: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads((settings.FIXTURES / name).read_text("utf-8"))
    return data
