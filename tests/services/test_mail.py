"""The outbox: what is written with what, what a mail says, and that it goes out once, in time."""

import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connection, connections
from django.utils import translation

from krru.background.mailing import CONSOLE
from tests import factories as f
from tests.post_office import post_office
from tests.pressing import shows
from tests.services.line import say
from tests.services.mailing import BASE, MINUTE, PETRA, register, send, use
from tournaments.changes.access import SYSTEM
from tournaments.door.services.confirming import link_renew
from tournaments.door.services.registration import (
    registration_correct,
    registration_withdraw,
    registrations_import,
)
from tournaments.door.services.waiting_list import place_give
from tournaments.event.domain.promise import in_fours
from tournaments.event.services.lifecycle import event_cancel
from tournaments.models import Mail, Registration, with_link
from tournaments.post.selectors.mail import desk_mail, is_given_up, mails_due
from tournaments.post.services.mail import KEPT_FOR, mail_resend, mails_forget, mails_send

pytestmark = [pytest.mark.django_db, pytest.mark.planned(capacity=2)]
NEXT = "naechste@example.org"
NOTHING = {"waiting": 0, "next_at": None, "failed": []}


def kinds():
    return list(Mail.objects.order_by("pk").values_list("kind", flat=True))


def one_in_line(event):
    """Register two without addresses and Petra, forget her first mail, and let the first go."""
    first, *_others = [register(event, name, email="") for name in ("Eins", "Zwei")]
    petra = register(event)
    Mail.objects.all().delete()
    say(registration_withdraw, event, 1, registration=first)
    return petra


def correct(event, petra, email):
    say(registration_correct, event, 0, registration=petra, name="Petra Probst", email=email)


# What is written


def test_a_registration_with_an_address_is_confirmed_with_number_and_link(event, office):
    petra = register(event)
    assert [send(), send(10), send(100)] == [1, 0, 0]
    letter = office.letter_to(PETRA)
    assert letter["Subject"] == "Angemeldet: Freitagsturnier"
    assert letter["From"] == f"{event.club.name} <club@example.org>"
    text = letter.get_content()
    assert "als Nummer 1 von 2" in text
    assert f"{BASE}/p/{petra.link_token}/" in text.splitlines()
    assert "Freitag, 20. November 2026, 19:00 Uhr" in text
    assert f"Fingerabdruck der Auslosungen: {in_fours(event.promise)}" in text
    row = Mail.objects.get()
    assert (row.error, row.tries, row.sent_at) == ("", 1, f.ARRIVAL + MINUTE)
    assert row.subject == letter["Subject"]


def test_english_is_written_to_who_registered_in_english_and_who_waits_is_told_where(event, office):
    with translation.override("en"):
        register(event)
    for name in ("Eins", "Zwei"):
        register(event, name, email="")
    register(event, "Nächste", email=NEXT)
    send()
    letter = office.letter_to(PETRA)
    assert letter["Subject"] == "Registered: Freitagsturnier"
    assert "you are registered, as number 1 of 2." in letter.get_content()
    assert "Friday, 20 November 2026, 19:00" in letter.get_content()
    waits = office.letter_to(NEXT)
    assert waits["Subject"] == "Warteliste: Freitagsturnier"
    assert "an Stelle 2" in waits.get_content()


def test_without_an_address_from_a_list_refused_or_invented_nothing_is_written(event):
    register(event, email="")
    f.refuses("duplicate", register, event)
    people = [{"name": "Aus der Liste", "email": "liste@example.org"}]
    say(registrations_import, event, 0, people=people)
    event.is_sample = True
    event.save(update_fields=["is_sample"])
    register(event, "Erfunden", email="erfunden@example.org")
    assert not Mail.objects.exists()


def test_a_freed_place_is_offered_with_its_deadline_and_not_once_its_time_is_up(event, office):
    petra = one_in_line(event)
    assert kinds() == ["offered"]
    kept = Mail.objects.values().get()
    assert send(event.offer_minutes + 1) == 0
    assert not Mail.objects.exists()
    Mail.objects.create(**kept)
    assert send(2) == 1
    letter = office.letter_to(PETRA)
    assert letter["Subject"] == "Ein Platz ist frei: Freitagsturnier"
    assert "bis Freitag, 20. November, 19:00 Uhr" in " ".join(letter.get_content().split())
    assert petra.link_token in letter.get_content()


def test_who_moves_up_or_is_given_a_place_is_told_unless_it_is_lost_again(office):
    one_in_line(f.make_event(capacity=2, offer_minutes=0))
    send()
    assert office.letter_to(PETRA)["Subject"] == "Du hast einen Platz: Freitagsturnier"
    event = f.make_event(capacity=2, reserved_places=1)
    register(event, "Eins", email="")
    given = register(event, "Nächste", email=NEXT)
    Mail.objects.all().delete()
    say(place_give, event, 0, registration=given)
    assert kinds() == ["moved_up"]
    f.undo(event, at=f.ARRIVAL)
    assert send() == 0
    assert not Mail.objects.exists()


def test_a_cancelled_event_is_told_to_all_who_can_be_reached_unless_it_is_taken_back(event, office):
    register(event)
    register(event, "Ohne", email="")
    gone = register(event, "Weg", email="weg@example.org")
    say(registration_withdraw, event, 0, registration=gone)
    Mail.objects.all().delete()
    say(event_cancel, event, 0)
    assert kinds() == ["cancelled"]
    f.undo(event, at=f.ARRIVAL)
    assert send() == 0
    assert not Mail.objects.exists()
    say(event_cancel, event, 0)
    send()
    assert office.letter_to(PETRA)["Subject"] == "Abgesagt: Freitagsturnier"
    assert f"{BASE}/t/{event.slug}/" in office.letter_to(PETRA).get_content()


def test_a_new_link_is_mailed_by_the_desk_alone_and_the_old_one_is_dead(event, office):
    petra, token = register(event), "n" * 32
    Mail.objects.all().delete()
    for by in (f.petra_of(petra), f.make_arno(event), f.ZENO):
        f.refuses("not_allowed", say, link_renew, event, 0, by=by, registration=petra, token=token)
    say(link_renew, event, 0, by=f.make_desk(event), registration=petra, token=token)
    f.assert_logged(event, "registration.link_renewed", registration=petra.pk)
    assert not with_link(Registration.objects.all(), petra.link_token).exists()
    send()
    assert f"/p/{token}/" in office.letter_to(PETRA).get_content()
    f.refuses("irrevocable", f.undo, event)
    say(registration_withdraw, event, 0, registration=petra)
    f.refuses("gone", say, link_renew, event, 0, registration=petra, token="m" * 32)


def test_nothing_typed_gets_into_the_head_of_a_mail(office):
    event = f.make_event(name="Freitag\r\nBcc: zeno@example.org\r\n\r\nGewonnen")
    event.club.name = 'Klub"\r\nBcc: zeno@example.org'
    event.club.save()
    register(event, "Petra\r\nBcc: zeno@example.org")
    send()
    assert office.addresses == [PETRA]
    letter = office.letter_to(PETRA)
    assert letter["Bcc"] is None
    assert letter["Subject"].startswith("Angemeldet: Freitag Bcc: zeno@example.org")
    assert letter["From"].addresses[0].addr_spec == "club@example.org"


# Sent


def test_a_run_sends_a_bounded_number_over_one_connection(office, django_assert_max_num_queries):
    event = f.make_event()
    for number in range(6):
        register(event, f"Spieler {number}", email=f"s{number}@example.org")
    with django_assert_max_num_queries(1 + 3 * 7):
        assert mails_send(now=f.ARRIVAL + MINUTE, base=BASE, most=3) == 3
    assert mails_due(f.ARRIVAL + MINUTE).count() == 3
    assert office.visits == 1


def test_the_server_is_down_and_comes_back(event, settings, office):
    register(event)
    register(event, "Nächste", email=NEXT)
    office.shutdown()
    office.server_close()
    assert send(0) == 0
    # The rest was not tried: it waits for the server as long as the first.
    assert sorted(Mail.objects.values_list("tries", flat=True)) == [0, 1]
    assert desk_mail(event) == NOTHING | {"waiting": 1, "next_at": f.ARRIVAL + MINUTE}
    with post_office() as again:
        use(settings, again.port)
        assert send(2) == 2
        assert set(again.addresses) == {PETRA, NEXT}
    assert desk_mail(event) == NOTHING


def test_it_is_tried_again_after_1_5_15_and_60_minutes_and_given_up_after_a_day(event, settings):
    with post_office() as gone:
        use(settings, gone.port)
    register(event)
    at, tries = f.ARRIVAL, []
    while mails_due(at).exists():
        mails_send(now=at, base=BASE)
        tries.append(at)
        assert not mails_due(at).exists()
        at = Mail.objects.get().due_at
    waits = [(later - before) // MINUTE for before, later in pairwise(tries)]
    assert waits[:5] == [1, 5, 15, 60, 60]
    assert timedelta(hours=23) <= tries[-1] - f.ARRIVAL <= timedelta(days=1)
    assert is_given_up(Mail.objects.get())
    (failed,) = desk_mail(event)["failed"]
    assert (failed["name"], failed["next_at"]) == ("Petra Probst", None)
    assert failed["problem"] == "Der Mailserver ist nicht erreichbar."


@pytest.mark.parametrize("where", [PETRA, "DATA"])
def test_a_refused_address_is_given_up_at_once_and_the_others_go_out(event, office, where):
    register(event)
    office.replies[where] = "550 5.1.1 no such user"
    if where == PETRA:
        register(event, "Nächste", email=NEXT)
    assert send() == (where == PETRA), "one does not hold up those behind it"
    assert office.addresses == [NEXT] * (where == PETRA)
    (failed,) = desk_mail(event)["failed"]
    assert failed["problem"] == "Der Mailserver nimmt diese Adresse nicht an."
    assert (failed["detail"], failed["next_at"]) == ("550 5.1.1 no such user", None)


@pytest.mark.parametrize("reply", ["450 4.2.1 later, please", "421 4.7.0 too busy"])
def test_a_server_that_asks_for_patience_gets_it(event, office, reply):
    register(event)
    office.replies[PETRA] = reply
    assert send(0) == 0
    assert not is_given_up(Mail.objects.get())
    office.replies.clear()
    assert send(2) == 1


@pytest.mark.usefixtures("office")
def test_an_address_that_cannot_be_written_to_is_given_up_and_not_for_a_wrong_password(
    event, settings
):
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "club", "wrong"
    register(event)
    send(0)
    assert not is_given_up(Mail.objects.get())
    settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
    Mail.objects.update(address="petra\n@example.org")
    assert send(2) == 0
    assert is_given_up(Mail.objects.get())


def test_console_prints_no_address_and_no_link(event, settings, capsys):
    settings.EMAIL_BACKEND = CONSOLE
    register(event)
    assert send() == 1
    printed = capsys.readouterr().out
    shows(printed, "Angemeldet: Freitagsturnier", but=("/p/", "@"))


WORKER = """
import sys
import django
from django.conf import settings
settings.DATABASES["default"]["NAME"] = sys.argv[1]
settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", int(sys.argv[2])
settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
django.setup()
from datetime import datetime
from tournaments.post.services.mail import mails_send
mails_send(now=datetime.fromisoformat(sys.argv[3]), base="http://hall.test")
"""


@pytest.mark.django_db(transaction=True)
def test_a_worker_killed_before_it_says_what_came_of_it_loses_nothing(event, office):
    register(event)
    office.may_go_on.clear()
    name, port = str(connection.settings_dict["NAME"]), str(office.port)
    arguments = [sys.executable, "-c", WORKER, name, port, f.ARRIVAL.isoformat()]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    with subprocess.Popen(arguments, env=environment) as worker:
        assert office.is_reached.wait(60)
        os.kill(worker.pid, signal.SIGKILL)
    row = Mail.objects.get()
    assert (row.sent_at, row.tries) == (None, 1)
    # Nobody takes it while it may still be under way; then it goes out, under the same id.
    assert send(1) == 0
    office.may_go_on.set()
    assert send(6) == 1
    assert {letter["Message-ID"] for _to, letter in office.letters} == {
        f"<krru.{row.pk}.{round(row.made_at.timestamp() * 1000)}@example.org>",
        *(letter["Message-ID"] for _to, letter in office.letters[:-1]),
    }


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_send_each_mail_once(office):
    event = f.make_event()
    for number in range(8):
        register(event, f"Spieler {number}", email=f"s{number}@example.org")

    def work():
        send()
        connections.close_all()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(office.addresses) == [f"s{number}@example.org" for number in range(8)]


# Tried again by hand


def test_the_desk_tries_again_with_the_address_put_right(event, office):
    petra = register(event)
    mail, elsewhere = Mail.objects.get(), f.make_event(name="Anderswo")
    office.replies[PETRA] = "550 no such user"
    send()
    for at, by, code in (
        (event, f.petra_of(petra), "not_allowed"),
        (event, f.make_arno(event), "not_allowed"),
        (event, f.ZENO, "not_allowed"),
        (elsewhere, SYSTEM, "gone"),
    ):
        f.refuses(code, say, mail_resend, at, 60, by=by, mail=mail)
    correct(event, petra, "")
    f.refuses("no_address", say, mail_resend, event, 60, mail=mail)
    correct(event, petra, "probst@example.org")
    say(mail_resend, event, 60, by=f.make_desk(event), mail=mail)
    f.assert_logged(event, "mail.resent", mail=mail.pk, registration=petra.pk)
    assert desk_mail(event) == NOTHING
    assert send(61) == 1
    assert office.addresses == ["probst@example.org"]
    f.refuses("sent", say, mail_resend, event, 62, mail=mail)
    f.refuses("irrevocable", f.undo, event)


def test_old_mails_are_forgotten(event):
    register(event)
    assert mails_forget(now=f.ARRIVAL + KEPT_FOR) == 0
    assert mails_forget(now=f.ARRIVAL + KEPT_FOR + MINUTE) == 1
