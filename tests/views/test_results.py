"""Places as page, CSV and JSON; the draws, and that anyone can make them again."""

import csv
import io

import pytest
from django.core.cache import cache

from clock.servertime import server_time
from tests import factories as f
from tests.buying import do, evening, lose
from tests.pressing import shows
from tests.views.pages import soon, text_of
from tournaments.changes.access import Role
from tournaments.changes.domain.errors import Refused
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_cancel, event_end, event_update
from tournaments.models import Elimination
from tournaments.play.services.elimination_details import knockout_set
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.rebuys.services.purchases import entry_reenter

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def seated(names, **settings):
    """Make a running event with these names; a pair is a name and whether it is listed."""
    event = f.make_event(**settings)
    told = [given if isinstance(given, tuple) else (given, True) for given in names]
    rows = [f.register(event, name, is_listed=is_listed) for name, is_listed in told]
    for row in rows:
        f.check_in(event, row)
    f.drive(clock_start, event, 0)
    return f.fresh(event)


def played(**settings):
    """Anna wins; Otto and Petra, who is not listed, share the second place; Zeno was first out."""
    names = ["Anna Gruber", "Otto Lang", ("Petra Probst", False), "Zeno Fremd"]
    event = seated(names, **settings)
    _anna, otto, petra, zeno = f.entries_of(event)
    f.out(event, zeno, at=f.after(30))
    f.out(event, otto, petra, at=f.after(40))
    return event


def get(client, event, what="ergebnis/"):
    response = client.get(f"/t/{event.slug}/{what}")
    assert response.status_code == 200
    return response


def rows_of(response):
    return list(csv.reader(io.StringIO(response.content.decode("utf-8-sig")), delimiter=";"))


def told(client, event):
    return get(client, event, "ergebnis.json").json()


def test_before_play_there_is_nothing_yet(client):
    event = f.make_event()
    shows(text_of(get(client, event)), "Noch nicht gespielt", but=("ergebnis.csv",))
    f.drive(event_cancel, event, -60)
    assert "Das Turnier wurde abgesagt." in text_of(get(client, event))


def test_during_play_it_is_provisional_and_live_and_at_the_end_final(client):
    event = f.make_running_event(4)
    entry = f.entries_of(event)[0]
    f.undo(event, f.out(event, entry, at=f.after(11)), at=f.after(12))
    assert {line["place"] for line in told(client, event)["places"]} == {None}
    f.out(event, entry, at=f.after(12))
    text = text_of(get(client, event))
    shows(text, "Zwischenstand", "noch nicht endgültig", "Noch im Spiel", "krru:entries from:body")
    assert told(client, event)["is_final"] is False
    assert [line["place"] for line in told(client, event)["places"]] == [None, None, None, 4]
    f.drive(event_end, event, 60)
    text = text_of(get(client, event))
    shows(text, "<h1>Ergebnis</h1>", "data-print", but=("noch nicht endgültig", "krru:entries"))
    assert told(client, event)["is_final"] is True


def test_places_of_earlier_entries_are_said_to_be_missing(client):
    event = evening(4, rebuy_hold_minutes=0)
    first, *others = f.entries_of(event)
    lose(event, first, 1)
    assert "der beste Platz" not in text_of(get(client, event))
    do(entry_reenter, event, 2, entry=first)
    for minute, entry in enumerate(others, 70):
        lose(event, entry, minute)
    text = text_of(get(client, event))
    shows(text, "4 haben mitgespielt, 5 Einstiege", "Von jedem steht der beste Platz da")


def test_the_winner_stands_first_and_who_put_out_whom_of_those_who_agreed(client):
    event = seated(["Anna Gruber", "Otto Lang", ("Petra Probst", False), "Zeno Fremd"])
    anna, otto, petra, zeno = f.entries_of(event)
    for at, gone, by in ((30, zeno, [anna, petra]), (35, petra, [anna]), (40, otto, [anna])):
        made = f.out(event, gone, at=f.after(at))
        row = Elimination.objects.get(made_by=made)
        f.drive(knockout_set, event, at, eliminations=[row], takers=by)
    f.drive(event_end, event, 60)
    next_one = soon(name="Nächster Abend")
    text = text_of(get(client, event))
    assert text.index("Gewonnen hat") < text.index("Anna Gruber") < text.index("<table")
    assert "4 haben mitgespielt" in text
    # Petra has not agreed: she is named neither as who took a stack nor as who lost one.
    assert text.count(" gegen Anna Gruber") == 2
    shows(text, but=("Petra", "gegen PP"))
    assert text.index("<table") < text.index("Nächster Abend") < text.index("ergebnis.csv")
    assert f"/t/{next_one.slug}/" in text
    f.sign_browser_in(client, Role.DIRECTOR)
    assert "gegen Anna Gruber, Petra Probst" in text_of(get(client, event))


def test_who_is_not_listed_and_who_was_disqualified_is_told_to_staff_alone(client):
    event = played()
    f.undo(event, at=f.after(41))
    petra = f.entries_of(event)[2]
    f.drive(entry_disqualify, event, 42, entry=petra, reason="x", stack=200)

    def read():
        pages = ("ergebnis/", "ergebnis.csv", "ergebnis.json", "auslosung/")
        return {what: get(client, event, what).content.decode() for what in pages}

    for text in read().values():
        shows(text, "PP", but=("Petra", "disqual", "Disqual"))
    f.sign_browser_in(client, Role.ARBITER, f.make_event(name="Anderes"))
    assert not any("Petra" in text for text in read().values())
    f.sign_browser_in(client, Role.ARBITER, event)
    for what, to_staff in read().items():
        assert "Petra Probst" in to_staff
        assert ("disqual" in to_staff.lower()) is (what != "auslosung/")


def test_csv_opens_in_spreadsheets_and_json_is_whole(client):
    event = played()
    text = text_of(get(client, event))
    assert text.count("geteilt") == 2
    assert text.index("Anna Gruber") < text.index("Otto Lang") < text.index("Zeno Fremd")
    response = get(client, event, "ergebnis.csv")
    assert response.content.startswith(b"\xef\xbb\xbf")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert f"{event.slug}-zwischenstand.csv" in response["Content-Disposition"]
    assert rows_of(response) == [
        ["Platz", "Name", "Ausgeschieden", "Festgelegt"],
        ["1", "Anna Gruber", "", ""],
        ["2", "Otto Lang", "2026-11-20 19:40", ""],
        ["2", "PP", "2026-11-20 19:40", ""],
        ["4", "Zeno Fremd", "2026-11-20 19:30", ""],
    ]
    response = get(client, event, "ergebnis.json")
    assert "attachment" in response["Content-Disposition"]
    data = response.json()
    assert (data["event"], data["slug"], data["status"]) == (event.name, event.slug, "running")
    first = {"place": 1, "name": "Anna Gruber", "out_at": None}
    assert data["places"][0] == first | {"is_provisional": False, "is_overruled": False}
    assert data["places"][3]["out_at"] == f.after(30).isoformat()
    f.drive(event_end, event, 60)
    named = get(client, event, "ergebnis.csv")["Content-Disposition"]
    assert f"{event.slug}-ergebnis.csv" in named


def test_names_in_the_file_are_no_formulas(client):
    names = ["=1+1", "+43 Eva", "-Otto", "@Summe", 'Semi;kolon "Q"', "Ärztl Øya"]
    event = seated(names)
    found = {row[1] for row in rows_of(get(client, event, "ergebnis.csv"))[1:]}
    guarded = {"'=1+1", "'+43 Eva", "'-Otto", "'@Summe"}
    assert found == guarded | {'Semi;kolon "Q"', "Ärztl Øya"}


def test_those_elsewhere_follow_an_evening_as_late_as_its_stream(client, monkeypatch):
    event = f.make_running_event(4, stream_delay=300)
    first, second, third, winner = f.entries_of(event)
    f.out(event, first, at=f.after(10))
    names = [entry.registration.person.name for entry in (first, second, winner)]

    def seen(minute):
        """Return the outs of the live page, and the places of the file, at a minute."""
        monkeypatch.setattr(server_time, "now", lambda: f.after(minute))
        cache.clear()
        page = client.get(f"/t/{event.slug}/").context
        lines = client.get(f"/t/{event.slug}/ergebnis.json").json()
        places = {line["name"]: line["place"] for line in lines["places"] if line["place"]}
        live = page.get("live")
        assert page["state"] == ("running" if live else "ended")
        assert lines["is_final"] == (live is None)
        outs = [out.name for out in live.outs] if live else None
        return outs, page["offer"]["poster"].left, places

    assert seen(14) == ([], 4, {})
    assert seen(16) == ([names[0]], 3, {names[0]: 4})
    f.out(event, second, at=f.after(20))
    f.out(event, third, at=f.after(21))
    f.drive(event_end, event, 22)
    assert seen(25.5) == ([names[1], names[0]], 2, {names[0]: 4, names[1]: 3})
    outs, _left, places = seen(28)
    assert outs is None
    assert (places[names[2]], len(places)) == (1, 4)
    assert "noch nicht endgültig" not in text_of(client.get(f"/t/{event.slug}/ergebnis/"))


def test_a_stream_is_an_hour_late_at_most():
    event = f.make_event()
    f.drive(event_update, event, -60, settings={"stream_delay": 3600})
    with pytest.raises(Refused, match="Höchstens 3600"):
        f.drive(event_update, event, -59, settings={"stream_delay": 3601})
    assert f.fresh(event).stream_delay == 3600
