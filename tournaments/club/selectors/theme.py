"""The club's look on pages: a small style sheet, and its logo's address."""

from dataclasses import asdict
from hashlib import sha256

from django.urls import reverse

from tournaments.club.domain.colours import NIGHT, shades_of
from tournaments.models import Club, ClubLogo

STYLE = """\
.big-screen{{--brass:{accent};--on-brass:{night}}}
.big-screen:not([data-face=before],[data-face=playing],[data-face=warning]),\
.big-screen:is([data-theme=felt],[data-theme=ink]){{--brass:{bright}}}
:is(.site-header,.poster){{background:{deep};border-color:{accent}}}
@media screen{{.page .winner{{background:{deep}}}}}
.site-header .icon{{color:inherit}}
"""


def club_style(club: Club) -> str:
    """Return the style sheet of a club's colour, empty without one."""
    if not club.colour:
        return ""
    shades = shades_of(club.colour)
    return STYLE.format(**asdict(shades), night=NIGHT)


def style_url(club: Club) -> str:
    """Return the address of the club's style sheet, empty without one.

    It contains the digest of the content, so that browsers keep it; the logo's does too.
    """
    style = club_style(club)
    return reverse("club-style", args=[style_digest(style)]) if style else ""


def logo_url(club: Club) -> str:
    digest = ClubLogo.objects.filter(club=club).values_list("digest", flat=True).first()
    return reverse("club-logo", args=[digest]) if digest else ""


def club_theme(club: Club) -> dict[str, str]:
    """Return the addresses of style sheet and logo (one query)."""
    return {"style": style_url(club), "logo": logo_url(club)}


def style_digest(style: str) -> str:
    return sha256(style.encode()).hexdigest()[:16]
