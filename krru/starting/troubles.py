"""Errors that stop the start, each in one sentence: the cause and the next step.

Imported before the settings: import no Django at module level.
"""

import errno
import os
import shlex
import sys
from pathlib import Path
from typing import Any

from krru.data.disks import FULL, words_of
from krru.data.folder import COMMAND, Trouble, chosen_folder, static_folder

OTHER_FOLDER = "Oder mit KRRU_DATA einen anderen Ordner wählen."
# Messages of SQLite and the system for each kind of error.
DAMAGED = ("malformed", "not a database", "quick_check")
UNWRITABLE = ("readonly database", "unable to open database")
OUT_OF_ROOM = ("disk is full", "disk I/O error")


def sentence_of(error: BaseException) -> str | None:
    """Return the sentence for an error that ended a command; None if it is a bug."""
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
    from django.db import DatabaseError  # noqa: PLC0415

    if isinstance(error, Trouble):
        return str(error)
    if isinstance(error, ImproperlyConfigured):
        return f"Eine Einstellung stimmt nicht: {error}"
    if isinstance(error, OSError):
        return of_system(error)
    if isinstance(error, DatabaseError):
        return of_database(error)
    return None


def of_system(error: OSError) -> str | None:
    """Return the sentence for an error of the file system.

    >>> of_system(OSError(errno.ENOSPC, "No space left", "/stick/x"))
    'Der Datenträger mit /stick/x ist voll. Platz schaffen, dann noch einmal starten.'
    """
    place = Path(os.fsdecode(error.filename)) if error.filename else chosen_folder()
    said = words_of(error)
    if said is None:
        is_missing = error.errno == errno.ENOENT and error.filename
        return _cannot_be_made(place) if is_missing else None
    if error.errno in FULL:
        return f"Der Datenträger mit {place} ist voll. Platz schaffen, dann noch einmal starten."
    if error.errno in {errno.EEXIST, errno.ENOTDIR}:
        file = next((part for part in (place, *place.parents) if part.is_file()), place)
        return f"{file} ist eine Datei, gebraucht wird ein Ordner. {_other(place)}"
    if error.errno == errno.EISDIR:
        return f"{place} ist ein Ordner, gebraucht wird eine Datei. {OTHER_FOLDER}"
    if error.errno == errno.EIO:
        return f"Der Datenträger mit {place} liefert Fehler. {_way_back()}"
    return f"{place} lässt sich nicht lesen oder schreiben: {said}. {_next_step(place)}"


def _cannot_be_made(place: Path) -> str | None:
    """Return the advice for a chosen folder that cannot be created; None for another place."""
    for setting, folder in (("KRRU_DATA", chosen_folder()), ("KRRU_STATIC", static_folder())):
        if folder.is_relative_to(place):
            return (
                f"Den Ordner {folder} gibt es nicht, und er lässt sich nicht anlegen. "
                f"Mit {setting} einen anderen wählen."
            )
    return None


def _other(place: Path) -> str:
    if not place.is_relative_to(chosen_folder()) and place.is_relative_to(static_folder()):
        return OTHER_FOLDER.replace("KRRU_DATA", "KRRU_STATIC")
    return OTHER_FOLDER


def _next_step(place: Path) -> str:
    """Return the advice for a place with another owner or without write access."""
    other = _other(place)
    if other != OTHER_FOLDER:
        return f"Wem das Programm gehört, ruft einmal „{COMMAND} manage prepare“ auf. {other}"
    whose = f"Nach einem Start mit sudo hilft „sudo chown -R $USER {_quoted(chosen_folder())}“. "
    return ("" if sys.platform == "win32" else whose) + other


def _quoted(path: object) -> str:
    return f'"{path}"' if sys.platform == "win32" else shlex.quote(str(path))


def _restoring(what: object) -> str:
    return f"„{COMMAND} restore {_quoted(what)}“"


def of_database(error: Exception) -> str:
    """Return the sentence for an error of the database."""
    from django.db import connection  # noqa: PLC0415

    text = str(error)
    if connection.vendor != "sqlite":
        return _of_server(connection.settings_dict, text)
    path = connection.settings_dict["NAME"]
    if any(part in text for part in DAMAGED):
        return damaged(path)
    if any(part in text for part in UNWRITABLE):
        code = errno.EROFS if _is_read_only(Path(path).parent) else errno.EACCES
        code = errno.EISDIR if Path(path).is_dir() else code
        return of_system(OSError(code, "", str(path))) or text
    if any(part in text for part in OUT_OF_ROOM):
        return of_system(OSError(errno.ENOSPC, "", str(path))) or text
    if "locked" in text:
        return f"Ein anderes Programm hält {path} fest. Es beenden, dann noch einmal starten."
    return f"Die Datenbank {path} lässt sich nicht benutzen ({text}). {_way_back()}"


def damaged(path: object) -> str:
    return f"Die Datenbank {path} ist beschädigt. {_way_back()}"


def emptied(path: object) -> str:
    return (
        f"Die Datenbank {path} fehlt oder ist leer, obwohl mit diesem Datenordner schon gearbeitet "
        f"wurde. {_way_back()} Wer neu beginnen will, wählt mit KRRU_DATA einen anderen Ordner."
    )


def _of_server(config: dict[str, Any], text: str) -> str:
    where = f"{config['HOST'] or 'localhost'}:{config['PORT'] or 5432}"
    if "password authentication failed" in text or "no password supplied" in text:
        return f"Die Datenbank auf {where} nimmt Name oder Passwort aus DATABASE_URL nicht an."
    if "does not exist" in text and "database" in text:
        name = config["NAME"]
        return f"Auf {where} gibt es die Datenbank {name} nicht. Anlegen: createdb {name}"
    return (
        f"Die Datenbank auf {where} antwortet nicht{_reason(text)}. "
        "Nachsehen, ob sie läuft und ob DATABASE_URL stimmt."
    )


def _reason(text: str) -> str:
    known = {
        "refused": "dort nimmt niemand Verbindungen an",
        "timeout": "es kommt keine Antwort",
        "resolve host": "den Namen des Rechners kennt niemand",
        "translate host": "den Namen des Rechners kennt niemand",
        "no route": "es führt kein Weg dorthin",
        "starting up": "sie startet gerade",
    }
    said = next((words for part, words in known.items() if part in text.lower()), "")
    return f" ({said})" if said else ""


def _is_read_only(folder: Path) -> bool:
    try:
        return bool(os.statvfs(folder).f_flag & os.ST_RDONLY)
    except (AttributeError, OSError):
        return False


def _way_back() -> str:
    newest = last_backup()
    if newest is None:
        return f"Eine Sicherung zurückholen: „{COMMAND} restore ORDNER“."
    return f"Letzte Sicherung zurückholen: {_restoring(newest)}."


def last_backup() -> Path | None:
    """Return the newest backup, found without the database."""
    from krru.backups.naming import backups_in  # noqa: PLC0415
    from krru.backups.status import statuses  # noqa: PLC0415

    found = []
    try:
        remembered = set(statuses())
    except Trouble:  # the settings themselves are wrong
        remembered = set()
    for folder in {*remembered, chosen_folder() / "backups"}:
        try:
            found += backups_in(folder)[:1]
        except OSError:
            continue
    return max(found, key=lambda one: (one.made_at, one.number)).path if found else None


def newest_before_upgrade() -> Path | None:
    from krru.backups.naming import backups_in  # noqa: PLC0415

    try:
        found = backups_in(chosen_folder() / "backups")
    except OSError:
        return None
    return next((one.path for one in found if one.reason == "upgrade"), None)


def too_new(version: str) -> str:
    before = newest_before_upgrade()
    back = _restoring(before) if before else f"„{COMMAND} restore DATEI“ mit einer von davor"
    return (
        f"Die Daten in {chosen_folder()} sind von einer neueren Version als dieser ({version}). "
        f"Die neuere starten. Oder zurück zum Stand vor der Umstellung: {back}."
    )


def of_0_1_0() -> str:
    return (
        f"Die Daten in {chosen_folder()} sind von Version 0.1.0, die diese nicht umstellt. "
        "Erst Version 0.2.0 mit diesem Ordner starten, sie stellt um; dann diese."
    )


def between_releases() -> str:
    return (
        f"Die Daten in {chosen_folder()} sind von einem Entwicklungsstand zwischen zwei Versionen, "
        "von dem keine weiterführt. Eine Sicherung von 0.2.0 oder später zurückholen "
        f"({_restoring('DATEI')}), oder mit KRRU_DATA einen anderen Ordner wählen."
    )
