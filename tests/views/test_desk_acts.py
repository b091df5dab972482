"""One tap at the desk: a place for who waits, who is here, the fee, who never came."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils.timezone import localtime, now

from tests import factories as f
from tests.pressing import done, refused, url_of
from tests.views.desk import Nothing, actions, data_of, post
from tests.views.desk import refused as desk_refused
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.door.services.arrivals import registration_expect
from tournaments.door.services.registration import registration_withdraw
from tournaments.event.services.lifecycle import event_update
from tournaments.models import OnSite, PlaceOffer, Posting, Registration, Waiting

pytestmark = pytest.mark.django_db
FEE = "10 €"


@pytest.fixture
def full():
    """An event for two, with Vera and Wilma in line."""
    event = f.make_event(capacity=2, starts_at=now() + timedelta(days=1))
    for name in ("Eins", "Zwei", "Vera", "Wilma"):
        f.register(event, name)
    return f.fresh(event)


@pytest.fixture
def at_full(client, full):
    return f.sign_browser_in(client, Role.DESK, full)


@pytest.fixture
def costly():
    """An event that costs 10 euros, with Petra."""
    event = f.make_event()
    event_update(Command(event=event, by=SYSTEM, at=f.ARRIVAL), settings={"fee_cents": 1000})
    return f.fresh(event)


def row(event, name):
    return Registration.objects.get(event=event, person__name=name)


def listed(client, event, **query):
    return text_of(client.get(url_of(event, "desk-list"), query))


# Who waits


@pytest.mark.usefixtures("at_full")
def test_the_list_shows_the_line_and_the_numbers_of_places(client, full):
    answer = text_of(client.get(url_of(full, "desk")))
    assert "Warteliste 1" in answer
    assert "Warteliste 2" in answer
    figures = [2, 0, 0, 2]
    parts = answer.partition('id="desk-numbers"')[2].partition("</dl>")[0]
    assert [int(part.partition("<")[0]) for part in parts.split('stat-value">')[1:]] == figures
    assert url_of(full, "desk-check-in", row(full, "Vera").pk) not in answer
    assert url_of(full, "desk-place", row(full, "Vera").pk) not in answer


@pytest.mark.usefixtures("at_full")
def test_who_waits_is_shown_alone_in_the_order_of_the_line(client, full):
    answer = listed(client, full, only="waiting")
    assert "Eins" not in answer
    assert answer.index("Vera") < answer.index("Wilma")
    assert "Vera" not in listed(client, full, only="missing")


def test_when_nobody_waits_that_is_said(client, desk, event):
    assert "Niemand wartet" in listed(client, event, only="waiting")


@pytest.mark.usefixtures("at_full")
def test_an_offer_is_shown_with_its_deadline_and_taken_at_the_desk(client, full):
    registration_withdraw(Command(event=full, by=SYSTEM, at=now()), registration=row(full, "Zwei"))
    assert "Platz angeboten bis" in listed(client, full)
    done(client, full, "desk-accept", row(full, "Vera").pk)
    assert not Waiting.objects.live().filter(registration__person__name="Vera").exists()
    refused(client, full, "desk-accept", row(full, "Vera").pk, sentence="wartet auf keinen Platz")
    refused(client, full, "desk-accept", row(full, "Wilma").pk, sentence="Gerade ist kein Platz")


@pytest.mark.usefixtures("at_full")
def test_an_offer_that_ran_out_is_told_and_refused(client, full):
    registration_withdraw(
        Command(event=full, by=SYSTEM, at=f.ARRIVAL), registration=row(full, "Zwei")
    )
    PlaceOffer.objects.update(expires_at=f.ARRIVAL)
    assert "Frist vorbei" in listed(client, full)
    refused(client, full, "desk-accept", row(full, "Vera").pk, sentence="Die Frist ist vorbei")


def test_a_place_out_of_turn_is_given_by_the_director_alone(client, full):
    vera = row(full, "Vera")
    f.sign_browser_in(client, Role.DESK, full)
    with Nothing(full):
        assert post(client, "desk-place", full, vera.pk).status_code == 403
    f.sign_browser_in(client, Role.DIRECTOR, full)
    refused(client, full, "desk-place", vera.pk, sentence="Alle Plätze sind vergeben.")
    event_update(
        Command(event=full, by=SYSTEM, at=now()), settings={"reserved_places": 1, "capacity": 3}
    )
    assert url_of(full, "desk-place", vera.pk) in listed(client, full)
    assert "zurückgehalten" in text_of(client.get(url_of(full, "desk")))
    done(client, full, "desk-place", vera.pk)
    assert "Warteliste 1" in listed(client, full, q="Wilma")


@pytest.mark.usefixtures("at_full")
def test_who_waits_may_be_here_already_and_only_once(client, full):
    vera = row(full, "Vera")
    done(client, full, "desk-arrived", vera.pk)
    assert OnSite.objects.live().get().registration == vera
    assert "ist da" in listed(client, full)
    assert url_of(full, "desk-arrived", vera.pk) not in listed(client, full)
    refused(client, full, "desk-arrived", vera.pk, sentence="Das ist schon bekannt")


@pytest.mark.usefixtures("at_full")
def test_who_waits_is_not_checked_in(client, full):
    vera = row(full, "Vera")
    sheet = text_of(client.get(url_of(full, "desk-check-in", vera.pk)))
    assert "Steht auf der Warteliste an Stelle 1." in sheet
    assert ">Einchecken<" not in sheet
    with Nothing(full):
        answer = post(client, "desk-check-in", full, vera.pk, data=data_of("Vera"))
    assert answer.status_code == 422
    assert "noch keinen Platz" in text_of(answer)


def test_who_comes_later_is_shown_with_the_time(client, desk, event):
    petra = f.register(event)
    at = f.START - timedelta(minutes=10)
    registration_expect(
        Command(event=event, by=SYSTEM, at=f.ARRIVAL), registration=petra, expected_at=at
    )
    assert f"kommt um {localtime(at):%H:%M}" in listed(client, event)


# The fee


def test_the_fee_is_paid_with_one_tap_and_only_once(client, costly):
    f.sign_browser_in(client, Role.DESK, costly)
    petra = f.register(costly)
    assert f"{FEE} kassieren" in listed(client, costly)
    key = {"X-Idempotency-Key": str(uuid4())}
    for _ in range(2):
        assert post(client, "fee-pay", costly, petra.pk, **key).status_code == 200
    assert actions(costly).count("fee.paid") == 1
    assert sum(Posting.objects.values_list("amount_cents", flat=True)) == 0
    assert f"{FEE} kassieren" not in listed(client, costly)
    refused(client, costly, "fee-pay", petra.pk, sentence="schon bezahlt")
    assert "Alle haben bezahlt" in listed(client, costly, only="unpaid")


def test_the_fee_may_be_taken_while_checking_in_and_only_once(client, costly):
    f.sign_browser_in(client, Role.DESK, costly)
    petra = f.register(costly)
    sheet = text_of(client.get(url_of(costly, "desk-check-in", petra.pk)))
    assert f"{FEE} Startgeld kassiert" in sheet
    key = {"X-Idempotency-Key": str(uuid4())}
    for _ in range(2):
        given = data_of(pays="on")
        answer = post(client, "desk-check-in", costly, petra.pk, data=given, **key)
        assert answer.status_code == 200
        assert "kassieren" not in text_of(answer)
    assert actions(costly)[-2:] == ["fee.paid", "entry.checked_in"]
    assert actions(costly).count("fee.paid") == 1


def test_a_check_in_without_the_fee_shows_beside_the_seat_that_it_is_open(client, costly):
    f.sign_browser_in(client, Role.DESK, costly)
    petra = f.register(costly)
    answer = text_of(post(client, "desk-check-in", costly, petra.pk, data=data_of()))
    assert f"{FEE} kassieren" in answer
    assert "fee.paid" not in actions(costly)


def test_when_the_other_desk_has_taken_the_fee_meanwhile_nobody_takes_it_twice(client, costly):
    f.sign_browser_in(client, Role.DESK, costly)
    petra = f.register(costly)
    done(client, costly, "fee-pay", petra.pk)
    paid = data_of(pays="on")
    sentence = "schon bezahlt"
    desk_refused(client, "desk-check-in", costly, petra.pk, data=paid, sentence=sentence)


def test_a_walk_in_pays_at_once_and_who_must_wait_does_not(client, costly):
    f.sign_browser_in(client, Role.DESK, costly)
    walk_in = data_of("Zoë Zufall", pays="on")
    assert post(client, "desk-register", costly, data=walk_in).status_code == 200
    kinds = ["registration.created", "fee.paid", "entry.checked_in"]
    assert actions(costly)[-3:] == kinds
    event_update(Command(event=costly, by=SYSTEM, at=now()), settings={"capacity": 2})
    post(client, "desk-register", costly, data=data_of("Otto Kurz", only="1", pays="on"))
    assert actions(costly)[-2:] == kinds[:2]
    waits = data_of("Wilma", only="1", pays="on")
    desk_refused(client, "desk-register", costly, data=waits, sentence="zahlt noch nichts")


def test_whose_fee_is_open_is_shown_alone(client, costly):
    f.sign_browser_in(client, Role.DESK, costly)
    done(client, costly, "fee-pay", f.register(costly, "Petra Probst").pk)
    f.register(costly, "Otto Kurz")
    answer = listed(client, costly, only="unpaid")
    assert "Otto" in answer
    assert "Petra" not in answer


def test_who_paid_and_withdrew_gets_it_back(client, costly):
    f.sign_browser_in(client, Role.DESK, costly)
    petra = f.register(costly)
    done(client, costly, "fee-pay", petra.pk)
    registration_withdraw(Command(event=costly, by=SYSTEM, at=now()), registration=petra)
    page = text_of(client.get(url_of(costly, "desk")))
    assert f"bekommt {FEE} zurück" in page
    done(client, costly, "fee-refund", petra.pk)
    assert "zurück<" not in text_of(client.get(url_of(costly, "desk")))
    refused(client, costly, "fee-refund", petra.pk, sentence="nichts bezahlt")


def test_without_a_fee_nothing_is_said_of_one(client, desk, event):
    f.register(event)
    assert "Startgeld" not in text_of(client.get(url_of(event, "desk")))


# No-shows


def test_who_never_came_loses_the_place_with_one_tap(client):
    event = f.make_running_event(4)
    event_update(Command(event=event, by=SYSTEM, at=f.after(1)), settings={"no_show_minutes": 15})
    f.sign_browser_in(client, Role.DESK, event)
    f.register(event, "Nora Nie", at=f.after(2))
    page = text_of(client.get(url_of(event, "desk")))
    assert "1 Person ist nicht gekommen" in page
    done(client, event, "noshows-release")
    assert Waiting.objects.live().get().registration.person.name == "Nora Nie"
    assert "nicht gekommen" not in text_of(client.get(url_of(event, "desk")))
    refused(client, event, "noshows-release", sentence="Es fehlt niemand")


# Who may not


@pytest.mark.parametrize("name", ["desk-arrived", "desk-accept", "fee-pay", "fee-refund"])
def test_registrations_of_another_event_are_not_found(client, costly, name):
    f.sign_browser_in(client, Role.DESK, costly)
    other = f.register(f.make_event(name="Anderes"))
    assert post(client, name, costly, other.pk).status_code == 404
    is_sheet = name.startswith("fee-")
    assert client.get(url_of(costly, name, other.pk)).status_code == (404 if is_sheet else 405)
