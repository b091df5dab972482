"""The whole log: its pages, its filters, who may take back what, and its chain."""

import pytest
from django.urls import reverse

from tests import factories as f
from tournaments.access import SYSTEM, Role
from tournaments.models import Action
from tournaments.services.clock import clock_pause
from tournaments.services.eliminations import entries_eliminate
from tournaments.services.undo import action_undo

pytestmark = pytest.mark.django_db
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
    out = entries_eliminate(event=event, by=SYSTEM, at=f.after(1), entries=[f.entries_of(event)[0]])
    action_undo(event=event, by=SYSTEM, at=f.after(2), action=out)
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
    f.clock_start(event=event, by=SYSTEM, at=f.START)
    out = {"event": event, "by": arno, "at": f.after(3)}
    entries_eliminate(**out, entries=[f.entries_of(event)[0]])
    assert kinds(log_of(dora, event, art="clock")) == ["clock.started"]
    assert kinds(log_of(dora, event, art="outs")) == ["entry.eliminated"]
    assert kinds(log_of(dora, event, geraet=arno.device.pk)) == ["entry.eliminated"]
    assert len(kinds(log_of(dora, event, name="özlem"))) == 3
    assert len(kinds(log_of(dora, event, name="max hub"))) == 2
    assert kinds(log_of(dora, event, name="max", art="outs")) == []
    assert "Nichts gefunden" in log_of(dora, event, name="niemand").content.decode()


@pytest.mark.parametrize(
    "asked", [{"art": "x"}, {"geraet": "x"}, {"geraet": "9" * 30}, {"name": "\0"}, {"seite": "-1"}]
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
    clock_pause(event=event, by=SYSTEM, at=f.after(1))
    Action.objects.filter(pk=f.last_action(event).pk).delete()
    page = log_of(dora, event, kette="").content.decode()
    assert f"ab Eintrag {f.fresh(event).log_sequence}" in page


def test_an_arbiter_reads_it_all_and_takes_back_his_own(client):
    event = f.make_running_event(4)
    arno = f.sign_browser_in(client, Role.ARBITER, event)
    entry = f.entries_of(event)[0]
    own = entries_eliminate(event=event, by=arno, at=f.after(1), entries=[entry])
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


def test_the_number_of_queries_does_not_grow(dora, django_assert_max_num_queries):
    event = f.make_seated_event(40)
    with django_assert_max_num_queries(20):
        log_of(dora, event)
