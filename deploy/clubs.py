#!/usr/bin/env python3
"""Several clubs on one server, each a small process with its own user, folder and backups.

Run as root from the folder of a version, which is the one that `add` and `upgrade` give to clubs.
Standard library only. What a club is, systemd knows by `krru@.service`; its settings lie in
`/etc/krru/clubs/NAME.env`, and beside them the link `NAME` to its version.
"""

import argparse
import contextlib
import http.client
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

BASE = Path(__file__).resolve().parent.parent
UNIT = BASE / "deploy" / "systemd" / "krru@.service"
FIRST_PORT = 8101
# A club of many evenings takes minutes to change its tables.
HEALTHY_SECONDS = 300.0
# It is part of a name of a user, of a service, and of a variable of nginx.
NAME = re.compile(r"[a-z][a-z0-9]{1,19}")
HOST = re.compile(r"(?=.{4,253}\Z)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])")


class Refused(Exception):
    """Raised with a sentence for the administrator: the command changed nothing."""


def call(*command: str) -> None:
    """Run a command of the system.

    :raises Refused: it failed; what it said stands above.
    """
    if subprocess.run(command, check=False).returncode:
        raise Refused(f"Das ist nicht gelungen: {' '.join(command)}")


class Club:
    """A club of this server: what its settings say, and how it does."""

    def __init__(self, settings: Path) -> None:
        self.name, self.program = settings.stem, settings.with_suffix("")
        lines = settings.read_text("utf-8").splitlines()
        self.settings = dict(line.split("=", 1) for line in lines if "=" in line)
        self.host = self.settings["KRRU_PUBLIC_URL"].removeprefix("https://")
        self.port = int(self.settings["KRRU_PORT"])

    @property
    def version(self) -> str:
        return self.program.resolve().name

    def problems(self) -> str:
        """Return the faults that its health check names; empty in good health."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        with contextlib.closing(connection):
            try:
                connection.request("GET", "/health/ready")
                said = json.load(connection.getresponse())
            except (OSError, http.client.HTTPException, ValueError):
                return "antwortet nicht"
        return "" if said["ok"] else ", ".join(said["problems"])

    def becomes_healthy(self) -> str:
        """Wait for good health; return the faults that remain."""
        deadline = time.monotonic() + HEALTHY_SECONDS
        while (wrong := self.problems()) and time.monotonic() < deadline:
            time.sleep(1)
        return wrong


class Server:
    """The files of the system that clubs are made of, below a root."""

    def __init__(self, root: Path = Path("/"), run: Callable[..., None] = call) -> None:
        self.root, self.run = root, run
        self.folder = root / "etc/krru/clubs"

    def clubs(self) -> list[Club]:
        return [Club(path) for path in sorted(self.folder.glob("*.env"))]

    def club(self, name: str) -> Club:
        """Return a club.

        :raises Refused: there is none of this name.
        """
        known = {club.name: club for club in self.clubs()}
        if name not in known:
            there = ", ".join(known) or "noch keiner"
            raise Refused(f"Einen Verein {name} gibt es hier nicht ({there}).")
        return known[name]

    def add(self, name: str, host: str) -> None:
        """Make a club and start it; start it again after a failed start."""
        self.check(name, host)
        proxy = self.proxy(host)
        data, kept = self.root / f"var/lib/krru-{name}", self.root / f"var/backups/krru/{name}"
        user = f"krru-{name}"
        self.run("adduser", "--quiet", "--system", "--group", "--home", str(data), user)
        self.run("install", "-d", "-m", "711", str(kept.parent))
        self.run("install", "-d", "-o", user, "-g", user, "-m", "700", str(data), str(kept))
        file = self.folder / f"{name}.env"
        if not file.exists():
            self.settle(file, data, kept, host)
        club = Club(file)
        self.run("systemctl", "enable", "--now", f"krru@{name}")
        if wrong := club.becomes_healthy():
            raise Refused(f"{name} läuft nicht ({wrong}). Warum, sagt: journalctl -u krru@{name}")
        proxy(club)
        print(f"{name} läuft unter https://{host}, gesichert wird nach {kept}.")

    def settle(self, file: Path, data: Path, kept: Path, host: str) -> None:
        """Write the settings of a new club, and give it this version."""
        self.folder.mkdir(parents=True, exist_ok=True)
        settings = {
            "KRRU_PUBLIC_URL": f"https://{host}",
            "KRRU_PORT": str(self.free_port()),
            "KRRU_DATA": str(data),
            "KRRU_BACKUP": str(kept),
        }
        file.touch(mode=0o600)
        file.write_text("".join(f"{key}={text}\n" for key, text in settings.items()), "utf-8")
        self.give_version(Club(file))

    def check(self, name: str, host: str) -> None:
        """Check what a club is to be called, and where it is to be found.

        :raises Refused: it does not go.
        """
        if not NAME.fullmatch(name):
            raise Refused(
                f"„{name}“ geht nicht als Name: 2 bis 20 Zeichen, nur a bis z und Ziffern, "
                "vorne ein Buchstabe."
            )
        if not HOST.fullmatch(host):
            raise Refused(f"„{host}“ ist kein Name im Internet, wie poker.example.org einer ist.")
        for club in self.clubs():
            if (name == club.name) != (host == club.host):
                raise Refused(f"Den Verein {club.name} unter {club.host} gibt es schon.")
        if not (BASE / ".venv/bin/python").exists():
            raise Refused(f"In {BASE} fehlt noch: python3 start.py manage prepare")

    def free_port(self) -> int:
        """Return the first port that no club has and no program listens at."""
        taken = {club.port for club in self.clubs()}
        for port in range(FIRST_PORT, 65536):
            with socket.socket() as probe:
                if port not in taken and probe.connect_ex(("127.0.0.1", port)):
                    return port
        raise Refused("Kein Port ist frei.")

    def give_version(self, club: Club) -> None:
        """Lead a club to the program that this file is part of, and systemd to its service."""
        link = club.program.with_suffix(".new")
        link.unlink(missing_ok=True)
        link.symlink_to(BASE)
        link.replace(club.program)
        shutil.copy(UNIT, self.root / "etc/systemd/system")
        self.run("systemctl", "daemon-reload")

    def upgrade(self, names: list[str]) -> None:
        """Move clubs to this version one after the other, all of them without names.

        :raises Refused: one is not in good health afterwards; those after it stay where they are.
        """
        chosen = [self.club(name) for name in names] or self.clubs()
        for number, club in enumerate(chosen, start=1):
            before = club.version
            if club.program.resolve() == BASE and not club.problems():
                continue
            self.give_version(club)
            try:
                self.run("systemctl", "restart", f"krru@{club.name}")
                wrong = club.becomes_healthy()
            except Refused as error:
                wrong = str(error)
            if wrong:
                waiting = ", ".join(one.name for one in chosen[number:])
                raise Refused(
                    f"{club.name} läuft mit {BASE.name} nicht, vorher {before} ({wrong}). "
                    + (f"Nicht umgestellt: {waiting}. " if waiting else "")
                    + f"Warum, sagt: journalctl -u krru@{club.name}"
                )
            print(f"{club.name}: {before} → {club.version}", flush=True)

    def show(self) -> int:
        """Print all clubs with their health; return how many have something wrong."""
        ill = 0
        for club in self.clubs():
            wrong = club.problems()
            ill += bool(wrong)
            where = f"{club.name:20} {club.version:14} {club.port}  https://{club.host}"
            print(f"{where}  {wrong or 'gesund'}")
        return ill

    def manage(self, name: str, command: list[str]) -> None:
        """Run a command of the program for a club, as its user and with its settings."""
        club = self.club(name)
        os.chdir(club.program)
        settings = [f"{key}={text}" for key, text in club.settings.items()]
        python = [str(club.program / ".venv/bin/python"), "manage.py", *command]
        self.run("runuser", "-u", f"krru-{name}", "--", "env", *settings, *python)

    def proxy(self, host: str) -> Callable[[Club], None]:
        """Return what leads the proxy of this server to a club.

        :raises Refused: there is none, or the certificate is missing.
        """
        if (self.root / "etc/caddy").is_dir():
            return self.enter_caddy
        if not (self.root / "etc/nginx/conf.d").is_dir():
            raise Refused("Davor fehlt Caddy oder nginx: apt install caddy")
        if not (self.root / "etc/letsencrypt/live" / host).is_dir():
            raise Refused(f"nginx fehlt das Zertifikat von {host} (Handbuch, Server, Schritt 5).")
        return self.enter_nginx

    def enter_caddy(self, club: Club) -> None:
        """Give Caddy the part of `deploy/Caddyfile` that is a club's, and once the common part."""
        common, start, site = (BASE / "deploy/Caddyfile").read_text("utf-8").partition("\nhttp://")
        main = self.root / "etc/caddy/Caddyfile"
        if not main.exists() or "import *.caddy" not in main.read_text("utf-8"):
            if main.exists():
                shutil.copy(main, main.with_suffix(".before"))
            main.write_text(f"{common}\nimport *.caddy\n", "utf-8")
        site = f"{start[1:]}{club.host}{site}".replace("{$KRRU_NAME}", club.host)
        site = site.replace("{$KRRU_FIRST:127.0.0.1:8001}", f"127.0.0.1:{club.port}")
        site = site.replace(" {$KRRU_SECOND:127.0.0.1:8002}", "")
        self.enter("caddy", main.parent / f"{club.name}.caddy", site)

    def enter_nginx(self, club: Club) -> None:
        """Give nginx a copy of `deploy/nginx.conf` with the club's names."""
        text = (BASE / "deploy/nginx.conf").read_text("utf-8")
        text = text.replace("    server 127.0.0.1:8002 max_fails=0;\n", "")
        text = text.replace("127.0.0.1:8001", f"127.0.0.1:{club.port}")
        text = text.replace("krru", f"krru_{club.name}").replace("poker.example.org", club.host)
        self.enter("nginx", self.root / f"etc/nginx/conf.d/krru_{club.name}.conf", text)

    def enter(self, proxy: str, file: Path, text: str) -> None:
        """Let a proxy read a file more; one that it does not take is not left to it."""
        file.write_text(text, "utf-8")
        try:
            self.run("systemctl", "reload", proxy)
        except Refused:
            file.unlink()
            raise


def asked(arguments: list[str]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="clubs.py", description="Mehrere Vereine, ein Server.")
    commands = parser.add_subparsers(dest="command", required=True)
    add = commands.add_parser("add", help="ein Verein mehr, mit dieser Version")
    add.add_argument("name", help="kurzer Name: nur a bis z und Ziffern")
    add.add_argument("--host", required=True, help="sein Name im Internet")
    commands.add_parser("list", help="alle Vereine, und wie es ihnen geht")
    upgrade = commands.add_parser("upgrade", help="nacheinander auf diese Version")
    upgrade.add_argument("names", nargs="*", help="nur diese")
    manage = commands.add_parser("manage", help="ein Befehl des Programms für einen Verein")
    manage.add_argument("name")
    manage.add_argument("rest", nargs=argparse.REMAINDER, metavar="BEFEHL")
    return parser.parse_args(arguments)


def main(arguments: list[str], server: Server) -> int:
    """Run the command, and return the exit code."""
    wanted = asked(arguments)
    try:
        match wanted.command:
            case "add":
                server.add(wanted.name, wanted.host)
            case "list":
                return int(server.show() > 0)
            case "upgrade":
                server.upgrade(wanted.names)
            case "manage":
                server.manage(wanted.name, wanted.rest)
    except PermissionError as error:
        print(f"Das geht nur als root ({error.filename}).", file=sys.stderr)
        return 1
    except Refused as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], Server()))
