"""What tests of erasing begin with: an evening with Petra in it, and a search for traces of her."""

import json
from datetime import timedelta

from tests import factories as f
from tests.calling import call_service
from tests.prepared import prepared
from tests.services.line import say
from tournaments.changes.access import SYSTEM
from tournaments.changes.kinds import describe
from tournaments.door.services.registration import registration_correct
from tournaments.event.services.clock import clock_start
from tournaments.event.services.lifecycle import event_end
from tournaments.models import Action, ActionText, Mail, Person, Registration
from tournaments.play.services.eliminations import entries_eliminate, entry_disqualify
from tournaments.post.services.messages import announcement_made, message_send
from tournaments.privacy.services.privacy import person_erase

PETRA = "petra@example.org"
CONTACT = {"email": PETRA, "phone": "6601234567", "remark": "Sitzt gern am Rand"}
DAY = timedelta(days=1)


@prepared
def evening_of_petra():
    """An evening that is over. Petra was there, was corrected, told of, and disqualified."""
    event = f.make_event()
    petra = f.register(event, "Petra Gans", **CONTACT)
    now_known = {"name": "Petra Probst", "email": PETRA, "phone": "+43 660 1234567"}
    say(registration_correct, event, 0, registration=petra, **now_known)
    others = [f.register(event, name) for name in ("Anna Ast", "Bert Buch")]
    entries = [f.check_in(event, row) for row in (petra, *others)]
    say(announcement_made, event, 0, text="Petra Probst bitte zur Leitung.")
    say(message_send, event, 0, text="Petras Jacke?", entry=entries[0])
    f.drive(clock_start, event, 0)
    action = f.drive(entries_eliminate, event, 5, entries=entries[:2])
    f.undo(event, action, at=f.after(6))
    reason = {"reason": "Petra hat gezeigt", "stack": 200}
    f.drive(entry_disqualify, event, 7, entry=entries[0], **reason)
    f.drive(entries_eliminate, event, 8, entries=[entries[1]])
    f.drive(event_end, event, 9)
    return f.fresh(event)


def petra_in(event):
    rows = Registration.objects.select_related("person", "made_by")
    return rows.get(event=event, person__sort_name__startswith="petra")


def erase(event, by=SYSTEM, at=None, person=None, **own):
    row = person or petra_in(event).person
    return call_service(
        person_erase, club=event.club, by=by, at=at or f.after(60), person=row, **own
    )


def texts():
    return json.dumps(list(ActionText.objects.values_list("data", flat=True)), ensure_ascii=False)


def everything():
    people = Person.objects.values_list("name", "sort_name", "plain_name", "email", "phone")
    remarks = Registration.objects.values_list("remark", flat=True)
    mails = Mail.objects.values_list("address", "subject")
    return texts() + repr([*people, *remarks, *mails]).casefold()


def sentences(event):
    rows = Action.objects.filter(event=event).select_related("text", "undoes__text")
    return [describe(row) for row in rows.order_by("sequence")]
