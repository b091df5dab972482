"""The draws of an event: what each rested on, and that it comes out the same when made again."""

import hashlib
import re

import pytest

from krru.data.sealing import seal
from tests import factories as f
from tests.calling import call_service
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
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
    dealer_draw_make(Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=f.table_of(event, 2))
    draw_hall_number_set(Command(event=event, by=SYSTEM, at=f.ARRIVAL), number="4711")
    dealer_draw_make(Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=f.table_of(event, 3))
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    for entry in f.at_table(event, 2)[:3]:
        f.out(event, entry)
    (step, *_more) = floor_advice(f.fresh(event), f.after(10)).moves
    entry = next(entry for entry in f.entries_of(event) if entry.pk == step.entry)
    place = {"from_table": step.from_table, "to_table": step.to_table, "to_seat": step.to_seat}
    call_service(
        balance_step, event=f.fresh(event), by=SYSTEM, at=f.after(10), entry=entry, **place
    )
    for entry in [*f.at_table(event, 1)[:5], *f.at_table(event, 3)[:5]]:
        f.out(event, entry)
    table_break(Command(event=event, by=SYSTEM, at=f.after(20)), table=f.table_of(event, 3))
    left = [entry for entry in f.entries_of(event) if f.seat_of(entry)]
    for entry in left[:9]:
        f.out(event, entry)
    final_table_draw(Command(event=f.fresh(event), by=SYSTEM, at=f.after(30)))
    return f.fresh(event)


def test_every_kind_of_draw_comes_out_the_same_again():
    found = {picture.kind: picture.agrees for picture in pictures(all_kinds())}
    assert found == {"seat": True, "dealer": True, "balance": True, "break": True, "final": True}


def test_a_draw_of_the_field_comes_out_the_same_again():
    event = f.make_seated_event(23, seats=9, draw_mode=Event.DrawMode.FIELD)
    f.undo(event, at=f.ARRIVAL)
    seats_draw(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    assert [(one.kind, one.is_voided, one.agrees) for one in pictures(event)] == [
        ("field", False, True),
        ("field", True, True),
    ]


@pytest.mark.parametrize("kind", ["seat", "dealer", "balance", "break", "final"])
def test_an_outcome_that_was_changed_afterwards_is_found(kind):
    event = all_kinds()
    draw = Draw.objects.filter(event=event, kind=kind).first()
    rows = draw.outcome
    if kind == "dealer":
        rows[0]["card"], rows[1]["card"] = rows[1]["card"], rows[0]["card"]
    elif kind in ("seat", "balance"):
        rows[0][2] = rows[0][2] % 10 + 1
    else:
        rows[0][1:], rows[1][1:] = rows[1][1:], rows[0][1:]
    Draw.objects.filter(pk=draw.pk).update(outcome=rows)
    found = {picture.number: picture.agrees for picture in pictures(event)}
    assert found.pop(draw.number) is False
    assert set(found.values()) == {True}


def test_with_another_secret_nothing_agrees():
    event = all_kinds()
    Event.objects.filter(pk=event.pk).update(draw_sealed=seal("11" * 32))
    many = [one.agrees for one in pictures(event) if one.kind in ("dealer", "break", "final")]
    assert many == [False] * 4


def test_a_list_too_long_to_be_kept_is_called_so(client):
    event = f.make_seated_event(3)
    Draw.objects.filter(event=event).update(items=[], outcome=[])
    assert {one.agrees for one in pictures(event)} == {None}
    assert "nur mit dem Protokoll nachrechenbar" in text_of(get(client, event))


def test_the_page_promises_and_keeps_the_secret_until_the_end(client):
    event = f.make_running_event(5)
    promise = hashlib.sha256(event.draw_secret.encode()).hexdigest()
    text = text_of(get(client, event))
    assert promise in text
    assert event.draw_secret not in text
    assert "entry:" in text
    assert not re.search(r"<code>[0-9a-f]{64}</code>", text)
    assert "nachgerechnet, stimmt" in text
    event_end(Command(event=event, by=SYSTEM, at=f.after(60)))
    text = text_of(get(client, event))
    assert event.draw_secret in text
    assert promise in text


def test_after_the_end_every_lot_has_its_hash_in_drawn_order(client):
    event = f.make_seated_event(3)
    draw_hall_number_set(Command(event=event, by=SYSTEM, at=f.ARRIVAL), number="4711")
    dealer_draw_make(Command(event=event, by=SYSTEM, at=f.ARRIVAL), table=f.table_of(event, 1))
    event_end_early(event)
    picture = pictures(event)[0]
    said = f"{event.draw_secret}|4711|{picture.number}|"
    digests = [hashlib.sha256(f"{said}{lot.text}".encode()).hexdigest() for lot in picture.lots]
    assert [lot.digest for lot in picture.lots] == digests == sorted(digests)
    dealt = {lot.text.removeprefix("card:") for lot in picture.lots[:3]}
    kept = Draw.objects.get(event=event, number=picture.number).outcome
    assert dealt == {row["card"] for row in kept}
    text = text_of(get(client, event))
    assert digests[0] in text
    assert "Saalzahl 4711" in text
    assert "gibt zuerst" in text


def event_end_early(event):
    clock_start(Command(event=event, by=SYSTEM, at=f.START))
    event_end(Command(event=f.fresh(event), by=SYSTEM, at=f.after(60)))


def test_a_draw_taken_back_stays_on_the_page(client):
    event = f.make_event()
    f.check_in(event, f.register(event, "Petra Probst"))
    f.undo(event, at=f.ARRIVAL)
    text = text_of(get(client, event))
    assert "zurückgenommen" in text
    assert "Petra Probst" in text


def test_no_draw_yet(client):
    assert "Noch nichts ausgelost" in text_of(get(client, f.make_event()))


def test_many_draws_come_in_pages(client, django_assert_max_num_queries):
    event = f.make_event(capacity=100)
    people = [{"name": f"Spieler {number}"} for number in range(30)]
    registrations_import(Command(event=event, by=SYSTEM, at=f.ARRIVAL), people=people)
    for registration in event.registrations.all():
        f.check_in(event, registration)
    with django_assert_max_num_queries(12):
        first = text_of(get(client, event))
    assert "Seite 1 von 2" in first
    assert "30: Ein Platz" in first
    last = text_of(get(client, event, "?seite=2"))
    assert "1: Ein Platz" in last
    assert get(client, event, "?seite=abc").status_code == 200
    assert get(client, event, "?seite=99").status_code == 200
