"""The console's greeting: links and QR codes for the director and the public."""

import io
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


def show(out: OutputWrapper, address: Served, own: Certificate | None = None) -> None:
    """Print the director's link and the public addresses of the current event."""
    out.write("\nKRRU ist bereit. Strg+C beendet es.\n")
    out.write(f"Daten: {settings.KRRU_DATA}\n")
    if own:
        out.write(f"Fingerabdruck des Zertifikats: {own.fingerprint}\n")
    # A service's journal is read by others.
    if not settings.EMBEDDED or "JOURNAL_STREAM" in os.environ:
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
        drawn = io.StringIO()
        segno.make(link, error="l").terminal(drawn, border=2, compact=True)
        out.write(drawn.getvalue())
