"""Mail at the desk: what failed is shown and tried again; a new personal link."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from tests import factories as f
from tests.post_office import post_office
from tests.pressing import HTMX, press, shows, text_of, url_of
from tests.services.mailing import PETRA, use
from tests.views.pages import soon
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Mail, Registration
from tournaments.tasks import mails_due

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("desk")]


@pytest.fixture
def event():
    return soon()


@pytest.fixture
def down(settings):
    """The mail server is down: nobody listens where it was."""
    with post_office() as gone:
        use(settings, gone.port)


def panel(client, event):
    return text_of(client.get(url_of(event, "desk-mail")))


def link(name, token):
    return reverse(name, args=[token])


def test_what_failed_is_shown_and_goes_out_when_tried_again(client, down, event, petra, settings):
    assert panel(client, event) == ""
    mails_due()
    assert "1 Mail wartet. Nächster Versuch um" in panel(client, event)
    Mail.objects.update(made_at=now() - timedelta(days=2))
    page = panel(client, event)
    assert "1 Mail ist nicht hinausgegangen" in page
    assert f"{PETRA} · Der Mailserver ist nicht erreichbar. Wird nicht mehr versucht." in page
    mail = Mail.objects.get()
    raw = client.get(url_of(event, "desk-mail")).content.decode()
    assert url_of(event, "mail-resend", mail.pk) in raw
    answer = press(client, event, "mail-resend", mail.pk)
    assert "Mail noch einmal versucht: Petra Probst" in text_of(answer)
    assert '"mail"' in answer["HX-Trigger"]
    assert panel(client, event) == ""
    with post_office() as office:
        settings.EMAIL_PORT = office.port
        mails_due()
        assert office.addresses == [PETRA]
    assert press(client, event, "mail-resend", mail.pk).status_code == 422


def test_a_name_is_never_markup(client, down, event):
    f.register(event, "<b>Petra</b>", email=PETRA, at=now())
    mails_due()
    Mail.objects.update(error="refused <b>Petra</b>")
    page = client.get(url_of(event, "desk-mail")).content.decode()
    shows(page, "&lt;b&gt;Petra", but=("<b>Petra",))


def test_the_desk_gives_a_new_link(client, event, petra):
    key = {"X-Idempotency-Key": "3b241101-e2bb-4255-8caf-4136c566a962", **HTMX}
    tokens = set()
    for _time in range(2):
        answer = client.post(url_of(event, "link-renew", petra.pk), headers=key)
        assert answer.status_code == 200
        assert '"registrations"' in answer["HX-Trigger"]
        tokens.add(Registration.objects.get(pk=petra.pk).link_token)
    (token,) = tokens
    replaced = client.get(link("player", petra.link_token))
    assert replaced.status_code == 410
    assert "Er wurde durch einen neuen ersetzt." in replaced.content.decode()
    assert client.get(link("player-card", petra.link_token)).status_code == 410
    assert client.get(link("player", "erfunden")).status_code == 404
    assert client.get(link("player", token)).status_code == 200
    assert list(Mail.objects.values_list("kind", flat=True)) == ["registered", "link"]
    shows(answer.content.decode(), f"{link('player', token)}</a>", "Der alte öffnet nichts mehr.")


def test_the_desk_shows_the_link_there_is_and_asks_before_it_makes_another(client, event, petra):
    url = url_of(event, "link-renew", petra.pk)
    own = f"{link('player', petra.link_token)}</a>"
    for headers in (HTMX, {}):
        page = client.get(url, headers=headers).content.decode()
        shows(page, own, "<svg")
        assert "Der jetzige Link und jeder Zettel mit seinem Code öffnen dann nichts mehr." in page
        assert "Der alte öffnet nichts mehr." not in page
    assert Registration.objects.get(pk=petra.pk).link_token == petra.link_token
    # Without scripts the new one is a page of its own, which can be loaded again.
    assert client.post(url).headers["Location"] == url
    assert own not in client.get(url).content.decode()
    registration_withdraw(Command(event=event, by=SYSTEM, at=now()), registration=petra)
    token = Registration.objects.get(pk=petra.pk).link_token
    assert client.post(url, headers=HTMX).status_code == 422
    assert Registration.objects.get(pk=petra.pk).link_token == token
