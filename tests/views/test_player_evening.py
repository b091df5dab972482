"""What a player's own page says before, at the door and near the money, and that it is true."""

import pytest
from django.urls import reverse
from django.utils.timezone import localtime, now

from krru.background.mailing import CONSOLE
from tests import factories as f
from tests.bubble import begin, end, report_all
from tests.pressing import HTMX
from tests.services.line import say
from tests.views.pages import soon, text_of
from tournaments.door.services.arrivals import (
    noshows_settle,
    registration_arrive,
    registration_expect,
    registration_unsay,
)
from tournaments.event.services.clock import clock_start
from tournaments.models import OnSite, Waiting
from tournaments.money.services.fees import fee_pay
from tournaments.play.services.hands import button_mark
from tournaments.public.forms.own import RegisterForm
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import entry_move

pytestmark = pytest.mark.django_db


def page_of(client, registration):
    return text_of(client.get(f"/p/{registration.link_token}/"))


def hour(minute):
    return f"{localtime(f.after(minute)):%H:%M}"


def test_at_the_door_the_code_is_the_ticket_with_what_is_owed(client, minute):
    day_before = f.after(-60 * 25)
    event = f.make_event(fee_cents=2000, late_registration_level=2, at=day_before)
    petra = f.register(event, "Petra Probst", at=day_before)
    minute(-60 * 24)
    before = page_of(client, petra)
    assert "Zeig das am Eingang" not in before
    assert "Startgeld: 20 € mitbringen" in before
    minute(-30)
    told = page_of(client, petra)
    assert "Zeig das am Eingang" in told
    assert told.count("<svg xmlns") == told.count('class="qr"') == 1
    assert f"Einsteigen kannst du bis {hour(40)}." in told
    f.drive(fee_pay, event, -20, registration=petra)
    assert "Startgeld bezahlt" in page_of(client, petra)
    on_time = f.make_event()
    assert "Einsteigen kannst du" not in page_of(client, f.register(on_time, "Otto Kurz"))


def test_until_when_to_come_is_told_before_and_the_loss_explained(client, minute):
    event = f.make_event(no_show_minutes=15, late_registration_level=3, capacity=3)
    people = [f.register(event, name) for name in ("Petra Probst", "Otto", "Uwe", "Vera")]
    petra, by = people[0], hour(15)
    minute(-30)
    assert f"Sei bis {by} da, sonst geht dein Platz weiter." in page_of(client, petra)
    assert f"bis {by}, sonst geht der Platz weiter" in text_of(client.get(f"/t/{event.slug}/"))
    for guest in people[1:3]:
        f.check_in(event, guest)
    f.drive(clock_start, event, 0)
    f.drive(noshows_settle, f.fresh(event), 15)
    minute(16)
    told = page_of(client, petra)
    assert f"Dein Platz ging um {by} weiter" in told
    assert "Ist ein Platz frei, bekommst du ihn sofort." in told
    client.post(f"/p/{petra.link_token}/da/", headers=HTMX)
    assert not Waiting.objects.live().filter(registration=petra).exists()
    assert "Wir wissen, dass du da bist" in page_of(client, petra)
    blinded = f.make_event(preset="tda-2024", no_show_minutes=15)
    minute(-30)
    assert f"Sei bis {by} da" in page_of(client, f.register(blinded, "Otto Kurz"))


def test_places_are_provisional_while_others_may_come(client, minute):
    event = f.make_running_event(6, late_registration_level=1)
    out = f.entries_of(event)[0]
    f.out(event, out, at=f.after(5))
    minute(6)
    assert "Vorläufig: Solange noch jemand einsteigen kann" in page_of(client, out.registration)
    minute(30)
    assert "Vorläufig" not in page_of(client, out.registration)


def test_mail_is_promised_only_where_it_is_sent(client, settings):
    event = soon(capacity=2)
    for name in ("Otto", "Eva"):
        f.register(event, name, at=now())
    petra = f.register(event, "Petra Probst", at=now())
    settings.EMAIL_BACKEND = CONSOLE
    assert "schreiben wir dir auch" not in page_of(client, petra)
    assert not RegisterForm()["email"].help_text
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert "schreiben wir dir auch" in page_of(client, petra)
    assert "per Mail" in RegisterForm()["email"].help_text


def test_hand_for_hand_and_the_final_table_are_told(client, minute):
    event = f.make_running_event(9, seats=3, paid_places=8)
    petra = f.at_table(event, 1)[0].registration
    minute(11)
    assert "Hand für Hand" not in page_of(client, petra)
    begin(event)
    assert "Jeder Tisch spielt eine Hand" in page_of(client, petra)
    report_all(event, 0)
    end(event, 12)
    assert "Jeder Tisch spielt eine Hand" not in page_of(client, petra)
    small = f.make_running_event(5)
    assert "Finaltisch" in page_of(client, f.entries_of(small)[0].registration)


def test_how_near_one_is_to_being_moved_is_asked_for_alone(client, minute):
    event = f.make_running_event(12, seats=7)
    sits = f.at_table(event, 1)
    url = reverse("player-rank", args=[sits[3].registration.link_token])
    minute(5)
    assert "Los" in text_of(client.get(url))
    seat = f.seat_of(sits[0])[1]
    f.drive(button_mark, event, 5, table=f.table_of(event, 1), seat=seat)
    shown = text_of(client.get(url))
    assert f"von {len(sits)} am Tisch" in shown
    assert "load delay:601s" in shown
    minute(16)
    shown = text_of(client.get(url))
    assert "Los" in shown
    assert "load delay" not in shown
    f.out(event, sits[3], at=f.after(17))
    assert client.get(url).status_code == 204


def test_nobody_takes_back_what_another_said():
    event = f.make_event()
    petra, otto = f.register(event, "Petra Probst"), f.register(event, "Otto")
    say(registration_arrive, event, 0, by=f.make_desk(event), registration=petra)
    for by, code in ((petra, "nothing_said"), (otto, "not_yours")):
        with f.refused(code, event):
            say(registration_unsay, event, 0, by=f.petra_of(by), registration=petra)
    assert OnSite.objects.live().get().registration == petra
    own = {"by": f.petra_of(otto), "registration": otto}
    say(registration_expect, event, 0, **own, expected_at=f.START)
    assert say(registration_unsay, event, 1, **own).payload["outcome"] == "later"
    f.check_in(event, otto)
    with f.refused("checked_in", event):
        say(registration_arrive, event, 2, **own)


def test_who_comes_back_reads_who_moved_lately(client, minute):
    event = f.make_running_event(12, seats=6)
    mover, stayer = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, f.at_table(event, 2)[1], at=f.after(1))
    minute(3)
    path = f"/p/{stayer.registration.link_token}/umzuege/"
    assert "niemand umgezogen" in text_of(client.get(path))
    assert path in page_of(client, stayer.registration)
    (free, *_others) = free_seats(event)[2]
    where = {"table": f.table_of(event, 2), "seat": free, "reason": "Ausgleich"}
    f.drive(entry_move, event, 2, entry=mover, **where)
    told = text_of(client.get(path))
    for words in (f"von Tisch 1 an Tisch 2, Platz {free}", "dein Tisch"):
        assert words in told
    name = mover.registration.person.name
    assert name in told
    mover.registration.is_listed = False
    mover.registration.save(update_fields=["is_listed"])
    assert name not in text_of(client.get(path))
    minute(40)
    assert "niemand umgezogen" in text_of(client.get(path))
