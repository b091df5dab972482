"""The draws of an event: what each rested on, and that it comes out the same when made again."""

import hashlib
import re
from copy import deepcopy

import pytest

from krru.data.sealing import seal
from tests import factories as f
from tests.pressing import shows
from tests.views.pages import text_of
from tournaments.door.services.registration import registrations_import
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Draw, Event
from tournaments.seating.selectors.balancing import floor_advice
from tournaments.seating.selectors.draws import draw_pictures, draws_of
from tournaments.seating.services.seats import draw_hall_number_set, seats_draw
from tournaments.seating.services.tables import (
    balance_step,
    dealer_draw_make,
    final_table_draw,
    table_break,
)

pytestmark = pytest.mark.django_db


def get(client, event, query=""):
    response = client.get(f"/t/{event.slug}/auslosung/{query}")
    assert response.status_code == 200
    return response


def pictures(event):
    rows = list(draws_of(f.fresh(event)))
    return draw_pictures(f.fresh(event), rows, to_staff=True)


def all_kinds():
    """Play an evening in which every kind of draw comes up, the hall number set on the way."""
    event = f.make_seated_event(30)
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 2))
    f.drive(draw_hall_number_set, event, -60, number="4711")
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 3))
    f.drive(clock_start, event, 0)
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    (step, *_more) = floor_advice(f.fresh(event), f.after(10)).moves
    entry = next(entry for entry in f.entries_of(event) if entry.pk == step.entry)
    place = {"from_table": step.from_table, "to_table": step.to_table, "to_seat": step.to_seat}
    f.drive(balance_step, f.fresh(event), 10, entry=entry, **place)
    for entry in [*f.at_table(event, 1)[:5], *f.at_table(event, 3)[:5]]:
        f.out(event, entry)
    f.drive(table_break, event, 20, table=f.table_of(event, 3))
    left = [entry for entry in f.entries_of(event) if f.seat_of(entry)]
    for entry in left[:9]:
        f.out(event, entry)
    f.drive(final_table_draw, f.fresh(event), 30)
    return f.fresh(event)


def test_a_draw_of_the_field_comes_out_the_same_again():
    event = f.make_seated_event(23, seats=9, draw_mode=Event.DrawMode.FIELD)
    f.undo(event, at=f.ARRIVAL)
    f.drive(seats_draw, event, -60)
    assert [(one.kind, one.is_voided, one.agrees) for one in pictures(event)] == [
        ("field", False, True),
        ("field", True, True),
    ]


def change(draw):
    """Change what was drawn, and return how to put it back."""
    kept, rows = draw.outcome, deepcopy(draw.outcome)
    if draw.kind == "dealer":
        rows[0]["card"], rows[1]["card"] = rows[1]["card"], rows[0]["card"]
    elif draw.kind in ("seat", "balance"):
        rows[0][2] = rows[0][2] % 10 + 1
    else:
        rows[0][1:], rows[1][1:] = rows[1][1:], rows[0][1:]
    row = Draw.objects.filter(pk=draw.pk)
    row.update(outcome=rows)
    return lambda: row.update(outcome=kept)


def test_every_kind_comes_out_the_same_again_and_what_was_changed_afterwards_is_found():
    event = all_kinds()
    found = {picture.kind: picture.agrees for picture in pictures(event)}
    assert found == dict.fromkeys(("seat", "dealer", "balance", "break", "final"), True)
    for kind in found:
        draw = Draw.objects.filter(event=event, kind=kind).first()
        put_back = change(draw)
        agree = {picture.number: picture.agrees for picture in pictures(event)}
        assert agree.pop(draw.number) is False
        assert set(agree.values()) == {True}
        put_back()
    # With another secret none agrees.
    Event.objects.filter(pk=event.pk).update(draw_sealed=seal("11" * 32))
    many = [one.agrees for one in pictures(event) if one.kind in ("dealer", "break", "final")]
    assert many == [False] * 4


def test_a_list_too_long_to_be_kept_is_called_so(client):
    event = f.make_seated_event(3)
    Draw.objects.filter(event=event).update(kind="field", items=[], outcome=[])
    assert {one.agrees for one in pictures(event)} == {None}
    page = text_of(get(client, event))
    assert "nur mit dem Protokoll nachrechenbar" in page
    assert page.count("Ohne Saalzahl gelost") == Draw.objects.count() > 0


def test_the_page_promises_and_keeps_the_secret_until_the_end(client):
    event = f.make_seated_event(3)
    f.drive(draw_hall_number_set, event, -60, number="4711")
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 1))
    f.drive(clock_start, event, 0)
    promise = hashlib.sha256(event.draw_secret.encode()).hexdigest()
    text = text_of(get(client, event))
    assert promise in text
    assert event.draw_secret not in text
    assert "entry:" in text
    assert not re.search(r"<code>[0-9a-f]{64}</code>", text)
    assert "nachgerechnet, stimmt" in text
    f.drive(event_end, event, 60)
    # Now every lot has its hash, in drawn order.
    picture = pictures(event)[0]
    said = f"{event.draw_secret}|4711|{picture.number}|"
    digests = [hashlib.sha256(f"{said}{lot.text}".encode()).hexdigest() for lot in picture.lots]
    assert [lot.digest for lot in picture.lots] == digests == sorted(digests)
    dealt = {lot.text.removeprefix("card:") for lot in picture.lots[:3]}
    kept = Draw.objects.get(event=event, number=picture.number).outcome
    assert dealt == {row["card"] for row in kept}
    text = text_of(get(client, event))
    for shown in (event.draw_secret, promise, digests[0], "Saalzahl 4711", "gibt zuerst"):
        assert shown in text


def test_no_draw_yet_and_one_that_was_taken_back_stays_on_the_page(client):
    event = f.make_event()
    assert "Noch nichts ausgelost" in text_of(get(client, event))
    f.check_in(event, f.register(event, "Petra Probst"))
    f.undo(event, at=f.ARRIVAL)
    text = text_of(get(client, event))
    shows(text, "zurückgenommen", "Petra Probst")


def test_many_draws_come_in_pages(client, django_assert_max_num_queries):
    event = f.make_event(capacity=100)
    people = [{"name": f"Spieler {number}"} for number in range(30)]
    f.drive(registrations_import, event, -60, people=people)
    for registration in event.registrations.all():
        f.check_in(event, registration)
    with django_assert_max_num_queries(12):
        first = text_of(get(client, event))
    shows(first, "Seite 1 von 2", "30: Ein Platz")
    last = text_of(get(client, event, "?seite=2"))
    assert "1: Ein Platz" in last
    assert get(client, event, "?seite=abc").status_code == 200
    assert get(client, event, "?seite=99").status_code == 200
