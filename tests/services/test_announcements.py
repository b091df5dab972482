"""Announcements and messages: who may, to whom, who sees them until when, and taking back."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.translation import override

from clock.domain.wording import Language
from clock.servertime import server_time
from tests import factories as f
from tests.bubble import begin, report
from tests.services.line import say
from tournaments.changes.kinds import describe
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Message, Registration
from tournaments.play.services.bubble import hand_for_hand_end
from tournaments.post.selectors.announcements import (
    KEPT_FOR,
    announcement_payload,
    announcement_standing,
    announcement_stock,
    entry_topic,
    messages_unread,
)
from tournaments.post.services.messages import announcement_made, message_send
from tournaments.seating.services.tables import entry_move, table_break, table_open

pytestmark = [pytest.mark.django_db, pytest.mark.running(8, seats=6)]
SECOND = 1 / 60


@pytest.fixture
def petra(event):
    return f.entries_of(event)[0]


def announce(event, text="Das Essen ist fertig.", minute=5, **own):
    return f.drive(announcement_made, event, minute, text=text, **own)


def send(event, text="Bitte zur Leitung kommen.", minute=5, **own):
    return f.drive(message_send, event, minute, text=text, **own)


def payload(event, minute):
    return announcement_payload(f.fresh(event), f.after(minute))


def shown(event, minute):
    """Return what the screens show, if they show anything."""
    told = payload(event, minute)["announcement"]
    return told and told["text"]


def unread(entry, minute=5, after=0):
    row = Registration.objects.select_related("event").get(pk=entry.registration_id)
    return [told.text for told in messages_unread(row, now=f.after(minute), after=after)]


# Announced by the program: in the reader's language, until overtaken


def test_a_guest_reads_what_holds_in_the_own_language_and_nothing_after_the_end(event, petra):
    begin(event, 5)
    with override("en"):
        (told,) = unread(petra)
        assert told.startswith("From now on")
        assert payload(event, 5)["announcement"]["text"] == told
        assert payload(event, 5)["announcement"]["url"].startswith("/stimme/en/")
    assert unread(petra)[0].startswith("Ab jetzt")
    for number in (1, 2):
        report(event, number, 0, 6)
    f.drive(hand_for_hand_end, event, 7)
    assert [text[:22] for text in unread(petra, 7)] == ["Hand für Hand ist been"]
    announce(event, minute=8)
    assert len(unread(petra, 8)) == 2
    f.drive(event_end, event, 9)
    assert unread(petra, 9) == ["Das Essen ist fertig."]


def test_who_has_won_is_not_told_of_the_bubble_any_more(event, petra):
    begin(event, 5)
    f.out(event, *f.entries_of(event)[1:], at=f.after(6), is_one_hand=False)
    assert unread(petra, 7) == []


# Announced to all


def test_director_and_arbiter_announce_and_send_and_it_is_logged(event, petra):
    for by in (f.make_dora(event), f.make_arno(event)):
        action = announce(event, by=by)
        f.assert_logged(event, "announcement.made")
        assert describe(action) == "Durchsage: Das Essen ist fertig."
        assert "Essen" not in str(action.payload)
        assert action.news["changed"] == ["log", "messages"]
        assert "Essen" not in str(action.news)
    send(event, entry=petra, by=f.make_arno(event))
    for by in (f.make_desk(event), f.petra_of(petra.registration), f.ZENO):
        f.refuses("not_allowed", announce, event, by=by)
        f.refuses("not_allowed", send, event, entry=petra, by=by)


def test_it_is_shown_for_twenty_seconds_on_the_screens(client, event, monkeypatch):
    url = reverse("screen-state", args=[event.slug])
    assert client.get(url).json()["announcement"] is None
    action = announce(event, "  Pause\n bis acht ")
    assert shown(event, 5 + 19 * SECOND) == "Pause bis acht"
    assert shown(event, 5 + 20 * SECOND) is None
    monkeypatch.setattr(server_time, "now", lambda: f.after(5))
    assert client.get(url).json()["announcement"]["text"] == "Pause bis acht"
    action.text.delete()
    assert shown(event, 5) is None, "once erased it is not shown"


def test_voice_and_language(event):
    announce(event, "Dinner is ready.", language=Language.ENGLISH)
    assert payload(event, 5)["announcement"]["url"].startswith("/stimme/en/")
    announce(event, "ß" * 200, minute=6, has_voice=False)
    assert payload(event, 6)["announcement"]["url"] is None


def test_taken_back_it_goes_and_the_one_before_is_seen_again_after_the_end_too(event):
    f.drive(event_end, event, 4)
    announce(event, "Erstens.")
    second = announce(event, "Zweitens.", minute=5 + SECOND)
    at = 5 + 2 * SECOND
    assert shown(event, at) == "Zweitens."
    undone = f.undo(event, second, at=f.after(at))
    assert describe(undone) == "Zurückgenommen: Durchsage: Zweitens."
    assert shown(event, at) == "Erstens."
    f.undo(event, undone, at=f.after(at))
    assert shown(event, at) == "Zweitens."


def test_one_that_stays_is_shown_until_it_is_taken_back(event):
    action = announce(event, "Pause bis neun", stays=True)
    announce(event, "Essen", minute=6)
    told = payload(event, 6 + 5 * SECOND)
    assert (told["announcement"]["text"], told["standing"]) == ("Essen", "Pause bis neun")
    assert payload(event, 60) == {"announcement": None, "standing": "Pause bis neun"}
    assert announcement_standing(event) == action
    f.undo(event, action, at=f.after(61))
    assert payload(event, 62)["standing"] == ""
    assert announcement_standing(event) is None


def test_the_stock_is_what_was_announced_last_then_the_usual(event):
    usual = announcement_stock(event)
    assert len(usual) == len(set(usual)) == 6
    for text in ("Kuchen ist da", "Das Essen ist fertig.", "Kuchen ist da"):
        announce(event, text)
    assert announcement_stock(event)[:2] == ["Kuchen ist da", "Das Essen ist fertig."]
    assert len(announcement_stock(event)) == 6


def test_an_announcement_is_on_every_page_also_of_who_is_not_here_yet(event):
    late = f.register(event, "Petra Probst", at=f.after(1))
    announce(event, "Noch fünf Minuten.")
    assert all(unread(entry) == ["Noch fünf Minuten."] for entry in f.entries_of(event))
    (told,) = messages_unread(late, now=f.after(5))
    assert told.is_for_all
    newcomer = f.register(event, "Zu spät", at=f.after(6))
    assert messages_unread(newcomer, now=f.after(6)) == []
    say(registration_withdraw, event, 67, registration=late)
    late.refresh_from_db()
    assert messages_unread(late, now=f.after(7)) == []


# Sent to somebody


def test_a_message_to_one_player_is_shown_to_him_alone_and_taken_back(event, petra):
    action = send(event, entry=petra, by=f.make_dora(event))
    f.assert_logged(event, "message.sent", entry=petra.pk, outcome="player")
    name = petra.registration.person.name
    assert describe(action) == f"Nachricht an {name}: Bitte zur Leitung kommen."
    assert "Bitte" not in str(action.payload)
    assert unread(petra) == ["Bitte zur Leitung kommen."]
    assert unread(f.entries_of(event)[1]) == []
    undone = f.undo(event)
    assert "messages" in undone.news["changed"]
    assert unread(petra) == []
    redone = f.undo(event, undone)
    assert "messages" in redone.news["changed"]
    assert unread(petra) == ["Bitte zur Leitung kommen."]
    f.drive(event_end, event, 91)
    send(event, "Deine Jacke liegt noch hier.", 92, entry=petra)
    f.undo(event, at=f.after(93))
    assert unread(petra) == ["Bitte zur Leitung kommen."]


def test_a_message_to_a_table_is_for_who_sat_there_then_wherever_they_go(event):
    here, there = f.at_table(event, 1), f.at_table(event, 2)
    action = send(event, "Tisch wird gleich aufgelöst.", table=f.table_of(event, 1))
    assert describe(action) == "Nachricht an Tisch 1: Tisch wird gleich aufgelöst."
    free = next(iter({*range(1, 7)} - {f.seat_of(entry)[1] for entry in here}))
    to = {"table": f.table_of(event, 1), "seat": free, "reason": "Bein hoch"}
    f.drive(entry_move, event, 6, entry=there[0], **to)
    f.out(event, here[1], at=f.after(7))
    assert all(unread(entry, 9) for entry in here)
    assert not any(unread(entry, 9) for entry in there)


def test_the_latest_come_first_and_what_was_read_is_gone(event, petra):
    for minute, text in enumerate(("eins", "zwei", "drei", "vier"), 5):
        send(event, text, minute, entry=petra)
    assert unread(petra, 9) == ["vier", "drei", "zwei"]
    read = Message.objects.order_by("pk")[2].pk
    assert unread(petra, 9, after=read) == ["vier"]
    assert unread(petra, 8 + KEPT_FOR / timedelta(minutes=1) + SECOND) == []


def test_only_the_phones_it_is_for_are_told(event):
    entries = f.at_table(event, 1)
    to_one = send(event, entry=entries[0])
    assert to_one.news["changed"] == ["log", f"messages-e{entries[0].pk}"]
    assert entry_topic(entries[0].registration) == f"messages-e{entries[0].pk}"
    to_table = send(event, table=f.table_of(event, 1))
    assert set(to_table.news["changed"]) == {"log"} | {f"messages-e{e.pk}" for e in entries}
    assert entry_topic(f.register(event, "Noch nicht da", at=f.after(6))) == ""


def test_whom_nobody_can_tell_anything(event):
    elsewhere = f.make_running_event(4, name="Anderswo")
    f.drive(table_open, event, 3)
    for code, to in (
        ("nobody", {}),
        ("gone", {"entry": f.entries_of(elsewhere)[0]}),
        ("gone", {"table": f.table_of(elsewhere, 1)}),
        ("nobody", {"table": f.table_of(event, 3)}),
    ):
        f.refuses(code, send, event, **to)
    gone = f.table_of(event, 2)
    f.drive(table_break, event, 5, table=gone, reason="Test")
    f.refuses("gone", send, event, table=gone)


def test_a_message_costs_the_same_in_a_large_field(event, django_assert_max_num_queries):
    send(event, table=f.table_of(event, 1))
    petra = Registration.objects.select_related("event").order_by("pk").first()
    with django_assert_max_num_queries(3):
        messages_unread(petra, now=f.after(5))
