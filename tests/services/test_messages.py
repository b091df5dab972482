"""Messages: who may, to whom, who sees them until when, and taking back."""

from datetime import timedelta

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import describe
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Event, Message, Registration
from tournaments.post.selectors.messages import SHOWN_FOR, entry_topic, messages_unread
from tournaments.post.services.messages import announcement_made, message_send
from tournaments.seating.services.tables import entry_move, table_break, table_open

pytestmark = pytest.mark.django_db
AT = f.after(5)


@pytest.fixture
def event():
    """Two tables of six seats, four players each."""
    return f.make_running_event(8, seats=6)


def send(event, text="Bitte zur Leitung kommen.", at=AT, by=SYSTEM, **own):
    return call_service(message_send, event=event, by=by, at=at, text=text, **own)


def unread(entry, at=AT, after=0):
    row = Registration.objects.select_related("event").get(pk=entry.registration_id)
    return [told.text for told in messages_unread(row, now=at, after=after)]


def test_a_message_to_one_player_is_shown_to_him_alone(event):
    petra, other = f.entries_of(event)[:2]
    action = send(event, entry=petra, by=f.make_dora(event))
    f.assert_logged(event, "message.sent", entry=petra.pk, outcome="player")
    name = petra.registration.person.name
    assert describe(action) == f"Nachricht an {name}: Bitte zur Leitung kommen."
    assert "Bitte" not in str(action.payload)
    assert unread(petra) == ["Bitte zur Leitung kommen."]
    assert unread(other) == []


def test_a_message_to_a_table_is_for_who_sat_there_then_wherever_they_go(event):
    here, there = f.at_table(event, 1), f.at_table(event, 2)
    action = send(event, "Tisch wird gleich aufgelöst.", table=f.table_of(event, 1))
    assert describe(action) == "Nachricht an Tisch 1: Tisch wird gleich aufgelöst."
    free = next(iter({*range(1, 7)} - {f.seat_of(entry)[1] for entry in here}))
    moved = {"entry": there[0], "table": f.table_of(event, 1), "seat": free, "reason": "Bein hoch"}
    call_service(entry_move, event=event, by=SYSTEM, at=f.after(6), **moved)
    f.out(event, here[1], at=f.after(7))
    assert all(unread(entry, f.after(9)) for entry in here)
    assert not any(unread(entry, f.after(9)) for entry in there)


def test_an_announcement_is_on_every_page_also_of_who_is_not_here_yet(event):
    late = f.register(event, "Petra Probst", at=f.after(1))
    announcement_made(Command(event=event, by=SYSTEM, at=AT), text="Noch fünf Minuten.")
    assert all(unread(entry) == ["Noch fünf Minuten."] for entry in f.entries_of(event))
    (told,) = messages_unread(late, now=AT)
    assert told.is_for_all
    newcomer = f.register(event, "Zu spät", at=f.after(6))
    assert messages_unread(newcomer, now=f.after(6)) == []
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.after(7)), registration=late)
    late.refresh_from_db()
    assert messages_unread(late, now=f.after(7)) == []


def test_the_latest_come_first_and_what_was_read_is_gone(event):
    petra = f.entries_of(event)[0]
    for minute, text in enumerate(("eins", "zwei", "drei", "vier")):
        send(event, text, at=f.after(5 + minute), entry=petra)
    assert unread(petra, f.after(9)) == ["vier", "drei", "zwei"]
    read = Message.objects.order_by("pk")[2].pk
    assert unread(petra, f.after(9), after=read) == ["vier"]
    assert unread(petra, f.after(8) + SHOWN_FOR + timedelta(seconds=1)) == []


def test_only_the_phones_it_is_for_are_told(event):
    entries = f.at_table(event, 1)
    to_one = send(event, entry=entries[0])
    assert to_one.news["changed"] == ["log", f"messages-e{entries[0].pk}"]
    assert entry_topic(entries[0].registration) == f"messages-e{entries[0].pk}"
    to_table = send(event, table=f.table_of(event, 1))
    assert set(to_table.news["changed"]) == {"log"} | {f"messages-e{e.pk}" for e in entries}
    assert entry_topic(f.register(event, "Noch nicht da", at=f.after(6))) == ""


def test_taken_back_it_is_gone_and_put_back_it_is_there(event):
    petra = f.entries_of(event)[0]
    send(event, entry=petra)
    undone = f.undo(event)
    assert "messages" in undone.news["changed"]
    assert unread(petra) == []
    redone = f.undo(event, undone)
    assert "messages" in redone.news["changed"]
    assert unread(petra) == ["Bitte zur Leitung kommen."]


def test_after_the_end_it_can_still_be_sent_and_taken_back(event):
    petra = f.entries_of(event)[0]
    action = send(event, entry=petra)
    Event.objects.filter(pk=event.pk).update(ended_by=action)
    send(event, "Deine Jacke liegt noch hier.", entry=petra)
    f.undo(event)
    assert unread(petra) == ["Bitte zur Leitung kommen."]


def test_arbiters_may_and_nobody_else(event):
    petra = f.entries_of(event)[0]
    send(event, entry=petra, by=f.make_arno(event))
    for by in (f.make_desk(event), f.petra_of(petra.registration), f.ZENO):
        with f.refused("not_allowed", event):
            send(event, entry=petra, by=by)


@pytest.mark.parametrize(
    ("text", "code"), [("", "empty"), (" \n\0", "empty"), ("a" * 201, "too_long")]
)
def test_what_is_no_message_is_refused(event, text, code):
    with f.refused(code, event):
        send(event, text, entry=f.entries_of(event)[0])
    assert not Message.objects.exists()


def test_whom_nobody_can_tell_anything(event):
    elsewhere = f.make_running_event(4, name="Anderswo")
    with f.refused("nobody", event):
        send(event)
    with f.refused("gone", event):
        send(event, entry=f.entries_of(elsewhere)[0])
    with f.refused("gone", event):
        send(event, table=f.table_of(elsewhere, 1))
    table_open(Command(event=event, by=SYSTEM, at=f.after(3)))
    with f.refused("nobody", event):
        send(event, table=f.table_of(event, 3))
    table = f.table_of(event, 2)
    f.out(event, *f.at_table(event, 2)[:2], at=f.after(4))
    table_break(Command(event=event, by=SYSTEM, at=AT), table=table, reason="Test")
    with f.refused("gone", event):
        send(event, table=table)


def test_a_message_costs_the_same_in_a_large_field(event, django_assert_max_num_queries):
    petra = f.entries_of(event)[0].registration
    send(event, table=f.table_of(event, 1))
    petra = Registration.objects.select_related("event").get(pk=petra.pk)
    with django_assert_max_num_queries(3):
        messages_unread(petra, now=AT)
