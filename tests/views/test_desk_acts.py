"""One tap at the desk: a place for who waits, who is here, the fee, who never came."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils.timezone import localtime, now

from tests import factories as f
from tests.pressing import done, refused, sheet, shows, url_of
from tests.services.line import change, say, withdraw
from tests.services.line import of as row
from tests.views.desk import Nothing, actions, data_of, listed, post
from tests.views.desk import refused as desk_refused
from tests.views.pages import assert_shown, page_of, text_of
from tournaments.changes.access import Role
from tournaments.door.services.arrivals import registration_expect
from tournaments.models import Entry, OnSite, PlaceOffer, Receipt, Waiting

pytestmark = pytest.mark.django_db
FEE = "10 €"


@pytest.fixture
def full(client):
    """An event for two with Vera and Wilma in line, and its desk in the browser."""
    event = f.make_event(capacity=2, starts_at=now() + timedelta(days=1))
    for name in ("Eins", "Zwei", "Vera", "Wilma"):
        f.register(event, name)
    f.sign_browser_in(client, Role.DESK, event)
    return f.fresh(event)


@pytest.fixture
def costly(client):
    """An event that costs 10 euros, and its desk in the browser."""
    event = f.make_event(fee_cents=1000)
    f.sign_browser_in(client, Role.DESK, event)
    return event


@pytest.fixture
def petra(costly):
    return f.register(costly)


# Who waits


def test_who_waits_is_listed_and_may_be_here_already_but_is_not_checked_in(client, full):
    answer = page_of(client, full, "desk")
    shows(answer, "Warteliste 1", "Warteliste 2")
    parts = answer.partition('id="desk-numbers"')[2].partition("</dl>")[0]
    figures = [int(part.partition("<")[0]) for part in parts.split('stat-value">')[1:]]
    assert figures == [2, 0, 0, 2]
    for name in ("desk-check-in", "desk-place"):
        assert url_of(full, name, row(full, "Vera").pk) not in answer
    alone = listed(client, full, only="waiting")
    assert "Eins" not in alone
    assert alone.index("Vera") < alone.index("Wilma")
    assert "Vera" not in listed(client, full, only="missing")
    vera = row(full, "Vera")
    done(client, full, "desk-arrived", vera.pk)
    assert OnSite.objects.live().get().registration == vera
    assert "ist da" in listed(client, full)
    assert url_of(full, "desk-arrived", vera.pk) not in listed(client, full)
    refused(client, full, "desk-arrived", vera.pk, sentence="Das ist schon bekannt")
    sheet = text_of(client.get(url_of(full, "desk-check-in", vera.pk)))
    shows(sheet, "Steht auf der Warteliste an Stelle 1.", but=(">Einchecken<",))
    desk_refused(client, "desk-check-in", full, vera.pk, sentence="noch keinen Platz")


def test_an_offer_is_shown_with_its_deadline_and_taken_at_the_desk(client, full):
    withdraw(full, "Zwei", 0)
    vera, deadline = row(full, "Vera"), PlaceOffer.objects.get().expires_at
    PlaceOffer.objects.update(expires_at=f.ARRIVAL)
    assert "Frist vorbei" in listed(client, full)
    refused(client, full, "desk-accept", vera.pk, sentence="Die Frist ist vorbei")
    PlaceOffer.objects.update(expires_at=max(deadline, now() + timedelta(hours=1)))
    assert "Platz angeboten bis" in listed(client, full)
    done(client, full, "desk-accept", vera.pk)
    assert not Waiting.objects.live().filter(registration=vera).exists()
    refused(client, full, "desk-accept", vera.pk, sentence="wartet auf keinen Platz")
    refused(client, full, "desk-accept", row(full, "Wilma").pk, sentence="Gerade ist kein Platz")


def test_a_place_out_of_turn_is_given_by_the_director_alone(client, full):
    vera = row(full, "Vera")
    with Nothing(full):
        assert post(client, "desk-place", full, vera.pk).status_code == 403
    f.sign_browser_in(client, Role.DIRECTOR, full)
    refused(client, full, "desk-place", vera.pk, sentence="Alle Plätze sind vergeben.")
    change(full, 0, reserved_places=1, capacity=3)
    assert url_of(full, "desk-place", vera.pk) in listed(client, full)
    assert "zurückgehalten" in page_of(client, full, "desk")
    done(client, full, "desk-place", vera.pk)
    assert "Warteliste 1" in listed(client, full, q="Wilma")


@pytest.mark.usefixtures("desk")
def test_who_comes_later_is_shown_with_the_time_and_nothing_is_said_of_what_is_not(client, event):
    petra, at = f.register(event), f.START - timedelta(minutes=10)
    say(registration_expect, event, 0, registration=petra, expected_at=at)
    assert f"kommt um {localtime(at):%H:%M}" in listed(client, event)
    assert "Niemand wartet" in listed(client, event, only="waiting")
    assert "Startgeld" not in page_of(client, event, "desk")


# The fee


def test_the_fee_is_paid_once_with_one_tap_and_given_back_to_who_withdrew(client, costly, petra):
    assert f"{FEE} kassieren" in listed(client, costly)
    key = {"X-Idempotency-Key": str(uuid4())}
    for _ in range(2):
        assert post(client, "fee-pay", costly, petra.pk, **key).status_code == 200
    assert actions(costly).count("fee.paid") == 1
    assert Receipt.objects.get().cents == 1000
    assert f"{FEE} kassieren" not in listed(client, costly)
    refused(client, costly, "fee-pay", petra.pk, sentence="schon bezahlt")
    assert "Alle haben bezahlt" in listed(client, costly, only="unpaid")
    f.register(costly, "Otto Kurz")
    shows(listed(client, costly, only="unpaid"), "Otto", but=("Petra",))
    withdraw(costly, "Petra Probst", 0)
    assert f"bekommt {FEE} zurück" in page_of(client, costly, "desk")
    done(client, costly, "fee-refund", petra.pk)
    assert "zurück<" not in page_of(client, costly, "desk")
    refused(client, costly, "fee-refund", petra.pk, sentence="nichts bezahlt")


def test_the_fee_may_be_taken_while_checking_in_and_only_once(client, costly, petra):
    sheet = text_of(client.get(url_of(costly, "desk-check-in", petra.pk)))
    assert f"{FEE} Startgeld kassiert" in sheet
    key = {"X-Idempotency-Key": str(uuid4())}
    for _ in range(2):
        given = data_of(pays="on")
        answer = post(client, "desk-check-in", costly, petra.pk, data=given, **key)
        assert_shown(answer, but=("kassieren",))
    assert actions(costly)[-2:] == ["fee.paid", "entry.checked_in"]
    assert actions(costly).count("fee.paid") == 1


def test_a_check_in_without_the_fee_shows_it_open_and_one_paid_elsewhere_is_refused(client, costly):
    otto, petra = f.register(costly, "Otto Kurz"), f.register(costly)
    answer = post(client, "desk-check-in", costly, otto.pk, data=data_of("Otto Kurz"))
    assert f"{FEE} kassieren" in text_of(answer)
    assert "fee.paid" not in actions(costly)
    # The other desk has taken it meanwhile: nobody takes it twice.
    done(client, costly, "fee-pay", petra.pk)
    paid, sentence = data_of(pays="on"), "schon bezahlt"
    desk_refused(client, "desk-check-in", costly, petra.pk, data=paid, sentence=sentence)


def test_a_walk_in_pays_at_once_and_who_must_wait_does_not(client, costly):
    walk_in = data_of("Zoë Zufall", pays="on")
    assert post(client, "desk-register", costly, data=walk_in).status_code == 200
    kinds = ["registration.created", "fee.paid", "entry.checked_in"]
    assert actions(costly)[-3:] == kinds
    change(costly, 0, capacity=2)
    post(client, "desk-register", costly, data=data_of("Otto Kurz", only="1", pays="on"))
    assert actions(costly)[-2:] == kinds[:2]
    waits = data_of("Wilma", only="1", pays="on")
    desk_refused(client, "desk-register", costly, data=waits, sentence="zahlt noch nichts")


# No-shows


@pytest.mark.running(4, no_show_minutes=15)
def test_who_never_came_loses_the_place_with_one_tap(client, desk, event):
    f.register(event, "Nora Nie", at=f.after(2))
    assert "1 Person ist nicht gekommen" in page_of(client, event, "desk")
    done(client, event, "noshows-release")
    assert Waiting.objects.live().get().registration.person.name == "Nora Nie"
    assert "nicht gekommen" not in page_of(client, event, "desk")
    refused(client, event, "noshows-release", sentence="Es fehlt niemand")


@pytest.mark.running(4, no_show_minutes=15, preset="tda-2024")
def test_the_stack_of_one_of_several_no_shows_is_taken_away_from_its_own_sheet(client, lead, event):
    for name in ("Nora Nie", "Nils Nie"):
        f.register(event, name, at=f.after(2))
    done(client, event, "noshows-release")
    nora = Entry.objects.live().get(registration__person__name="Nora Nie")
    for page in ("desk-check-in", "floor-player"):
        pk = nora.registration_id if page == "desk-check-in" else nora.pk
        words = sheet(client, event, page, pk)
        shows(words, "Der Stapel sitzt am Tisch und zahlt die Blinds.", "Stapel aus dem Spiel …")
        assert "Einchecken zurücknehmen" not in words
    assert "Chips, die noch im Stapel sind" in sheet(client, event, "noshow-remove", nora.pk)
    refused(client, event, "noshow-remove", nora.pk, sentence="eine ganze Zahl", stack="viel")
    done(client, event, "noshow-remove", nora.pk, stack="150")
    assert [row.registration.person.name for row in Waiting.objects.live()] == ["Nora Nie"]
    assert "zu dem nie jemand kam" in sheet(client, event, "noshow-remove", nora.pk)
    assert len(f.seats(event)) == 5
