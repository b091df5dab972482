"""Messages: the director's sheet, and the player's own page."""

import pytest
from django.urls import reverse

from tests import factories as f
from tests.pressing import HTMX, done, now, press, refused, sheet, shows, text_of, url_of, words_of
from tests.views.pages import assert_shown
from tournaments.changes.access import SYSTEM
from tournaments.changes.commands import Command
from tournaments.models import Message
from tournaments.post.services.messages import message_send

pytestmark = [pytest.mark.django_db, pytest.mark.running(8, seats=6)]


@pytest.fixture
def petra(event):
    return f.entries_of(event)[0]


def own(name, entry):
    return reverse(name, args=[entry.registration.link_token])


def tell(event, entry, text="Komm bitte zur Leitung."):
    message_send(Command(event=event, by=SYSTEM, at=now(event)), text=text, entry=entry)
    return Message.objects.latest("pk")


def read(client, entry, number, **headers):
    return client.post(own("player-messages-read", entry), {"read": number}, headers=headers)


def shown(client, entry):
    return text_of(client.get(own("player-messages", entry)))


def test_the_sheet_asks_whom_it_is_for_and_finds_players_and_tables(dora, event, petra):
    shows(sheet(dora, event, "message"), "An wen?", "Tisch 2")
    assert petra.registration.person.name in sheet(dora, event, "message", entry=petra.pk)
    assert "an Tisch 2 sitzen" in sheet(dora, event, "message", table=2)
    assert "An wen?" in sheet(dora, event, "message", entry="x", table="²")
    url = url_of(event, "message")
    assert f'hx-get="{url}"' in dora.get(url_of(event, "director")).content.decode()
    player = dora.get(url_of(event, "floor-player", petra.pk), headers=HTMX).content.decode()
    assert f'hx-get="{url}?entry={petra.pk}"' in player

    def found(typed):
        return text_of(dora.get(url_of(event, "message-find"), {"q": typed}, headers=HTMX))

    assert found("spieler 00").count("Spieler") == 6
    assert "Niemand gefunden" in found("Zeno")
    assert words_of(dora, event, "message-find") == "Tisch 1 Tisch 2"
    for typed in ("2", "tisch 2"):
        assert "Tisch 2" in found(typed)
        assert "Tisch 1" not in found(typed)
    alone = dora.get(url_of(event, "message-find"), {"q": "Spieler 003"}, headers=HTMX)
    assert alone.content.decode().count("checked") == 1


def test_it_is_sent_and_can_be_taken_back(dora, event, petra):
    html = done(dora, event, "message", to=f"player-{petra.pk}", text="Hallo")
    assert "Nachricht an Spieler 001: Hallo" in html
    assert "Hallo" in shown(dora, petra)
    press(dora, event, "action-undo", f.last_action(event).pk)
    assert "Hallo" not in shown(dora, petra)
    done(dora, event, "message", to="table-2", text="Hallo Tisch")
    assert "An Tisch 2" in shown(dora, f.at_table(event, 2)[0])


def test_refusals_stand_beside_the_form(dora, event):
    for typed, sentence in (
        ({}, "An wen geht die Nachricht?"),
        ({"to": "zeno-1"}, "An wen geht die Nachricht?"),
        ({"to": "player-"}, "Diesen Spieler gibt es hier nicht."),
        ({"to": "player-999999"}, "Diesen Spieler gibt es hier nicht."),
        ({"to": "table-99"}, "Diesen Tisch gibt es nicht mehr."),
        ({"to": "table-²"}, "Diesen Tisch gibt es nicht mehr."),
        ({"to": "table-1", "text": " "}, "Die Nachricht ist leer."),
        ({"to": "table-1", "text": "a" * 201}, "höchstens 200 Zeichen"),
    ):
        refused(dora, event, "message", sentence=sentence, **{"text": "Hallo", **typed})


def test_what_was_read_is_gone_on_this_phone(client, event, petra):
    first = tell(event, petra)
    page = client.get(own("player-messages", petra)).content.decode()
    shows(page, "Komm bitte zur Leitung.", f"krru:messages-e{petra.pk} from:body")
    answer = read(client, petra, first.pk, **HTMX)
    assert_shown(answer, but=("Komm bitte",))
    cookie = answer.cookies["krru_read"]
    assert (cookie["path"], cookie["httponly"]) == (own("player", petra), True)
    second = tell(event, petra, "Noch etwas.")
    shows(shown(client, petra), "Noch etwas.", but=("Komm bitte",))
    # Without scripts the page comes back, and older numbers bring nothing back.
    answer = read(client, petra, second.pk)
    assert (answer.status_code, answer.url) == (302, own("player", petra))
    read(client, petra, first.pk)
    assert shown(client, petra) == ""
    client.cookies["krru_read"] = "zeno"
    assert "Komm bitte" in shown(client, petra)
    for number in ("", "x", "-1", "²", "9" * 30):
        assert read(client, petra, number).status_code == 422, number
