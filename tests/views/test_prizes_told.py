"""Who is told what of prizes, and when: players, arbiters, the walls, the director, files."""

import csv
import io

import pytest

from tests import factories as f
from tests.pressing import press, shows, url_of
from tests.services.test_deals import agree, offer
from tests.services.test_prizes import THREE, planned, played
from tests.views.pages import page_of, text_of
from tests.views.test_outs import put_out
from tournaments.changes.access import Role
from tournaments.dashboard.selectors.due import DueKind, due_items
from tournaments.event.services.lifecycle import event_end
from tournaments.payouts.services.deals import deal_allow
from tournaments.payouts.services.payees import payout_pay
from tournaments.payouts.services.prizes import prizes_freeze, prizes_plan
from tournaments.people.selectors.people import names_shown
from tournaments.prizes.domain.plans import PrizePlan, Way
from tournaments.screens.selectors.faces import hall_prizes
from tournaments.screens.views.big_screen import screen_payload
from tournaments.seating.selectors.balancing import floor_advice

pytestmark = pytest.mark.django_db


def due(event):
    event = f.fresh(event)
    found = due_items(event, f.after(100), advice=floor_advice(event, f.after(100)))
    return {item.kind: item for item in found}


def page(client, entry):
    return text_of(client.get(f"/p/{entry.registration.link_token}/"))


def test_a_player_reads_his_prize_and_that_it_is_not_fixed_yet(client, minute):
    minute(60)
    event, by_place = played(planned(10))
    shows(page(client, by_place[1]), "dein Preis</span> <strong>30 €</strong>", "So steht es jetzt")
    assert "dein Preis" not in page(client, by_place[3])
    f.drive(prizes_freeze, event, 60)
    shows(page(client, by_place[1]), "<strong>30 €</strong>", but=("So steht es jetzt",))


def test_nobody_is_told_while_somebody_may_still_come(client, dora, minute):
    minute(5)
    event, by_place = played(planned(10, late_registration_level=1))
    assert "dein Preis" not in page(client, by_place[1])
    assert hall_prizes(event, f.after(5))[0][:1] == [1]
    assert len(hall_prizes(event, f.after(5))[0]) == 2
    assert screen_payload(event)["stakes"]["prizes"] == []
    assert "€</" not in page_of(dora, event, "results")
    minute(55)
    assert "<strong>30 €</strong>" in page(client, by_place[1])
    assert hall_prizes(f.fresh(event), f.after(55))[0][2] == "50\xa0€"


def test_the_arbiter_reads_the_prize_with_the_place(client, minute):
    minute(60)
    event, _by_place = played(planned(10), last=4)
    f.sign_browser_in(client, Role.ARBITER, event)
    fourth, third = f.entries_of(event)[-4:-2]
    assert "€" not in text_of(put_out(client, event, fourth))
    told = text_of(put_out(client, event, third))
    shows(told, "Platz 3", '<strong class="outs-told">20 €</strong>')


def test_the_wall_shows_what_is_played_for_and_who_has_what(client, minute):
    minute(60)
    event, by_place = played(planned(10), last=2)
    third = names_shown(event, in_hall=True)[by_place[2].registration_id]
    rows = hall_prizes(event, f.after(60))
    told = [["1", "", "50\xa0€"], ["2", "", "30\xa0€"], [3, third, "20\xa0€"]]
    assert rows[:3] == told
    assert rows[3][0::2] == [4, ""]
    payload = screen_payload(event)
    assert (payload["paid"], payload["stakes"]["pot"]) == (3, "100\xa0€")
    assert payload["stakes"]["prizes"] == [["1", "50\xa0€"], ["2", "30\xa0€"]]
    f.out(event, by_place[1], at=f.after(61))
    minute(62)
    podium = screen_payload(f.fresh(event))["podium"]
    assert [row[2] for row in podium] == ["50\xa0€", "30\xa0€", "20\xa0€"]


def test_after_a_deal_the_wall_tells_what_is_left_to_play_for_and_never_the_old_prize(minute):
    minute(60)
    event, by_place = played(planned(10), last=3)
    f.drive(prizes_freeze, event, 61)
    f.drive(deal_allow, event, 61)
    stacks = dict(zip([entry.pk for entry in by_place], (1000, 600, 400), strict=False))
    offer(event, stacks, 62, prizes=[5000, 3000, 2000], kept=1000)
    agree(event, 63)
    minute(64)
    event = f.fresh(event)
    assert screen_payload(event)["stakes"]["prizes"] == [["1", "10\xa0€"]]
    assert hall_prizes(event, f.after(64))[0] == ["1", "", "10\xa0€"]


def test_the_wall_sells_until_all_is_sold_and_counts_down_to_the_money(minute):
    minute(5)
    terms = {"rebuy_level": 3, "rebuy_cents": 1000, "addon_level": 3, "addon_cents": 500}
    event = planned(12, seats=6, addon_chips=20_000, **terms)
    told = screen_payload(event)
    assert told["stakes"]["sells"] == [["Re-buy", "10\xa0€", 0, 2], ["Add-on", "5\xa0€", 0, 2]]
    assert told["stakes"]["addon"] == {"name": "Add-on", "chips": 20_000}
    assert (told["to_money"], told["stakes"]["is_final"]) == (0, False)
    minute(90)
    for number, entry in enumerate(f.entries_of(event)[:7]):
        f.out(event, entry, at=f.after(70 + number))
    told = screen_payload(f.fresh(event))
    assert (told["to_money"], told["stakes"]["is_final"]) == (2, True)


def test_where_no_money_is_played_the_wall_has_no_word_of_it(client):
    event = f.make_running_event(4)
    page = page_of(client, event, "screen")
    assert screen_payload(event)["stakes"] is None
    assert not [word for word in ("Preistopf", "Bountys", "Nächster Preis", "€") if word in page]


def test_the_pages_of_the_tournament_and_its_files_have_them(client, dora, minute):
    minute(60)
    event, by_place = played(planned(10))
    told = page_of(client, event, "tournament")
    assert "live-prizes" in told  # while it runs: the way to the money, and the next jumps
    assert '<td class="number">30 €</td>' in page_of(client, event, "results")
    public = client.get(url_of(event, "results-csv")).content.decode()
    assert "Preis" in public.splitlines()[0]
    assert "30\xa0€" in public
    places = client.get(url_of(event, "results-json")).json()["places"]
    assert [row["prize"] for row in places[:4]] == ["50\xa0€", "30\xa0€", "20\xa0€", ""]
    f.drive(prizes_freeze, event, 60)
    row = by_place[1].registration
    f.drive(payout_pay, event, 61, registration=row, amount_cents=3000)
    answer = dora.get(url_of(event, "export-prizes-csv"))
    text = b"".join(answer.streaming_content).decode().removeprefix("\ufeff")
    lines = list(csv.DictReader(io.StringIO(text, newline=""), delimiter=";"))
    assert [(line["Rang"], line["Preis"], line["Ausgezahlt"]) for line in lines] == [
        ("1", "50,00", ""), ("2", "30,00", "30,00"), ("3", "20,00", ""),
    ]  # fmt: skip
    assert "preise.csv" in page_of(dora, event, "export")
    assert "preise.csv" not in page_of(dora, f.make_event(name="Ohne"), "export")


def test_what_is_due_of_prizes(dora, minute):
    event, by_place = played(planned(10))
    assert "festgeschrieben" in due(event)[DueKind.PRIZES].title
    f.drive(prizes_freeze, event, 60)
    assert DueKind.PRIZES not in due(event)
    row = by_place[1].registration
    f.drive(payout_pay, event, 61, registration=row, amount_cents=3000)
    last_out = event.actions.filter(kind="entry.eliminated").order_by("-sequence").first()
    f.undo(event, last_out)
    assert (
        due(event)[DueKind.PAID_TOO_MUCH].title == f"{row.person.name} hat 30\xa0€ zu viel bekommen"
    )
    f.out(event, by_place[1], at=f.after(70))
    assert DueKind.PAID_TOO_MUCH not in due(event)
    f.drive(event_end, event, 80)
    assert due(event)[DueKind.PAYOUTS].title == "2 bekommen noch Geld"
    minute(100)
    assert "Auszahlen" in page_of(dora, event, "director")


def test_prizes_that_cannot_be_paid_are_said_to_the_director_alone(client, dora, minute):
    minute(60)
    plan = PrizePlan(way=Way.AMOUNTS, amounts=(9000, 3000))
    event, _by_place = played(planned(10, plan))
    assert "20 € mehr, als im Topf ist" in due(event)[DueKind.PRIZES].note.replace("\xa0", " ")
    assert "20 € mehr" in page_of(dora, event, "prizes")
    assert press(dora, event, "prizes-freeze").status_code == 422
    assert 'id="prizes"' not in page_of(client, event, "tournament")


def test_who_ties_reads_what_he_shares_and_a_seat_is_named(client, minute):
    minute(60)
    event = planned(6, THREE)
    order = f.entries_of(event)
    for at, entry in enumerate(order[:3], 10):
        f.out(event, entry, at=f.after(at))
    f.out(event, *order[3:5], at=f.after(20))
    # 60 € in all: 30, 20 and 10 €; the second and third share 30.
    for entry in order[3:5]:
        assert "<strong>15 €</strong>" in page(client, entry)
    event = f.make_running_event(10, fee_cents=1000)
    plan = PrizePlan(way=Way.SEATS, seat_cents=5000, seat_name="Finale", added_cents=10_000)
    f.drive(prizes_plan, event, 1, plan=plan)
    event, by_place = played(f.fresh(event))
    assert "Platz: Finale (50 €)" in page(client, by_place[0])
