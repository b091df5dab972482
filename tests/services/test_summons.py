"""A table calls the director: seen at once as due, answered, settled, taken back."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tests.views.pages import text_of
from tournaments.changes.access import Role
from tournaments.dashboard.selectors.due_play import summons_items
from tournaments.models import Summons
from tournaments.play.services.calls import director_call, director_come, director_settle

pytestmark = pytest.mark.django_db


def path(event, name=""):
    return f"/t/{event.slug}/tische/1/ruf/{name}"


def test_a_call_is_due_until_it_is_done(client):
    event = f.make_running_event(6)
    f.sign_browser_in(client, Role.ARBITER, event)
    page = text_of(client.get(f"/t/{event.slug}/tische/1/"))
    assert "Turnierleitung rufen" in page
    headers = {"HX-Request": "true"}
    answer = client.post(path(event), {"reason": "rule"}, headers=headers)
    assert "Tisch 1 ruft die Turnierleitung: Regelfrage" in text_of(answer)
    f.assert_logged(event, "director.called", table=1, reason="rule")
    assert "Turnierleitung gerufen." in text_of(client.get(f"/t/{event.slug}/tische/1/stand/"))
    refused = client.post(path(event), {"reason": "chips"}, headers=headers)
    assert (refused.status_code, "hat schon gerufen" in text_of(refused)) == (422, True)
    assert client.post(path(event, "kommt/"), headers=headers).status_code == 403
    (item,) = summons_items(event)
    assert (item.title, item.number) == ("Tisch 1 ruft: Regelfrage", 1)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    due = text_of(client.get(f"/t/{event.slug}/leitung/stand/was-ansteht/"))
    assert due.index("Tisch 1 ruft: Regelfrage") == due.index("Tisch 1")
    assert path(event, "kommt/") in due
    assert client.post(path(event, "kommt/"), headers=headers).status_code == 200
    assert "Die Turnierleitung kommt." in text_of(client.get(f"/t/{event.slug}/tische/1/stand/"))
    assert client.post(path(event, "erledigt/"), headers=headers).status_code == 200
    assert summons_items(event) == []
    f.undo(event, at=f.last_action(event).at)
    assert Summons.objects.live().get().is_coming


def test_what_makes_no_sense_is_refused():
    event = f.make_running_event(6)
    said = {"event": event, "at": f.after(1), "table": f.table_of(event, 1)}
    arno = f.make_arno(event)
    with f.refused("no_word", event):
        call_service(director_call, **said, by=arno, reason="pizza")
    for service, by in ((director_come, f.make_dora(event)), (director_settle, arno)):
        with f.refused("not_called", event):
            call_service(service, **said, by=by)
    call_service(director_call, **said, by=arno, reason="chips")
    call_service(director_come, **said, by=f.make_dora(event))
    with f.refused("coming", event):
        call_service(director_come, **said, by=f.make_dora(event))
    with f.refused("not_allowed", event):
        call_service(director_settle, **said, by=f.ZENO)
