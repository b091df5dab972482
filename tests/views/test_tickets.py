"""A ticket at the desk, on the winner's phone, on paper and in the club's list."""

import pytest

from tests import factories as f
from tests.pressing import HTMX, done, shows, text_of, url_of
from tests.services.test_tickets import here, target, won
from tournaments.changes.access import Role
from tournaments.changes.views.decorators import qr_svg
from tournaments.door.services.arrivals import entry_check_in
from tournaments.event.services.clock import clock_start
from tournaments.models import TicketUse
from tournaments.money.services.fees import fee_pay
from tournaments.payouts.services.prizes import prizes_plan
from tournaments.prizes.domain.plans import PrizePlan, Way

pytestmark = pytest.mark.django_db


@pytest.fixture
def main():
    return target()


@pytest.fixture
def evening(main):
    satellite, tickets = won(main)
    return main, satellite, tickets[0]


def test_the_desk_takes_the_ticket_where_the_person_is_registered(client, evening):
    event, _satellite, ticket = evening
    row = here(event, ticket)
    f.sign_browser_in(client, Role.DESK, event)
    sheet = text_of(client.get(url_of(event, "desk-correct", row.pk), headers=HTMX))
    shows(sheet, f"Mit Ticket zahlen: {ticket.name}, 250 €")
    done(client, event, "ticket-redeem", row.pk, ticket.pk)
    assert TicketUse.objects.live().get().registration == row
    sheet = text_of(client.get(url_of(event, "desk-correct", row.pk), headers=HTMX))
    assert "Mit Ticket zahlen" not in sheet
    assert f.drive(entry_check_in, event, -10, registration=row)
    shows(text_of(client.get(f"{url_of(event, 'desk')}?shown={row.pk}")), "25 € kassieren")


def test_the_winner_sees_the_ticket_on_both_pages(client, evening):
    event, _satellite, ticket = evening
    page = text_of(client.get(f"/p/{ticket.registration.link_token}/"))
    shows(page, "Dein Ticket: 250 €", "Damit zahlst du bei Main Event", ticket.name)
    row = here(event, ticket)
    page = text_of(client.get(f"/p/{row.link_token}/"))
    shows(page, "Dein Ticket: 250 €", "Sag an der Anmeldung")
    f.sign_browser_in(client, Role.DESK, event)
    done(client, event, "ticket-redeem", row.pk, ticket.pk)
    for one in (row, ticket.registration):
        assert "Dein Ticket" not in text_of(client.get(f"/p/{one.link_token}/"))


def test_a_ticket_is_scanned_or_typed_at_the_desk_and_leads_to_its_person(client, evening):
    event, _satellite, ticket = evening
    page = client.get(f"/p/{ticket.registration.link_token}/").content.decode()
    assert qr_svg(ticket.name) in page
    f.sign_browser_in(client, Role.DESK, event)

    def typed(text):
        return client.get(url_of(event, "desk-list"), {"q": text}, headers=HTMX)

    name = ticket.registration.person.name
    shows(text_of(typed(ticket.name)), f"Ticket {ticket.name} gehört {name}", "Erst anmelden")
    row = here(event, ticket)
    sheet = url_of(event, "desk-check-in", row.pk)
    # A scanner set to an American keyboard types another dash.
    for text in (ticket.name, ticket.name.replace("-", "ß")):
        assert typed(text).context["scanned_url"] == sheet
    shows(text_of(client.get(sheet, headers=HTMX)), f"Mit Ticket zahlen: {ticket.name}")
    done(client, event, "ticket-redeem", row.pk, ticket.pk)
    shows(text_of(typed(ticket.name)), "zahlt hier nicht", "ist schon eingelöst", name)
    assert "Diesen Code gibt es nicht" in text_of(typed("T-999999"))


def test_tickets_are_printed_and_listed_with_their_sums(client, evening):
    event, satellite, ticket = evening
    f.sign_browser_in(client, Role.DIRECTOR)
    payouts = client.get(url_of(satellite, "payouts"))
    assert url_of(satellite, "ticket", ticket.pk) in payouts.content.decode()
    slip = text_of(client.get(url_of(satellite, "ticket", ticket.pk)))
    shows(slip, ticket.name, ticket.registration.person.name, "Main Event", "250 €")
    assert client.get(url_of(event, "ticket", ticket.pk)).status_code == 404
    listed = text_of(client.get("/verein/tickets/"))
    shows(listed, "Gewonnen 500 €", "Offen 500 €", ticket.name, ticket.registration.person.name)
    statistics = text_of(client.get("/verein/statistik/"))
    shows(statistics, "Tickets aus Satelliten: 500 € offen von 500 €")


def test_a_club_without_satellites_sees_nothing_of_tickets(client, main):
    row = f.register(main, "Petra Probst")
    f.sign_browser_in(client, Role.DIRECTOR)
    for page in (
        f"/p/{row.link_token}/",
        url_of(main, "desk-correct", row.pk),
        url_of(main, "director"),
        "/verein/statistik/",
    ):
        assert "Ticket" not in text_of(client.get(page))


def test_the_plan_of_a_satellite_names_the_event_its_tickets_pay_for(client, main):
    satellite = f.make_event(name="Satellit", fee_cents=5_000)
    f.sign_browser_in(client, Role.DIRECTOR)
    sent = {
        "way": "seats", "seat_cents": "250", "seat_name": "Main Event", "seats_for": main.pk,
        "tickets_until": "2026-12-31", "tickets_rest": "pool", "target_stack": "10000",
    }  # fmt: skip
    assert client.post(url_of(satellite, "prizes"), sent).status_code == 302
    plan = f.fresh(satellite).prize_plan
    assert (plan.seats_for, plan.tickets_until, plan.target_stack) == (main.pk, "2026-12-31", 10000)
    assert plan.tickets_rest == "pool"
    again = client.get(url_of(satellite, "prizes")).content.decode()
    shows(again, f'<option value="{main.pk}" selected>', 'value="2026-12-31"')


def test_the_arbiter_gives_a_seat_for_the_target_stack(client):
    event = f.make_event(name="Satellit", fee_cents=5_000)
    plan = PrizePlan(way=Way.SEATS, seat_cents=10_000, target_stack=400)
    f.drive(prizes_plan, event, -50, plan=plan)
    rows = [f.register(event, name) for name in ("Anna", "Bert", "Cora", "Doro")]
    entries = [f.check_in(event, row) for row in rows]
    f.drive(clock_start, event, 0)
    for row in rows:
        f.drive(fee_pay, event, 1, registration=row)
    f.sign_browser_in(client, Role.ARBITER, event)
    sheet = text_of(client.get(url_of(event, "floor-player", entries[0].pk)))
    shows(sheet, "Zielstapel 400: gezählt", "Platz gewonnen")
    done(client, event, "floor-target", entries[0].pk, stack="500")
    sheet = text_of(client.get(url_of(event, "floor-player", entries[0].pk)))
    shows(sheet, "hat mit dem Zielstapel einen Platz gewonnen")
    assert "ausgeschieden" not in text_of(client.get(f"/p/{rows[0].link_token}/"))
