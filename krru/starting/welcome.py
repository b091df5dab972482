"""The console's greeting: links and QR codes for the director and the public."""

import os

import segno
from django.conf import settings
from django.core.management.base import OutputWrapper
from django.urls import reverse

from clock.servertime import server_time
from krru.web.certificates import Certificate
from krru.web.served import Served, is_only_here
from tournaments.club.services.staff import NEW_LINK, director_link_create
from tournaments.event.selectors.event import event_current


def is_written_down() -> bool:
    """Tell whether the output goes into a service's journal, readable by others."""
    return not settings.EMBEDDED or "JOURNAL_STREAM" in os.environ


def show(out: OutputWrapper, address: Served, own: Certificate | None = None) -> None:
    """Print the director's link and the public addresses of the current event."""
    out.write("\nKRRU ist bereit. Strg+C beendet es.\n")
    out.write(f"Daten: {settings.KRRU_DATA}\n")
    if own:
        out.write(f"Fingerabdruck des Zertifikats: {own.fingerprint}\n")
    if is_written_down():
        out.write(f"Turnierleitung: {NEW_LINK} zeigt einen Zugang.\n")
    else:
        token = director_link_create(at=server_time.now())
        out.write("Turnierleitung, dieser Link gilt ein Mal, eine Viertelstunde lang:")
        out.write(f"  {address.here}{reverse('sign-in', args=[token])}\n")
    if is_only_here(address.host):
        out.write("Nur auf diesem Gerät erreichbar (--host).\n")
    elif address.hall is None:
        out.write("Kein Netz gefunden; erreichbar ist KRRU nur auf diesem Gerät.\n")
    show_event(out, address.hall or address.here)


def show_event(out: OutputWrapper, base: str) -> None:
    """Print the tournament page and the big screen as links and QR codes."""
    event = event_current()
    if event is None:
        out.write(f"Startseite: {base}/\n")
        return
    page = base + event.get_absolute_url()
    screen = base + reverse("screen", args=[event.slug])
    for title, link in (("Turnierseite", page), ("Anzeige für den Beamer", screen)):
        out.write(f"{title}: {link}")
        out.write(terminal_code(link))


def terminal_code(link: str) -> str:
    """Return a QR code drawn with half blocks, two rows a line."""
    rows = [list(row) for row in segno.make(link, error="l").matrix_iter(border=2)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    # Draw light and leave dark: terminals are dark and cameras want a dark code on light.
    marks = {(0, 0): "█", (0, 1): "▀", (1, 0): "▄", (1, 1): " "}
    return "\n".join(
        "".join(marks[bool(upper), bool(lower)] for upper, lower in zip(top, bottom, strict=True))
        for top, bottom in zip(rows[::2], rows[1::2], strict=True)
    )
