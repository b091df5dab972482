"""The rulings desk: an address a question, the same answers for scripts; and rulings noted."""

import pytest
from django.http import QueryDict

from tests import factories as f
from tests.pressing import HTMX, shows
from tests.services.cashgames import make_cash_event, open_table
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.kinds import describe
from tournaments.event.domain.cards import card_from_code
from tournaments.log.selectors.log_search import Search, actions_found
from tournaments.models import Ruling
from tournaments.rulings.domain.hands import category_of, value_of
from tournaments.rulings.domain.pots import Unruled
from tournaments.rulings.selectors.labels import NOS, sentence_of
from tournaments.rulings.selectors.rulings import ALL_HANDS, EXAMPLES, rulings_found
from tournaments.rulings.services.rulings import ruling_note

pytestmark = pytest.mark.django_db
SIDE_POT = "topic=pots&players=3&put=70&put=140&put=140&all_in=1"
SHOWN = "topic=showdown&players=2&contest=holdem&board=AhKd9c4s2h&hand=AcAs&hand=KcKs"


def path(event, name=""):
    return f"/t/{event.slug}/regelfragen/{name}"


@pytest.fixture
def event(monkeypatch):
    monkeypatch.setattr("clock.servertime.server_time.now", lambda: f.after(1))
    return f.make_running_event(12)


@pytest.fixture
def arno(client, event):
    f.sign_browser_in(client, Role.ARBITER, event)
    return client


@pytest.fixture
def ask(client, event):
    """Return what asks the desk as htmx does, and gives what it says."""

    def run(query=""):
        answer = client.get(f"{path(event)}?{query}", headers=HTMX)
        assert answer.status_code == 200
        return answer.context["asked"]

    return run


def test_everybody_asks_and_only_staff_sees_what_was_decided(client, event):
    page = text_of(client.get(path(event)))
    shows(page, "Regelfragen", but=("Schon entschieden", "Entscheidung eintragen"))
    assert client.get(path(event, "entschieden/")).status_code == 403
    assert client.post(path(event, "eintragen/"), {"decided": "x"}).status_code == 403


def test_the_desk_begins_with_the_answer_and_the_facts_of_the_evening(arno, event):
    level = event.clock.levels.order_by("position").first()
    for query, players in (({}, 10), ({"tisch": "1"}, 6), ({"tisch": "99"}, 10)):
        answer = arno.get(path(event), query)
        question = answer.context["asked"].question
        blinds = {"small_blind": level.small_blind, "big_blind": level.big_blind}
        rules = {"rule": "double_bet", "cap": "last_round", "game": "holdem", "limit": "no_limit"}
        assert question == question | blinds | rules
        assert len(question["players"]) == players
        page = text_of(answer)
        assert f"Texas Hold’em, No Limit, {level.small_blind}/{level.big_blind}" in page
        cost = f"Spieler 1 ist dran: Mitgehen kostet {level.big_blind}."
        assert page.index(cost) < page.index("Setzrunde")
    assert f"{path(event)}?tisch=1" in text_of(arno.get(f"/t/{event.slug}/tische/1/"))
    level.ante = 5
    level.save()
    answer = arno.get(path(event), {"tisch": "1", "topic": "pots"})
    assert "Ante 5" in text_of(answer)
    assert answer.context["asked"].question["dead"] == 6 * 5


def test_an_evening_of_cash_tables_brings_its_game_and_its_blinds(client):
    event = make_cash_event()
    table = open_table(event, game="omaha", limit="pot_limit")
    answer = client.get(path(event))
    question = answer.context["asked"].question
    assert question["big_blind"] == table.big_blind_cents
    assert (question["game"], question["limit"]) == ("omaha", "pot_limit")
    assert "50/100, in Cent" in text_of(answer)
    table = open_table(event, game="stud_hilo", limit="split_limit", ante_cents=25)
    f.sign_browser_in(client, Role.ARBITER, event)
    assert "regelfragen/?cash=2" in text_of(client.get(f"/t/{event.slug}/cash/{table.pk}/"))
    answer = client.get(path(event), {"cash": "2"})
    assert answer.context["evening"].told.startswith("Stud Hi-Lo, Split-Limit")
    facts = answer.context["evening"].facts
    assert (facts["game"], facts["contest"], facts["limit"]) == ("stud", "stud_hilo", "split_limit")
    assert (facts["bring_in"], facts["big_blind"], facts["big_bet"]) == ("50", "100", "200")
    assert "Cash-Tisch 2" in text_of(answer)
    assert client.get(path(event), {"cash": "9"}).context["cash"] is None


def test_what_was_pressed_becomes_one_address_that_says_the_same_later(client, event):
    pressed = "topic=bets&players=3&press=call&press=bet:24&press=fold"
    answer = client.get(f"{path(event)}?{pressed}", headers=HTMX)
    address = answer.headers["HX-Replace-Url"]
    shows(address, "steps=call,24,fold", but=("press",))
    without_htmx = client.get(f"{path(event)}?{pressed}")
    assert without_htmx.status_code == 302
    event.clock.levels.update(small_blind=100, big_blind=200)
    later = client.get(address)
    assert later.context["asked"].lines == answer.context["asked"].lines
    assert later.context["asked"].address == answer.context["asked"].address
    assert without_htmx.url.endswith("steps=call,24,fold")


def test_cards_fall_one_after_the_other_into_the_places_with_room(ask):
    cards = [SHOWN.split("board=")[1].replace("&hand=", "")[at : at + 2] for at in range(0, 18, 2)]
    found = ask("topic=showdown&players=2&press=" + "&press=".join(cards))
    assert found.address.startswith(f"{SHOWN}&")
    assert found.lines[0] == "Es gewinnt Spieler 1: Drilling (A♠ A♥ A♣ K♦ 9♣)."
    taken = ask(f"{SHOWN}&press=take:9c&press=Qd&press=Ah")
    assert taken.question["board"] == ["Ah", "Kd", "4s", "2h", "Qd"]
    chosen = ask("topic=showdown&players=2&press=slot:1&press=Ah&press=Kd&press=Qd")
    assert [row["cards"] for row in chosen.question["players"]] == [[], ["Ah", "Kd"]]
    assert chosen.question["board"] == ["Qd"]
    stud = ask("topic=showdown&players=2&contest=stud&press=Ah")
    assert stud.question["players"][0]["cards"] == ["Ah"]
    assert ask(f"{SHOWN}&press=contest:omaha").question["board"] == []


def test_a_deed_that_is_refused_is_not_done_and_chips_are_judged_by_what_they_are(ask):
    found = ask("topic=bets&players=3&small_blind=5&big_blind=10&steps=24&press=bet:30")
    assert found.no == "Spieler 2 muss auf mindestens 48 setzen, nicht auf 30."
    assert found.question["steps"] == [["bet", 24]]
    assert found.lines[0] == "Spieler 2 ist dran: Mitgehen kostet 19."
    assert ask("topic=bets&players=3&steps=call,fold&press=back").question["steps"] == [["call", 0]]
    facing = "topic=bets&rule=largest_raise&small_blind=250&big_blind=500&round=2&players=3"
    facing += "&steps=1200"
    assert ask(f"{facing}&chips=5000").lines[0] == "Das ist ein Call."
    assert ask(f"{facing}&chips=1000+1000").lines[0] == "Das ist ein Call."
    assert ask(f"{facing}&chips=5000&declared=1").lines[0] == "Eine volle Erhöhung auf 5.000."
    unknown = ask(f"{facing}&to=5000").lines
    assert unknown[:2] == ["Eine volle Erhöhung auf 5.000.", unknown[1]]
    assert unknown[1].startswith("War nichts angesagt, zählen die Chips")


LARGE = "9" * 40


TYPED = [
    f"players={LARGE}", "players=-1", "players=0", "players=11&press=players:12", "round=9",
    "round=0", f"big_blind={LARGE}", "big_blind=1.5", "small_blind=²", "pot=-3", "steps=call,x",
    "steps=" + ",".join(["check"] * 300), "chips=a+b", "chips=5&to=3", f"to={LARGE}", "to=",
    "game=chess", "limit=none", "rule=x", "cap=x", "heads_up=x", "limit=spread_limit&low=9",
    "topic=pots&players=2&put=x", "topic=pots&won=x.y", "topic=pots&won=0.9&put=3&put=3",
    "topic=pots&put=5&put=5&unit=0&won=0.1", "topic=pots&all_in=x", "topic=nothing",
    "topic=showdown&contest=chess", "topic=showdown&board=Xx", "topic=showdown&board=A",
    "topic=showdown&press=slot:99&press=Ah", "topic=showdown&press=slot:x&press=Ah",
    "topic=showdown&hand=AhAh", "topic=stud&open=99&press=Ah", "topic=stud&open=x&press=Ah",
    "topic=stud&hand=2c&hand=3c&limit=x", "press=:&press=take:&press=slot:", "tisch=x",
    f"topic=showdown&board={'Ah' * 500}", f"stack={LARGE}",
]  # fmt: skip


def test_whatever_is_typed_gets_a_sentence(client, event):
    for query in TYPED:
        for headers in ({}, HTMX):
            answer = client.get(f"{path(event)}?{query}", headers=headers, follow=True)
            assert answer.status_code == 200, query
            found = answer.context["asked"]
            assert found.no or found.lines, query
        told = client.get(f"/api/v1/events/{event.slug}/ruling?topic=bets&{query}")
        assert told.status_code in {200, 422}, query


@pytest.mark.parametrize(
    "query",
    [SIDE_POT, SHOWN, "topic=bets&players=3&steps=call,24",
     "topic=stud&players=2&contest=stud&limit=no_limit&open=1&hand=As&hand=Kd"],
)  # fmt: skip
def test_scripts_get_the_answers_of_the_page(client, event, ask, query):
    told = client.get(f"/api/v1/events/{event.slug}/ruling?{query}").json()
    found = ask(query)
    assert told["lines"] == found.lines
    assert told["answer"] == found.answer
    assert QueryDict(told["address"]) == QueryDict(found.address)
    assert told["rules"]


@pytest.mark.parametrize(
    ("query", "status"),
    [("topic=pots&players=2&put=70&put=140", 422), ("topic=x", 422), ("topic=bets&table=99", 404)],
)
def test_scripts_are_refused_with_the_sentence_of_the_page(client, event, ask, query, status):
    told = client.get(f"/api/v1/events/{event.slug}/ruling?{query}")
    assert told.status_code == status
    if query.startswith("topic=pots"):
        assert told.json() == {"code": "unruled", "reason": ask(query).no}


def test_a_ruling_is_written_down_and_found_by_another(arno, event):
    said = {"address": SIDE_POT, "decided": "Side Pot an 2", "table": "1"}
    answer = arno.post(path(event, "eintragen/"), said, headers=HTMX)
    assert "Entscheidung an Tisch 1: Side Pot an 2" in text_of(answer)
    f.sign_browser_in(arno, Role.DIRECTOR, event)
    found = text_of(arno.get(path(event, "entschieden/"), {"q": "side"}))
    shows(found, "Side Pot an 2", "Hauptpot: 210.", SIDE_POT.replace("&", "&amp;"))
    assert "Dazu ist noch nichts" in text_of(arno.get(path(event, "entschieden/"), {"q": "Flush"}))
    for address in ("topic=x", "topic=bets&game=chess", "{}", "topic=pots&won=x"):
        answer = arno.post(path(event, "eintragen/"), said | {"address": address}, headers=HTMX)
        assert answer.status_code == 422
    assert Ruling.objects.count() == 1


# How many of all hands of seven cards are of each kind, as published in many places.
PUBLISHED = [
    4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800,
    23_294_460,
]  # fmt: skip


def test_s24_the_ten_hands_are_drawn_with_their_shares_for_everybody(client, event):
    answer = client.get(f"/t/{event.slug}/regeln/haende/")
    page = text_of(answer)
    assert [hand.key for hand in answer.context["hands"]][::9] == ["royal_flush", "high_card"]
    assert [hand.count for hand in answer.context["hands"]] == PUBLISHED
    assert sum(PUBLISHED) == ALL_HANDS
    assert "43,823 % aller Hände aus sieben Karten (58.627.800 von 133.784.560)" in page
    assert f"/t/{event.slug}/regeln/haende/" in text_of(client.get(f"/t/{event.slug}/regeln/"))
    english = {"Accept-Language": "en"}
    page = text_of(client.get(f"/t/{event.slug}/regeln/haende/", headers=english))
    shows(page, "Four of a kind", "% of all seven-card hands")


def test_each_drawn_hand_is_what_it_is_called():
    for key, codes, _text in EXAMPLES:
        cards = [card_from_code(code) for code in codes.split()]
        assert category_of(value_of(cards)).name.lower() == key


@pytest.mark.parametrize(
    ("contest", "hands", "told"),
    [
        ("stud", ("AhKd", "AsKc"), "Zuerst dran ist Spieler 2, mit der höchsten Karte nach Farbe:"),
        ("razz", ("Ah5d", "As5c"), "Zuerst dran ist Spieler 1, links vom Geber."),
    ],
)
def test_equal_open_cards_name_both_and_what_decides_between_them(
    client, event, contest, hands, told
):
    own = "&".join(f"hand={cards}" for cards in hands)
    query = f"topic=stud&players=2&contest={contest}&limit=split_limit&open=2&{own}"
    page = text_of(client.get(f"{path(event)}?{query}"))
    assert f"Spieler 1, Spieler 2 zeigen gleich viel. {told}" in page


def note(event, minute=1, by=SYSTEM, **own):
    usual = {"decided": "Hauptpot 210, Side Pot 140", "address": SIDE_POT}
    return f.drive(ruling_note, event, minute, by=by, **{**usual, **own})


def test_a_ruling_is_found_again_with_its_answer_by_who_decided_and_where(event):
    arno = f.make_arno(event)
    won = f"{SIDE_POT}&won=0.1&won=1.2&won=1.3"
    note(event, by=arno, table=f.table_of(event, 2), asked="Wem gehört der Side Pot?", address=won)
    f.assert_logged(event, "ruling.noted", table=2, topic="pots")
    assert "Entscheidung an Tisch 2: Hauptpot 210" in describe(f.last_action(event))
    assert f.last_action(event).payload["answer"]["gets"] == [210, 70, 70]
    assert f.last_action(event).payload["question"]["won"] == ["0.1", "1.2", "1.3"]
    [found] = rulings_found(event, "hauptpot 2")
    assert (found.by, found.row.table.number, found.address) == (arno.device.name, 2, won)
    assert found.answered == [
        "Hauptpot: 210. Gewinnen können Spieler 1, Spieler 2, Spieler 3.",
        "Side Pot 1: 140. Gewinnen können Spieler 2, Spieler 3.",
        "Spieler 1 bekommt 210.", "Spieler 2 bekommt 70.", "Spieler 3 bekommt 70.",
    ]  # fmt: skip
    assert rulings_found(event, "Vierling") == []
    for search in (Search(words="gehört"), Search(words="Hauptpot"), Search(table=2)):
        kinds = [action.kind for action in actions_found(event, search)]
        assert "ruling.noted" in kinds
    assert "ruling.noted" not in [one.kind for one in actions_found(event, Search(table=1))]
    f.undo(event)
    assert rulings_found(event) == []


def test_a_ruling_from_before_answers_were_kept_is_answered_from_its_question(event):
    note(event)
    action = f.last_action(event)
    payload = {name: action.payload[name] for name in ("topic", "outcome")}
    type(action).objects.filter(pk=action.pk).update(payload=payload)
    [found] = rulings_found(event)
    assert found.address == ""
    assert "Side Pot 1: 140" in found.answered[1]


def test_a_long_round_is_kept_step_by_step_and_its_chips_one_by_one(event):
    bets = "topic=bets&players=3&game=holdem&limit=no_limit&rule=largest_raise&cap=event"
    bets += "&small_blind=5&big_blind=10&heads_up=0&steps=" + ",".join(map(str, range(20, 999, 10)))
    note(event, address=f"{bets}&chips=1000+500")
    [found] = rulings_found(event)
    assert found.address.endswith(",990&chips=1000,500")
    assert found.answered[0] == "Eine volle Erhöhung auf 2.470."


def test_rulings_stand_the_latest_first_and_without_a_table_or_a_name(event):
    note(event, 1, address="", decided="Neu gegeben", asked="Karte offen?")
    note(event, 2, table=f.table_of(event, 1))
    assert [one.decided for one in rulings_found(event)] == [
        "Hauptpot 210, Side Pot 140", "Neu gegeben",
    ]  # fmt: skip
    assert "Entscheidung: Neu gegeben" in describe(Ruling.objects.first().made_by)
    note(event, 3, address=f"{SIDE_POT}&name=Petra+Muster")
    assert rulings_found(event)[0].address == SIDE_POT
    assert "name" not in f.last_action(event).payload["question"]
    note(event, 4, decided="", address="topic=stud&players=2&contest=stud&limit=no_limit&open=1"
         "&hand=As&hand=Kd")  # fmt: skip
    assert describe(f.last_action(event)) == "Entscheidung: Spieler 1 muss eröffnen."


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("no_decision", {"decided": "  ", "address": ""}),
        ("long_words", {"decided": "x" * 301}),
        ("long_words", {"asked": "x" * 301}),
        ("bad_question", {"address": "topic=weather"}),
        ("bad_question", {"address": "topic=other"}),
        ("bad_question", {"address": "topic=bets"}),
        ("bad_question", {"address": f"{SIDE_POT}&won=99.1"}),
        ("bad_question", {"address": "topic=stud&players=2&contest=Petra+Muster&hand=As&hand=Kd"}),
        ("unruled", {"address": "topic=pots&players=2&put=70&put=140"}),
        ("unruled", {"address": "topic=pots&players=2&put=Petra+Muster&put=140"}),
    ],
)
def test_what_cannot_be_a_ruling_is_refused(event, code, own):
    f.refuses(code, note, event, **own)


ABOUT = {
    "card": "As", "player": 2, "there": 1, "most": 2, "put": 80, "stack": 50, "to": 9, "least": 10,
    "owes": 30, "amount": 210, "unit": 25, "call": 10, "typed": "x",
}  # fmt: skip


@pytest.mark.parametrize("code", sorted(NOS))
def test_every_no_is_one_clear_sentence_with_its_numbers(code):
    said = sentence_of(Unruled(code, **ABOUT))
    assert said.endswith((".", "?"))
    shows(said, but=("%", "None"))
