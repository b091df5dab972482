"""Record rulings: the question, the answer of the rules, and the decision."""

from typing import Any
from urllib.parse import parse_qs

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.changes.access import Permission
from tournaments.changes.audit import Change, service
from tournaments.changes.domain.errors import Refused
from tournaments.changes.kinds import Group, Kind, Topic
from tournaments.models import Ruling, Table
from tournaments.rulings.domain import desk
from tournaments.rulings.domain.pots import Unruled
from tournaments.rulings.selectors.addresses import Facts, facts_of, question_of
from tournaments.rulings.selectors.answers import lines_of
from tournaments.rulings.selectors.labels import NOS, sentence_of
from tournaments.seating.services.seats import live_table

LONGEST = 300

RULING_NOTED = Kind(
    "ruling.noted",
    lazy("Entscheidung an Tisch %(table)s: %(decided)s"),
    Group.CONDUCT,
    outcomes={"anywhere": lazy("Entscheidung: %(decided)s")},
)


@service(RULING_NOTED, Permission.SEE_FLOOR, Topic.CONDUCT)
def ruling_note(
    change: Change,
    *,
    decided: str = "",
    asked: str = "",
    address: str = "",
    table: Table | None = None,
) -> None:
    """Record a ruling; `address` is a question of the desk, stored with its answer.

    Without a text by the arbiter, the desk's answer is the decision.
    """
    row = live_table(change.event, table.pk) if table is not None else None
    facts = Facts(parse_qs(address, keep_blank_values=True))
    topic, question, answer = _answered(facts)
    words = {"asked": asked.strip(), "decided": decided.strip()}
    words["decided"] = words["decided"] or _whole_lines(lines_of(topic, question, answer))
    if not words["decided"]:
        raise Refused(_("Bitte dazuschreiben, wie entschieden wurde."), code="no_decision")
    if max(map(len, words.values())) > LONGEST:
        raise Refused(
            _("Frage und Entscheidung haben höchstens je %(most)d Zeichen.") % {"most": LONGEST},
            code="long_words",
        )
    Ruling.objects.create(
        event=change.event,
        table=row,
        topic=topic.value,
        question=question,
        decided_at=change.at,
        made_by=change.action,
    )
    place: dict[str, Any] = {"table": row.number} if row is not None else {"outcome": "anywhere"}
    if question:
        told = dict(facts_of(topic, facts).lists())
        place |= {"question": told, "answer": answer}
    change.record(topic=topic.value, **place)
    change.tell(**words)


def _whole_lines(lines: list[str]) -> str:
    """Return as many whole lines as fit into an entry."""
    told = ""
    for line in lines:
        if len(told) + len(line) >= LONGEST:
            break
        told = f"{told} {line}".strip()
    return told


def _answered(facts: Facts) -> tuple[desk.Topic, dict[str, Any], dict[str, Any]]:
    """Return a question and its answer; refuse one the rules cannot answer."""
    if not facts:
        return desk.Topic.OTHER, {}, {}
    try:
        topic = desk.Topic(facts.text("topic"))
        question = question_of(topic, facts)
        return topic, question, desk.answer(topic, question)
    except Unruled as no:
        raise Refused(sentence_of(no), code="unruled") from no
    except ValueError as error:
        raise Refused(str(NOS["no_question"]), code="bad_question") from error
