"""What belongs to the club: done on a real evening behind a closed door, and rolled back.

The club's name, screens, staff and members are everybody's, and a sample has no mail, no call and
no person that can be merged. So all of this is really done, counted, and leaves nothing behind.
"""

from __future__ import annotations

from datetime import timedelta

from clock.models import ScheduleTemplate
from krru.backups import is_sealing
from tournaments.changes.access import SYSTEM, Actor, Role
from tournaments.club.services.about import club_about_set
from tournaments.club.services.moving import club_moved
from tournaments.club.services.staff import (
    backups_seal,
    club_update,
    device_revoke,
    device_sign_in,
    device_sign_out,
    link_make,
    token_make,
)
from tournaments.club.services.theme import club_colour_set, club_logo_remove, club_logo_set
from tournaments.door.services.registration import registration_create, registration_withdraw
from tournaments.event.selectors.schedule_files import schedule_as_file
from tournaments.event.services.chip_sets import chip_set_delete, chip_set_save
from tournaments.event.services.lifecycle import event_copy
from tournaments.event.services.schedule.importing import schedule_import
from tournaments.event.services.schedule.own import (
    event_schedule_save,
    schedule_delete,
    schedule_rename,
)
from tournaments.event.services.start_call import start_announce, start_called
from tournaments.models import (
    ChipSet,
    Event,
    Grant,
    Mail,
    Person,
    PersonMerge,
    Registration,
    RulePreset,
    Screen,
    StaffDevice,
)
from tournaments.people.services.members import members_import, person_correct
from tournaments.people.services.people_merge import people_merge, people_unmerge
from tournaments.post.services.mail import mail_resend
from tournaments.practice.services.sample import sample_remove
from tournaments.practice.simulation.beside import another
from tournaments.practice.simulation.deeds.deed import When, deed
from tournaments.practice.simulation.evening import DESK, Evening
from tournaments.practice.simulation.money.drawer import count_the_drawers
from tournaments.practice.simulation.seasons_room import keep_a_league, show_a_profile
from tournaments.privacy.services.privacy import contacts_erase, person_erase, privacy_set
from tournaments.rules.services.rules import event_preset_save, preset_delete, preset_rename
from tournaments.screens.services.screens import (
    screen_change,
    screen_claim,
    screen_make,
    screen_retire,
    screen_undo,
)
from tournaments.undo.services.preview import rolled_back

LOGO = (
    b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><rect width="8" height="8"/></svg>'
)
CALL_BEFORE = timedelta(minutes=5)  # KRRU 3.0


def play_in_the_club(evening: Evening, removable: Event) -> None:
    """Do all of it, and leave nothing behind."""
    club = evening.event.club
    club.refresh_from_db()
    before = club.version
    with rolled_back():
        room = another(evening, "hinter verschlossener Tür", is_sample=False)
        keep_people(room)
        call_the_start(room)
        show_on_screens(room)
        staff_comes_and_goes(room)
        count_the_drawers(room)
        change_the_club(room)
        go_on_elsewhere(room)
        keep_rules(room)
        keep_schedules(room)
        keep_chips(room)
        guest = _register(room, "Simulantin Liga")
        keep_a_league(room, guest)
        show_a_profile(room, guest)
        remove_a_sample(room, removable)
    evening.checker.checked += room.checker.checked
    club.refresh_from_db()
    evening.checker.expect(club.version == before, "the club was changed", before, club.version)


@deed(start_announce, start_called, when=When.ELSEWHERE)
def call_the_start(room: Evening) -> None:
    """Plan the beginning for five minutes from now; the screens call it, which is written down."""
    room.do(start_announce)
    room.reload()
    own = {"starts_at": room.event.starts_at}
    room.now = room.event.starts_at - CALL_BEFORE - timedelta(seconds=2)
    room.refused("not_due", start_called, by=SYSTEM, **own)
    room.do(start_called, by=SYSTEM, **own)
    room.refused("not_due", start_called, by=SYSTEM, **own)


@deed(
    event_copy, person_correct, members_import, people_merge, people_unmerge, person_erase,
    privacy_set, contacts_erase, mail_resend, when=When.ELSEWHERE,
)  # fmt: skip
def keep_people(room: Evening) -> None:
    """Somebody is known twice and put together, corrected, and erased; addresses are forgotten."""
    anna = _register(room, "Simulantin Anna Doppelt", email="anna@example.org")
    copied = room.do_in_club(event_copy, source=room.event).payload["event"]
    here, room.event = room.event, Event.objects.select_related("clock", "club").get(pk=copied)
    twice = _register(room, "Simulantin A. Doppelt", phone="+43 660 1234567")
    room.event = here
    mail = Mail.objects.get(registration=anna)
    room.do(mail_resend, by=DESK, mail=mail)
    room.do_in_club(people_merge, kept=anna.person, gone=twice.person)
    merge = PersonMerge.objects.live().get(gone=twice.person)
    kept = Registration.objects.filter(person=anna.person).count()
    room.checker.expect(kept == 2, "registrations of one person", kept)
    room.do_in_club(people_unmerge, merge=merge)
    person = Person.objects.get(pk=anna.person_id)
    room.do_in_club(
        person_correct, person=person, name="Simulantin Anna Einfach", email="",
        phone="+43 660 7654321", is_member=True,
    )  # fmt: skip
    room.do_in_club(members_import, people=[{"name": "Simulant Neu", "email": "neu@example.org"}])
    room.do(registration_withdraw, by=DESK, registration=anna)
    room.do_in_club(person_erase, person=person)
    person.refresh_from_db()
    room.checker.expect("Anna" not in person.name, "an erased name", person.name)
    room.do_in_club(privacy_set, erase_contacts_days=30)
    now, room.now = room.now, room.now + timedelta(days=60)
    room.do_in_club(contacts_erase, by=SYSTEM)
    room.now = now
    twice.person.refresh_from_db()
    room.checker.expect(not twice.person.phone, "a phone whose time is up", twice.person.phone)


def _register(room: Evening, name: str, **own: str) -> Registration:
    made = room.do(registration_create, by=DESK, name=name, **own)
    rows = Registration.objects.select_related("person")
    return rows.get(pk=made.payload["registration"])


@deed(screen_claim, screen_change, screen_retire, screen_undo, when=When.ELSEWHERE)
def show_on_screens(room: Evening) -> None:
    """Take a screen in by its code, set it, let it go; each of the last two is taken back."""
    secret = f"{room.rng.getrandbits(128):032x}"
    screen = screen_make(club=room.event.club, secret=secret, at=room.now)
    name = f"Simulierte Leinwand {screen.pk}"
    room.do_in_club(screen_claim, code=screen.code, name=name, event=room.event)
    changed = room.do_in_club(screen_change, screen=screen, wanted={"shows": Screen.Shows.SEATING})
    room.do_in_club(screen_undo, action=changed)
    retired = room.do_in_club(screen_retire, screen=screen)
    room.do_in_club(screen_undo, action=retired)
    screen.refresh_from_db()
    as_before = screen.is_claimed and screen.shows == Screen.Shows.CLOCK
    room.checker.expect(as_before, "the screen", screen.shows)


@deed(link_make, device_sign_in, device_sign_out, token_make, device_revoke, when=When.ELSEWHERE)
def staff_comes_and_goes(room: Evening) -> None:
    """A device signs in by a link and out again; a script's token is withdrawn."""
    token, own, script = (f"{room.rng.getrandbits(128):032x}" for _ in range(3))
    room.do_in_club(link_make, token=token, role=Role.DESK, event=room.event)
    signed = room.do_in_club(
        device_sign_in, token=token, device_token=own, name="Simulierter Laptop"
    )
    device = StaffDevice.objects.get(pk=signed.payload["device"])
    laptop = Actor(role=Role.DESK, device=device)
    room.do(registration_create, by=laptop, name="Simulant vom Laptop")
    room.do_in_club(device_sign_out, by=laptop)
    made = room.do_in_club(
        token_make, token=script, name="Simuliertes Skript", role=Role.ARBITER, event=room.event
    )
    room.do_in_club(device_revoke, device=StaffDevice.objects.get(pk=made.payload["device"]))


@deed(
    club_update, club_about_set, club_colour_set, club_logo_set, club_logo_remove,
    when=When.ELSEWHERE,
)  # fmt: skip
def change_the_club(room: Evening) -> None:
    """The club gets another name and place, a colour, and a logo that does not please."""
    room.do_in_club(club_update, name="Simulierter Verein", backup_folder="")
    room.do_in_club(club_about_set, venue="Simuliertes Heim", contact="verein@example.org")
    room.do_in_club(club_colour_set, colour="#7a1f2b")
    room.do_in_club(club_logo_set, data=LOGO)
    room.do_in_club(club_logo_remove)


@deed(backups_seal, club_moved, when=When.ELSEWHERE)
def go_on_elsewhere(room: Evening) -> None:
    """Backups get a passphrase for a moment, and the data go on as if at another machine."""
    if not is_sealing():
        room.do_in_club(backups_seal, passphrase=f"{room.rng.getrandbits(128):032x}")
        room.do_in_club(backups_seal, passphrase="")
    moved = room.do_in_club(club_moved)
    left = Grant.objects.filter(device__club=room.event.club, revoked_at=None).count()
    room.checker.expect(left == 0, "devices after a move", moved.payload["devices"])


@deed(event_preset_save, preset_rename, preset_delete, when=When.ELSEWHERE)
def keep_rules(room: Evening) -> None:
    """Keep the rules of the evening under a name, call them otherwise, and delete them."""
    saved = room.do(event_preset_save, name=f"Simulierte Hausregeln {room.event.pk}")
    preset = RulePreset.objects.get(pk=saved.payload["preset_row"])
    room.do_in_club(preset_rename, preset=preset, name=f"Andere Hausregeln {room.event.pk}")
    preset.refresh_from_db()
    room.do_in_club(preset_delete, preset=preset)


@deed(event_schedule_save, schedule_rename, schedule_delete, schedule_import, when=When.ELSEWHERE)
def keep_schedules(room: Evening) -> None:
    """Keep the blind schedule of the evening under a name, call it otherwise, and delete it.

    What is in it comes back by its file.
    """
    saved = room.do(event_schedule_save, name=f"Simulierter Plan {room.event.pk}")
    schedule = ScheduleTemplate.objects.get(pk=saved.payload["template"])
    room.do_in_club(schedule_rename, schedule=schedule, name=f"Anderer Plan {room.event.pk}")
    schedule.refresh_from_db()
    file = schedule_as_file(schedule)
    room.do_in_club(schedule_delete, schedule=schedule)
    room.do_in_club(schedule_import, schedule=file)


@deed(chip_set_save, chip_set_delete, when=When.ELSEWHERE)
def keep_chips(room: Evening) -> None:
    """Enter a case of chips, change what is in it, and delete it."""
    pieces = {1: (100, "white"), 5: (80, "red")}
    name = f"Simulierter Koffer {room.event.pk}"
    saved = room.do_in_club(chip_set_save, name=name, pieces=pieces)
    chips = ChipSet.objects.get(pk=saved.payload["chip_set"])
    room.do_in_club(
        chip_set_save, name=f"Anderer Koffer {room.event.pk}", pieces=pieces, chip_set=chips
    )
    room.do_in_club(chip_set_delete, chip_set=chips)


@deed(sample_remove, when=When.ELSEWHERE)
def remove_a_sample(room: Evening, event: Event) -> None:
    """Remove a sample evening with all that it brought about."""
    room.do_in_club(sample_remove, event=event)
    room.checker.expect(not Event.objects.filter(pk=event.pk).exists(), "a removed sample")
