"""Questions to the rulings desk: the same answers as its page for the same facts."""

from typing import Annotated, Literal

from django.http import Http404
from django.utils.translation import gettext as _
from ninja import Field, Query, Router, Schema

from tournaments.api.requests import FOR_ALL, READS, ApiRequest, Id, Json, Short
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.requests import present
from tournaments.models import Table
from tournaments.rulings.selectors.desk_page import asked, evening_of, rules_told

router = Router(tags=["Rulings"])
Flag = Literal["0", "1"]
# As typed on the page, which refuses invalid numbers.
Number = Annotated[str, Field(max_length=20)]
Rows = Annotated[list[Number], Field(max_length=10)]


class QuestionIn(Schema):
    """The facts of a question; missing ones come from the tournament. Players count from 1."""

    topic: Literal["bets", "pots", "showdown", "stud"] = "bets"
    table: Id | None = Field(None, description="Whose level is in force; else the announced one.")
    players: Number | None = None
    game: Short | None = Field(None, description="bets: holdem, omaha, stud.")
    limit: Short | None = Field(None, description="no_limit, pot_limit, split_limit, spread_limit.")
    rule: Short | None = Field(None, description="The least raise, as the rules of a tournament.")
    cap: Short | None = None
    small_blind: Number | None = None
    big_blind: Number | None = Field(None, description="In stud the small bet.")
    big_bet: Number | None = None
    bring_in: Number | None = None
    heads_up: Flag | None = Field(None, description="Whether two are left in the tournament.")
    dead_small_blind: Flag | None = None
    low: Number | None = Field(None, description="Spread limit: the least bet.")
    high: Number | None = Field(None, description="Spread limit: the largest bet.")
    round: Number | None = None
    pot: Number | None = Field(None, description="What is in the pot from before.")
    stack: Rows = Field([], description="For each player; empty while not known.")
    steps: str | None = Field(
        None, max_length=2000, description="check, call, fold, or to what was bet: call,fold,24."
    )
    to: Number | None = Field(None, description="What lies before the next player.")
    chips: Short | None = Field(None, description="The single chips of it: 1000 1000.")
    declared: Flag | None = Field(None, description='Whether "raise" was said.')
    put: Rows = Field([], description="Pots, showdown: for each player.")
    all_in: Rows = Field([], description="Numbers of players.")
    folded: Rows = []
    out: Rows = Field([], description="Whose hand is dead.")
    dead: Number | None = Field(None, description="Antes and blinds left behind.")
    unit: Number | None = Field(None, description="The smallest chip.")
    won: Annotated[list[Short], Field(max_length=100)] = Field(
        [], description="pot.player, pots counted from 0."
    )
    contest: Short | None = Field(None, description="The game of a showdown.")
    board: Short | None = Field(None, description="Cards side by side: AhKd9c4s2h.")
    aside: Short | None = None
    hand: Annotated[list[Short], Field(max_length=10)] = []
    open: Number | None = Field(None, description="Stud: how many cards of each lie open.")
    last: Number | None = Field(None, description="Who raised last, 0 for nobody.")


class RulingOut(Schema):
    address: str = Field(description="All facts, as the page of the desk takes them.")
    lines: list[str] = Field(description="The answer as sentences.")
    rules: list[str] = Field(description="What it rests on.")
    answer: Json = Field(description="The answer as numbers; players count from 0.")


@router.get("/events/{slug:slug}/ruling", **FOR_ALL, response={200: RulingOut, **READS})
def ruling(request: ApiRequest, slug: str, question: Query[QuestionIn]) -> Json:
    """Answer a question about bets, pots, a showdown or the opening player in stud."""
    event = request.event
    table = None
    if question.table is not None:
        table = Table.objects.live().filter(event=event, number=question.table).first()
        if table is None:
            raise Http404(_("Diesen Tisch gibt es nicht."))
    found = asked(evening_of(event, table, present(event)), request.GET)
    if found.answer is None:
        raise Refused(found.no, code="unruled")
    rules = [str(text) for text, _url in rules_told(event, found, "")]
    return {"address": found.address, "lines": found.lines, "rules": rules, "answer": found.answer}
