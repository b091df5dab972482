"""The outbox is emptied: once, in time, and whatever the mail server says to it."""

import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from itertools import pairwise

import pytest
from django.core.mail import get_connection
from django.db import connection, connections

from krru.background.mailing import CONSOLE
from tests import factories as f
from tests.calling import call_service
from tests.post_office import post_office
from tests.services.mailing import BASE, HOUR, MINUTE, PETRA, register, send, use
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.changes.selectors.log import log_first_fault
from tournaments.door.services.registration import registration_correct
from tournaments.models import Mail
from tournaments.post.selectors.mail import desk_mail, is_given_up, mails_due
from tournaments.post.services.mail import KEPT_FOR, mail_resend, mails_forget, mails_send

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_event(capacity=2)


def test_what_went_out_goes_out_once_and_leaves_no_link_behind(event, office):
    register(event)
    assert [send(), send(10), send(100)] == [1, 0, 0]
    assert office.addresses == [PETRA]
    row = Mail.objects.get()
    assert (row.error, row.tries) == ("", 1)
    assert row.sent_at == f.ARRIVAL + MINUTE
    assert row.subject == "Angemeldet: Freitagsturnier"


def test_many_go_out_over_one_connection(office):
    event = f.make_event()
    for number in range(5):
        register(event, f"Spieler {number}", email=f"s{number}@example.org")
    assert send() == 5
    assert office.visits == 1


def test_a_run_sends_a_bounded_number_in_a_bounded_number_of_queries(
    office, django_assert_max_num_queries
):
    event = f.make_event()
    for number in range(6):
        register(event, f"Spieler {number}", email=f"s{number}@example.org")
    with django_assert_max_num_queries(1 + 3 * 7):
        assert mails_send(now=f.ARRIVAL + MINUTE, base=BASE, most=3) == 3
    assert mails_due(f.ARRIVAL + MINUTE).count() == 3


def test_the_server_is_down_and_comes_back(event, settings, office):
    use(settings, office.port)
    register(event)
    register(event, "Nächste", email="naechste@example.org")
    office.shutdown()
    office.server_close()
    assert send(0) == 0
    # The rest was not tried: it waits for the server as long as the first.
    assert sorted(Mail.objects.values_list("tries", flat=True)) == [0, 1]
    told = desk_mail(event)
    assert (told.waiting, told.next_at, told.failed) == (1, f.ARRIVAL + MINUTE, [])
    with post_office() as again:
        use(settings, again.port)
        assert send(2) == 2
        assert set(again.addresses) == {PETRA, "naechste@example.org"}
    assert (desk_mail(event).waiting, desk_mail(event).failed) == (0, [])


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
    (failed,) = desk_mail(event).failed
    assert (failed.name, failed.next_at) == ("Petra Probst", None)
    assert failed.problem == "Der Mailserver ist nicht erreichbar."


@pytest.mark.parametrize("where", [PETRA, "DATA"])
def test_a_refused_address_is_given_up_at_once_and_the_others_go_out(event, office, where):
    register(event)
    office.replies[where] = "550 5.1.1 no such user"
    send()
    del office.replies[where]
    register(event, "Nächste", email="naechste@example.org")
    assert send(60 * 23) == 1
    assert office.addresses == ["naechste@example.org"]
    (failed,) = desk_mail(event).failed
    assert failed.problem == "Der Mailserver nimmt diese Adresse nicht an."
    assert failed.detail == "550 5.1.1 no such user"
    assert failed.next_at is None


def test_one_refused_address_does_not_hold_up_those_behind_it(event, office):
    register(event)
    register(event, "Nächste", email="naechste@example.org")
    office.replies[PETRA] = "550 no such user"
    assert send() == 1
    assert office.addresses == ["naechste@example.org"]


@pytest.mark.parametrize("reply", ["450 4.2.1 later, please", "421 4.7.0 too busy"])
def test_a_server_that_asks_for_patience_gets_it(event, office, reply):
    register(event)
    office.replies[PETRA] = reply
    assert send(0) == 0
    assert not is_given_up(Mail.objects.get())
    office.replies.clear()
    assert send(2) == 1


def test_an_address_that_cannot_be_written_to_is_given_up(event, office):
    petra = register(event)
    Mail.objects.filter(registration=petra).update(address="petra\n@example.org")
    assert send() == 0
    assert is_given_up(Mail.objects.get())


def test_the_wrong_password_is_no_fault_of_the_address(event, office, settings):
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = "club", "wrong"
    register(event)
    send(0)
    assert not is_given_up(Mail.objects.get())


def test_console_is_the_backend_without_a_server(event, settings, capsys):
    settings.EMAIL_BACKEND = CONSOLE
    assert get_connection()
    register(event)
    assert send() == 1
    printed = capsys.readouterr().out
    assert "Angemeldet: Freitagsturnier" in printed
    assert "/p/" not in printed
    assert "@" not in printed


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


def test_the_desk_tries_again_with_the_address_put_right(event, office):
    petra = register(event)
    office.replies[PETRA] = "550 no such user"
    send()
    registration_correct(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL),
        registration=petra,
        name="Petra Probst",
        email="probst@example.org",
    )
    mail = Mail.objects.get()
    mail_resend(Command(event=event, by=f.make_desk(event), at=f.ARRIVAL + HOUR), mail=mail)
    f.assert_logged(event, "mail.resent", mail=mail.pk, registration=petra.pk)
    assert (desk_mail(event).waiting, desk_mail(event).failed) == (0, [])
    assert send(61) == 1
    assert office.addresses == ["probst@example.org"]
    with f.refused("irrevocable", event):
        f.undo(event)
    assert log_first_fault(event) is None


def test_what_cannot_be_tried_again(event, office):
    petra = register(event)
    mail = Mail.objects.get()
    said = {"event": event, "by": SYSTEM, "at": f.ARRIVAL, "mail": mail}
    for by in (f.petra_of(petra), f.make_arno(event), f.ZENO):
        with f.refused("not_allowed", event):
            call_service(mail_resend, **{**said, "by": by})
    with f.refused("gone"):
        call_service(mail_resend, **{**said, "event": f.make_event(name="Anderswo")})
    registration_correct(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL),
        registration=petra,
        name="Petra Probst",
        email="",
    )
    with f.refused("no_address", event):
        call_service(mail_resend, **said)
    send()
    with f.refused("sent", event):
        call_service(mail_resend, **said)


def test_old_mails_are_forgotten(event):
    register(event)
    assert mails_forget(now=f.ARRIVAL + KEPT_FOR) == 0
    assert mails_forget(now=f.ARRIVAL + KEPT_FOR + MINUTE) == 1
