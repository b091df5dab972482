"""The outbox: what is written with what, and what a mail says."""

import pytest
from django.utils import translation

from tests import factories as f
from tests.calling import call_service
from tests.services.mailing import BASE, MINUTE, PETRA, made_with, register, send
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.confirming import link_renew
from tournaments.door.services.registration import registration_withdraw, registrations_import
from tournaments.door.services.waiting_list import place_give
from tournaments.event.domain.promise import in_fours
from tournaments.event.services.lifecycle import event_cancel
from tournaments.models import Mail, Registration, with_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    return f.make_event(capacity=2)


def kinds():
    return list(Mail.objects.order_by("pk").values_list("kind", flat=True))


def test_a_registration_with_an_address_is_confirmed_with_number_and_link(event, office):
    petra = register(event)
    assert send() == 1
    letter = office.letter_to(PETRA)
    assert letter["Subject"] == "Angemeldet: Freitagsturnier"
    assert letter["From"] == f"{event.club.name} <club@example.org>"
    text = letter.get_content()
    assert "als Nummer 1 von 2" in text
    assert f"{BASE}/p/{petra.link_token}/" in text.splitlines()
    assert "Freitag, 20. November 2026, 19:00 Uhr" in text
    assert f"Fingerabdruck der Auslosungen: {in_fours(event.promise)}" in text


def test_who_waits_is_told_the_position(event, office):
    for name in ("Eins", "Zwei", "Drei"):
        register(event, name, email="")
    register(event)
    send()
    letter = office.letter_to(PETRA)
    assert letter["Subject"] == "Warteliste: Freitagsturnier"
    assert "an Stelle 2" in letter.get_content()


def test_english_is_written_to_who_registered_in_english(event, office):
    with translation.override("en"):
        register(event)
    send()
    letter = office.letter_to(PETRA)
    assert letter["Subject"] == "Registered: Freitagsturnier"
    assert "you are registered, as number 1 of 2." in letter.get_content()
    assert "Friday, 20 November 2026, 19:00" in letter.get_content()


def test_without_an_address_from_a_list_and_for_invented_people_nothing_is_written(event):
    register(event, email="")
    people = [{"name": "Aus der Liste", "email": "liste@example.org"}]
    registrations_import(Command(event=event, by=SYSTEM, at=f.ARRIVAL), people=people)
    event.is_sample = True
    event.save(update_fields=["is_sample"])
    register(event, "Erfunden", email="erfunden@example.org")
    assert not Mail.objects.exists()


def test_a_refused_registration_leaves_no_mail(event):
    register(event)
    with f.refused("duplicate", event):
        register(event)
    assert kinds() == ["registered"]


def test_a_freed_place_is_offered_with_its_deadline(event, office):
    first = register(event, "Eins", email="")
    register(event, "Zwei", email="")
    petra = register(event)
    at = f.ARRIVAL + MINUTE
    registration_withdraw(Command(event=event, by=SYSTEM, at=at), registration=first)
    assert kinds() == ["registered", "offered"]
    Mail.objects.filter(kind="registered").delete()
    send(2)
    letter = office.letter_to(PETRA)
    assert letter["Subject"] == "Ein Platz ist frei: Freitagsturnier"
    assert "bis Freitag, 20. November, 19:00 Uhr" in " ".join(letter.get_content().split())
    assert petra.link_token in letter.get_content()


def test_an_offer_whose_time_is_up_is_not_sent(event, office):
    first = register(event, "Eins", email="")
    register(event, "Zwei", email="")
    register(event)
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=first)
    Mail.objects.filter(kind="registered").delete()
    assert send(event.offer_minutes) == 0
    assert not Mail.objects.exists()
    assert office.letters == []


def test_who_moves_up_without_being_asked_is_told(office):
    event = made_with(capacity=1, offer_minutes=0)
    first = register(event, "Eins", email="")
    register(event)
    Mail.objects.all().delete()
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=first)
    send()
    assert office.letter_to(PETRA)["Subject"] == "Du hast einen Platz: Freitagsturnier"


def test_who_is_given_a_place_out_of_turn_is_told(office):
    event = made_with(capacity=2, reserved_places=1)
    register(event, "Eins", email="")
    petra = register(event)
    place_give(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=petra)
    assert kinds() == ["registered", "moved_up"]


def test_who_has_lost_the_place_again_is_not_told_of_it(office):
    event = made_with(capacity=1)
    register(event, "Eins", email="")
    register(event)
    Mail.objects.update(kind="moved_up")
    assert send() == 0
    assert not Mail.objects.exists()


def test_a_cancelled_event_is_told_to_all_who_can_be_reached(event, office):
    register(event)
    register(event, "Ohne", email="")
    gone = register(event, "Weg", email="weg@example.org")
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=gone)
    Mail.objects.all().delete()
    event_cancel(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    assert kinds() == ["cancelled"]
    send()
    assert office.letter_to(PETRA)["Subject"] == "Abgesagt: Freitagsturnier"
    assert f"{BASE}/t/{event.slug}/" in office.letter_to(PETRA).get_content()


def test_a_cancellation_taken_back_in_time_is_not_told(event, office):
    register(event)
    Mail.objects.all().delete()
    event_cancel(Command(event=event, by=SYSTEM, at=f.ARRIVAL))
    f.undo(event, at=f.ARRIVAL)
    assert send() == 0
    assert not Mail.objects.exists()


def test_a_new_link_is_mailed_and_the_old_one_is_dead(event, office):
    petra = register(event)
    Mail.objects.all().delete()
    token = "n" * 32
    link_renew(
        Command(event=event, by=f.make_desk(event), at=f.ARRIVAL), registration=petra, token=token
    )
    f.assert_logged(event, "registration.link_renewed", registration=petra.pk)
    assert not with_link(Registration.objects.all(), petra.link_token).exists()
    send()
    assert f"/p/{token}/" in office.letter_to(PETRA).get_content()
    with f.refused("irrevocable", event):
        f.undo(event)


def test_new_links_are_given_by_the_desk_alone_and_to_who_is_registered(event):
    petra = register(event)
    said = {"event": event, "at": f.ARRIVAL, "registration": petra, "token": "n" * 32}
    for by in (f.petra_of(petra), f.make_arno(event), f.ZENO):
        with f.refused("not_allowed", event):
            call_service(link_renew, **said, by=by)
    registration_withdraw(Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=petra)
    with f.refused("gone", event):
        call_service(link_renew, **said, by=SYSTEM)


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
