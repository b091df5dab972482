"""Try a change without making it: it is really made, then rolled back."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from clock.snapshot import snapshot
from tournaments.changes.domain.errors import Refused
from tournaments.event.selectors.moments import PAST, moments_told
from tournaments.models import Action, Event


@contextmanager
def rolled_back() -> Iterator[None]:
    """Roll back all database changes inside, with hooks on commit."""
    with transaction.atomic():
        try:
            yield
        finally:
            transaction.set_rollback(True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """A moment of the evening before and after a change, in words."""

    label: str
    before: str
    after: str

    @property
    def is_turned(self) -> bool:
        """Tell whether the change ends it, or lets it begin again."""
        return (self.after == str(PAST)) is not (self.before == str(PAST))


def moved_by(event: Event, now: datetime, run: Callable[[], Action]) -> list[Moved]:
    """Return what a change of the levels would move; nothing where it is refused."""
    before = _told(event, now)
    with rolled_back():
        try:
            at = run().at  # a moment later: before it the clock shows what it showed
        except Refused:
            return []
        after = _told(event, max(now, at))
    return [
        Moved(label=label, before=before.get(label, ""), after=after.get(label, ""))
        for label in before | after
        if before.get(label) != after.get(label)
    ]


def _told(event: Event, now: datetime) -> dict[str, str]:
    fresh = Event.objects.select_related("clock").get(pk=event.pk)
    snapshot(fresh, fresh.clock)
    return moments_told(fresh, now)
