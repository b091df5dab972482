"""The whole log: its pages, its filters, who may take back what, and its chain."""

import pytest
from django.utils.timezone import localtime

from tests import factories as f
from tests.pressing import HTMX, shows, text_of, url_of
from tests.services.line import say
from tournaments.changes import kinds as registry
from tournaments.changes.audit import topics_of
from tournaments.door.services.arrivals import registration_arrive, registration_expect
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.clock import clock_pause, clock_start
from tournaments.log.selectors.log_search import AT_TABLE, OF_PERSON
from tournaments.models import Action, ActionText
from tournaments.money.services.fees import fee_pay
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.play.services.hands import hand_begin
from tournaments.post.services.messages import message_send
from tournaments.seating.services.tables import table_break
from tournaments.undo.services.dependencies import FACTS

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def log_of(client, event, **asked):
    return client.get(url_of(event, "director-log-all"), asked)


def page_of(client, event, **asked):
    return text_of(log_of(client, event, **asked))


def kinds(client, event, **asked):
    return [row["action"].kind for row in log_of(client, event, **asked).context["rows"]]


def test_the_newest_stands_first_and_what_was_taken_back_has_no_undo(dora):
    assert "Noch nichts geschehen" in page_of(dora, f.make_event())
    event = f.make_running_event(3)
    assert kinds(dora, event)[0] == "clock.started"
    undo = url_of(event, "action-undo", f.last_action(event).pk)
    assert undo in log_of(dora, event).content.decode()
    f.undo(event)
    shows(log_of(dora, event).content.decode(), "is-undone", but=(undo,))


def test_it_goes_page_by_page(dora, django_assert_max_num_queries):
    event = f.make_seated_event(60)
    with django_assert_max_num_queries(20):
        assert len(kinds(dora, event)) == 50
    assert kinds(dora, event, seite=2)[-1] == "registration.imported"
    for asked, rows in ((2, 11), ("999", 11), ("x", 50)):
        assert len(kinds(dora, event, seite=asked)) == rows


def test_it_is_filtered_by_kind_by_name_and_by_device(dora):
    event = f.make_event()
    arno = f.make_arno(event)
    for name in ("Özlem Kaya", "Max Huber", "Maxi Moser"):
        f.check_in(event, f.register(event, name))
    f.drive(clock_start, event, 0)
    f.drive(entries_eliminate, event, 3, by=arno, entries=[f.entries_of(event)[0]])
    assert kinds(dora, event, art="clock") == ["clock.started"]
    assert kinds(dora, event, art="outs") == ["entry.eliminated"]
    assert kinds(dora, event, geraet=arno.device.pk) == ["entry.eliminated"]
    assert len(kinds(dora, event, name="özlem")) == 3
    assert len(kinds(dora, event, name="max hub")) == 2
    assert kinds(dora, event, name="max", art="outs") == []
    assert "Nichts gefunden" in page_of(dora, event, name="niemand")


def test_odd_questions_are_answered_with_everything_or_nothing(dora):
    event = f.make_running_event(2)
    for asked in (
        {"art": "x"},
        {"geraet": "x"},
        {"geraet": "9" * 30},
        {"name": "9" * 60},
        {"seite": "-1"},
        {"tisch": "x"},
        {"tisch": "²"},
        {"von": "gestern"},
        {"von": "2026-13-40T99:99"},
        {"bis": "0001-01-01T00:00"},
        {"bis": "9999-12-31T23:59"},
    ):
        assert log_of(dora, event, **asked).status_code == 200, asked


def test_the_chain_is_checked_and_told_also_where_its_end_was_cut_off(dora):
    event = f.make_running_event(3)
    f.drive(clock_pause, event, 1)
    url = url_of(event, "director-log-all")
    part = dora.get(url, {"kette": ""}, headers=HTMX).content.decode()
    shows(part, "unverändert", but=("<html",))
    Action.objects.filter(pk=f.last_action(event).pk).delete()
    assert f"ab Eintrag {f.fresh(event).log_sequence}" in page_of(dora, event, kette="")
    Action.objects.filter(event=event, sequence=2).update(kind="entry.eliminated")
    assert "ab Eintrag 2" in page_of(dora, event, kette="")
    assert "ab Eintrag 2" in text_of(dora.get(url, {"kette": ""}, headers=HTMX))


@pytest.mark.running(4)
def test_an_arbiter_reads_it_all_and_takes_back_his_own(client, arno, event):
    own = f.drive(entries_eliminate, event, 1, by=arno, entries=[f.entries_of(event)[0]])
    answer = log_of(client, event)
    assert [row["action"].pk for row in answer.context["rows"] if row["line"].may_undo] == [own.pk]
    assert url_of(event, "event-settings") not in answer.content.decode()


def test_it_is_searched_by_words_by_number_and_by_time_in_the_hall(dora):
    event = f.make_running_event(4)
    one, two, three = f.entries_of(event)[:3]
    f.out(event, one, at=f.after(30))
    f.drive(entry_disqualify, event, 60, entry=two, reason="Karten gezeigt")
    for words, found in (
        ("disqualifiziert", ["entry.disqualified"]),
        ("gezeigt", ["entry.disqualified"]),
        ("uhr gestartet", ["clock.started"]),
        ("#1", ["registration.imported"]),
        ("name", []),
    ):
        assert kinds(dora, event, name=words) == found, words
    begins, ends = (f"{localtime(f.after(minute)):%Y-%m-%dT%H:%M}" for minute in (20, 40))
    assert kinds(dora, event, von=begins, bis=ends) == ["entry.eliminated"]
    assert len(kinds(dora, event, von=ends)) == 1
    # What happened earlier than it was written down says both.
    f.drive(entries_eliminate, event, 65, entries=[three], recorded_at=f.after(75))
    assert f"eingetragen um {localtime(f.after(75)):%H:%M}" in page_of(dora, event)
    assert "eingetragen um" not in page_of(dora, event, art="people")


def test_it_is_searched_by_table_and_by_the_name_of_a_player_who_is_in_no_entry(dora):
    event = f.make_running_event(16, seats=5)
    f.out(event, f.at_table(event, 2)[0])
    moved = f.at_table(event, 2)[0]
    f.drive(hand_begin, event, 6, table=f.table_of(event, 1))
    assert kinds(dora, event, tisch="1")[0] == "hand.begun"
    assert "entry.eliminated" not in kinds(dora, event, tisch="1")
    assert kinds(dora, event, tisch="2")[0] == "entry.eliminated"
    assert kinds(dora, event, tisch="99") == []
    f.drive(table_break, event, 7, table=f.table_of(event, 2), reason="Test")
    assert kinds(dora, event, name=moved.registration.person.name) == [
        "table.broken", "entry.checked_in", "registration.imported",
    ]  # fmt: skip


def test_every_group_has_kinds_and_every_fact_is_found_by_its_table_or_its_player():
    of_the_club = {kind.name for kind in registry.kinds() if kind.group is registry.Group.CLUB}
    assert {kind.group for kind in registry.kinds()} == set(registry.Group)
    assert all(not topics_of(name) for name in of_the_club)
    left = {model.__name__ for model in set(FACTS) - set(AT_TABLE) - set(OF_PERSON)}
    assert left == set(OTHER_FACTS.split())


# Found by no table and no player: of the event, of the till, of the cash game, of the club, or
# through what they belong to.
OTHER_FACTS = """
Draw HandForHand HandRound HeadCount MoneyReached Deal DealLeave MysteryPot PrizeFreeze ClosingCall
Drawer DrawerClosing DrawerHolding
CashClosing CashCount CashDebtPaid CashEnd CashHand CashHandEnd CashLastHands CashLink CashTable
PersonMerge LeagueCorrection LeagueEvening LeagueGuest LeagueMember ProfileConsent Stage
LivePost ClockCallEnd KeepApart Knockout PenaltyServed Ticket TicketUse
"""


def test_who_waits_comes_later_pays_and_moves_up_is_found_by_name_and_by_group(dora):
    event = f.make_event(capacity=2, fee_cents=1500)
    names = ("Eva Lang", "Otto Kurz", "Ina Wartet")
    _eva, otto, ina = (f.register(event, name) for name in names)
    say(registration_expect, event, 0, registration=ina, expected_at=f.after(30))
    say(fee_pay, event, 0, registration=ina)
    say(registration_withdraw, event, 0, registration=otto)
    say(registration_arrive, event, 0, registration=ina)
    assert kinds(dora, event, art="fees") == ["fee.paid"]
    assert "fee.paid" not in kinds(dora, event, art="people")
    # Her name stands in no entry any more, so only what came of it leads to her.
    ActionText.objects.all().delete()
    assert kinds(dora, event, name="ina") == [
        "registration.arrived", "registration.withdrawn", "fee.paid", "registration.expected",
        "registration.created",
    ]  # fmt: skip


def test_a_message_is_found_by_player_by_table_and_by_group(dora):
    event = f.make_running_event(12, seats=6)
    one = f.at_table(event, 1)[0]
    for to in ({"entry": one}, {"table": f.table_of(event, 2)}):
        f.drive(message_send, event, 1, text="Bitte zur Leitung.", **to)
    assert kinds(dora, event, art="messages") == ["message.sent"] * 2
    ActionText.objects.all().delete()
    name = one.registration.person.name
    assert kinds(dora, event, name=name).count("message.sent") == 1
    assert kinds(dora, event, tisch="2").count("message.sent") == 1
