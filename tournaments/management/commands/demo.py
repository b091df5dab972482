"""`demo`: serve an invented evening that plays itself, from a data folder of its own."""

import signal
import webbrowser
from argparse import ArgumentParser
from threading import Timer
from typing import Any

from django.conf import settings
from django.urls import reverse

from clock.servertime import server_time
from krru.management.commands import serve
from krru.starting.commandline import begin_anew
from krru.web.served import Served
from tournaments.changes.access import SYSTEM
from tournaments.changes.club import club_get
from tournaments.changes.commands import ClubCommand
from tournaments.changes.commands import Command as EventCommand
from tournaments.club.services.staff import director_link_create
from tournaments.models import Event, Registration
from tournaments.practice.domain.rehearsal import SPEEDS, USUAL_SPEED
from tournaments.practice.services.rehearsal import rehearsal_open
from tournaments.practice.services.self_play import evening_play

PLAYERS, SEATS, LEVEL_MINUTES = 27, 9, 15
SECONDS_A_MINUTE = 60


class Command(serve.Command):
    help = "Zeigt einen erfundenen Abend, der sich selbst spielt; danach ist er wieder weg."
    farewell = "Beendet. Die Vorführung ist wieder weg."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument(
            "--speed", type=int, choices=SPEEDS, default=USUAL_SPEED, help=f"Tempo ({USUAL_SPEED})"
        )
        parser.add_argument("--renew", type=float, help="beginnt nach so vielen Minuten von vorn")
        parser.add_argument("--no-browser", action="store_true", help="öffnet keine Seiten")

    def handle(self, *args: Any, **options: Any) -> None:
        """Serve until stopped, with an evening that has begun to play."""
        self.speed = options.pop("speed")
        self.opens = not options.pop("no_browser") and not options["quiet"]
        self.renews_after, self.is_over = options.pop("renew"), False
        settings.STRANGERS_LOOK_ONLY = True
        super().handle(*args, **options)
        if self.is_over:
            begin_anew("--no-browser")

    def end_this_evening(self) -> None:
        """End the server, as a signal would, so that the evening begins again."""
        self.is_over = True
        signal.raise_signal(signal.SIGTERM)

    def make_ready(self) -> None:
        super().make_ready()
        at = server_time.now()
        made = rehearsal_open(
            ClubCommand(club=club_get(), by=SYSTEM, at=at),
            players=PLAYERS, seats_per_table=SEATS, level_minutes=LEVEL_MINUTES,
        )  # fmt: skip
        self.event = Event.objects.get(pk=made.payload["event"])
        evening_play(EventCommand(event=self.event, by=SYSTEM, at=at), speed=self.speed)

    def greet(self, address: Served, *, quiet: bool, **options: Any) -> None:
        super().greet(address, quiet=True, **options)
        player = Registration.objects.filter(event=self.event).order_by("pk").first()
        assert player is not None
        director = reverse("sign-in", args=[director_link_create(at=server_time.now())])
        pages = {
            "Leinwand": reverse("screen", args=[self.event.slug]),
            "Handy eines Spielers": reverse("player", args=[player.link_token]),
        }
        if not quiet:
            pages["Turnierleitung, ein Mal"] = director
        if self.renews_after:
            timer = Timer(self.renews_after * SECONDS_A_MINUTE, self.end_this_evening)
            timer.daemon = True
            timer.start()
        base = address.hall or address.here
        for title, path in pages.items():
            self.stdout.write(f"{title}: {base}{path}")
            if self.opens:
                webbrowser.open_new(address.here + path)
