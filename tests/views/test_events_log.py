"""The whole log: its pages, its filters, who may take back what, and its chain."""

import pytest
from django.urls import reverse
from django.utils.timezone import localtime

from tests import factories as f
from tests.calling import call_service
from tournaments.changes import kinds as registry
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.audit import topics_of
from tournaments.changes.commands import Command
from tournaments.door.services.arrivals import registration_arrive, registration_expect
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.clock import clock_pause
from tournaments.log.selectors.log_search import AT_TABLE, OF_PERSON
from tournaments.models import (
    Action,
    ActionText,
    CashClosing,
    CashCount,
    CashEnd,
    CashHand,
    CashHandEnd,
    CashLastHands,
    CashTable,
    ClockCallEnd,
    ClosingCall,
    Deal,
    DealLeave,
    Draw,
    Drawer,
    DrawerClosing,
    DrawerHolding,
    HandForHand,
    HandRound,
    HeadCount,
    KeepApart,
    Knockout,
    LeagueCorrection,
    LeagueEvening,
    LeagueMember,
    MoneyReached,
    MysteryPot,
    PenaltyServed,
    PersonMerge,
    PrizeFreeze,
    ProfileConsent,
)
from tournaments.money.services.fees import fee_pay
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.play.services.hands import hand_begin
from tournaments.post.services.messages import message_send
from tournaments.seating.services.tables import table_break
from tournaments.undo.services.facts import FACTS
from tournaments.undo.services.undo import action_undo

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]
HTMX = {"HTTP_HX_REQUEST": "true"}


def log_of(client, event, **asked):
    return client.get(reverse("director-log-all", args=[event.slug]), asked)


def kinds(answer):
    return [row["action"].kind for row in answer.context["rows"]]


def test_the_newest_stands_first_and_can_be_taken_back(dora):
    event = f.make_running_event(3)
    answer = log_of(dora, event)
    assert kinds(answer)[0] == "clock.started"
    undo = reverse("action-undo", args=[event.slug, f.last_action(event).pk])
    assert undo in answer.content.decode()


def test_what_was_taken_back_stands_there_without_an_undo(dora):
    event = f.make_running_event(3)
    out = entries_eliminate(
        Command(event=event, by=SYSTEM, at=f.after(1)), entries=[f.entries_of(event)[0]]
    )
    action_undo(Command(event=event, by=SYSTEM, at=f.after(2)), action=out)
    page = log_of(dora, event).content.decode()
    assert "is-undone" in page
    assert reverse("action-undo", args=[event.slug, out.pk]) not in page


def test_it_goes_page_by_page(dora):
    event = f.make_seated_event(60)
    first, second = log_of(dora, event), log_of(dora, event, seite=2)
    assert (len(kinds(first)), len(kinds(second))) == (50, 11)
    assert kinds(second)[-1] == "registration.imported"
    assert len(kinds(log_of(dora, event, seite="999"))) == 11
    assert len(kinds(log_of(dora, event, seite="x"))) == 50


def test_it_is_filtered_by_kind_by_name_and_by_device(dora):
    event = f.make_event()
    arno = f.make_arno(event)
    for name in ("Özlem Kaya", "Max Huber", "Maxi Moser"):
        f.check_in(event, f.register(event, name))
    f.clock_start(Command(event=event, by=SYSTEM, at=f.START))
    out = {"event": event, "by": arno, "at": f.after(3)}
    call_service(entries_eliminate, **out, entries=[f.entries_of(event)[0]])
    assert kinds(log_of(dora, event, art="clock")) == ["clock.started"]
    assert kinds(log_of(dora, event, art="outs")) == ["entry.eliminated"]
    assert kinds(log_of(dora, event, geraet=arno.device.pk)) == ["entry.eliminated"]
    assert len(kinds(log_of(dora, event, name="özlem"))) == 3
    assert len(kinds(log_of(dora, event, name="max hub"))) == 2
    assert kinds(log_of(dora, event, name="max", art="outs")) == []
    assert "Nichts gefunden" in log_of(dora, event, name="niemand").content.decode()


@pytest.mark.parametrize(
    "asked",
    [
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
    ],
)
def test_odd_questions_are_answered_with_everything_or_nothing(dora, asked):
    event = f.make_running_event(2)
    assert log_of(dora, event, **asked).status_code == 200


def test_before_anything_happened_it_says_so(dora):
    page = log_of(dora, f.make_event()).content.decode()
    assert "Noch nichts geschehen" in page


def test_the_chain_is_checked_and_told(dora):
    event = f.make_running_event(3)
    url = reverse("director-log-all", args=[event.slug])
    part = dora.get(url, {"kette": ""}, **HTMX).content.decode()
    assert "unverändert" in part
    assert "<html" not in part
    Action.objects.filter(event=event, sequence=2).update(kind="entry.eliminated")
    assert "ab Eintrag 2" in dora.get(url, {"kette": ""}, **HTMX).content.decode()
    assert "ab Eintrag 2" in dora.get(url, {"kette": ""}).content.decode()


def test_a_log_that_was_cut_off_at_its_end_is_found(dora):
    event = f.make_running_event(3)
    clock_pause(Command(event=event, by=SYSTEM, at=f.after(1)))
    Action.objects.filter(pk=f.last_action(event).pk).delete()
    page = log_of(dora, event, kette="").content.decode()
    assert f"ab Eintrag {f.fresh(event).log_sequence}" in page


def test_an_arbiter_reads_it_all_and_takes_back_his_own(client):
    event = f.make_running_event(4)
    arno = f.sign_browser_in(client, Role.ARBITER, event)
    entry = f.entries_of(event)[0]
    own = entries_eliminate(Command(event=event, by=arno, at=f.after(1)), entries=[entry])
    answer = log_of(client, event)
    page = answer.content.decode()
    assert [row["action"].pk for row in answer.context["rows"] if row["line"].may_undo] == [own.pk]
    assert reverse("event-settings", args=[event.slug]) not in page


def test_strangers_and_the_staff_of_others_do_not_read_it(client):
    event, other = f.make_event(), f.make_event()
    assert log_of(client, event).status_code == 403
    f.sign_browser_in(client, Role.DIRECTOR, other)
    assert log_of(client, event).status_code == 403
    url = reverse("director-log-all", args=[event.slug])
    assert client.post(url).status_code == 405


def test_it_is_searched_by_words_of_what_happened_of_reasons_and_by_number(dora):
    event = f.make_running_event(4)
    one, two = f.entries_of(event)[:2]
    f.out(event, one)
    entry_disqualify(
        Command(event=event, by=SYSTEM, at=f.after(6)), entry=two, reason="Karten gezeigt"
    )
    assert kinds(log_of(dora, event, name="disqualifiziert")) == ["entry.disqualified"]
    assert kinds(log_of(dora, event, name="gezeigt")) == ["entry.disqualified"]
    assert kinds(log_of(dora, event, name="uhr gestartet")) == ["clock.started"]
    assert kinds(log_of(dora, event, name="#1")) == ["registration.imported"]
    assert kinds(log_of(dora, event, name="name")) == []


def test_a_name_finds_what_happened_to_the_player_though_it_is_not_in_the_entry(dora):
    event = f.make_running_event(16, seats=5)
    f.out(event, f.at_table(event, 2)[0])
    moved = f.at_table(event, 2)[0]
    f.drive(table_break, event, 7, table=f.table_of(event, 2), reason="Test")
    name = moved.registration.person.name
    assert kinds(log_of(dora, event, name=name)) == [
        "table.broken", "entry.checked_in", "registration.imported",
    ]  # fmt: skip


def test_it_is_searched_by_table(dora):
    event = f.make_running_event(12, seats=6)
    f.out(event, f.at_table(event, 1)[0])
    hand_begin(Command(event=event, by=SYSTEM, at=f.after(8)), table=f.table_of(event, 2))
    assert kinds(log_of(dora, event, tisch="2"))[0] == "hand.begun"
    assert "entry.eliminated" not in kinds(log_of(dora, event, tisch="2"))
    assert kinds(log_of(dora, event, tisch="1"))[0] == "entry.eliminated"
    assert kinds(log_of(dora, event, tisch="99")) == []


def test_it_is_searched_by_time_in_the_hall(dora):
    event = f.make_running_event(4)
    f.out(event, f.entries_of(event)[0], at=f.after(30))
    f.out(event, f.entries_of(event)[1], at=f.after(60))
    begins = localtime(f.after(20))
    ends = localtime(f.after(40))
    asked = {"von": f"{begins:%Y-%m-%dT%H:%M}", "bis": f"{ends:%Y-%m-%dT%H:%M}"}
    assert kinds(log_of(dora, event, **asked)) == ["entry.eliminated"]
    assert len(kinds(log_of(dora, event, von=asked["bis"]))) == 1


def test_what_happened_earlier_than_it_was_written_down_says_both(dora):
    event = f.make_running_event(4)
    out = {"event": event, "by": SYSTEM, "entries": [f.entries_of(event)[0]]}
    call_service(entries_eliminate, **out, at=f.after(5), recorded_at=f.after(15))
    written = localtime(f.after(15))
    assert f"eingetragen um {written:%H:%M}" in log_of(dora, event).content.decode()
    assert "eingetragen um" not in log_of(dora, event, art="people").content.decode()


def test_every_group_that_the_search_offers_has_kinds():
    of_the_club = {kind.name for kind in registry.kinds() if kind.group is registry.Group.CLUB}
    assert {kind.group for kind in registry.kinds()} == set(registry.Group)
    assert all(not topics_of(name) for name in of_the_club)


def test_every_kind_of_fact_is_found_by_its_table_or_its_player():
    ways = set(AT_TABLE) | set(OF_PERSON)
    of_the_event = {Draw, HandForHand, HandRound, HeadCount, MoneyReached, Deal,
                    DealLeave, MysteryPot, PrizeFreeze, ClosingCall}  # fmt: skip
    of_the_till = {Drawer, DrawerClosing, DrawerHolding}
    of_the_cash_game = {CashClosing, CashCount, CashEnd, CashHand, CashHandEnd, CashLastHands,
                        CashTable}  # fmt: skip
    through_another = {ClockCallEnd, KeepApart, Knockout, PenaltyServed}
    of_the_club = {PersonMerge, LeagueCorrection, LeagueEvening, LeagueMember, ProfileConsent}
    assert (
        set(FACTS) - ways
        == of_the_event | of_the_till | through_another | of_the_club | of_the_cash_game
    )


def test_who_waits_comes_later_pays_and_moves_up_is_found_by_name_and_by_group(dora):
    event = f.make_event(capacity=2, fee_cents=1500)
    names = ("Eva Lang", "Otto Kurz", "Ina Wartet")
    _eva, otto, ina = (f.register(event, name) for name in names)
    said = {"event": event, "by": SYSTEM, "at": f.ARRIVAL}
    call_service(registration_expect, **said, registration=ina, expected_at=f.after(30))
    call_service(fee_pay, **said, registration=ina)
    call_service(registration_withdraw, **said, registration=otto)
    call_service(registration_arrive, **said, registration=ina)
    assert kinds(log_of(dora, event, art="fees")) == ["fee.paid"]
    assert "fee.paid" not in kinds(log_of(dora, event, art="people"))
    # Her name stands in no entry any more, so only what came of it leads to her.
    ActionText.objects.all().delete()
    assert kinds(log_of(dora, event, name="ina")) == [
        "registration.arrived", "registration.withdrawn", "fee.paid", "registration.expected",
        "registration.created",
    ]  # fmt: skip


def test_a_message_is_found_by_player_by_table_and_by_group(dora):
    event = f.make_running_event(12, seats=6)
    said = {"event": event, "by": SYSTEM, "at": f.after(1), "text": "Bitte zur Leitung."}
    one = f.at_table(event, 1)[0]
    call_service(message_send, **said, entry=one)
    call_service(message_send, **said, table=f.table_of(event, 2))
    assert kinds(log_of(dora, event, art="messages")) == ["message.sent"] * 2
    ActionText.objects.all().delete()
    name = one.registration.person.name
    assert kinds(log_of(dora, event, name=name)).count("message.sent") == 1
    assert kinds(log_of(dora, event, tisch="2")).count("message.sent") == 1


def test_the_number_of_queries_does_not_grow(dora, django_assert_max_num_queries):
    event = f.make_seated_event(40)
    with django_assert_max_num_queries(20):
        log_of(dora, event)
