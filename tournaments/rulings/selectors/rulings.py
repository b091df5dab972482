"""The rulings of an event, latest first, searched by words and table. Reads only."""

import json
from dataclasses import dataclass
from functools import cache
from math import comb
from types import SimpleNamespace

from django.conf import settings
from django.db.models import Q
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournaments.changes.domain.numbers import whole
from tournaments.event.domain.cards import card_from_code
from tournaments.models import Action, Event, Ruling
from tournaments.rulings.domain import desk
from tournaments.rulings.selectors.addresses import Facts, address_of
from tournaments.rulings.selectors.answers import lines_of
from tournaments.rulings.selectors.labels import HANDS, TOPICS

MOST = 30
MOST_WORDS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A ruling for display.

    :param address: The question on cards or bets, as an address of the desk.
    :param answered: The desk's answer.
    """

    row: Ruling
    asked: str
    decided: str
    by: str
    address: str
    answered: list[str]


def rulings_found(event: Event, asked: str = "") -> list[Shown]:
    """Return the rulings that contain every word; a number alone also matches the table."""
    rows = Ruling.objects.live().filter(event=event)
    for word in asked.split()[:MOST_WORDS]:
        says = Q(made_by__text__data__asked__icontains=word)
        says |= Q(made_by__text__data__decided__icontains=word)
        number = whole(word)
        if number is not None:
            says |= Q(table__number=number)
        rows = rows.filter(says)
    rows = rows.select_related("table", "made_by__text", "made_by__device")
    return [_shown(row) for row in rows.order_by("-decided_at", "-pk")[:MOST]]


def _shown(row: Ruling) -> Shown:
    action: Action = row.made_by
    topic = desk.Topic(row.topic)
    texts = action.text.data if hasattr(action, "text") else {}
    is_asked = topic in TOPICS and bool(row.question)
    told = action.payload.get("question")
    # An entry from before answers were stored: compute it from the question.
    answer = action.payload.get("answer") or (desk.answer(topic, row.question) if is_asked else {})
    return Shown(
        row=row,
        asked=texts.get("asked", ""),
        decided=texts.get("decided", ""),
        by=action.device.name if action.device else "",
        address=address_of(topic, Facts(told)) if told else "",
        answered=lines_of(topic, row.question, answer) if is_asked else [],
    )


# --- The ten hands for players: drawn cards, definition, frequency


ALL_HANDS = comb(52, 7)
# Best first: an example, and the tie-break between two of a kind.
EXAMPLES: tuple[tuple[str, str, Promise], ...] = (
    ("royal_flush", "As Ks Qs Js Ts",
     _("Zehn bis Ass in einer Farbe. Mehr gibt es nicht.")),
    ("straight_flush", "9h 8h 7h 6h 5h",
     _("Fünf in Folge in einer Farbe. Die höchste Karte entscheidet.")),
    ("four", "Qs Qh Qd Qc 7s",
     _("Vier vom selben Wert. Ihr Wert entscheidet, dann die fünfte Karte.")),
    ("full_house", "8d 8c 8s Kh Kd",
     _("Drei und zwei vom selben Wert. Erst entscheidet der Drilling, dann das Paar.")),
    ("flush", "Ac Jc 9c 6c 2c",
     _("Fünf in einer Farbe. Die höchste Karte entscheidet, dann die nächste.")),
    ("straight", "5d 4s 3h 2c Ad",
     _("Fünf in Folge. Das Ass steht ganz oben oder ganz unten, nie in der Mitte.")),
    ("three", "Ts Th Td Kc 4d",
     _("Drei vom selben Wert. Dann entscheiden die beiden anderen Karten.")),
    ("two_pair", "Jh Jc 5s 5d 9h",
     _("Zweimal zwei vom selben Wert. Erst das höhere Paar, dann das andere, dann die fünfte "
       "Karte.")),
    ("pair", "Ah Ac Td 7s 3h",
     _("Zwei vom selben Wert. Dann entscheiden die anderen Karten, die höchste zuerst.")),
    ("high_card", "Ks Jd 8c 6h 3s",
     _("Nichts davon: Die höchste Karte zählt, dann die nächste.")),
)  # fmt: skip


@cache
def hands_shown() -> tuple[SimpleNamespace, ...]:
    """Return the ten hands, best first; `share` is a percentage of all seven-card hands."""
    counts = json.loads((settings.FIXTURES / "hand-shares.json").read_text("utf-8"))
    return tuple(
        SimpleNamespace(
            key=key,
            name=HANDS[key],
            text=text,
            cards=[(one.rank.label, one.suit.sign) for one in map(card_from_code, codes.split())],
            count=counts[key],
            share=100 * counts[key] / ALL_HANDS,
        )
        for key, codes, text in EXAMPLES
    )
