"""Settings of an event are declared once; what is no setting is named here, so none is lost."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM, Role
from tournaments.event.forms.fields import field_for
from tournaments.event.forms.settings import SettingsForm
from tournaments.event.selectors.settings.declared import SETTINGS, setting_names, setting_of
from tournaments.event.services.lifecycle import event_copy
from tournaments.models import Event
from tournaments.models.log import Logged

# What an event is, what it becomes, and what nobody chooses.
NO_SETTINGS = {
    "id", "club", "slug", "clock", "draw_sealed", "is_sample", "started_by", "ended_by",
    "cancelled_by",
}  # fmt: skip


ORDINARY = (
    "game", "capacity", "seats_per_table", "offer_minutes", "final_table_seats",
    "members_first_until", "is_registration_open",
)  # fmt: skip


def test_every_column_of_an_event_is_a_setting_or_said_to_be_none():
    inherited = {field.name for field in Logged._meta.get_fields()}
    columns = {field.attname: field.name for field in Event._meta.concrete_fields}
    declared = set(setting_names(lambda setting: setting.is_column))
    own = {
        column for column, name in columns.items() if not {column, name} & (NO_SETTINGS | inherited)
    }
    assert declared == own


def test_what_is_asked_when_an_event_is_made_can_be_changed_later():
    for setting in SETTINGS:
        assert setting.is_changeable or not setting.is_asked_when_made, setting.name
    assert setting_of("no_such_setting") is None


@pytest.mark.django_db
def test_next_weeks_event_has_what_is_copied_and_nothing_else():
    source = f.make_event(
        fee_cents=1500, paid_places=4, is_registration_open=False, is_gate_open=True
    )
    made = call_service(event_copy, club=source.club, by=SYSTEM, at=f.ARRIVAL, source=source)
    copy = f.fresh(Event(pk=made.payload["event"]))
    for name in setting_names(lambda setting: setting.is_column and setting.is_copied):
        assert getattr(copy, name) == getattr(source, name), name
    assert (copy.fee_cents, copy.paid_places) == (1500, 4)
    assert copy.is_registration_open
    assert not copy.is_gate_open


@pytest.mark.django_db
def test_every_field_of_the_settings_page_is_a_setting():
    event = f.make_event()
    form = SettingsForm(event=event, obstacles={}, today=f.ARRIVAL.date())
    beside = {"day", "time", "no_show"}  # two make the beginning, one is part of the rules
    assert set(form.fields) - beside <= set(setting_names(lambda setting: setting.is_changeable))


@pytest.mark.django_db
def test_every_setting_of_a_section_stands_once_on_the_settings_page(client):
    f.sign_browser_in(client, Role.DIRECTOR)
    event = f.make_event()
    page = client.get(reverse("event-settings", args=[event.slug])).content.decode()
    shown = [name for setting in SETTINGS if setting.section for name in setting.fields]
    assert page.count(f'class="button" href="{reverse("event-schedule", args=[event.slug])}"') == 1
    shown.remove("schedule")  # has a page of its own
    assert {name: page.count(f' name="{name}"') for name in shown} == dict.fromkeys(shown, 1)


@pytest.mark.django_db
def test_every_setting_that_is_asked_stands_once_on_the_form_of_a_new_tournament(client):
    f.sign_browser_in(client, Role.DIRECTOR)
    page = client.get(reverse("new-event")).content.decode()
    behind_more = page[page.index("<details") :]
    for setting in SETTINGS:
        if setting.is_asked_when_made or setting.is_behind_more:
            for name in setting.fields:
                assert page.count(f' name="{name}"') == 1, name
                assert (f' name="{name}"' in behind_more) == setting.is_behind_more, name


def test_the_field_of_an_ordinary_setting_follows_from_its_column_and_its_declaration():
    made = {name: field_for(setting_of(name)) for name in ORDINARY}
    assert made["seats_per_table"].label == "Plätze je Tisch"
    assert (made["seats_per_table"].min_value, made["seats_per_table"].max_value) == (2, 10)
    assert made["capacity"].label == "Teilnehmer höchstens"
    assert {name for name, field in made.items() if field.required} == {
        "game", "capacity", "seats_per_table",
    }  # fmt: skip
    assert made["offer_minutes"].clean("") == 720  # what the column has where nobody says
    assert made["final_table_seats"].clean("") is None
    assert made["is_registration_open"].initial is True


@pytest.mark.parametrize("name", ["rules", "fee_cents", "areas", "redraw_at"])
def test_a_setting_that_is_typed_in_a_way_of_its_own_gets_no_field_by_mistake(name):
    with pytest.raises(TypeError, match=name):
        field_for(setting_of(name))
