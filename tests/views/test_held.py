"""Taps that waited on a phone: held times, questions, nothing twice and nothing unasked."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.changes.commands import Command
from tournaments.models import Action, Elimination, Grant, Hand
from tournaments.play.services.eliminations import entries_eliminate
from tournaments.seating.services.tables import entry_move

pytestmark = [pytest.mark.django_db, pytest.mark.running(10, seats=5)]


MINUTES = timedelta(minutes=1)


def ms(at):
    return round(at.timestamp() * 1000)


def late(client, event, name, *args, at, key=None, data=None, raw=None, **said):
    """Send a tap as a phone does that was away, and return the answer."""
    header = {"at": ms(at), "offset": 250, "set": False, "version": f.fresh(event).version, **said}
    return client.post(
        reverse(name, args=[event.slug, *args]),
        data or {},
        headers={
            "X-Idempotency-Key": str(key or uuid4()),
            "X-Tap": json.dumps(header) if raw is None else raw,
            "HX-Request": "true",
        },
    )


def asked(answer, code):
    assert answer.status_code == 422
    told = answer.json()
    assert told["code"] == code
    assert told["reason"]
    return told["reason"]


def nothing_happened(event, version):
    assert f.fresh(event).version == version
    assert not Elimination.objects.exists()


def test_a_late_tap_has_its_own_time_and_is_written_down_now(client, arno, event, entry):
    now = timezone.now()
    for name, of, minutes in (("floor-hand", 2, 12), ("floor-out", entry.pk, 10)):
        answer = late(client, event, name, of, at=now - minutes * MINUTES)
        assert answer.status_code == 200
    assert json.loads(answer["HX-Trigger"])["krru:acted"]["version"] == f.fresh(event).version
    assert ms(Hand.objects.get().began_at) == ms(now - 12 * MINUTES)
    action = f.last_action(event)
    assert ms(action.at) == ms(now - 10 * MINUTES) == ms(Elimination.objects.get().at)
    assert action.recorded_at - action.at > 9 * MINUTES


def test_late_taps_keep_their_order_and_the_places_follow_from_it(client, arno, event):
    """Two outs of one phone arrive after a third that happened before at another table."""
    now = timezone.now()
    first, second, third = f.entries_of(event)[:3]
    entries_eliminate(Command(event=event, by=SYSTEM, at=now - 10 * MINUTES), entries=[third])
    for entry, minutes in ((first, 9), (second, 8)):
        late(client, event, "floor-out", entry.pk, at=now - minutes * MINUTES)
    rows = Elimination.objects.order_by("at").values_list("entry", flat=True)
    assert list(rows) == [third.pk, first.pk, second.pk]


def test_a_tap_sent_at_once_and_again_from_the_queue_counts_once(client, arno, event, entry):
    """With the same answer, whoever sits where by now."""
    key = str(uuid4())
    url = reverse("floor-out", args=[event.slug, entry.pk])
    assert client.post(url, headers={"X-Idempotency-Key": key}).status_code == 302
    for own in ({"set": True}, {"seats": []}, {"seats": [[entry.pk, 9, 9]]}):
        answer = late(client, event, "floor-out", entry.pk, at=timezone.now(), key=key, **own)
        assert answer.status_code == 200
    assert Elimination.objects.count() == 1


def test_a_little_before_the_last_action_or_after_now_is_held(client, arno, event):
    first, second = f.entries_of(event)[:2]
    now = timezone.now()
    late(client, event, "floor-out", first.pk, at=now - 5 * MINUTES)
    late(client, event, "floor-out", second.pk, at=now - 6 * MINUTES)
    assert {ms(row.at) for row in Elimination.objects.all()} == {ms(now - 5 * MINUTES)}
    third = f.entries_of(event)[2]
    late(client, event, "floor-out", third.pk, at=timezone.now() + MINUTES)
    action = f.last_action(event)
    assert action.at == action.recorded_at


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"offset": None}, "never_compared"),
        ({"set": True}, "clock_was_set"),
        ({"offset": -3 * 3_600_000}, "hours_off"),
        ({"at": 4_102_444_800_000}, "impossible"),  # 2100
    ],
)
@pytest.mark.usefixtures("arno")
def test_a_doubtful_time_is_a_question(client, event, entry, said, code):
    version = f.fresh(event).version
    raw = json.dumps({"at": ms(timezone.now() - 5 * MINUTES), "offset": 250, **said})
    asked(late(client, event, "floor-out", entry.pk, at=timezone.now(), raw=raw), code)
    nothing_happened(event, version)


def test_a_time_that_cannot_be_is_a_question(client, arno, event):
    first, second = f.entries_of(event)[:2]
    version = f.fresh(event).version
    before = arno.device.created_at - 5 * MINUTES  # before the phone was signed in
    asked(late(client, event, "floor-out", first.pk, at=before), "heard_since")
    nothing_happened(event, version)
    client.post(reverse("floor-out", args=[event.slug, first.pk]))
    at = timezone.now() - 5 * MINUTES  # long before its last action
    asked(late(client, event, "floor-out", second.pk, at=at), "heard_since")
    assert Elimination.objects.count() == 1


UNREADABLE = [
    "",
    "now",
    "[]",
    "{}",
    '{"at": "12:00", "offset": 0}',
    '{"at": -1, "offset": 0}',
    '{"at": 1e400, "offset": 0}',
    '{"at": true, "offset": 0}',
    '{"at": 999999999999999999999, "offset": 0}',
    '{"at": 1763665200000, "offset": "0"}',
    '{"at": 1763665200000, "offset": 0, "version": -3}',
    '{"at": 1763665200000, "offset": 0, "seats": [[1, 2]]}',
    '{"at": 1763665200000, "offset": 0, "seats": 7}',
    '{"at": 1763665200000, "offset": 0, "seats": [["1", 2, 3]]}',
    '{"at": 1763665200000, "offset": 0, "seats": %s}' % ([[1, 1, 1]] * 31),
    "[" * 3000,
]


def test_what_cannot_be_read_is_refused(client, arno, event, entry):
    version = f.fresh(event).version
    for raw in UNREADABLE:
        answer = late(client, event, "floor-out", entry.pk, at=timezone.now(), raw=raw)
        asked(answer, "bad_tap")
    nothing_happened(event, version)


def test_a_tap_without_key_of_another_state_or_withdrawn_is_asked_about(client, arno, event, entry):
    url = reverse("floor-out", args=[event.slug, entry.pk])
    said = json.dumps({"at": ms(timezone.now()), "offset": 0})
    asked(client.post(url, headers={"X-Tap": said}), "bad_tap")
    assert not Elimination.objects.exists()
    version = f.fresh(event).version
    at = timezone.now() - MINUTES
    asked(late(client, event, "floor-out", entry.pk, at=at, version=version + 1), "restored")
    nothing_happened(event, version)
    version, key, at = f.fresh(event).version, uuid4(), timezone.now() - MINUTES
    tap = ("floor-out", entry.pk)
    asked(late(client, event, *tap, at=at, key=key, withdrawn=True), "withdrawn")
    nothing_happened(event, version)
    late(client, event, *tap, at=at, key=key)
    asked(late(client, event, *tap, at=at, key=key, withdrawn=True), "arrived")
    assert Elimination.objects.live().count() == 1


def test_who_was_moved_or_is_out_since_is_asked_about(client, arno, event, entry):
    seat, out = f.seat_of(entry), f.at_table(event, 2)[0]
    free = f.seat_of(out)[1]
    now = timezone.now()
    f.out(event, out, at=now - 3 * MINUTES)
    own = {"event": event, "by": SYSTEM, "at": now - 2 * MINUTES, "entry": entry}
    call_service(entry_move, **own, table=f.table_of(event, 2), seat=free, reason="Laut")
    sent = {"at": now - 4 * MINUTES, "seats": [[entry.pk, *seat]]}
    answer = late(client, event, "floor-out", entry.pk, **sent)
    assert f"Tisch 2, Platz {free}" in asked(answer, "moved")
    assert Elimination.objects.count() == 1
    f.out(event, entry, at=now - MINUTES)
    sent = {"at": now, "seats": [[entry.pk, 2, free]]}
    answer = late(client, event, "floor-out", entry.pk, **sent)
    assert "ist schon ausgeschieden" in asked(answer, "already_out")
    assert Elimination.objects.count() == 2


def test_what_is_no_fact_of_the_floor_cannot_come_late(client, arno, event):
    """The director's own devices, too, act at once or not at all."""
    f.sign_browser_in(client, Role.DIRECTOR, event)
    version = f.fresh(event).version
    asked(late(client, event, "clock-pause", at=timezone.now() - MINUTES), "not_late")
    assert f.fresh(event).version == version


def test_who_may_not_may_not_even_late(client, arno, event, entry):
    Grant.objects.filter(device=arno.device).update(revoked_at=timezone.now())
    answer = late(client, event, "floor-out", entry.pk, at=timezone.now() - MINUTES)
    assert (answer.status_code, answer.json()["code"]) == (403, "denied")
    f.sign_browser_in(client, Role.DESK, event)
    answer = late(client, event, "floor-out", entry.pk, at=timezone.now())
    assert answer.status_code == 403
    assert "Schiedsrichter" in answer.json()["reason"]
    assert not Elimination.objects.exists()


def test_late_taps_ask_the_database_a_fixed_number_of_times(
    client, arno, event, django_assert_max_num_queries
):
    seats = [[entry.pk, *f.seat_of(entry)] for entry in f.at_table(event, 1)]
    entry = f.at_table(event, 1)[0]
    with django_assert_max_num_queries(60):
        late(client, event, "floor-out", entry.pk, at=timezone.now() - MINUTES, seats=seats)
    assert Action.objects.filter(event=event, kind="entry.eliminated").count() == 1
