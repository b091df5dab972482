"""After an evening: what its page tells and keeps to itself, and what all evenings come to."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse

from tests import buying
from tests import factories as f
from tests.calling import call_service
from tests.pressing import shows
from tests.seasons import PLAYERS, WEEK, end, evening, in_club, person
from tests.services.test_bounties import out
from tests.test_for_nothing import WORDS, read
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.services.clock import clock_start
from tournaments.event.services.counts import count_change
from tournaments.event.services.lifecycle import event_cancel, event_end
from tournaments.models import Action, Event, EventHead, Registration
from tournaments.people.services.members import people_merge
from tournaments.privacy.services.privacy import person_erase
from tournaments.rebuys.services.purchases import addon_buy, entry_reenter
from tournaments.seasons.selectors.review import review_of
from tournaments.seasons.selectors.statistics import checked_of, statistics_of

pytestmark = pytest.mark.django_db
A, B, C, D = PLAYERS


def url(event):
    return reverse("review", args=[event.slug])


def shown(client, event):
    answer = client.get(url(event))
    assert answer.status_code == 200
    return text_of(answer)


def told(event):
    return review_of(f.fresh(event))


def unlist(event, name):
    Registration.objects.filter(event=event, person=person(name)).update(is_listed=False)
    EventHead.objects.filter(pk=event.pk).update(version=event.version + 1)


def test_it_tells_places_figures_and_who_knocked_out_whom():
    event = evening()
    review = told(event)
    assert [(line.place, line.name, line.takers) for line in review.lines] == [
        (1, A, []), (2, B, [A]), (3, C, [B]), (4, D, [C]),
    ]  # fmt: skip
    assert (review.people, review.entries, review.rebuys, review.addons) == (4, 4, 0, 0)
    assert review.lasted == "30 min"
    assert review.began_at == f.START
    assert review.ended_at == f.after(30)
    assert [(one.name, one.heads, one.taken) for one in review.hunters] == [
        (A, "1", [B]), (B, "1", [C]), (C, "1", [D]),
    ]  # fmt: skip
    assert len(review.best_hunters) == 3
    assert [[disc.text for disc in row.discs] for row in review.hunt.rows] == [
        ["BB"],
        ["CC"],
        ["DD"],
    ]
    assert review.left == [(f.START, 4), (f.after(30), 1)]


def test_a_head_that_two_took_is_a_half_for_each():
    event = f.make_running_event(3)
    one, two, three = f.entries_of(event)
    out(event, three, one, two, minute=10)
    f.out(event, two, at=f.after(20))
    end(event, f.after(21))
    review = told(event)
    assert [one.heads for one in review.hunters] == ["0,5", "0,5"]
    assert all(disc.is_shared for row in review.hunt.rows for disc in row.discs)


def test_who_entered_anew_has_one_place_and_two_entries_and_what_was_bought_is_counted():
    event = buying.evening(4, rebuy_level=0)
    first, second, *others = f.entries_of(event)
    buying.lose(event, first, 5)
    buying.do(entry_reenter, event, 8, entry=first)
    buying.do(addon_buy, event, 9, entry=second)
    for minute, entry in zip((20, 40), others, strict=True):
        buying.lose(event, entry, minute)
    buying.lose(event, f.entries_of(event)[-1], 60)
    end(event, f.after(61))
    review = told(event)
    assert (review.people, review.entries, review.rebuys, review.addons) == (4, 5, 0, 1)
    assert [line.place for line in review.lines] == [1, 2, 3, 4]
    assert review.left == [(f.START, 4), (f.after(30), 3), (f.after(60), 1)]


def test_who_did_not_agree_is_initials_everywhere_even_to_staff(client):
    event = evening()
    unlist(event, B)
    for sign_in in (False, True):
        if sign_in:
            f.sign_browser_in(client, Role.DIRECTOR, event)
        shows(shown(client, event), "gegen BB", A, but=("Bert", "Buch"))
    assert [[disc.text for disc in row.discs] for row in told(event).hunt.rows] == [
        ["BB"], ["CC"], ["DD"],
    ]  # fmt: skip


def test_erased_and_merged_people_are_told_as_they_are_now(client):
    event = evening()
    shown(client, event)
    in_club(person_erase, person=person(B))
    shows(shown(client, event), "gegen gelöscht", but=("Bert",))
    in_club(person_erase, person=person(C), keeps_initials=True)
    assert "CC" in [disc.text for row in told(event).hunt.rows for disc in row.discs]
    evening(("Eva Ernst", "Anna Ost", "Fritz Funk"), number=1)
    in_club(people_merge, kept=person("Anna Ost"), gone=person(A))
    assert A not in shown(client, event)
    assert told(event).winners[0].name == "Anna Ost"


def test_what_was_taken_back_is_not_told():
    event = f.make_running_event(4)
    entries = f.entries_of(event)
    f.undo(event, f.out(event, entries[0], at=f.after(5)), at=f.after(6))
    f.out(event, *entries[1:], at=f.after(40))
    end(event, f.after(50))
    review = told(event)
    assert review.winners[0].name == entries[0].registration.person.name
    assert review.ended_at == f.after(40)
    assert review.hunters == []
    assert review.hunt is None


def test_before_the_end_it_says_so_and_shows_nobody(client):
    event = f.make_running_event(4)
    f.out(event, f.entries_of(event)[0], at=f.after(12))
    shows(shown(client, event), "Noch nicht zu Ende", but=('<svg class="review',))
    planned = f.make_event(name="Morgen")
    f.drive(event_cancel, planned, -60)
    assert "Abgesagt" in shown(client, planned)
    assert client.get(url(f.make_event(is_clock_only=True, name="Nur Uhr"))).status_code == 404


def test_results_lead_there_once_they_are_final_and_a_link_shows_who_has_won(client):
    event = f.make_running_event(2)
    results = reverse("results", args=[event.slug])
    f.out(event, f.entries_of(event)[0], at=f.after(12))
    assert url(event) not in client.get(results).content.decode()
    end(event, f.after(20))
    assert url(event) in client.get(results).content.decode()
    done = evening(number=1)
    page = client.get(url(done)).content.decode()
    shows(page, 'property="og:image"', f'property="og:title" content="{done.name}: Rückblick"')
    shows(page, "Gewonnen: Anna Ast. 4 haben mitgespielt. Gespielt von", "data-print")


def test_an_evening_for_nothing_has_no_word_of_money(client):
    event = evening(("<b>Anna</b> Ast", B, C, "x" * 190), fee_cents=0)
    page = client.get(url(event)).content.decode()
    assert WORDS.findall(read(page, "text/html")) == []
    # Names in the pictures are text and nothing more.
    shows(page, "&lt;b&gt;Anna", but=("<b>Anna",))
    f.sign_browser_in(client, Role.DIRECTOR)
    page = client.get("/verein/statistik/").content.decode()
    assert event.name in page
    assert WORDS.findall(read(page, "text/html")) == []


def test_it_asks_as_much_of_many_and_changes_nothing(django_assert_max_num_queries):
    event = f.make_running_event(12)
    first, *others = f.entries_of(event)
    for minute, entry in enumerate(others, start=1):
        out(event, entry, first, minute=minute)
    end(event, f.after(60))
    before = Action.objects.count()
    row = Event.objects.select_related("club", "clock", "head__started_by", "head__ended_by").get(
        pk=event.pk
    )
    with django_assert_max_num_queries(12):
        review = review_of(row)
    assert review.hunters[0].heads == "11"
    assert review.ended_at - review.began_at == timedelta(minutes=11)
    assert Action.objects.count() == before


URL = "/verein/statistik/"


def statistics_shown(client, **asked):
    answer = client.get(URL, asked)
    assert answer.status_code == 200
    return text_of(answer)


def test_figures_of_evenings_that_are_over():
    evening()
    last = evening((A, B, "Eva Ernst"), number=1)
    f.make_running_event(5, name="Läuft noch")
    found = statistics_of(f.house())
    assert [(one.people, one.entries, one.minutes) for one in found.evenings] == [
        (4, 4, 30), (3, 3, 20),
    ]  # fmt: skip
    assert found.different == 5
    assert found.average == 3.5
    assert found.lasted == "25 min"
    assert found.late == 0
    assert sum(one["entries"] for one in found.hours) == 7
    assert sum(one["outs"] for one in found.hours) == 5
    f.undo(last, at=f.after(60) + WEEK)
    assert [one.people for one in statistics_of(f.house()).evenings] == [4]


def test_an_evening_without_names_counts_its_heads():
    event = f.make_event(is_clock_only=True)
    for _one in range(6):
        call_service(count_change, event=event, by=SYSTEM, at=f.ARRIVAL, what="entries", step=1)
    call_service(clock_start, event=event, by=SYSTEM, at=f.START + timedelta(minutes=12))
    call_service(event_end, event=f.fresh(event), by=SYSTEM, at=f.after(72))
    (one,) = statistics_of(f.house()).evenings
    assert (one.people, one.entries, one.late, one.minutes) == (6, 6, 12, 60)
    assert not one.has_places


def test_forecasts_stand_beside_the_truth_and_short_evenings_have_none(dora):
    cache.clear()
    assert "Noch kein Abend ist zu Ende gespielt" in statistics_shown(dora)
    evening(number=-1)
    event = f.make_running_event(8, name="Lang 0")
    for number, entry in enumerate(f.entries_of(event)[1:], start=1):
        f.out(event, entry, at=f.after(25 * number))
    f.drive(event_end, event, 180)
    (one,) = checked_of(f.house())
    assert one.ended == f.after(175)
    assert one.at == f.after(60)
    assert one.earliest <= one.ends_at <= one.latest
    assert one.off == round((one.ends_at - one.ended).total_seconds() / 60)
    assert one.slug == event.slug
    text = statistics_shown(dora)
    shows(text, "Vorhersage und Wahrheit", "Wann am meisten los ist", "Lang 0", "season-chart")
    assert reverse("club-statistics") in dora.get(reverse("club-settings")).content.decode()
