"""The standings of a league, computed from its events; not stored."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from tournaments.seasons.domain.points import (
    NO_STAKES,
    Score,
    Stakes,
    Start,
    Terms,
    TieBreak,
    evening_scores,
)

NEVER = 1 << 30  # larger than every place


@dataclass(frozen=True, eq=False)
class Evening:
    """A counting event: `key` identifies it; `starts` are all entries with their places.

    `taken` are the knockouts: who, whom, and the share of it. The cache recognises an event by
    object identity.
    """

    key: int
    starts: tuple[Start, ...]
    stakes: Stakes = NO_STAKES
    taken: tuple[tuple[int, int, Fraction], ...] = ()


@dataclass(slots=True, kw_only=True)
class Row:
    """A player's line; points are hundredths.

    :param scores: The score of each event by key, in the order of the events.
    :param counted: The counting events; the others are dropped.
    :param run: The number of events in a row until now.
    """

    person: int
    rank: int = 0
    points: int = 0
    scores: dict[int, Score] = field(default_factory=dict)
    counted: frozenset[int] = frozenset()
    correction: int = 0
    bonus: Fraction = Fraction(0)
    run: int = 0

    @property
    def evenings(self) -> int:
        return len(self.scores)

    @property
    def wins(self) -> int:
        return sum(score.place == 1 for score in self.scores.values())

    @property
    def knockouts(self) -> int | Fraction:
        return sum(score.knockouts for score in self.scores.values())


def standings(
    terms: Terms,
    evenings: Sequence[Evening],
    corrections: Mapping[int, int] | None = None,
    left_out: Collection[int] = (),
) -> list[Row]:
    """Return everybody with an entry or a correction, best first; equal ones share a rank.

    Each person's best `terms.best` events count. Points for attendance, bonuses and corrections
    always count. Whoever is left out keeps the places of the events and has no rank.

    >>> first = Evening(1, (Start(7, 1, 1), Start(8, 2, 2)))
    >>> second = Evening(2, (Start(8, 1, 1), Start(7, 2, 2)))
    >>> rows = standings(Terms(best=1), [first, second], {7: 50})
    >>> [(row.rank, row.person, row.points, sorted(row.counted)) for row in rows]
    [(1, 7, 250, [1]), (2, 8, 200, [2])]

    :raises FormulaError: When a formula has no value for one of the places.
    """
    people: dict[int, Row] = {}
    for evening in evenings:
        leaders = _leaders(terms, people) if terms.leader else frozenset()
        for person, score in scores_of(terms, evening).items():
            if person not in left_out:
                people.setdefault(person, Row(person=person)).scores[evening.key] = score
        _add_bonuses(terms, people, evening, leaders)
    for person, hundredths in (corrections or {}).items():
        if person not in left_out:
            people.setdefault(person, Row(person=person)).correction += hundredths
    _add_up(terms, people)
    keyed = sorted((_key(terms, row), person) for person, row in people.items())
    found: list[Row] = []
    for _same, tied in groupby(keyed, key=itemgetter(0)):
        rank = len(found) + 1
        for _key_of, person in tied:
            people[person].rank = rank
            found.append(people[person])
    return found


def _add_up(terms: Terms, people: Mapping[int, Row]) -> None:
    """Set each row's counting events (the best, on a tie the earlier) and its points."""
    for row in people.values():
        row.counted = frozenset(row.scores)
        if terms.best:
            best_first = sorted(row.scores, key=lambda key: -row.scores[key].points)
            row.counted = frozenset(best_first[: terms.best])
        counted = sum(row.scores[key].points for key in row.counted)
        always = terms.attendance * len(row.scores) + row.correction + round(row.bonus)
        row.points = counted + always


def _leaders(terms: Terms, people: Mapping[int, Row]) -> frozenset[int]:
    """Return who leads the table so far, several if tied; corrections have no day."""
    _add_up(terms, people)
    keys = {person: _key(terms, row) for person, row in people.items()}
    first = min(keys.values(), default=None)
    return frozenset(person for person, key in keys.items() if key == first)


def _add_bonuses(
    terms: Terms, people: Mapping[int, Row], evening: Evening, leaders: Collection[int]
) -> None:
    for taker, victim, share in evening.taken:
        if victim in leaders and taker in people:
            people[taker].bonus += terms.leader * share
    for row in people.values():
        row.run = row.run + 1 if evening.key in row.scores else 0
        if terms.run and row.run and row.run % terms.run == 0:
            row.bonus += terms.run_bonus


@lru_cache(maxsize=1024)
def scores_of(terms: Terms, evening: Evening) -> Mapping[int, Score]:
    """Return everybody's score of an event, computed once while it is cached.

    :raises FormulaError: When a formula has no value for one of the places.
    """
    return evening_scores(terms, evening.starts, evening.stakes)


def _key(terms: Terms, row: Row) -> tuple[object, ...]:
    return (-row.points, *(_broken_by(way, row.scores) for way in terms.tie_breaks))


def _broken_by(way: TieBreak, scores: Mapping[int, Score]) -> object:
    rows = scores.values()
    if way is TieBreak.WINS:
        return -sum(score.place == 1 for score in rows)
    if way is TieBreak.PLACES:
        # More first places, then more second places, and so on.
        return (*sorted(score.place for score in rows), NEVER)
    if way is TieBreak.TOTAL:
        return -sum(score.points for score in rows)
    if way is TieBreak.BEST:
        return -max((score.points for score in rows), default=0)
    if way is TieBreak.KNOCKOUTS:
        return -sum(score.knockouts for score in rows)
    return -len(scores)


def points_to_pass(terms: Terms, row: Row, ahead: Row) -> int:
    """Return the points the next event must bring to pass the player ahead.

    Assumes that player gains nothing that counts. In hundredths, without attendance; 0 when
    attendance is enough.

    >>> one = Row(person=1, rank=1, points=900, scores={}, counted=frozenset())
    >>> two = Row(person=2, rank=2, points=700, scores={5: Score(300, 2, 0), 6: Score(400, 1, 0)},
    ...           counted=frozenset({5, 6}))
    >>> points_to_pass(Terms(), two, one), points_to_pass(Terms(best=2), two, one)
    (201, 501)
    """
    missing = ahead.points - row.points + 1 - terms.attendance
    if missing <= 0:
        return 0
    is_full = bool(terms.best) and len(row.counted) >= terms.best
    drops = min((row.scores[key].points for key in row.counted), default=0) if is_full else 0
    return missing + drops


def points_after_each(terms: Terms, row: Row) -> list[int]:
    """Return a player's points after each event, without corrections.

    >>> row = Row(person=1, rank=1, points=0, counted=frozenset(),
    ...           scores={5: Score(300, 2, 0), 6: Score(100, 9, 0), 7: Score(400, 1, 0)})
    >>> points_after_each(Terms(best=2), row)
    [300, 400, 700]
    """
    found, so_far = [], []
    for score in row.scores.values():
        so_far.append(score.points)
        best = sorted(so_far, reverse=True)[: terms.best or None]
        found.append(sum(best) + terms.attendance * len(so_far))
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class TeamRow:
    """A team's line: the counting points of its members, and the members by person."""

    team: int
    rank: int
    points: int
    members: tuple[int, ...]
    counted: tuple[int, ...]


def team_standings(rows: Sequence[Row], team_of: Mapping[int, int], best: int) -> list[TeamRow]:
    """Return the teams, best first: the sum of their best members, of all with `best` 0.

    >>> rows = [Row(person=p, rank=p, points=points, scores={}, counted=frozenset())
    ...         for p, points in ((1, 900), (2, 500), (3, 450))]
    >>> [(row.team, row.rank, row.points) for row in team_standings(rows, {1: 4, 2: 5, 3: 5}, 0)]
    [(5, 1, 950), (4, 2, 900)]
    """
    members: dict[int, list[Row]] = {}
    for row in rows:
        if row.person in team_of:
            members.setdefault(team_of[row.person], []).append(row)
    sums = []
    for team, own in members.items():
        counted = own[: best or None]
        sums.append((-sum(row.points for row in counted), team, own, counted))
    sums.sort(key=itemgetter(0, 1))
    found: list[TeamRow] = []
    for points, tied in groupby(sums, key=itemgetter(0)):
        rank = len(found) + 1
        found += [
            TeamRow(
                team=team,
                rank=rank,
                points=-points,
                members=tuple(row.person for row in own),
                counted=tuple(row.person for row in counted),
            )
            for _points, team, own, counted in tied
        ]
    return found


def starting_stack(points: int, *, base: int, per_point: int, unit: int) -> int:
    """Return a player's starting stack in the final, in chips.

    It is `base`, and `per_point` chips for each point, rounded to the nearest `unit`, half up.
    Negative points count as zero; the stack is at least one unit.

    >>> starting_stack(3_750, base=5_000, per_point=100, unit=25)
    8750
    >>> starting_stack(-200, base=5_000, per_point=100, unit=25)
    5000
    """
    exact = Fraction(max(0, points) * per_point, 100) + base
    return max(1, int((exact / unit + Fraction(1, 2)) // 1)) * unit
