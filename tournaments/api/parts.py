"""Building blocks of all requests and answers: values, limits, paged lists, errors."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from ninja import Field, Query, Schema
from pydantic import AfterValidator, ConfigDict

MOST_A_PAGE = 200
LARGEST_ID = 2**53 - 1

Instant = Annotated[datetime, AfterValidator(lambda at: at.astimezone(UTC))]
Id = Annotated[int, Field(ge=1, le=LARGEST_ID)]
Chips = Annotated[int, Field(ge=1, le=10**12)]
# No database stores the character NUL.
Text = Annotated[str, Field(pattern=r"^[^\x00]*$")]
Name = Annotated[Text, Field(max_length=400)]
Short = Annotated[Text, Field(max_length=200)]
Remark = Annotated[Text, Field(max_length=300)]


class Given(Schema):
    """A script's input: types are strict and unknown fields refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Problem(Schema):
    """A refusal. `code` is for programs and never translated, `reason` is a sentence for people."""

    code: str
    reason: str


READS: dict[Any, Any] = dict.fromkeys((401, 404, 405, 422), Problem)
ERRORS: dict[Any, Any] = READS | {403: Problem}


class Bounds(Schema):
    """The requested part of a list."""

    limit: int = Field(50, ge=1, le=MOST_A_PAGE, description="How many at most.")
    offset: int = Field(0, ge=0, le=1_000_000, description="How many to leave out first.")


Part = Query[Bounds]


class Page(Schema):
    """A part of a list. `total` counts the whole."""

    total: int
    limit: int
    offset: int


def page(items: list[Any], total: int, part: Bounds) -> dict[str, Any]:
    """Return a part of a list in the common form."""
    return {"items": items, "total": total, "limit": part.limit, "offset": part.offset}
