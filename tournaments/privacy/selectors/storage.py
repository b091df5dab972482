"""The program's data about people: purpose, readers and retention, by the present settings."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from krru.background.mailing import sends_mail
from tournaments.models import Club


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    what: str
    why: str
    seen_by: str
    how_long: str


def storage_facts(club: Club, *, mails_kept_days: int) -> list[Kept]:
    """Return the lines of the public page, from the present settings."""
    return [*_of_people(club), _mail(mails_kept_days), *_of_machines()]


def _of_people(club: Club) -> list[Kept]:
    staff = _("Turnierleitung und Anmeldung.")
    return [
        Kept(
            what=_("Dein Name"),
            why=_("Für Liste, Platz und Ergebnis."),
            seen_by=_("Alle im Saal. Auf der Turnierseite nur, wenn du zugestimmt hast; sonst "
                      "stehen dort Initialen."),
            how_long=_("Bis du es löschst oder löschen lässt."),
        ),
        Kept(
            what=_("E-Mail und Telefon, wenn du sie angibst"),
            why=_("Damit wir dich erreichen: Bestätigung, freier Platz, Absage."),
            seen_by=staff,
            how_long=_contacts(club.erase_contacts_days),
        ),
        Kept(
            what=_("Woher deine Anmeldung kam: eine Prüfsumme der Adresse deines Geräts, nicht "
                   "sie selbst"),
            why=_("Damit sich viele falsche Anmeldungen von einem Gerät auf einmal zurücknehmen "
                  "lassen."),
            seen_by=_("Niemand. Das Programm vergleicht nur, was gleich ist."),
            how_long=_("Bis das Turnier vorbei ist."),
        ),
        Kept(
            what=_("Deine Bemerkung, ob du Mitglied bist, ob du den Regeln zugestimmt hast"),
            why=_("Für die Planung des Abends."),
            seen_by=staff,
            how_long=_remarks(club.erase_contacts_days),
        ),
        Kept(
            what=_("Was am Abend geschieht: Anmeldung, Ankunft, Plätze, Ausscheiden, Startgeld, "
                   "Strafen"),
            why=_("Damit Platz und Ergebnis stimmen und Irrtümer zurückgenommen werden können."),
            seen_by=_("Turnierleitung und Helfer im Protokoll, Plätze und Ergebnis alle."),
            how_long=_("Ohne Namen für immer, die Namen darin bis du sie löschst."),
        ),
    ]  # fmt: skip


def _of_machines() -> list[Kept]:
    return [
        Kept(
            what=_("Zwei Cookies auf deinem Handy: Sprache und bis wohin du gelesen hast"),
            why=_("Nur damit die Seite so bleibt, wie du sie gelassen hast."),
            seen_by=_("Niemand sonst. Es gibt keine Werbung und keine fremden Dienste."),
            how_long=_("Rund ein Jahr, oder bis du sie löschst."),
        ),
        Kept(
            what=_("Sicherungen von alldem"),
            why=_("Damit der Abend weitergeht, wenn der Laptop ausfällt."),
            seen_by=_("Wer den Laptop oder den Stick des Vereins hat."),
            how_long=_("Die letzten zwei Wochen, in denen das Programm lief; danach wird die "
                       "Sicherung ersetzt."),
        ),
    ]  # fmt: skip


def _contacts(days: int) -> str:
    if not days:
        return _("Bis du es löschst oder löschen lässt, auch für das nächste Mal.")
    return ngettext(
        "Einen Tag nach deinem letzten Turnier wird es von selbst gelöscht.",
        "%(days)d Tage nach deinem letzten Turnier wird es von selbst gelöscht.",
        days,
    ) % {"days": days}


def _remarks(days: int) -> str:
    if not days:
        return _("Bis du es löschst oder löschen lässt.")
    return _("Die Bemerkung so lange wie E-Mail und Telefon, das andere bis du es löschst.")


def _mail(days: int) -> Kept:
    sends = sends_mail()
    seen_by = _("Du, und auf dem Weg zu dir der Mailanbieter des Vereins und deiner.")
    return Kept(
        what=_("Dass dir eine Mail geschickt wurde"),
        why=_("Damit die Anmeldung merkt, wenn eine nicht ankommt."),
        seen_by=seen_by if sends else _("Zurzeit verschickt dieser Verein keine Mails."),
        how_long=ngettext("%(days)d Tag.", "%(days)d Tage.", days) % {"days": days},
    )
