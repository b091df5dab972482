"""Mail at the desk: what failed is shown and tried again; a new personal link."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from tests import factories as f
from tests.post_office import post_office
from tests.pressing import HTMX, press, text_of
from tests.views.pages import soon
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.door.services.registration import registration_withdraw
from tournaments.models import Mail, Registration
from tournaments.post.services.mail import mails_send
from tournaments.tasks import mails_due

pytestmark = pytest.mark.django_db
PETRA = "petra@example.org"


@pytest.fixture
def event():
    return soon()


@pytest.fixture
def down(settings):
    """The mail server is down: nobody listens where it was."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with post_office() as gone:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", gone.port


def panel(client, event):
    return client.get(reverse("desk-mail", args=[event.slug]))


def test_while_all_goes_well_nothing_stands_there(client, event, desk, petra):
    assert text_of(panel(client, event)) == ""
    assert 'id="desk-mail"' in panel(client, event).content.decode()


@pytest.mark.usefixtures("desk")
def test_what_failed_is_shown_and_goes_out_when_tried_again(client, event, petra, down, settings):
    mails_due()
    assert "1 Mail wartet. Nächster Versuch um" in text_of(panel(client, event))
    Mail.objects.update(made_at=now() - timedelta(days=2))
    page = text_of(panel(client, event))
    assert "1 Mail ist nicht hinausgegangen" in page
    assert f"{PETRA} · Der Mailserver ist nicht erreichbar. Wird nicht mehr versucht." in page
    mail = Mail.objects.get()
    assert (
        reverse("mail-resend", args=[event.slug, mail.pk]) in panel(client, event).content.decode()
    )
    answer = press(client, event, "mail-resend", mail.pk)
    assert "Mail noch einmal versucht: Petra Probst" in text_of(answer)
    assert '"mail"' in answer["HX-Trigger"]
    assert text_of(panel(client, event)) == ""
    with post_office() as office:
        settings.EMAIL_PORT = office.port
        mails_due()
        assert office.addresses == [PETRA]
    assert press(client, event, "mail-resend", mail.pk).status_code == 422


def test_what_was_given_up_says_so(client, event, desk, petra, down):
    mails_send(now=now() + timedelta(hours=23, minutes=59), base="http://hall.test")
    assert "Wird nicht mehr versucht." in text_of(panel(client, event))


def test_a_name_is_never_markup(client, event, desk, down):
    f.register(event, "<b>Petra</b>", email=PETRA, at=now())
    mails_due()
    Mail.objects.update(error="refused <b>Petra</b>")
    assert "&lt;b&gt;Petra" in panel(client, event).content.decode()
    assert "<b>Petra" not in panel(client, event).content.decode()


def test_the_desk_gives_a_new_link(client, event, desk, petra):
    key = {"X-Idempotency-Key": "3b241101-e2bb-4255-8caf-4136c566a962", **HTMX}
    url = reverse("link-renew", args=[event.slug, petra.pk])
    tokens = set()
    for _time in range(2):
        answer = client.post(url, headers=key)
        assert answer.status_code == 200
        assert '"registrations"' in answer["HX-Trigger"]
        tokens.add(Registration.objects.get(pk=petra.pk).link_token)
    assert len(tokens) == 1
    replaced = client.get(reverse("player", args=[petra.link_token]))
    assert replaced.status_code == 410
    assert "Er wurde durch einen neuen ersetzt." in replaced.content.decode()
    assert client.get(reverse("player-card", args=[petra.link_token])).status_code == 410
    assert client.get(reverse("player", args=["erfunden"])).status_code == 404
    assert client.get(reverse("player", args=[tokens.pop()])).status_code == 200
    assert list(Mail.objects.values_list("kind", flat=True)) == ["registered", "link"]
    token = Registration.objects.get(pk=petra.pk).link_token
    page = answer.content.decode()
    assert f"{reverse('player', args=[token])}</a>" in page
    assert "Der alte öffnet nichts mehr." in page


def test_the_desk_shows_the_link_there_is_and_asks_before_it_makes_another(
    client, event, desk, petra
):
    url = reverse("link-renew", args=[event.slug, petra.pk])
    own = f"{reverse('player', args=[petra.link_token])}</a>"
    for headers in (HTMX, {}):
        page = client.get(url, headers=headers).content.decode()
        assert own in page
        assert "<svg" in page
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
