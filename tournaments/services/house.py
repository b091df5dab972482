"""Filling an empty installation: schedules, chip set, rule presets, the sample evening."""

from __future__ import annotations

import json
from datetime import datetime

from django.conf import settings
from django.db import transaction

from clock.services import schedules_load
from tournaments.domain.rules import rule_set_from
from tournaments.models import ChipSet, Club, Event, RulePreset
from tournaments.services.sample import sample_make
from tournaments.services.staff import club_get


def house_load(*, at: datetime, with_sample: bool = True) -> Club:
    """Load what ships with the program. Loading again changes nothing that is there already."""
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
    presets = json.loads((settings.FIXTURES / "rules.json").read_text("utf-8"))["presets"]
    for preset in presets:
        rules = rule_set_from(preset).as_data()
        RulePreset.objects.get_or_create(
            key=rules["key"], defaults={"name": rules["name"], "rules": rules}
        )


def _chips_load(club: Club) -> None:
    sets = json.loads((settings.FIXTURES / "chips.json").read_text("utf-8"))["chip_sets"]
    for row in sets:
        ChipSet.objects.get_or_create(
            club=club,
            name=row["name"],
            defaults={"pieces": row["pieces"], "distributions": row["distributions"]},
        )
