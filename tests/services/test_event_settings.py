"""Settings of an event are declared once; what is no setting is named here, so none is lost."""

import pytest

from tests import factories as f
from tests.calling import call_service
from tournaments.changes.access import SYSTEM
from tournaments.event.forms.settings import SettingsForm
from tournaments.event.selectors.event_settings import SETTINGS, setting_names, setting_of
from tournaments.event.services.lifecycle import event_copy
from tournaments.models import Event
from tournaments.models.log import Logged

# What an event is, what it becomes, and what nobody chooses.
NO_SETTINGS = {
    "id", "club", "kind", "slug", "clock", "draw_secret", "is_sample", "started_by", "ended_by",
    "cancelled_by",
}  # fmt: skip


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
