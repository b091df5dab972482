"""The JSON Schema of a blind schedule's file, for programs that write one."""

from __future__ import annotations

from typing import Any

from clock.domain import AnteKind, LevelKind, LimitKind
from tournaments.event.domain.chips import MOST_CHIPS
from tournaments.event.domain.schedule_files import (
    AMOUNTS,
    FORMAT,
    LONGEST_GAME,
    LONGEST_NAME,
    MOST_HANDS,
    MOST_MINUTES,
    MOST_ROWS,
    VERSION,
)


def _whole(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


def _or_none(schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}], "description": about}


def schedule_schema() -> dict[str, Any]:
    """Return the schema.

    >>> schedule_schema()["properties"]["version"]
    {'const': 1}
    """
    level = {
        "kind": {"enum": [kind.value for kind in LevelKind]},
        "minutes": _or_none(_whole(1, MOST_MINUTES), "Neither minutes nor hands: level_minutes."),
        "hands": _or_none(_whole(1, MOST_HANDS), "Instead of minutes."),
        "ante_kind": {"enum": [kind.value for kind in AnteKind]},
        "game": {"type": "string", "maxLength": LONGEST_GAME},
        "limit": {"enum": ["", *(kind.value for kind in LimitKind)]},
        "colour_up": {
            "type": "array",
            "items": _whole(1, MOST_CHIPS),
            "maxItems": MOST_ROWS,
            "description": "Values of chips that leave play.",
        },
        **dict.fromkeys(AMOUNTS, _whole(0, MOST_CHIPS)),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A blind schedule of KRRU",
        "type": "object",
        "required": ["format", "version", "name", "starting_stack", "level_minutes", "levels"],
        "properties": {
            "format": {"const": FORMAT},
            "version": {"const": VERSION},
            "name": {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME},
            "starting_stack": _whole(1, MOST_CHIPS),
            "level_minutes": _whole(1, MOST_MINUTES),
            "levels": {
                "type": "array",
                "minItems": 1,
                "maxItems": MOST_ROWS,
                "items": {"type": "object", "properties": level},
            },
        },
    }
