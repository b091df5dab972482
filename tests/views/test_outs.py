"""What is told after an out: against whom, in which order, when in truth; a place that is set."""

import json
import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests import bubble
from tests import factories as f
from tests.api.asking import script_of
from tests.prepared import prepared
from tests.pressing import HTMX, followed, name_of, now, press, shows, url_of
from tests.views.pages import assert_refused, page_of, text_of
from tournaments.changes.access import Role
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Elimination, Knockout, Person

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=6)]


def tell(client, event, address, entries, **data):
    own = {"entry": [entry.pk for entry in entries], **data}
    return client.post(url_of(event, address), own, headers=HTMX)


def put_out(client, event, *entries, **data):
    """Put players out, and return the sheet that follows."""
    address = ["floor-out-many"] if len(entries) > 1 else ["floor-out", entries[0].pk]
    listed = {"entry": [entry.pk for entry in entries]} if len(entries) > 1 else {}
    answer = press(client, event, *address, **listed, **data)
    assert answer.status_code == 200
    return followed(client, answer)


def outs():
    return Elimination.objects.live().count()


def test_the_answer_to_the_tap_says_that_it_is_recorded_and_the_rest_follows(client, arno, event):
    one, two = f.at_table(event, 1)[:2]
    answer = press(client, event, "floor-out-many", entry=[one.pk, two.pk])
    html, words = answer.content.decode(), text_of(answer)
    shows(words, "Ausgeschieden", name_of(one), name_of(two), "Ist eingetragen.")
    assert f'hx-post="{url_of(event, "action-undo", f.last_action(event).pk)}"' in html
    shows(words, but=("Platz", "Gegen wen?"))
    assert json.loads(answer["HX-Trigger"])["krru:acted"]["version"] == f.fresh(event).version
    rest = followed(client, answer)
    assert text_of(rest).count("Platz 9") == 2
    assert 'id="outs"' in rest.content.decode()
    assert 'hx-select="#outs"' in html


def test_a_tap_that_comes_again_after_it_was_taken_back_says_so_in_what_follows(
    client, arno, event, entry
):
    key = {**HTMX, "X-Idempotency-Key": str(uuid4())}
    url = url_of(event, "floor-out", entry.pk)
    client.post(url, headers=key)
    press(client, event, "action-undo", f.last_action(event).pk)
    rest = followed(client, client.post(url, headers=key))
    assert "inzwischen zurückgenommen" in text_of(rest)
    assert 'id="outs"' in rest.content.decode()
    # Nothing more is told of it.
    answer = tell(client, event, "floor-knockout", [entry], taker=f.at_table(event, 1)[1].pk)
    assert_refused(answer, "zurückgenommen")
    gone = client.get(url_of(event, "floor-outs"), {"entry": entry.pk}, headers=HTMX)
    assert "inzwischen zurückgenommen" in text_of(gone)


def test_after_out_the_table_is_asked_against_whom_and_may_be_left(client, arno, event, entry):
    one, two = f.at_table(event, 1)[1:3]
    words = text_of(put_out(client, event, entry))
    shows(words, "Platz 10", but=("In welcher Hand?",))
    assert words.index("Platz 10") < words.index("Gegen wen?")
    for other in f.at_table(event, 1):
        assert name_of(other) in words
    assert name_of(f.at_table(event, 2)[0]) not in words
    answer = tell(client, event, "floor-knockout", [entry], taker=one.pk)
    assert answer.content.decode().count('aria-pressed="true"') == 1
    tell(client, event, "floor-knockout", [entry], taker=[one.pk, two.pk])
    assert Knockout.objects.live().count() == 2
    again = client.get(url_of(event, "floor-outs"), {"entry": entry.pk}, headers=HTMX)
    assert again.content.decode().count('aria-pressed="true"') == 2
    tell(client, event, "floor-knockout", [entry])
    assert not Knockout.objects.live().exists()
    # It can be told later from the player's sheet, also without scripts.
    html = page_of(client, event, "floor-player", entry.pk)
    assert f"{url_of(event, 'floor-outs')}?entry={entry.pk}" in html
    back = url_of(event, "floor-table", 1)
    own = {"entry": entry.pk, "taker": one.pk, "next": back}
    answer = client.post(url_of(event, "floor-knockout"), own)
    assert (answer.status_code, answer.url) == (302, back)
    assert "ausgeschieden gegen" in text_of(client.get(back))


def test_not_the_same_hand_is_put_in_order_by_taps(client, arno, event):
    one, two, three = f.at_table(event, 1)[:3]
    url = url_of(event, "floor-order", 1)
    for few in ({}, {"entry": one.pk}):
        assert_refused(client.get(url, few, headers=HTMX), "ab zweien")
    ticked = {"entry": [one.pk, two.pk, three.pk]}
    first = client.get(url, ticked, headers=HTMX)
    assert "Wer war zuerst aus?" in text_of(first)
    assert f'first={two.pk}"' in first.content.decode()
    second = client.get(url, {**ticked, "first": two.pk}, headers=HTMX).content.decode()
    assert "Wer war als Nächstes aus?" in second
    assert second.count(url_of(event, "floor-out-many")) == 2
    words = text_of(put_out(client, event, two, three, one, order="1"))
    assert [words.count(f"Platz {place}") for place in (8, 9, 10)] == [1, 1, 1]
    assert words.index(name_of(one)) < words.index(name_of(three)) < words.index(name_of(two))
    assert outs() == 3


def test_two_of_one_name_are_told_apart_by_their_seats_wherever_one_of_them_is_chosen(
    client, arno, event
):
    one, two, other = f.at_table(event, 1)[:3]
    for entry in (one, two):
        Person.objects.filter(registrations=entry.registration_id).update(name="Anna Huber")
    seats = [f"Anna Huber (Platz {f.seat_of(entry)[1]})" for entry in (one, two)]
    ticked = {"entry": [one.pk, two.pk]}
    ordered = text_of(client.get(url_of(event, "floor-order", 1), ticked, headers=HTMX))
    takers = text_of(put_out(client, event, other))
    for words in (ordered, takers):
        assert all(seat in words for seat in seats)
    assert "Anna Huber (Platz" not in page_of(client, event, "floor-table", 1)


def test_stacks_are_asked_only_where_a_paid_place_hangs_on_them(client, arno, event):
    f.Event.objects.filter(pk=event.pk).update(paid_places=7)
    one, two, three, four = f.at_table(event, 1)[:4]
    assert "Wie viele Chips" not in text_of(put_out(client, event, one, two))
    assert "Wie viele Chips" in text_of(put_out(client, event, three, four))
    stacks = {f"stack-{three.pk}": "40", f"stack-{four.pk}": "900"}
    answer = tell(client, event, "floor-out-correct", [three, four], **stacks)
    words = text_of(answer)
    shows(words, "Platz 7", "Platz 8", but=("Wie viele Chips",))
    assert words.index(name_of(four)) < words.index(name_of(three))
    wrong = {f"stack-{three.pk}": "viel"}
    assert tell(client, event, "floor-out-correct", [three, four], **wrong).status_code == 422
    # Nor where those of a hand share by the rules.
    shared = {**event.rules, "same_hand": "shared"}
    f.Event.objects.filter(pk=event.pk).update(rules=shared)
    assert "Wie viele Chips" not in text_of(put_out(client, event, *f.at_table(event, 1)[:2]))


def test_a_bust_that_came_earlier_is_set_before_another(client, arno, event):
    one, two = f.at_table(event, 1)[:2]
    press(client, event, "floor-out", one.pk)
    still_in = f.at_table(event, 1)[2]
    answer = tell(client, event, "floor-out-correct", [one], before=still_in.pk)
    assert_refused(answer, "zurückgenommen")
    assert f"Noch vor {name_of(one)}" in text_of(put_out(client, event, two))
    answer = tell(client, event, "floor-out-correct", [two], before=one.pk)
    shows(text_of(answer), "Platz 10", "Änderung zurücknehmen")


def test_a_true_time_is_set_by_the_clock(client, arno, event, entry):
    press(client, event, "floor-out", entry.pk)
    shown = timezone.localtime(now(event) - timedelta(minutes=2))
    tell(client, event, "floor-out-correct", [entry], time=f"{shown:%H:%M}")
    local = timezone.localtime(Elimination.objects.live().get().at)
    assert (local.hour, local.minute) == (shown.hour, shown.minute)
    assert local <= shown
    for wrong in ("25:00", "abends"):
        assert_refused(tell(client, event, "floor-out-correct", [entry], time=wrong), "20:41")
    assert tell(client, event, "floor-out-correct", [entry]).status_code == 422
    assert tell(client, event, "floor-out-correct", []).status_code == 422


@pytest.mark.parametrize(("ties", "asked"), [("shared", 2), ("by_stack", 3)])
def test_rp8_stacks_are_asked_of_all_who_rank_by_them_in_a_round(client, ties, asked):
    event = bubble.make_event()
    f.Event.objects.filter(pk=event.pk).update(rules={**event.rules, "bust_ties": ties})
    f.sign_browser_in(client, Role.DIRECTOR)
    bubble.first_round(event)
    elsewhere, (one, two) = f.at_table(event, 2)[0], f.at_table(event, 1)[:2]
    answers = [put_out(client, event, row) for row in (elsewhere, one, two)]
    html = answers[-1].content.decode()
    assert html.count('name="stack-') == asked
    assert (f'name="stack-{elsewhere.pk}"' in html) == (asked == 3)


def test_an_out_told_after_hand_fertig_names_the_hand_it_was_in(client, arno, event):
    bubble.begin(event)
    for number in (0, 1):
        bubble.report_all(event, number, 11 + 2 * number, tables=f.sizes(event))
        bubble.release(event, number, 12 + 2 * number)
    entry = f.at_table(event, 1)[0]
    words = text_of(put_out(client, event, entry))
    assert 0 < words.index("In welcher Hand?") < words.index(" Hand 1 ") < words.index(" Hand 2 ")
    answer = tell(client, event, "floor-out-correct", [entry], hand="1")
    html = answer.content.decode()
    assert re.findall(r'aria-pressed="(\w+)"', html)[:3] == ["false", "true", "false"]
    assert Elimination.objects.live().get().round.number == 1
    for wrong in ("7", "99999999999999"):
        assert tell(client, event, "floor-out-correct", [entry], hand=wrong).status_code == 422


@pytest.fixture(name="evening")
@prepared
def make_evening():
    """Six play; three of them are out, one after the other."""
    event = f.make_running_event(6)
    f.out(event, *f.entries_of(event)[:3], at=f.after(3), is_one_hand=False)
    return event


@pytest.fixture
def first_out(evening):
    return f.entries_of(evening)[0]


def overrule(client, event, entry, **own):
    said = {"place": "4", "reason": "Video", **own}
    return client.post(url_of(event, "place-overrule", entry.pk), said, headers=HTMX)


def sheet(client, event, entry):
    return text_of(client.get(url_of(event, "floor-player", entry.pk), headers=HTMX))


def test_it_is_set_from_the_players_sheet_and_shown_wherever_places_are(dora, evening, first_out):
    assert url_of(evening, "place-overrule", first_out.pk) in sheet(dora, evening, first_out)
    form = text_of(dora.get(url_of(evening, "place-overrule", first_out.pk), headers=HTMX))
    assert "Jetzt: Platz 6." in form
    assert overrule(dora, evening, first_out).status_code == 200
    shows(sheet(dora, evening, first_out), "ausgeschieden auf dem 4. Platz", "festgelegt")
    told = text_of(dora.get(url_of(evening, "floor-outs"), {"entry": first_out.pk}, headers=HTMX))
    assert "festgelegt" in told
    assert "festgelegt" in text_of(dora.get(url_of(evening, "floor-find"), {"q": "Spieler"}))
    assert text_of(dora.get(url_of(evening, "results"))).count("festgelegt") == 1
    told = dora.get(url_of(evening, "results-json")).json()["places"]
    assert [line["is_overruled"] for line in told if line["place"]] == [True, False, False]
    rows = dora.get(url_of(evening, "results-csv")).content.decode().splitlines()
    assert [row.split(";" if ";" in row else ",")[3] for row in rows[-3:]] == ["×", "", ""]
    assert "Festgelegt" in b"".join(dora.get(url_of(evening, "export-results-csv"))).decode()
    own = text_of(dora.get(reverse("player", args=[first_out.registration.link_token])))
    shows(own, "Diesen Platz hat die Turnierleitung festgelegt.", but=("Video",))
    lines = script_of(Role.DIRECTOR, evening).get(f"/events/{evening.slug}/results").json()["items"]
    assert [line["is_overruled"] for line in lines if line["place"]] == [True, False, False]
    press(dora, evening, "action-undo", f.last_action(evening).pk)
    assert "6. Platz" in sheet(dora, evening, first_out)


@pytest.mark.parametrize(
    ("own", "words"),
    [
        ({"place": "vier"}, "Ein Platz ist eine ganze Zahl."),
        ({"reason": ""}, "Bitte den Grund angeben."),
        ({"place": "9"}, "zwischen 4 und 6"),
        ({"place": "9", "shared": "on"}, "steht sonst niemand"),
    ],
)
def test_what_cannot_be_is_said_beside_the_button(dora, evening, first_out, own, words):
    assert_refused(overrule(dora, evening, first_out, **own), words)


def test_who_is_in_has_no_place_to_be_set(dora, evening):
    still_in = f.entries_of(evening)[5]
    page = url_of(evening, "place-overrule", still_in.pk)
    assert page not in sheet(dora, evening, still_in)
    assert "Nur wer draußen ist" in text_of(dora.get(page, headers=HTMX))
    arbiter = Client()
    f.sign_browser_in(arbiter, Role.ARBITER, evening)
    of_one_out = f.entries_of(evening)[0]
    assert url_of(evening, "place-overrule", of_one_out.pk) not in sheet(
        arbiter, evening, of_one_out
    )
    assert_refused(overrule(dora, evening, still_in), "ist nicht ausgeschieden")


def test_a_finished_result_is_corrected_on_its_own_page_by_the_director(dora, evening):
    order = f.entries_of(evening)
    f.out(evening, *order[3:5], at=f.after(11), is_one_hand=False)
    page = url_of(evening, "results")
    corrects = url_of(evening, "place-overrule", order[4].pk)
    assert corrects not in text_of(dora.get(page))
    f.drive(event_end, evening, 30)
    assert corrects in text_of(dora.get(page))
    assert corrects not in text_of(Client().get(page))
    assert "der Abend bleibt beendet" in text_of(dora.get(corrects, headers=HTMX))
    assert overrule(dora, evening, order[4], place="1").status_code == 200
    told = Client().get(url_of(evening, "results-json")).json()
    assert told["is_final"]
    assert told["places"][0]["place"] == 1
    assert told["places"][0]["is_overruled"]
