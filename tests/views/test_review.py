"""The page after an evening: what it tells, of whom, and what it keeps to itself."""

from datetime import timedelta

import pytest
from django.urls import reverse

from tests import buying
from tests import factories as f
from tests.calling import call_service
from tests.seasons import PLAYERS, end, evening, in_club, person
from tests.test_for_nothing import WORDS, read
from tests.views.pages import text_of
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.services.lifecycle import event_cancel
from tournaments.models import Action, Elimination, Event, Registration
from tournaments.people.services.members import people_merge
from tournaments.play.services.elimination_details import knockout_set
from tournaments.privacy.services.privacy import person_erase
from tournaments.rebuys.services.purchases import addon_buy, entry_reenter
from tournaments.seasons.selectors.review import review_of

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
    Event.objects.filter(pk=event.pk).update(version=event.version + 1)


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
    f.out(event, three, at=f.after(10))
    said = {"event": f.fresh(event), "by": SYSTEM, "at": f.after(11)}
    row = Elimination.objects.live().get(entry=three)
    call_service(knockout_set, **said, eliminations=[row], takers=[one, two])
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
        text = shown(client, event)
        assert "Bert" not in text
        assert "Buch" not in text
        assert "gegen BB" in text
        assert A in text
    assert [[disc.text for disc in row.discs] for row in told(event).hunt.rows] == [
        ["BB"], ["CC"], ["DD"],
    ]  # fmt: skip


def test_erased_and_merged_people_are_told_as_they_are_now(client):
    event = evening()
    shown(client, event)
    in_club(person_erase, person=person(B))
    text = shown(client, event)
    assert "Bert" not in text
    assert "gegen gelöscht" in text
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
    text = shown(client, event)
    assert "Noch nicht zu Ende" in text
    assert '<svg class="review' not in text
    planned = f.make_event(name="Morgen")
    call_service(event_cancel, event=planned, by=SYSTEM, at=f.ARRIVAL)
    assert "Abgesagt" in shown(client, planned)


def test_there_is_none_where_only_the_clock_runs(client):
    event = f.make_event(is_clock_only=True)
    assert client.get(url(event)).status_code == 404


def test_results_lead_there_once_they_are_final_and_a_link_shows_who_has_won(client):
    event = f.make_running_event(2)
    results = reverse("results", args=[event.slug])
    f.out(event, f.entries_of(event)[0], at=f.after(12))
    assert url(event) not in client.get(results).content.decode()
    end(event, f.after(20))
    assert url(event) in client.get(results).content.decode()
    done = evening(number=1)
    page = client.get(url(done)).content.decode()
    assert 'property="og:image"' in page
    assert f'property="og:title" content="{done.name}: Rückblick"' in page
    assert "Gewonnen: Anna Ast. 4 haben mitgespielt. Gespielt von" in page
    assert "data-print" in page


def test_an_evening_for_nothing_has_no_word_of_money(client):
    event = evening(fee_cents=0)
    assert WORDS.findall(read(client.get(url(event)).content.decode(), "text/html")) == []
    f.sign_browser_in(client, Role.DIRECTOR)
    page = client.get("/verein/statistik/").content.decode()
    assert event.name in page
    assert WORDS.findall(read(page, "text/html")) == []


def test_names_in_the_pictures_are_text_and_nothing_more(client):
    event = evening(("<b>Anna</b> Ast", B, C, "x" * 190))
    page = client.get(url(event)).content.decode()
    assert "<b>Anna" not in page
    assert "&lt;b&gt;Anna" in page


def test_it_asks_as_much_of_many_and_changes_nothing(django_assert_max_num_queries):
    event = f.make_running_event(30)
    first, *others = f.entries_of(event)
    for minute, entry in enumerate(others, start=1):
        f.out(event, entry, at=f.after(minute))
        row = Elimination.objects.live().get(entry=entry)
        said = {"event": f.fresh(event), "by": SYSTEM, "at": f.after(minute)}
        call_service(knockout_set, **said, eliminations=[row], takers=[first])
    end(event, f.after(60))
    before = Action.objects.count()
    row = Event.objects.select_related("club", "clock", "started_by", "ended_by").get(pk=event.pk)
    with django_assert_max_num_queries(12):
        review = review_of(row)
    assert review.hunters[0].heads == "29"
    assert review.ended_at - review.began_at == timedelta(minutes=29)
    assert Action.objects.count() == before
