"""A player's own page: what it shows at each point of the evening, and to whom."""

import pytest
from django.urls import reverse
from django.utils.timezone import localtime, now

from krru.background.mailing import CONSOLE
from tests import factories as f
from tests.addresses import ADDRESSES
from tests.bubble import begin, end, report_all
from tests.calling import call_service
from tests.pressing import HTMX, shows
from tests.services.line import say
from tests.views.pages import soon, text_of
from tournaments.changes.access import SYSTEM
from tournaments.door.services.arrivals import (
    noshows_settle,
    registration_arrive,
    registration_expect,
    registration_unsay,
)
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import DealerDraw, Event, OnSite, Waiting
from tournaments.money.services.fees import fee_pay
from tournaments.play.services.eliminations import entry_disqualify
from tournaments.play.services.hands import button_mark
from tournaments.public.forms.own import RegisterForm
from tournaments.public.selectors.player_picture import MOVED_FOR
from tournaments.seating.selectors.tables import free_seats
from tournaments.seating.services.tables import dealer_draw_make, entry_move

pytestmark = [pytest.mark.django_db, pytest.mark.running(4)]


def page(client, who):
    """Return the page of a registration or an entry."""
    registration = getattr(who, "registration", who)
    response = client.get(f"/p/{registration.link_token}/")
    assert response.status_code == 200
    return text_of(response)


def figures(client, who):
    """Return the huge numbers of the page."""
    parts = page(client, who).split('<strong class="slip-figure">')[1:]
    return [int(part.partition("<")[0]) for part in parts]


def move(event, entry, seat, at=None):
    """Move somebody to the second table."""
    place = {"table": f.table_of(event, 2), "seat": seat, "reason": "saß falsch"}
    return call_service(entry_move, event=event, by=SYSTEM, at=at or now(), entry=entry, **place)


def free_seat(event):
    taken = {f.seat_of(entry)[1] for entry in f.at_table(event, 2)}
    return next(seat for seat in range(1, 11) if seat not in taken)


def test_a_forged_link_opens_nothing(client):
    f.house()
    opened = 0
    for name, pattern in ADDRESSES.items():
        wanted = dict.fromkeys(pattern.pattern.converters, 1)
        if "token" in wanted and reverse(name, kwargs=wanted).startswith("/p/"):
            url = reverse(name, kwargs=wanted | {"token": "unbekannt"})
            answers = [client.get(url), client.post(url)]
            assert {404} <= {answer.status_code for answer in answers} <= {404, 405}, name
            opened += 1
    assert opened > 20
    assert "Zur Startseite" in text_of(client.get("/p/ein-alter-link/"))


def test_registered_shows_ones_number_and_how_to_find_the_page_again_and_keeps_the_link(client):
    event = soon()
    for name in ("Eva", "Otto"):
        f.register(event, name, at=now())
    petra = f.register(event, "Petra Probst", at=now())
    text = page(client, petra)
    shows(text, but=("Nur ein Buchstabe?",))
    shows(text, "Du bist angemeldet, Nummer 3", "Petra Probst", "noch 57 Plätze frei")
    own = f"http://testserver/p/{petra.link_token}/"
    shows(text, own, f"/p/{petra.link_token}/abmelden/", "Lesezeichen", "<svg")
    for path in ("", "karte/", "abmelden/"):
        response = client.get(f"/p/{petra.link_token}/{path}")
        assert "no-store" in response["Cache-Control"]
        assert response["Referrer-Policy"] == "same-origin"
        assert "noindex" in response["X-Robots-Tag"]
    shows(page(client, f.register(event, "H", at=now())), "Nur ein Buchstabe?")


def test_checked_in_waits_for_the_draw_of_the_field(client):
    event = soon(draw_mode=Event.DrawMode.FIELD)
    petra = f.register(event, "Petra", at=now())
    f.check_in(event, petra, at=now())
    assert "Dein Platz wird noch ausgelost" in page(client, petra)
    assert f"/p/{petra.link_token}/abmelden/" not in page(client, petra)


def test_seated_shows_table_and_seat_huge(client):
    event = f.make_seated_event(12, seats=9)
    petra = f.entries_of(event)[7]
    assert tuple(figures(client, petra)) == f.seat_of(petra)
    text = page(client, petra)
    shows(text, "Tisch", "is-me", f"du sitzt hier: {f.seat_of(petra)[1]}", but=("Du ziehst um",))


def test_the_first_dealer_is_told_with_the_cards(client):
    event = f.make_seated_event(4)
    f.drive(dealer_draw_make, event, -60, table=f.table_of(event, 1))
    first, *_others, last = DealerDraw.objects.get().cards
    entries = {entry.pk: entry for entry in f.entries_of(event)}
    assert "Du gibst als Erster" in page(client, entries[first["entry"]])
    text = page(client, entries[last["entry"]])
    shows(text, f"Erster Geber ist Platz {first['seat']}", "Deine Karte war")
    f.drive(clock_start, event, 0)
    assert "Erster Geber ist" not in page(client, entries[last["entry"]])


def test_during_play_the_page_has_the_clock_and_the_figures_and_a_card_that_asks_for_itself(
    client, event
):
    f.out(event, f.entries_of(event)[0])
    text = page(client, f.entries_of(event)[1])
    shows(text, "data-clock", 'id="clock-data"', ">266<", "Handy in der Tasche")
    assert 'data-stream="/stream/' in text
    assert "krru:tables from:body" not in text
    token = f.entries_of(event)[1].registration.link_token
    shows(text, f'hx-get="/p/{token}/karte/"', "krru:own from:body")
    shows(text_of(client.get(f"/p/{token}/karte/")), "player-seat", but=("<html",))
    tda = f.make_seated_event(2, preset="tda-2024", name="TDA")
    assert "Handy in der Tasche" not in page(client, f.entries_of(tda)[0])


def test_moved_is_unmistakable_and_says_from_where(client):
    event = f.make_running_event(15)
    petra, other = f.at_table(event, 1)[:2]
    table, seat = f.seat_of(petra)
    target = free_seat(event)
    moved = move(event, petra, target)
    text = page(client, petra)
    shows(text, "Du ziehst um", f"Du kommst von Tisch {table}, Platz {seat}")
    assert figures(client, petra) == [2, target]
    assert "Du ziehst um" not in page(client, other)
    # A move taken back is a move, too.
    f.undo(event, moved, at=now())
    assert f"Du kommst von Tisch 2, Platz {target}" in page(client, petra)
    assert figures(client, petra) == [table, seat]


def test_after_a_while_a_move_is_an_old_story(client):
    event = f.make_running_event(15)
    petra, other = f.at_table(event, 1)[:2]
    move(event, petra, free_seat(event), at=f.after(5))
    # The present is never before what was written down last.
    f.out(event, other, at=f.after(6) + MOVED_FOR)
    assert "Du ziehst um" not in page(client, petra)


def test_out_shows_the_place_whether_shared_and_whether_one_may_watch(client):
    event = f.make_running_event(5)
    petra, one, other, third, _winner = f.entries_of(event)
    table, seat = f.seat_of(petra)
    f.undo(event, f.out(event, petra), at=now())
    assert f"Tisch {table}, Platz {seat}</span>" in page(client, petra)
    f.out(event, petra)
    text = page(client, petra)
    assert figures(client, petra) == [5]
    shows(text, "Danke fürs Mitspielen", "Zuschauen darfst du gern.", but=("geteilter Platz",))
    f.out(event, one, other)
    assert "geteilter Platz" in page(client, one)
    assert figures(client, one) == figures(client, other) == [3]
    call_service(entry_disqualify, event=event, by=SYSTEM, at=now(), entry=third, reason="Grund")
    shows(page(client, third), "disqualifiziert", but=("Grund",))
    call_service(event_end, event=event, by=SYSTEM, at=now())
    assert "Zuschauen" not in page(client, petra)


def test_winner(client):
    event = f.make_running_event(3)
    winner, *others = f.entries_of(event)
    for entry in others:
        f.out(event, entry)
    assert "Du hast gewonnen" in page(client, winner)
    assert figures(client, winner) == [1]
    f.drive(event_end, event, 60)
    assert "Du hast gewonnen" in page(client, winner)
    early = f.make_running_event(3, name="Abgebrochen")
    f.drive(event_end, early, 60)
    assert "Ihr teilt euch den ersten Platz" in page(client, f.entries_of(early)[0])


def test_who_did_not_come_is_told_that_it_is_over_or_cancelled(client):
    event = f.make_seated_event(2)
    petra = f.register(event, "Petra")
    f.drive(clock_start, event, 0)
    f.drive(event_end, event, 60)
    assert "nicht eingecheckt" in page(client, petra)
    event = soon()
    petra = f.register(event, "Petra", at=now())
    call_service(event_cancel, event=event, by=SYSTEM, at=now())
    shows(page(client, petra), "Das Turnier ist abgesagt", but=("abmelden/",))


# --- What a player's own page says before, at the door and near the money, and that it is true


def hour(minute):
    return f"{localtime(f.after(minute)):%H:%M}"


def test_at_the_door_the_code_is_the_ticket_with_what_is_owed(client, minute):
    day_before = f.after(-60 * 25)
    event = f.make_event(fee_cents=2000, late_registration_level=2, at=day_before)
    petra = f.register(event, "Petra Probst", at=day_before)
    minute(-60 * 24)
    shows(page(client, petra), "Startgeld: 20 € mitbringen", but=("Zeig das am Eingang",))
    minute(-30)
    told = page(client, petra)
    assert "Zeig das am Eingang" in told
    assert told.count("<svg xmlns") == told.count('class="qr"') == 1
    assert f"Einsteigen kannst du bis {hour(40)}." in told
    f.drive(fee_pay, event, -20, registration=petra)
    assert "Startgeld bezahlt" in page(client, petra)
    assert "Einsteigen kannst du" not in page(client, f.register(f.make_event(), "Otto Kurz"))


def test_until_when_to_come_is_told_before_and_the_loss_explained(client, minute):
    event = f.make_event(no_show_minutes=15, late_registration_level=3, capacity=3)
    people = [f.register(event, name) for name in ("Petra Probst", "Otto", "Uwe", "Vera")]
    petra, by = people[0], hour(15)
    minute(-30)
    assert f"Sei bis {by} da, sonst geht dein Platz weiter." in page(client, petra)
    assert f"bis {by}, sonst geht der Platz weiter" in text_of(client.get(f"/t/{event.slug}/"))
    for guest in people[1:3]:
        f.check_in(event, guest)
    f.drive(clock_start, event, 0)
    f.drive(noshows_settle, f.fresh(event), 15)
    minute(16)
    told = page(client, petra)
    shows(told, f"Dein Platz ging um {by} weiter", "Ist ein Platz frei, bekommst du ihn sofort.")
    client.post(f"/p/{petra.link_token}/da/", headers=HTMX)
    assert not Waiting.objects.live().filter(registration=petra).exists()
    assert "Wir wissen, dass du da bist" in page(client, petra)
    blinded = f.make_event(preset="tda-2024", no_show_minutes=15)
    minute(-30)
    assert f"Sei bis {by} da" in page(client, f.register(blinded, "Otto Kurz"))


def test_places_are_provisional_while_others_may_come(client, minute):
    event = f.make_running_event(6, late_registration_level=1)
    out = f.entries_of(event)[0]
    f.out(event, out, at=f.after(5))
    minute(6)
    assert "Vorläufig: Solange noch jemand einsteigen kann" in page(client, out)
    minute(30)
    assert "Vorläufig" not in page(client, out)


def test_mail_is_promised_only_where_it_is_sent(client, settings):
    event = soon(capacity=2)
    for name in ("Otto", "Eva"):
        f.register(event, name, at=now())
    petra = f.register(event, "Petra Probst", at=now())
    settings.EMAIL_BACKEND = CONSOLE
    assert "schreiben wir dir auch" not in page(client, petra)
    assert not RegisterForm()["email"].help_text
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    assert "schreiben wir dir auch" in page(client, petra)
    assert "per Mail" in RegisterForm()["email"].help_text


def test_hand_for_hand_and_the_final_table_are_told(client, minute):
    event = f.make_running_event(9, seats=3, paid_places=8)
    petra = f.at_table(event, 1)[0].registration
    minute(11)
    assert "Hand für Hand" not in page(client, petra)
    begin(event)
    assert "Jeder Tisch spielt eine Hand" in page(client, petra)
    report_all(event, 0)
    end(event, 12)
    assert "Jeder Tisch spielt eine Hand" not in page(client, petra)
    assert "Finaltisch" in page(client, f.entries_of(f.make_running_event(5))[0])


def test_how_near_one_is_to_being_moved_is_asked_for_alone(client, minute):
    event = f.make_running_event(12, seats=7)
    sits = f.at_table(event, 1)
    url = reverse("player-rank", args=[sits[3].registration.link_token])
    minute(5)
    assert "Los" in text_of(client.get(url))
    seat = f.seat_of(sits[0])[1]
    f.drive(button_mark, event, 5, table=f.table_of(event, 1), seat=seat)
    shows(text_of(client.get(url)), f"von {len(sits)} am Tisch", "load delay:601s")
    minute(16)
    shows(text_of(client.get(url)), "Los", but=("load delay",))
    f.out(event, sits[3], at=f.after(17))
    assert client.get(url).status_code == 204


def test_nobody_takes_back_what_another_said():
    event = f.make_event()
    petra, otto = f.register(event, "Petra Probst"), f.register(event, "Otto")
    say(registration_arrive, event, 0, by=f.make_desk(event), registration=petra)
    for by, code in ((petra, "nothing_said"), (otto, "not_yours")):
        f.refuses(code, say, registration_unsay, event, 0, by=f.petra_of(by), registration=petra)
    assert OnSite.objects.live().get().registration == petra
    own = {"by": f.petra_of(otto), "registration": otto}
    say(registration_expect, event, 0, **own, expected_at=f.START)
    assert say(registration_unsay, event, 1, **own).payload["outcome"] == "later"
    f.check_in(event, otto)
    f.refuses("checked_in", say, registration_arrive, event, 2, **own)


def test_who_comes_back_reads_who_moved_lately(client, minute):
    event = f.make_running_event(12, seats=6)
    mover, stayer = f.at_table(event, 1)[0], f.at_table(event, 2)[0]
    f.out(event, f.at_table(event, 2)[1], at=f.after(1))
    minute(3)
    path = f"/p/{stayer.registration.link_token}/umzuege/"
    assert "niemand umgezogen" in text_of(client.get(path))
    assert path in page(client, stayer)
    (free, *_others) = free_seats(event)[2]
    where = {"table": f.table_of(event, 2), "seat": free, "reason": "Ausgleich"}
    f.drive(entry_move, event, 2, entry=mover, **where)
    told = text_of(client.get(path))
    shows(told, f"von Tisch 1 an Tisch 2, Platz {free}", "dein Tisch")
    name = mover.registration.person.name
    assert name in told
    mover.registration.is_listed = False
    mover.registration.save(update_fields=["is_listed"])
    assert name not in text_of(client.get(path))
    minute(40)
    assert "niemand umgezogen" in text_of(client.get(path))
