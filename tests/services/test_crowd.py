"""Many visitors registered in one transaction: the same as one after another."""

import threading
from datetime import timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connections
from django.urls import reverse

from krru.gather import Gathering
from tests import factories as f
from tournaments.access import VISITOR
from tournaments.domain.errors import Refused
from tournaments.models import Action, Mail, Person, Registration, Waiting
from tournaments.selectors.log import log_first_fault
from tournaments.services.crowd import Arrival, register_together
from tournaments.services.registration import registration_create

pytestmark = pytest.mark.django_db
NAMES = ("Petra Probst", "Walter Wimmer", "Ümit Öztürk", "Gast 0017", "李小龍")


def arrival(event, name, *, at=f.ARRIVAL, key=None, is_asked=False, **own):
    wanted = {
        "name": name, "email": "", "phone": "", "remark": "", "is_listed": True,
        "agrees_to_rules": True, "is_member": None, "is_namesake": False, "language": "de", **own,
    }  # fmt: skip
    return Arrival(slug=event.slug, wanted=wanted, at=at, key=key, is_asked=is_asked)


def come(event, *names, **own):
    return register_together([arrival(event, name, **own) for name in names])


def state(event):
    """Return what there is of an event, whatever the ids."""
    waiting = set(Waiting.objects.live().values_list("registration", flat=True))
    rows = Registration.objects.filter(event=event).select_related("person", "made_by")
    people = [
        (row.person.name, row.person.email, row.made_by.sequence, row.language, row.pk in waiting)
        for row in rows.order_by("made_by__sequence")
    ]
    log = [
        (row.sequence, row.kind, row.role, sorted(row.payload), row.text.data, row.at)
        for row in Action.objects.filter(event=event).select_related("text").order_by("sequence")
        if row.kind == "registration.created"
    ]
    mails = sorted(Mail.objects.values_list("address", "kind", "made_at"))
    fresh = f.fresh(event)
    return people, log, mails, fresh.version, fresh.log_sequence, fresh.log_recorded_at


def test_together_is_the_same_as_one_after_another():
    together, alone = f.make_event(capacity=3), f.make_event(capacity=3)
    come(together, *NAMES, email="p@example.org")
    of_together = state(together)
    Mail.objects.all().delete()
    Waiting.objects.all().delete()
    Registration.objects.all().delete()
    Person.objects.all().delete()
    for name in NAMES:
        own = arrival(alone, name, email="p@example.org").wanted
        registration_create(event=alone, by=VISITOR, at=f.ARRIVAL, **own)
    assert of_together == state(alone)
    assert [row[-1] for row in of_together[0]] == [False, False, False, True, True]
    assert log_first_fault(together) is None


def test_who_has_to_come_by_himself_does_not_hold_up_the_others():
    event = f.make_event()
    f.register(event, "Petra Probst")
    names = ("Walter Wimmer", "Petra Propst", " ", "x" * 201, "Walter  WIMMER", "Ada Auer")
    found = come(event, *names)
    assert [isinstance(one, Registration) for one in found] == [
        True,
        False,
        False,
        False,
        False,
        True,
    ]
    assert all(isinstance(one, Refused) for one in found if not isinstance(one, Registration))
    live = Registration.objects.live().filter(event=event)
    assert live.count() == 3
    assert Person.objects.count() == 3
    assert f.fresh(event).version == f.fresh(event).log_sequence
    assert log_first_fault(event) is None


def test_who_was_asked_and_said_he_is_somebody_else_is_taken():
    event = f.make_event()
    f.register(event, "Petra Probst")
    (made,) = come(event, "Petra Propst", is_asked=True)
    assert made.person.name == "Petra Propst"


def test_nobody_comes_in_when_it_is_closed_or_gone_or_over():
    closed, gone = f.make_event(is_registration_open=False), f.make_event()
    gone.slug = "nicht-da"
    for event in (closed, gone):
        (found,) = come(event, "Petra Probst")
        assert isinstance(found, Refused)
    assert not Registration.objects.exists()


def test_the_same_form_twice_is_one_registration_and_another_under_its_key_is_none():
    event, key = f.make_event(), uuid4()
    (first,) = come(event, "Petra Probst", key=key)
    (again,) = come(event, "Petra Probst", key=key)
    (other,) = come(event, "Ada Auer", key=key)
    assert again == first
    assert isinstance(other, Refused)
    version = f.fresh(event).version
    twice = UUID(int=5)
    both = come(event, "Ada Auer", "Ada Auer", key=twice)
    assert [isinstance(one, Registration) for one in both] == [True, False]
    assert f.fresh(event).version == version + 1


def test_times_never_run_back_in_the_log():
    event = f.make_event()
    f.register(event, "Walter Wimmer", at=f.ARRIVAL)
    ats = [f.ARRIVAL - timedelta(seconds=5), f.ARRIVAL + timedelta(seconds=5), f.ARRIVAL]
    register_together([arrival(event, name, at=at) for name, at in zip(NAMES, ats, strict=False)])
    told = list(
        Action.objects.filter(event=event).order_by("sequence").values_list("at", flat=True)
    )
    assert told == sorted(told)


@pytest.mark.parametrize("many", [2, 40])
def test_a_rush_costs_statements_by_the_batch_and_not_by_the_head(
    many, django_assert_max_num_queries
):
    event = f.make_event(capacity=500)
    arrivals = [arrival(event, f"Gast {number:03}", key=uuid4()) for number in range(many)]
    with django_assert_max_num_queries(22):
        assert len(register_together(arrivals)) == many
    assert Registration.objects.live().filter(event=event).count() == many


@pytest.mark.django_db(transaction=True)
def test_a_rush_through_threads_gives_exactly_the_places_there_are():
    event = f.make_event(capacity=10)
    crowd = Gathering(register_together, most=7)
    found = []

    def run(number):
        try:
            found.append(crowd.hand_in(arrival(event, f"Gast {number:03}", key=uuid4())))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(25)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len({one.pk for one in found}) == 25
    waiting = Waiting.objects.live().filter(event=event).order_by("since", "pk")
    order = list(waiting.values_list("registration__made_by__sequence", flat=True))
    placed = (
        Registration.objects.live()
        .filter(event=event)
        .exclude(pk__in=waiting.values("registration"))
    )
    assert placed.count() == 10
    assert order == sorted(order)
    assert max(placed.values_list("made_by__sequence", flat=True)) < order[0]
    assert log_first_fault(event) is None


def test_an_english_phone_gets_its_mails_in_english_whoever_leads(client):
    event = f.make_event()
    client.post(reverse("register", args=[event.slug]),
                {"name": "Petra Probst", "is_listed": "on", "agrees_to_rules": "on"},
                headers={"Accept-Language": "en-GB"})  # fmt: skip
    assert Registration.objects.get().language == "en"
