"""A lost stack on the pages: who took it is asked at once, whatever becomes of the player."""

import json
import re
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from tests import factories as f
from tests.buying import TERMS, do
from tests.pressing import HTMX, followed, press, refused, shows, text_of, url_of
from tests.pressing import name_of as name
from tests.views.test_outs import put_out as lose
from tests.views.test_screens import a_screen
from tournaments.changes.access import Role
from tournaments.models import Elimination, Envelope, Knockout, LostStack, RebuyChance
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.selectors.bounties import bounties_of, mystery_pot
from tournaments.payouts.services.payees import payout_pay
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.play.services.rebuy_chances import rebuy_decline
from tournaments.rebuys.services.purchases import rebuy_buy
from tournaments.screens.selectors.screens import hall_hunters

pytestmark = pytest.mark.django_db


OWN = TERMS | {
    "bounty_kind": "fixed", "fee_parts": [["bounty", 500, ""]], "rebuy_level": 9,
    "rebuy_parts": [["bounty", 300, ""]], "rebuy_hold_minutes": 60,
}  # fmt: skip


@pytest.fixture(autouse=True)
def _the_fourth_minute_of_play(minute):
    minute(4)


@pytest.fixture
def event():
    return f.make_running_event(6, **OWN)


@pytest.fixture
def arno(client, event):
    f.sign_browser_in(client, Role.ARBITER, event)
    return client


def titles_of(answer):
    return re.findall(r"<h2[^>]*>\s*(.*?)\s*</h2>", answer.content.decode())


def taps(client, event, **sent):
    return press(client, event, "floor-knockout", **sent)


def test_a_bust_with_bounty_in_the_re_buy_time_is_told_on_one_sheet(arno, event):
    a, b = f.entries_of(event)[:2]
    sheet = lose(arno, event, a)
    words = text_of(sheet)
    # Whoever took the stack is asked before what becomes of the player.
    assert words.index("Noch nicht aus") < words.index("Gegen wen?") < words.index("Möchte: Re-buy")
    assert name(b) in words
    assert words.count(name(a)) == 1
    told = taps(arno, event, entry=a.pk, taker=b.pk)
    assert told.content.decode().count('aria-pressed="true"') == 1
    shows(text_of(told), "Bounty: 5 €", "Kein Re-buy: aus")
    assert "Gegen wen …" in text_of(arno.get(url_of(event, "floor-player", a.pk)))
    answer = press(arno, event, "rebuy-decline", a.pk, **{"with": a.pk})
    assert "krru:close" in json.loads(answer["HX-Trigger"])
    assert bounties_of(f.fresh(event)).won == {b.pk: 500}
    assert Knockout.objects.live().get().elimination == Elimination.objects.live().get()


def test_no_re_buy_goes_on_to_against_whom_while_that_is_open(arno, event):
    a, b = f.entries_of(event)[:2]
    assert taps(arno, event, entry=a.pk, taker=b.pk).status_code == 422  # nothing is lost yet
    lose(arno, event, a)
    answer = press(arno, event, "rebuy-decline", a.pk)
    assert answer.status_code == 200
    assert "krru:close" not in json.loads(answer["HX-Trigger"])
    words = text_of(answer)
    assert words.index("Platz 6") < words.index("Gegen wen?")
    taps(arno, event, entry=a.pk, taker=b.pk)
    assert bounties_of(f.fresh(event)).won == {b.pk: 500}


def test_the_sheet_of_several_stays_until_all_have_answered(arno, event):
    a, b, c, d, e = f.entries_of(event)[:5]
    sheet = lose(arno, event, a, b)
    assert "Beide: kein Re-buy" in text_of(sheet)
    assert titles_of(sheet) == ["Ohne Chips"]
    both = [a.pk, b.pk]
    taps(arno, event, entry=both, taker=c.pk)
    answer = press(arno, event, "rebuy-decline", a.pk, **{"with": both})
    shows(text_of(answer), "Noch nicht aus", name(b), but=("Beide",))
    assert titles_of(answer) == ["Ausgeschieden und ohne Chips"]
    answer = press(arno, event, "rebuy-decline", b.pk, **{"with": both})
    assert "krru:close" in json.loads(answer["HX-Trigger"])
    assert bounties_of(f.fresh(event)).won == {c.pk: 1000}
    # Or both decline with one press.
    lose(arno, event, d, e)
    own = {"other": e.pk, "with": [d.pk, e.pk]}
    assert text_of(press(arno, event, "rebuy-decline", d.pk, **own)).count("Platz 3") == 2
    assert not RebuyChance.objects.live().exists()


def test_the_sheet_of_several_stays_when_one_of_them_buys_again(arno, event):
    a, b = f.entries_of(event)[:2]
    lose(arno, event, a, b)
    both = {"stack": 0, "with": [a.pk, b.pk]}
    answer = followed(arno, press(arno, event, "purchase-ask", a.pk, "rebuy", **both))
    shows(text_of(answer), "Möchte 1 × Re-buy", "Beide: kein Re-buy")
    answer = press(arno, event, "purchase-ask", b.pk, "rebuy", **both)
    assert "krru:close" in json.loads(answer["HX-Trigger"])


def test_of_several_one_may_be_out_at_once_and_the_title_says_both(arno, event):
    a, b = f.entries_of(event)[:2]
    for minute in (1, 2):
        do(rebuy_buy, event, minute, entry=a, stack=0)
    recorded = press(arno, event, "floor-out-many", entry=[a.pk, b.pk])
    assert titles_of(recorded) == ["Ausgeschieden und ohne Chips"]
    shows(text_of(followed(arno, recorded)), "Platz 6", "Noch nicht aus")
    many = arno.get(url_of(event, "floor-many", 1), headers=HTMX)
    assert f'name="entry" value="{b.pk}"' not in many.content.decode()
    assert "ohne Chips bis 20:04" in text_of(many)


def test_the_table_lists_who_has_no_chips_and_a_second_arbiter_reads_who_was_first(
    arno, event, dora
):
    a = f.entries_of(event)[0]
    lose(arno, event, a)
    page = arno.get(url_of(event, "floor-table", 1))
    assert f"{name(a)} ohne Chips bis 20:04 Re-buy oder aus …" in text_of(page)
    assert f"{url_of(event, 'floor-outs')}?entry={a.pk}" in page.content.decode()
    version = f.fresh(event).version
    answer = press(dora, event, "floor-out", a.pk)
    assert answer.status_code == 200
    words = text_of(answer)
    assert f"Schon eingetragen: {LostStack.objects.get().made_by.device.name}, 19:04." in words
    shows(words, "Kein Re-buy: aus", "Re-buy, bezahlt")
    assert f.fresh(event).version == version
    plain = dora.post(url_of(event, "floor-out", a.pk))  # as without scripts
    assert (plain.status_code, "Schon eingetragen" in text_of(plain)) == (422, True)


def test_nobody_took_the_stack_of_who_gives_up(arno, dora, event):
    a, b, c, _d = f.entries_of(event)[:4]
    assert "Niemand: gibt auf" in text_of(lose(arno, event, a))
    told = press(arno, event, "floor-surrender", a.pk, entry=a.pk)
    shows(text_of(told), "Hat aufgegeben", but=("Gegen wen?",))
    assert bounties_of(f.fresh(event)).left_over == 500
    assert f"Stapel zählen: {name(a)} Aufgegeben." in text_of(dora.get(url_of(event, "director")))
    # Of several no one alone gave up, and who has bought again did not either.
    assert "gibt auf" not in text_of(lose(arno, event, b, c))
    do(rebuy_buy, event, 5, entry=b)
    past = {"lost": LostStack.objects.live().get(entry=b).pk}
    assert "gibt auf" not in text_of(arno.get(url_of(event, "floor-outs"), past, headers=HTMX))


def test_a_stack_after_which_was_bought_again_is_told_from_what_is_due(arno, dora, event):
    a, b = f.entries_of(event)[:2]
    f.drive(entries_eliminate, event, 1, entries=[a])
    do(rebuy_buy, event, 2, entry=a)
    lost = LostStack.objects.live().get()
    question, asked = f"Gegen wen hat {name(a)} den Stapel verloren?", f"?lost={lost.pk}"
    for page in ("director", "bounties"):
        answer = dora.get(url_of(event, page))
        assert question in text_of(answer)
        assert asked in answer.content.decode()
    sheet = arno.get(url_of(event, "floor-outs"), {"lost": lost.pk}, headers=HTMX)
    assert "alle Chips verloren, danach ein Re-buy." in text_of(sheet)
    shows(sheet.content.decode(), f'name="lost" value="{lost.pk}"', but=("action-undo",))
    gone = arno.get(url_of(event, "floor-outs"), {"lost": 99_999}, headers=HTMX)
    assert "inzwischen zurückgenommen" in text_of(gone)
    assert taps(arno, event, lost=99_999, taker=b.pk).status_code == 422
    assert "Bounty: 5 €" in text_of(taps(arno, event, lost=lost.pk, taker=b.pk))
    assert question not in text_of(dora.get(url_of(event, "director")))


def test_a_taker_tapped_without_wi_fi_arrives_with_the_out_it_was_tapped_after(arno, event):
    a, b = f.entries_of(event)[:2]

    def late(minute, address, *args, **sent):
        tap = {"at": int(f.after(minute).timestamp() * 1000), "offset": 0}
        headers = {"X-Tap": json.dumps(tap), "X-Idempotency-Key": str(uuid4())}
        return arno.post(url_of(event, address, *args), sent, headers=headers)

    assert late(1, "floor-out", a.pk).status_code < 400
    do(rebuy_buy, event, 3, entry=a)
    assert late(2, "floor-knockout", entry=a.pk, taker=b.pk).status_code < 400
    assert Knockout.objects.live().get().lost == LostStack.objects.live().get()
    assert bounties_of(f.fresh(event)).won == {b.pk: 500}
    page = Client()
    f.sign_browser_in(page, Role.ARBITER, event)
    assert 'data-queue="taker"' in page.get(url_of(event, "floor-table", 1)).content.decode()


def test_after_the_end_the_bounty_page_still_asks(dora, event):
    rows = f.entries_of(event)
    for minute, entry in enumerate(rows[1:], start=1):
        do(entries_eliminate, event, minute, entries=[entry])
        do(rebuy_decline, event, minute, entry=entry)
    press(dora, event, "event-end")
    assert "Gegen wen …" in text_of(dora.get(url_of(event, "bounties")))
    sheet = dora.get(url_of(event, "floor-outs"), {"entry": rows[1].pk}, headers=HTMX)
    assert "Gegen wen?" in text_of(sheet)
    assert "action-undo" not in sheet.content.decode()
    assert "Es war früher" not in text_of(sheet)
    taps(dora, event, entry=rows[1].pk, taker=rows[0].pk)
    assert bounties_of(f.fresh(event)).won == {rows[0].pk: 1000}
    f.undo(event)
    assert bounties_of(f.fresh(event)).won == {rows[0].pk: 500}


# --- Bounties on the pages of the staff, of the player, of everybody


def evening(kind, players=4, **own):
    price = {"fee_cents": 1000, "fee_parts": [["bounty", 1000, ""]]}
    event = f.make_running_event(players, bounty_kind=kind, **(price | own))
    return event, f.entries_of(event)


def out(event, entry, *takers, minute=5):
    f.drive(entries_eliminate, event, minute, entries=[entry])
    rows = list(Elimination.objects.live().filter(entry=entry))
    if takers:
        f.drive(knockout_set, event, minute, eliminations=rows, takers=list(takers))


def card_of(entry):
    return text_of(Client().get(reverse("player-card", args=[entry.registration.link_token])))


def test_heads_stand_on_the_arbiters_table_and_with_the_player(client):
    event, (a, b, _c, _d) = evening("progressive")
    f.sign_browser_in(client, Role.ARBITER)
    assert "Auf den Köpfen je 10 €" in text_of(client.get(url_of(event, "floor-table", 1)))
    assert "Kopf: 10 €" in text_of(client.get(url_of(event, "floor-player", b.pk)))
    out(event, a, b)
    table = text_of(client.get(url_of(event, "floor-table", 1)))
    assert f"Auf den Köpfen je 10 €, {b.registration.person.name} 15 €" in table
    assert "Bounty: 10 €" in text_of(client.get(url_of(event, "floor-outs"), {"entry": a.pk}))
    assert "Kopf: 15 €" in text_of(client.get(url_of(event, "floor-player", b.pk)))
    assert "Bounty 5 € dein Kopf 15 €" in card_of(b)
    assert "Bounty 0 €" not in card_of(b)


def test_somebody_out_reads_what_waits_at_the_desk_until_it_is_paid():
    event, (a, b, c, _d) = evening("fixed")
    for entry in (a, b):
        f.drive(fee_pay, event, 1, registration=entry.registration)
    out(event, a, b)
    out(event, b, c)
    assert "An der Kasse liegen 10 € für dich" in card_of(b)
    assert "An der Kasse" not in card_of(a)
    f.drive(payout_pay, event, 9, registration=b.registration)
    assert "An der Kasse" not in card_of(b)


def test_who_has_not_been_told_is_due_and_told_with_one_tap(dora):
    event, (a, b, _c, _d) = evening("fixed")
    out(event, a)
    asked = f"Gegen wen ist {a.registration.person.name} ausgeschieden?"
    for page in ("director", "bounties"):
        assert asked in text_of(dora.get(url_of(event, page)))
    press(dora, event, "floor-knockout", entry=a.pk, taker=b.pk)
    assert "Gegen wen" not in text_of(dora.get(url_of(event, "bounties-panel")))


def test_envelopes_are_made_and_drawn_on_the_page(dora):
    event, (a, b, _c, _d) = evening("mystery")
    assert "40 € kommen in die Umschläge" in text_of(dora.get(url_of(event, "bounties")))
    said = "Bitte Beträge, einen je Umschlag: 200 100 100."
    refused(dora, event, "mystery-begin", tops="viel", sentence=said)
    assert press(dora, event, "mystery-begin", tops="20").status_code == 200
    assert mystery_pot(event).amounts == [2000, 667, 667, 666]
    out(event, a, b, minute=99)
    name = a.registration.person.name
    page = text_of(dora.get(url_of(event, "director")))
    assert f"Umschlag ziehen für den Kopf von {name}" in page
    assert press(dora, event, "mystery-draw", a.pk).status_code == 200
    number = Envelope.objects.get().number
    draws = text_of(dora.get(url_of(event, "draws")))
    shows(draws, f"Umschlag {number}, für den Kopf von {name}", "nachgerechnet, stimmt")


def test_wall_and_results_show_who_has_won_most_and_only_where_there_are_bounties(dora):
    event, (a, b, c, d) = evening("fixed")
    out(event, a, d, minute=5)
    out(event, b, c, d, minute=6)
    assert [row[1:] for row in hall_hunters(event)] == [[2, "15\u00a0€"], [1, "5\u00a0€"]]
    without = f.make_event()
    assert "Bountys" not in text_of(dora.get(url_of(without, "screens")))
    assert dora.get(url_of(without, "bounties"))["Location"] == url_of(without, "floor")
    _screen, wall = a_screen(event, shows="hunters")
    rows = wall.get(reverse("screen-hall"), {"was": "hunters"}).json()["rows"]
    assert rows == hall_hunters(event)
    out(event, c, d, minute=7)
    shows(text_of(Client().get(url_of(event, "results"))), "Bountys", "35 €")
