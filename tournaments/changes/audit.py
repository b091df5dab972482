"""The one way to change anything: lock, check, change, log, version, publish on commit.

`service` makes a service of a function with the change itself. Called with a `Command` and the
function's arguments, it runs the function in a transaction with the event's lock, and returns the
log entry. The club's services use `club_service`.

It makes no decisions: the function refuses by `Refused`, and then nothing has changed. It knows no
page and no package: consequences of changes register with `follows_change` and a condition.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Concatenate, Generic, NamedTuple, ParamSpec

from django.db import transaction
from django.utils.translation import gettext as _

from krru.data.metrics import WRITE_SECONDS
from tournaments.changes import access
from tournaments.changes.commands import ClubCommand, Command, Request, already_served, remember
from tournaments.changes.domain.errors import Refused
from tournaments.changes.domain.logchain import entry_hash
from tournaments.changes.kinds import LED_BY, TEXTS, Kind, Topic
from tournaments.models import Action, ActionText, Club, Event
from tournaments.models.log import (
    FACTS,
    OF_THE_LOG,
    UNDER_WAY,
    Fact,
    Gathered,
    Logged,
    column_names,
)

P = ParamSpec("P")


class Concerned(NamedTuple):
    """The registration and the table's number of a fact, and whether it changes earlier places."""

    person: int
    table: int = 0
    moves_places: bool = False


@dataclass(slots=True)
class Change:
    """A running change, with the locked event (if any) and the log entry.

    :param head: The row with the version and the log: the event's head, or the club.
    :param frees_places: Whether those who wait are asked after it.
    :param knowingly: Whether it may take back what was announced.
    :param claimed: When it happened as a phone says, if the director decides about that.
    """

    subject: Club | Event
    head: Logged
    kind: Kind
    action: Action
    by: access.Actor
    at: datetime
    texts: dict[str, Any] = field(default_factory=dict)
    topics: set[str] = field(default_factory=set)
    stream: dict[str, Any] = field(default_factory=dict)
    concerned: dict[str, list[Concerned]] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    frees_places: bool = False
    knowingly: bool = False
    claimed: datetime | None = None
    event: Event = field(init=False)

    def __post_init__(self) -> None:
        if isinstance(self.subject, Event):
            self.event = self.subject

    @property
    def club(self) -> Club:
        return self.subject if isinstance(self.subject, Club) else self.event.club

    def record(self, **numbers: Any) -> None:
        """Add ids, kinds and numbers to the log entry: the chain hashes these."""
        self.action.payload.update(numbers)

    def tell(self, **texts: Any) -> None:
        """Add names and reasons to the log entry, outside the chain.

        :raises KeyError: A text is not declared in `changes.kinds`.
        """
        undeclared = texts.keys() - TEXTS.keys()
        if undeclared:
            raise KeyError(*undeclared)
        self.texts.update({name: str(text) for name, text in texts.items() if text})

    def announce(self, *topics: str) -> None:
        """Name topics for pages to fetch, beyond those of the kind."""
        self.topics.update(topics)

    def push(self, **numbers: Any) -> None:
        """Add a few public numbers to the stream's message about this change."""
        self.stream.update(numbers)

    def concern(self, **rows: Iterable[Concerned]) -> None:
        """Say, by table, whom all its facts concern that this change makes or voids."""
        for fact, concerned in rows.items():
            self.concerned.setdefault(fact, []).extend(concerned)

    def set(self, **values: Any) -> None:
        """Change columns of the event and its head (or of the club), saved at the end."""
        for name, value in values.items():
            setattr(self.subject, name, value)
        self.touched.update(values)

    def save(self) -> None:
        """Write the entry to the head, and the changed columns."""
        head, action = self.head, self.action
        head.version += 1
        head.log_sequence, head.log_hash = action.sequence, action.hash
        head.log_recorded_at = action.recorded_at
        own = self.touched & column_names(type(head))
        head.save(update_fields={*OF_THE_LOG, *own})
        if self.touched > own:
            self.subject.save(update_fields=self.touched - own)


@contextmanager
def gathering() -> Iterator[Gathered]:
    """Collect the facts made and voided during a change."""
    gathered = Gathered()
    token = UNDER_WAY.set(gathered)
    try:
        yield gathered
    finally:
        UNDER_WAY.reset(token)


Step = Callable[[Change], None]
When = Callable[[Change], bool]
Undo = Callable[[Change, Action], None]
_FOLLOWING: list[tuple[When, Step]] = []
_COMPLETING: list[Step] = []
_UNDOS: dict[str, Undo] = {}


def follows_change(when: When) -> Callable[[Step], Step]:
    """Run a step after each change that meets the condition.

    The log entry is sealed later, so a step may add to it or refuse the change.
    """

    def register(step: Step) -> Step:
        _FOLLOWING.append((when, step))
        return step

    return register


def kind_is(quality: str) -> When:
    """Match changes of a kind with this property, such as `brings_in`."""
    if quality not in {each.name for each in fields(Kind)}:
        raise ValueError(f"Kinds have no {quality}.")
    return lambda change: bool(getattr(change.kind, quality))


def kind_in(*kinds: Kind) -> When:
    return lambda change: change.kind in kinds


def event_has(name: str) -> When:
    """Match changes of an event with this property, such as `has_cash_game`."""
    return lambda change: bool(getattr(change.event, name))


def touches(columns: frozenset[str]) -> When:
    """Match changes of one of these columns of the event."""
    return lambda change: not columns.isdisjoint(change.touched)


def topic_is(topic: Topic) -> When:
    return lambda change: topic in change.topics


def frees_places(change: Change) -> bool:
    """Match changes that may free places for the waiting list."""
    return change.frees_places


def takes_back(change: Change) -> bool:
    return change.action.undoes_id is not None


def revives(model: type[Fact]) -> When:
    """Match undos that bring back facts of this table."""
    name = model.__name__

    def is_met(change: Change) -> bool:
        gathered = UNDER_WAY.get()
        voided = gathered.voided if gathered and takes_back(change) else ()
        return any(row[:2] == (name, None) for row in voided)

    return is_met


def all_of(*conditions: When) -> When:
    return lambda change: all(is_met(change) for is_met in conditions)


def any_of(*conditions: When) -> When:
    return lambda change: any(is_met(change) for is_met in conditions)


def completes_change(step: Step) -> Step:
    """Run a step after the log entry of an event's change is sealed and written."""
    _COMPLETING.append(step)
    return step


def undoes(*kinds: Kind) -> Callable[[Undo], Undo]:
    """Register a special undo for these kinds, in place of undo by facts."""

    def register(undo: Undo) -> Undo:
        _UNDOS.update({kind.name: undo for kind in kinds})
        return undo

    return register


def undo_of(kind: str) -> Undo | None:
    """Return the special undo of a kind; None for undo by facts."""
    return _UNDOS.get(kind)


class _Service(Generic[P]):
    """Common parts of event and club services."""

    def __init__(
        self,
        body: Callable[Concatenate[Change, P], None],
        kind: Kind,
        permission: access.Permission,
        topics: tuple[Topic, ...] = (),
        *,
        after_the_end: bool = False,
        rooms_of: Callable[[Action], Iterable[int]] | None = None,
    ) -> None:
        self.kind, self.permission, self.topics = kind, permission, topics
        self.body, self.after_the_end, self.rooms_of = body, after_the_end, rooms_of
        self.__doc__, self.__name__, self.__module__ = body.__doc__, body.__name__, body.__module__
        _SERVICES[kind.name] = self


class Service(_Service[P]):
    """A change of an event, run by calling it with a command and its arguments."""

    def __call__(self, command: Command, /, *args: P.args, **kwargs: P.kwargs) -> Action:
        """Make the change and return its log entry.

        :raises Refused: With the reason; then nothing has changed.
        """
        request = Request(self.kind.name, command, kwargs)
        with WRITE_SECONDS.time(), transaction.atomic(), gathering() as gathered:
            event = Event.objects.locked(command.event.pk, *self._rooms(kwargs.get("action")))
            if command.key and (served := already_served(request)):
                return served
            access.require(command.by, self.permission)
            if not self.after_the_end and event.is_over:
                raise Refused(_("Das Turnier ist beendet."), code="over")
            if command.seen is not None and event.version != command.seen:
                raise Refused(_("Inzwischen hat sich der Saal geändert."), code="overtaken")
            change = _begin(event, self, command, command.recorded_at)
            self.body(change, *args, **kwargs)
            return _finish(change, request, gathered)

    def _rooms(self, action: object) -> Iterable[int]:
        """Return the events that did an action together, if this changes all of them."""
        if self.rooms_of is None or not isinstance(action, Action) or LED_BY not in action.payload:
            return ()
        return self.rooms_of(action)


class ClubService(_Service[P]):
    """A change with its log entry in the club's log."""

    def __call__(self, command: ClubCommand, /, *args: P.args, **kwargs: P.kwargs) -> Action:
        """Make the change and return its log entry.

        :raises Refused: With the reason; then nothing has changed.
        """
        request = Request(self.kind.name, command, kwargs)
        with WRITE_SECONDS.time(), transaction.atomic(), gathering() as gathered:
            # A concurrent registration refers to the club and must not wait for it.
            club = Club.objects.select_for_update(no_key=True).get(pk=command.club.pk)
            if command.key and (served := already_served(request)):
                return served
            access.require(command.by, self.permission)
            change = _begin(club, self, command, None)
            self.body(change, *args, **kwargs)
            return _finish(change, request, gathered)


_SERVICES: dict[str, _Service[Any]] = {}


def service(
    kind: Kind,
    permission: access.Permission,
    *topics: Topic,
    after_the_end: bool = False,
    rooms_of: Callable[[Action], Iterable[int]] | None = None,
) -> Callable[[Callable[Concatenate[Change, P], None]], Service[P]]:
    """Make a service of a function that changes an event.

    :param topics: What pages fetch again after it.
    :param after_the_end: Whether it is still possible once the event is over.
    :param rooms_of: Returns the events that did its `action` together, to be locked at once.
    """
    own: dict[str, Any] = {"after_the_end": after_the_end, "rooms_of": rooms_of}
    return lambda body: Service(body, kind, permission, topics, **own)


def club_service(
    kind: Kind, permission: access.Permission
) -> Callable[[Callable[Concatenate[Change, P], None]], ClubService[P]]:
    """Make a service of a function that changes the club."""
    return lambda body: ClubService(body, kind, permission)


def services() -> dict[str, _Service[Any]]:
    return dict(_SERVICES)


def topics_of(kind: str) -> tuple[Topic, ...]:
    """Return the topics that pages fetch after entries of this kind."""
    known = _SERVICES.get(kind)
    return known.topics if known else ()


def _begin(
    subject: Club | Event,
    known: _Service[Any],
    command: Command | ClubCommand,
    recorded_at: datetime | None,
) -> Change:
    """Begin a change after the last one, with a log entry for its facts to name."""
    head: Logged = subject.head if isinstance(subject, Event) else subject
    now = recorded_at or command.at
    recorded = now if known.kind.sets_time else max(now, head.log_recorded_at or now)
    at = recorded if command.at == now else min(command.at, recorded)
    # An authorised actor confirmed the consequences.
    knows = isinstance(command, Command) and command.knowingly
    owner = {"event": subject} if isinstance(subject, Event) else {}
    action = Action(
        **owner,
        club_id=subject.club_id if isinstance(subject, Event) else subject.pk,
        sequence=head.log_sequence + 1,
        kind=known.kind.name,
        at=at,
        recorded_at=recorded,
        device=command.by.device,
        role=command.by.role,
        previous_hash=head.log_hash,
    )
    action.save(force_insert=True)
    return Change(
        subject,
        head,
        known.kind,
        action,
        command.by,
        at,
        topics={Topic.LOG, *known.topics},
        frees_places=known.kind.frees_places,
        knowingly=knows and access.allows(command.by, access.Permission.MANAGE),
        claimed=command.claimed if isinstance(command, Command) else None,
    )


def _finish(change: Change, request: Request, gathered: Gathered) -> Action:
    """Run the following steps, seal the log entry, and raise the subject's version."""
    action, subject = change.action, change.subject
    if isinstance(subject, Event):
        for is_met, step in _FOLLOWING:
            if is_met(change):
                step(change)
    change.record(**{FACTS: gathered.as_payload()})
    action.hash = _hash_of(action)
    action.save(update_fields=("payload", "hash", "undoes"))
    if change.texts:
        ActionText.objects.create(action=action, data=change.texts)
    change.save()
    if request.command.key:
        remember(request, action)
    if isinstance(subject, Event):
        for step in _COMPLETING:
            step(change)
    return action


def _hash_of(action: Action) -> str:
    return entry_hash(
        action.previous_hash,
        action.sequence,
        action.kind,
        round(action.at.timestamp() * 1000),
        round(action.recorded_at.timestamp() * 1000),
        {**action.payload, "role": action.role, "device": action.device_id},
    )
