"""Notices: who is told what by which channel, once, and not what no longer holds."""

import json
import threading

import pytest

from krru.web import webpush
from krru.web.webpush import BadSubscription, Subscription, subscription_from
from tests import factories as f
from tests.calling import call_service
from tests.domain.test_field_cases import case
from tests.outside import encoded
from tests.post_office import post_office
from tests.services.listening import ALL, BASE, by_bot, by_push, listen, run
from tests.services.mailing import use
from tournaments.changes.access import SYSTEM
from tournaments.club.services.staff import device_revoke
from tournaments.door.services.confirming import link_renew
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Grant, Listener, Notice, Outlet, Registration, Seating
from tournaments.notices.domain.notices import Channel, NoticeKind
from tournaments.notices.selectors.outlet import device_code, player_code, whose_code
from tournaments.notices.services.bot import bot_listen
from tournaments.notices.services.choosing import notices_choose, outlet_set
from tournaments.notices.services.gathering import notices_gather
from tournaments.notices.services.sending import notices_send
from tournaments.post.services.messages import announcement_made, message_send
from tournaments.privacy.services.privacy import person_erase
from tournaments.seating.services.breaking import table_break

pytestmark = pytest.mark.django_db


def test_notices_broken_table(pushes, bot):
    given, expect = case("notices-broken-table")
    event = f.make_running_event(2 * given["players"], seats=10)
    event.rules = {**event.rules, "phones_at_table": given["phones_allowed_at_table"]}
    event.save(update_fields=["rules"])
    here = [entry.registration for entry in f.at_table(event, 2)]
    assert len(here) == given["players"]
    by_push_many, by_bot_many = given["asked_for_push"], given["asked_for_telegram"]
    for one in here[:by_push_many]:
        by_push(one, pushes)
    for chat, one in enumerate(here[by_push_many : by_push_many + by_bot_many], start=1):
        by_bot(one, chat)
    counts, heard = [], [0, 0]

    def count():
        now = [len(pushes.shown), len(bot.messages)]
        counts.append({"push": now[0] - heard[0], "telegram": now[1] - heard[1]})
        heard[:] = now

    for entry in f.at_table(event, 1)[1:]:
        f.out(event, entry, at=f.after(1))
    run(1)
    count()
    assert counts.pop() == {"push": 0, "telegram": 0}
    assert given["then"] == ["undo", "break again"]
    f.drive(table_break, event, 2, table=f.table_of(event, 2))
    run(2)
    count()
    moves = Seating.objects.live().filter(made_by=f.last_action(event)).count()
    f.undo(event, at=f.after(3))
    run(3)
    count()
    f.drive(table_break, event, 4, table=f.table_of(event, 2))
    run(4)
    count()
    run(5)
    assert counts == expect["messages"]
    texts = [one["text"] for one in (*pushes.shown, *bot.messages)]
    assert all(word in text for word in expect["text_has"] for text in texts)
    assert [not one["silent"] for one in pushes.shown].count(True) == 0
    assert all(one["disable_notification"] for one in bot.messages)
    assert [len(pushes.shown), len(bot.messages)] == heard
    assert moves == expect["slips_printed_anyway"]


def two_tables():
    """Return an evening whose second table can be broken, and the players there."""
    event = f.make_running_event(12, seats=10)
    for entry in f.at_table(event, 1)[:3]:
        f.out(event, entry, at=f.after(1))
    return event, [entry.registration for entry in f.at_table(event, 2)]


def broken(event, minute=2):
    return f.drive(table_break, event, minute, table=f.table_of(event, 2))


def test_what_was_taken_back_before_it_went_is_not_told(bot):
    event, (one, *_others) = two_tables()
    by_bot(one, 1)
    broken(event)
    f.undo(event, at=f.after(2.5))
    run(3)
    broken(event, 4)
    notices_gather(f.after(4))
    f.undo(event, at=f.after(5))
    run(5)
    assert (bot.messages, Notice.objects.count()) == ([], 0)
    broken(event, 6)
    run(6)
    f.undo(event, at=f.after(7))
    run(7)
    (moved, back) = bot.told(1)
    assert "Du ziehst um: Tisch 1, Platz" in moved
    table, seat = f.seat_of(one.entries.get())
    assert f"Zurückgenommen: Du bleibst an Tisch {table}, Platz {seat}." in back
    assert back.splitlines()[0] == event.name
    assert back.splitlines()[-1] == f"{BASE}/p/{one.link_token}/"


def test_a_first_seat_is_told_and_that_it_was_taken_back(bot):
    event = f.make_event()
    petra = f.register(event)
    by_bot(petra, 1, -30)
    f.check_in(event, petra, at=f.after(-20))
    run(-9)
    f.undo(event, at=f.after(-8))
    run(-7)
    seat, gone = bot.told(1)
    assert "Dein Platz: Tisch" in seat
    assert "Dein Platz gilt nicht mehr" in gone
    assert not any(one["disable_notification"] for one in bot.messages)


def test_the_arbiter_of_the_table_that_gives_is_told_once_of_all(bot):
    event, people = two_tables()
    arno = f.make_arno(event)
    for tables, chat in (((2,), 7), ((1,), 8)):
        device = arno if chat == 7 else f.sign_in("Zweites", arno.role, event).actor
        call_service(
            notices_choose, event=event, by=device, at=f.after(1), channel=Channel.TELEGRAM,
            kinds=[NoticeKind.MOVE], address=json.dumps({"chat": chat}), tables=tables,
        )  # fmt: skip
    broken(event)
    run(2)
    (text,) = bot.told(7)
    assert bot.told(8) == []
    assert all(f"Tisch 2: {one.person.name} geht an Tisch 1, Platz" in text for one in people)
    assert f"{BASE}/t/{event.slug}/tische/" in text or "/saal/" in text


def test_a_device_that_was_signed_off_is_told_no_names(bot):
    event, _people = two_tables()
    arno = f.make_arno(event)
    call_service(
        notices_choose, event=event, by=arno, at=f.after(1), channel=Channel.TELEGRAM,
        kinds=[NoticeKind.MOVE], address=json.dumps({"chat": 7}),
    )  # fmt: skip
    call_service(device_revoke, club=event.club, by=SYSTEM, at=f.after(1.5), device=arno.device)
    broken(event)
    run(2)
    assert bot.messages == []


def test_an_offered_place_is_told_until_its_end_and_never_later(bot):
    event = f.make_event(capacity=2)
    first, _second, petra = (f.register(event, name) for name in ("Eins", "Zwei", "Petra"))
    by_bot(petra, 1, -50)
    f.drive(registration_withdraw, event, -40, registration=first)
    notices_gather(f.after(-40))
    row = Notice.objects.get()
    assert row.kind == NoticeKind.LINE
    notices_send(now=row.lapses_at, base=BASE)
    assert (bot.messages, Notice.objects.count()) == ([], 0)


def test_what_staff_tell_reaches_all_a_table_or_one(bot):
    event, (one, two, *_others) = two_tables()
    three = f.at_table(event, 1)[0].registration
    for chat, registration in enumerate((one, two, three), start=1):
        by_bot(registration, chat)
    f.drive(announcement_made, event, 1, text="Das Essen ist da.")
    f.drive(message_send, event, 2, text="Bitte Chips sortieren.", table=f.table_of(event, 2))
    f.drive(message_send, event, 3, text="Bitte zur Kasse.", entry=two.entries.get())
    mistaken = f.drive(announcement_made, event, 4, text="Falsch.")
    f.undo(event, mistaken, at=f.after(4.5))
    run(5)
    told = {chat: [text.splitlines()[1] for text in bot.told(chat)] for chat in (1, 2, 3)}
    food, chips, till = "Das Essen ist da.", "Bitte Chips sortieren.", "Bitte zur Kasse."
    assert told == {1: [food, chips], 2: [food, chips, till], 3: [food]}


def test_only_the_chosen_kinds_are_told(bot):
    event, (one, two, *_others) = two_tables()
    by_bot(one, 1, kinds=[NoticeKind.NEWS])
    by_bot(two, 2)
    by_bot(two, 2, 1, kinds=[])
    broken(event)
    run(2)
    assert bot.messages == []
    assert Listener.objects.count() == 1


def test_mail_goes_to_a_proven_address(outside, settings):
    event, (one, two, *_others) = two_tables()
    Registration.objects.filter(pk=one.pk).update(email="eins@example.org", is_mail_proven=True)
    Registration.objects.filter(pk=two.pk).update(email="zwei@example.org", is_mail_proven=False)
    with post_office() as office:
        use(settings, office.port)
        for registration in (one, two):
            listen(registration, Channel.MAIL, "")
        broken(event)
        run(2)
        assert office.addresses == ["eins@example.org"]
        letter = office.letter_to("eins@example.org")
    assert letter["Subject"].startswith(f"{event.name}: Du ziehst um")
    assert f"{BASE}/p/{one.link_token}/" in letter.get_content()
    assert [row.registration for row in Listener.objects.all()] == [one]


# --- When the other side fails


def test_a_push_service_that_fails_is_asked_again_and_a_browser_that_is_gone_never(pushes):
    event, (one, two, three, *_others) = two_tables()
    for registration in (one, two, three):
        by_push(registration, pushes)
    pushes.statuses.update(
        b0=(503, {}), b1=(410, {}), b2=(429, {"Retry-After": "120"}),
    )  # fmt: skip
    broken(event)
    run(2)
    pushes.statuses.clear()
    assert [row.registration for row in Listener.objects.order_by("pk")] == [one, three]
    run(2.9)
    assert pushes.shown == []
    run(3.5)
    assert len(pushes.shown) == 1
    run(4.5)
    assert [one["text"].split(":")[0] for one in pushes.shown] == ["Du ziehst um"] * 2
    assert {one["silent"] for one in pushes.shown} == {True}
    assert all(0 < one["ttl"] <= 15 * 60 for one in pushes.shown)


def test_a_move_is_not_told_after_its_life(pushes):
    event, (one, *_others) = two_tables()
    by_push(one, pushes)
    pushes.statuses.update(b0=(503, {}))
    broken(event)
    for minute in (2, 5, 10, 16):
        run(minute)
    pushes.statuses.clear()
    run(17.5)
    assert (pushes.shown, Notice.objects.count()) == ([], 0)


def test_a_chat_that_blocks_the_bot_ends_and_a_hurried_bot_waits(bot):
    event, (one, two, *_others) = two_tables()
    by_bot(one, 1)
    by_bot(two, 2)
    bot.errors[1] = (403, "Forbidden: bot was blocked by the user")
    bot.errors[2] = (429, "Too Many Requests: retry after 90")
    broken(event)
    run(2)
    assert [row.registration for row in Listener.objects.all()] == [two]
    row = Notice.objects.get()
    assert row.error.startswith("429")
    bot.errors.clear()
    run(3.6)
    assert len(bot.told(2)) == 1


def test_what_another_machine_sealed_is_gone_and_holds_up_nobody(pushes, bot, settings):
    event, (one, two, three, *_others) = two_tables()
    by_push(one, pushes)
    by_bot(two, 2)
    secret, settings.SECRET_KEY = settings.SECRET_KEY, "of another machine"
    by_bot(three, 3)
    settings.SECRET_KEY = secret
    Outlet.objects.update(push_sealed="")
    broken(event)
    run(2)
    assert [row.registration for row in Listener.objects.all()] == [two]
    assert len(bot.messages) == 1


# --- The bot


def test_a_chat_is_joined_by_a_code_and_left_by_stop(bot):
    _event, (one, two, *_others) = two_tables()
    later = threading.Timer(0.3, bot.say, (5, f"/start {player_code(one)}"))
    later.start()
    assert bot_listen(f.after(1), seconds=20) == 1
    later.join()
    assert "Verbunden" in bot.told(5)[0]
    for chat, text, kind in (
        (6, f"/start {player_code(two)[:-1]}x", "private"),
        (-7, f"/start {player_code(two)}", "group"),
        (8, "Hallo", "private"),
        (9, "/start d-1-1-00000", "private"),
    ):
        bot.say(chat, text, kind)
    assert bot_listen(f.after(1), seconds=0) == 4
    assert bot_listen(f.after(1), seconds=0) == 0
    row = Listener.objects.get()
    assert (row.registration, row.address, row.kinds) == (one, {"chat": 5}, sorted(ALL))
    assert {one["chat_id"] for one in bot.messages} == {5, 6, 8, 9}
    bot.say(5, "/stop")
    bot_listen(f.after(2), seconds=0)
    assert not Listener.objects.exists()


def test_an_arbiter_joins_by_the_own_code_while_signed_in(bot):
    event, _people = two_tables()
    arno = f.make_arno(event)
    code = device_code(event, arno.device)
    bot.say(5, f"/start {code}")
    bot_listen(f.after(1), seconds=0)
    assert Listener.objects.get().kinds == ["move"]
    Grant.objects.filter(device=arno.device).update(revoked_at=f.after(2))
    bot.say(6, f"/start {code}")
    bot_listen(f.after(3), seconds=0)
    assert "nicht mehr angemeldet" in bot.told(6)[0]
    assert Listener.objects.get().address == {"chat": 5}


def test_a_new_link_ends_what_was_joined_by_the_old_one():
    event = f.make_event()
    petra = f.register(event)
    by_bot(petra, 1, -40)
    code = player_code(petra)
    assert whose_code(code) == petra
    f.drive(link_renew, event, -30, registration=petra, token="n" * 24)
    assert whose_code(code) is None
    assert not Listener.objects.exists()
    for rubbish in ("", "p", "p-", "p--", "p-1", f"p-{'9' * 40}-a", "d-1-x-a", "ä-1-2"):
        assert whose_code(rubbish) is None


# --- What is refused


def test_bad_choices_are_refused():
    event = f.make_event()
    petra, other = f.register(event), f.register(event, "Zeno Zahn")
    own = {"event": event, "by": f.petra_of(petra), "at": f.ARRIVAL, "registration": petra}
    good = {"channel": Channel.TELEGRAM, "kinds": ["move"], "address": json.dumps({"chat": 1})}
    for code, wrong in (
        ("unknown", {"channel": "pigeon"}),
        ("unknown", {"kinds": ["weather"]}),
        ("no_address", {"address": ""}),
        ("not_yours", {"registration": other}),
        ("not_yours", {"registration": None}),
        ("bad_tables", {"tables": [0]}),
        ("bad_tables", {"tables": list(range(1, 99))}),
        ("not_allowed", {"by": f.ZENO}),
    ):
        with f.refused(code, event):
            call_service(notices_choose, **{**own, **good, **wrong})
    with f.refused("bad_token"):
        call_service(outlet_set, club=f.house(), by=SYSTEM, at=f.ARRIVAL, token="x", name="b")


def test_only_browsers_of_known_push_services_are_told(settings):
    own = webpush.public_text(webpush.new_key())
    good = {"endpoint": "", "keys": {"p256dh": own, "auth": "A" * 22}}
    known = "https://fcm.googleapis.com/fcm/send/x"
    assert subscription_from(json.dumps({**good, "endpoint": known})).endpoint == known
    for wrong in (
        {},
        {"endpoint": "https://169.254.169.254/latest"},
        {"endpoint": "https://evil.example/x"},
        {"endpoint": "https://fcm.googleapis.com.evil.example/x"},
        {"endpoint": "http://fcm.googleapis.com/x"},
        {"endpoint": "https://user@fcm.googleapis.com/x"},
        {"endpoint": known, "keys": {"p256dh": "AAAA", "auth": good["keys"]["auth"]}},
        {"endpoint": known, "keys": {"p256dh": own, "auth": "AAAA"}},
        {"endpoint": known, "keys": None},
    ):
        with pytest.raises(BadSubscription):
            subscription_from(json.dumps({**good, **wrong}))
    for text in ("", "[]", "null", "{"):
        with pytest.raises(BadSubscription):
            subscription_from(text)


def test_a_payload_is_that_of_the_standard():
    """RFC 8291, appendix A."""
    to = Subscription(
        endpoint="https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV",
        p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth="BTBZMqHH6r4Tts7J_aSIgg",
    )
    found = webpush.encrypted(
        b"When I grow up, I want to be a watermelon",
        to,
        salt=webpush.decoded("DGv6ra1nlYgDCS1FRnbzlw"),
        own=webpush.private_key("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    )
    assert encoded(found) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6"
        "TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy"
        "4a-fN"
    )


def test_erased_people_are_told_nothing_more(bot):
    event = f.make_event()
    petra = f.register(event)
    by_bot(petra, 1, -30)
    f.drive(registration_withdraw, event, -20, registration=petra)
    call_service(person_erase, club=event.club, by=SYSTEM, at=f.after(-10), person=petra.person)
    assert not Listener.objects.exists()
