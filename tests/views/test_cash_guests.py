"""Names at cash tables are typed: seats, the waiting list, tips; and who moves pays with it."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from django.utils.timezone import localtime

from tests import factories as f
from tests.pressing import HTMX, press, shows, url_of
from tests.services.cashgames import (
    assert_balanced,
    make_cash_event,
    on,
    open_table,
    say,
    sit,
    undo_last,
)
from tests.views.pages import (
    NOW,
    TOMORROW,
    assert_refused,
    bare,
    card_with,
    page_of,
    planned,
    save,
    text_of,
)
from tournaments.cashgame.selectors.layout import closed_tables, tables_shown
from tournaments.cashgame.services.hands import (
    cash_end_set,
    cash_hand_begin,
    cash_last_hands,
    cash_tip,
    cash_tips_pay,
)
from tournaments.cashgame.services.line import cash_wait
from tournaments.cashgame.services.seats import cash_move, cash_out, cash_sit
from tournaments.cashgame.services.tables import cash_table_close
from tournaments.changes.access import COOKIE, Role
from tournaments.changes.kinds import describe
from tournaments.door.selectors.desk import guests_of
from tournaments.door.selectors.places import are_here, noshows
from tournaments.event.services.lifecycle import event_end
from tournaments.models import (
    Action,
    CashLeave,
    CashOffer,
    CashSeat,
    CashWaiting,
    Event,
    Receipt,
    Registration,
    Waiting,
)
from tournaments.money.selectors.drawers import drawers_of
from tournaments.money.services.drawers import drawer_close, drawer_open
from tournaments.people.selectors.people import evenings_of, people_of, with_evenings
from tournaments.screens.selectors.faces import hall_cash, hall_cash_end
from tournaments.seasons.selectors.statistics import profile_of, statistics_of

pytestmark = [pytest.mark.django_db, pytest.mark.cash_evening]
SOON = timezone.now() + timedelta(hours=2)


def test_a_seat_is_for_the_name_typed_and_for_nobody_else(lead, event):
    table = open_table(event)
    petra, other = f.register(event), f.register(event, is_namesake=True)
    sheet = page_of(lead, event, "cash-seat", table.number, 1)
    assert '<option value="Petra Probst"></option><option value="Petra Probst (2)">' in sheet
    answer = press(lead, event, "cash-sit", table.number, 1, who="", amount="50")
    assert_refused(answer, "Bitte jemanden wählen")
    done = press(lead, event, "cash-sit", table.number, 1, who=" petra probst (2)", amount="50")
    assert done.status_code == 200
    assert CashSeat.objects.live().get().registration == other
    assert press(lead, event, "cash-sit", table.number, 2, who="Petra Probst", amount="50")
    assert CashSeat.objects.live().get(seat=2).registration == petra


def test_who_calls_in_is_on_the_list_by_initials_and_the_hall_knows_when(lead, event):
    table = open_table(event, seats=2, fee_way="time", fee_cents=300)
    petra = sit(event, table, "Petra Probst", 1)
    sit(event, table, "Otto", 2)
    key = {"idempotency_key": "0190f3ec-0000-7000-8000-000000000001"}
    for _again in range(2):
        assert press(lead, event, "cash-wait", table.number, who="M. B.", **key).status_code == 200
    waiting = CashWaiting.objects.live().get()
    assert (waiting.registration.person.name, waiting.registration.is_listed) == ("M. B.", False)
    assert "etwa" not in page_of(lead, event, "cash-table-panel", table.number)
    CashLeave.objects.create(seat=petra.cash_seats.get(), leaves_at=SOON, made_by=waiting.made_by)
    assert f"etwa {localtime(SOON):%H:%M}" in text_of(
        lead.get(url_of(event, "cash-table-panel", table.number))
    )
    assert "dabei kassieren" in page_of(lead, event, "cash-seat", table.number, 1)
    (row,) = hall_cash(event, f.after(1))
    assert row["terms"] == "20\xa0€ bis 100\xa0€ · 3\xa0€ je 30 Minuten"
    both = make_cash_event(kind="both")
    f.sign_browser_in(lead, Role.DIRECTOR, both)
    assert press(lead, both, "cash-wait", open_table(both).number, who="M. B.").status_code == 200
    assert Registration.objects.get(event=both, person__name="M. B.").is_cash_guest


def test_a_new_name_beside_a_tournament_sits_down_for_cash_alone_or_changes_nothing(lead):
    both = make_cash_event(kind="both")
    f.sign_browser_in(lead, Role.DIRECTOR, both)
    table = open_table(both)
    assert "wartet auf Spieler" in page_of(lead, both, "cash-table", table.number)
    refused = press(lead, both, "cash-sit", table.number, 1, who="Karl Kern", amount="1")
    assert refused.status_code == 422
    assert not Registration.objects.filter(event=both).exists()
    for seat, who in enumerate(("Karl Kern", "Lisa Lehner"), 1):
        press(lead, both, "cash-sit", table.number, seat, who=who, amount="40")
    assert all(row.is_cash_guest for row in Registration.objects.filter(event=both))
    assert on(table) == 8000
    assert "es wird gespielt" in page_of(lead, both, "cash-table", table.number)


def test_seats_given_up_so_far_say_when_the_next_is_expected(lead, event):
    table = open_table(event, seats=2)
    gone = sit(event, table, "Gast", 1)
    say(cash_out, event, minute=30, registration=gone, cents=0)
    sit(event, table, "Petra Probst", 1, minute=30)
    sit(event, table, "Otto", 2, minute=30)
    for name in ("A", "B"):
        say(cash_wait, event, minute=30, registration=f.register(event, name), table=table)
    places = [one.expected_at for one in tables_shown(event, [table], f.after(40))[0].line]
    assert places == [f.after(80), f.after(120)]


def test_the_paper_of_a_table_has_terms_seats_and_the_list(lead, event):
    table = open_table(event, seats=2, fee_way="time", fee_cents=300, name="Mitte")
    sit(event, table, "Petra Probst", 1)
    say(cash_wait, event, registration=f.register(event, "Otto Kurz"), table=table)
    shows(page_of(lead, event, "papers"), url_of(event, "paper-cash"), but=("Platzzettel",))
    paper = page_of(lead, event, "paper-cash")
    shows(paper, "Mitte", "20 € bis 100 €", "3 € je 30 Minuten", "Petra Probst", "Otto Kurz")
    tournament = f.make_event()
    f.sign_browser_in(lead, Role.DIRECTOR, tournament)
    assert lead.get(url_of(tournament, "paper-cash")).status_code == 404


def test_tips_are_handed_to_a_dealer_with_a_receipt_and_the_drawer_is_right(event):
    desk = f.make_desk(event)
    say(drawer_open, event, desk, float_cents=0)
    table = open_table(event)
    petra = sit(event, table, "Petra Probst", 1, by=desk)
    say(cash_tip, event, desk, table=table, cents=750)
    say(cash_out, event, desk, registration=petra, cents=4250)
    dealer = f.register(event, "Dea Geber")
    for cents in (0, 751):
        f.refuses("bad_amount", say, cash_tips_pay, event, desk, registration=dealer, cents=cents)
    say(cash_tips_pay, event, desk, registration=dealer, cents=750)
    assert Receipt.objects.get(registration=dealer).cents == -750
    (state,) = drawers_of(event)
    say(drawer_close, event, desk, drawer=state.drawer, counted_cents=0)
    assert f.last_action(event).payload["difference_cents"] == 0
    assert_balanced(event)


# --- The cash game to a player and to everybody: lists, offers, the own seat; what is refused


@pytest.fixture
def petra(event, minute):
    minute(0)
    return f.register(event, "Petra")


def page(client, guest):
    return text_of(client.get(reverse("player", args=[guest.link_token])))


def tap(client, guest, what, table=None, **typed):
    sent = {"what": what, **({"table": table.pk} if table else {}), **typed}
    return client.post(reverse("player-cash", args=[guest.link_token]), sent, headers=HTMX)


def test_a_player_asks_for_a_seat_and_leaves_the_list(client, event, petra):
    table = open_table(event, seats=2)
    elsewhere = open_table(make_cash_event(name="Anderswo"))
    for number, name in enumerate(("Eva", "Uwe"), 1):
        sit(event, table, name, number)
    assert "Ich möchte hier spielen" in page(client, petra)
    assert tap(client, petra, "wait", elsewhere).status_code == 404
    assert_refused(tap(client, petra, "wait"), "ganze Zahl")
    assert_refused(tap(client, petra, "bier"), "Das gibt es hier nicht.")
    other = f.register(event, "Zeno")
    assert tap(client, other, "wait", table).status_code == 200
    assert "Du bist Nummer 2 auf der Liste" in text_of(tap(client, petra, "wait", table))
    assert_refused(tap(client, petra, "wait", table), "Steht schon auf der Liste.")
    assert "Ich möchte hier spielen" in text_of(tap(client, petra, "drop", table))
    assert_refused(tap(client, petra, "drop", table), "Steht nicht auf der Liste.")
    assert CashWaiting.objects.live().get().registration == other


def test_a_player_asks_for_any_table_of_some_stakes(client, event, petra):
    first, second = open_table(event, seats=2), open_table(event, seats=2)
    open_table(event, seats=2, big_blind_cents=200)
    assert page(client, petra).count("Egal welcher Tisch mit") == 1
    answer = text_of(tap(client, petra, "wait_any", second))
    assert "Ein Platz an Cash-Tisch 1 ist frei für dich" in answer
    assert set(CashWaiting.objects.live().values_list("table", flat=True)) == {first.pk, second.pk}
    assert CashOffer.objects.live().count() == 1
    assert tap(client, petra, "drop", first).status_code == 200
    assert not CashWaiting.objects.live().exists()


def test_an_offer_is_taken_once_and_then_declined(client, event, petra, minute):
    table = open_table(event)
    assert_refused(tap(client, petra, "accept", table), "Dieses Angebot gilt nicht mehr.")
    tap(client, petra, "wait", table)
    assert "Ein Platz an Cash-Tisch 1 ist frei für dich" in page(client, petra)
    first = CashOffer.objects.live().get()
    minute(1)
    assert "Wir wissen, dass du kommst." in text_of(tap(client, petra, "accept", table))
    kept = CashOffer.objects.live().get()
    assert kept.until > first.until
    assert_refused(tap(client, petra, "accept", table), "Das ist schon eingetragen.")
    assert CashOffer.objects.live().get() == kept
    assert tap(client, petra, "drop", table).status_code == 200
    assert not CashOffer.objects.live().exists()


def test_who_sits_sees_what_he_bought_and_says_when_he_leaves_s18(client, event, petra):
    table = open_table(event)
    assert_refused(tap(client, petra, "leave", minutes="20"), "sitzt an keinem Cash-Tisch")
    say(cash_sit, event, registration=petra, table=table, seat=3, cents=7500)
    shown = page(client, petra)
    shows(shown, "Bisher gekauft</dt><dd>75 €", "Hier sitzt du.")
    slip = shown[shown.index('class="slip-seat"') :]
    assert bare(slip).startswith(
        'class="slip-seat"><div><span class="slip-label">Cash-Tisch</span>'
    )
    assert "Du gehst um" in text_of(tap(client, petra, "leave", minutes="20"))
    said = CashLeave.objects.live().get()
    assert_refused(
        tap(client, petra, "leave", minutes="9999"), "Das liegt nicht mehr an diesem Abend."
    )
    assert_refused(tap(client, petra, "leave", minutes="bald"), "Zahl")
    assert CashLeave.objects.live().get() == said


def test_everybody_sees_tables_seats_lists_and_the_end_and_no_name(client, event, petra):
    table = open_table(event, seats=2)
    for number, name in enumerate(("Eva Ehrlich", "Uwe Unruh"), 1):
        sit(event, table, name, number)
    tap(client, petra, "wait", table)
    url = reverse("tournament", args=[event.slug])
    shown = client.get(url)
    shows(text_of(shown), "0,50 € / 1 €", "Kein Platz frei", "eine Person wartet")
    part = shown.content.decode().split('id="cash-tables"')[1].split("</section>")[0]
    shows(part, but=("Eva", "Petra"))
    assert "Blindplan" not in text_of(shown)
    say(cash_end_set, event, ends_at=f.after(120))
    say(cash_last_hands, event, hands=3)
    assert "Noch 3 Hände an jedem Tisch." in text_of(client.get(url))


# --- An evening with only cash tables is made, kept and ended in words of its own


ASKED = {"name": "Cashrunde", "day": TOMORROW.isoformat(), "time": "19:30"}
OF_A_TOURNAMENT = (
    r"Turnier(?!leitung|seite)|Einchecken|Startgeld|Blindplan|Startstapel|Re-buy|Plätzen frei"
)


def test_a_cash_evening_needs_nothing_of_a_tournament(dora):
    url = f"{reverse('new-event')}?art=cash_game"
    form = dora.get(url).context["form"]
    assert list(form.fields) == ["name", "day", "time", "cash_unit"]
    assert dora.post(reverse("new-event"), ASKED).status_code == 422
    assert dora.post(url, ASKED | {"name": "", "cash_unit": "matches"}).status_code == 422
    assert dora.post(url, ASKED | {"cash_unit": "matches"}).status_code == 302
    event = Event.objects.get()
    assert (event.kind, event.cash_unit, event.fee_cents) == ("cash_game", "matches", 0)
    assert describe(Action.objects.get(kind="event.created")) == "Abend angelegt: Cashrunde"


def test_the_next_evening_is_like_the_last_and_others_are_offered(dora):
    planned(fee_cents=1250, name="Omaha-Abend", starts_at=NOW - timedelta(days=9))
    assert "Cash Game" not in text_of(dora.get(reverse("new-event")))
    cash = {"cash_unit": "points"}
    assert dora.post(f"{reverse('new-event')}?art=cash_game", ASKED | cash).status_code == 302
    again = dora.get(reverse("new-event"))
    assert (again.context["source"].name, again.context["plan"]) == ("Cashrunde", None)
    assert [one.name for one in again.context["others"]] == ["Omaha-Abend"]
    assert "?art=cash_game" in text_of(again)


def test_no_page_of_a_cash_evening_speaks_of_a_tournament(client):
    event = make_cash_event(name="Runde", capacity=2)
    for name in ("Anna", "Bert", "Cleo"):
        f.register(event, name)
    assert not Waiting.objects.filter(event=event).exists()
    client.cookies[COOKIE] = f.sign_in("Leitung", Role.DIRECTOR, event).token
    names = ("event-settings", "event-end", "event-cancel", "tournament", "desk", "director",
             "paper-poster", "papers")  # fmt: skip

    def said(name):
        page = text_of(client.get(reverse(name, args=[event.slug])))
        main = page[page.index("<main") : page.index("</main>")]
        shown = re.sub(r"<[^>]+>", "|", re.sub(r"<(option|script)\b.*?</\1>", "", main))
        return re.findall(rf"[^|]*(?:{OF_A_TOURNAMENT})[^|]*", shown)

    assert {name: said(name) for name in names} == {name: [] for name in names}
    assert "Cash Game, 3 angemeldet" in text_of(client.get(reverse("home")))
    f.drive(event_end, event, 60)
    assert said("director") == said("event-settings") == said("tournament") == []


def test_the_settings_of_a_cash_evening_are_saved_and_its_copy_has_no_plan(dora):
    event = make_cash_event(starts_at=planned().starts_at, at=f.after(0), name="Runde")
    assert save(dora, event, "cash_unit", cash_unit="points").status_code == 302
    event.refresh_from_db()
    assert event.cash_unit == "points"
    assert "fee_cents" not in dora.get(card_with(event, "fee_cents")).context["form"].fields
    page = text_of(dora.get(reverse("event-copy", args=[event.slug])))
    shows(page, "Abend kopieren", but=("Blindplan",))


# --- Who plays cash was there; an evening that ends with money on a table names it


def test_who_plays_cash_beside_a_tournament_is_no_no_show():
    event = f.make_running_event(2, kind="both", no_show_minutes=10, late_registration_level=9)
    f.register(event, "Anna")
    sit(event, open_table(event), "Gustav", 1)
    assert [row.person.name for row in noshows(event, f.after(30))] == ["Anna"]


def test_who_sits_down_at_a_cash_table_is_there_until_that_is_taken_back(client):
    event = f.make_event(kind="both")
    petra = sit(event, open_table(event), "Petra Probst", 1)
    own = reverse("player", args=[petra.link_token])
    shown = text_of(client.get(own))
    assert "Wir wissen, dass du da bist" in shown
    assert shown.index("Bisher gekauft") < shown.index("Du bist angemeldet")
    assert are_here([petra.pk]) == {petra.pk}
    f.undo(event)
    assert not are_here([petra.pk])
    assert "Wir wissen, dass du da bist" not in text_of(client.get(own))


def test_who_played_cash_was_there_and_who_only_came_was_not(event):
    table = open_table(event)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    say(cash_out, event, registration=petra, cents=5000)
    otto = f.register(event, "Otto Kurz")
    sit(event, table, "Anna Berger", 2, 5000)
    undo_last(event)
    other = f.make_event()
    came = {guest.registration.person.name: guest.came for guest in guests_of(event, other)}
    assert came == {"Petra Probst": True, "Otto Kurz": False, "Anna Berger": False}
    evenings = dict(with_evenings(people_of(event.club)).values_list("name", "evenings"))
    assert (evenings["Petra Probst"], evenings["Otto Kurz"]) == (1, 0)
    assert [row.has_played for row in evenings_of(petra.person)] == [True]
    assert [row.has_played for row in evenings_of(otto.person)] == [False]
    say(event_end, event, minute=180)
    assert profile_of(petra.person).cash == 1
    assert profile_of(otto.person).cash == 0
    found = statistics_of(event.club)
    assert [(one.people, one.minutes) for one in found.evenings] == [(1, 180)]
    assert found.different == 1


def test_the_end_names_what_lies_on_tables_and_keeps_it_due(client, event):
    table = open_table(event)
    petra = sit(event, table, "Petra Probst", 1, 5000)
    otto = sit(event, table, "Otto Kurz", 2, 10_000)
    f.sign_browser_in(client, Role.DIRECTOR, event)
    asked = text_of(client.get(reverse("event-end", args=[event.slug])))
    shows(asked, "An Cash-Tisch 1 liegen noch 150 €, 2 sitzen.", "Abend beenden")
    say(event_end, event)
    page = text_of(client.get(reverse("director", args=[event.slug])))
    shows(page, "An Cash-Tisch 1 liegen noch 150 €, 2 sitzen", but=("Ergebnis ansehen",))
    say(cash_out, event, registration=petra, cents=5000)
    say(cash_out, event, registration=otto, cents=10_000)
    say(cash_table_close, event, table=table)
    assert "An Cash-Tisch 1" not in text_of(client.get(reverse("director", args=[event.slug])))


def test_after_the_end_no_screen_speaks_of_hands_and_closed_tables_add_up(client, event):
    main, feeder = open_table(event), open_table(event)
    petra = sit(event, feeder, "Petra Probst", 1, 5000)
    say(cash_last_hands, event, hands=3)
    say(cash_move, event, registration=petra, table=main, seat=1, stack_cents=5000)
    say(cash_out, event, registration=petra, cents=5000)
    for table in (main, feeder):
        say(cash_table_close, event, table=table)
    assert [one["carried_cents"] for one in closed_tables(event)] == [5000, -5000]
    say(event_end, event)
    event.refresh_from_db()
    assert hall_cash_end(event) == {"ends": None, "last": None}
    f.sign_browser_in(client, Role.DIRECTOR, event)
    page = text_of(client.get(reverse("cash-game", args=[event.slug])))
    shows(page, "Das Cash Game ist zu Ende.", but=("Noch 3 Hände",))
    third = open_table(event)
    f.refuses("over", say, cash_hand_begin, event, table=third)
