"""Faults of the kind people make, each as the right text and a wrong one in its place."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fault:
    """What somebody got wrong. `near` are test files by name; `on` says what they run on."""

    name: str
    right: str
    wrong: str
    near: tuple[str, ...]
    on: str = "sqlite"


def fault(name: str, right: str, wrong: str, *near: str, on: str = "sqlite") -> Fault:
    return Fault(name, right, wrong, near, on)


FAULTS = (
    # Off by one
    fault(
        "the latest out has the place of the one before",
        "    return alive_count + 1",
        "    return alive_count",
        "test_ranking", "ranking",
    ),
    fault(
        "an out alone is placed one too high",
        "return players_left(event) + _later(live, row).count() + 1",
        "return players_left(event) + _later(live, row).count()",
        "test_eliminations",
    ),
    fault(
        "after a shared place nobody is skipped",
        "placed.update(dict.fromkeys(tier, first + len(placed)))",
        "placed.update(dict.fromkeys(tier, first + len(set(placed.values()))))",
        "test_ranking",
    ),
    fault(
        "an offered place counts as free",
        "return max(0, self.capacity - kept - self.placed - self.offered)",
        "return max(0, self.capacity - kept - self.placed)",
        "test_places", "test_waiting",
    ),
    fault(
        "one too many is asked",
        "return tuple(waiting[: max(0, free)])",
        "return tuple(waiting[: max(0, free) + 1])",
        "test_places", "test_waiting",
    ),
    fault(
        "clockwise begins one seat too late",
        "return tuple((after + step) % view.seats + 1 for step in range(view.seats))",
        "return tuple((after + step + 1) % view.seats + 1 for step in range(view.seats))",
        "test_moves",
    ),
    fault(
        "the hand under way counts for a penalty",
        "if left[index] and penalties[index].given_at < began)",
        "if left[index] and penalties[index].given_at <= began)",
        "test_penalties",
    ),
    fault(
        "heads-up the button is not the small blind",
        "    if len(order) == 2 and button in players:\n        order",
        "    if len(order) == 3 and button in players:\n        order",
        "test_blinds",
    ),
    fault(
        "a level added late begins before it was added",
        "begins = end if following.added_at is None else max(end, following.added_at)",
        "begins = end if following.added_at is None else min(end, following.added_at)",
        "test_clock_fold", "test_clock_schedule", "test_clock_state",
    ),
    fault(
        "the screen's clock runs beyond its level",
        "const elapsed = duration === null ? ran : Math.min(ran, duration);",
        "const elapsed = ran;",
        "test_clock_vectors",
    ),
    # Somebody may what is not theirs
    fault(
        "everybody on the staff may disqualify",
        "    Permission.UNDO_OWN,\n}",
        "    Permission.UNDO_OWN,\n    Permission.DISQUALIFY,\n}",
        "test_docs", "test_disqualifications", "test_access",
    ),
    fault(
        "a revoked device keeps its roles",
        "grants = Grant.objects.filter(device=device, revoked_at__isnull=True)\n    scope",
        "grants = Grant.objects.filter(device=device)\n    scope",
        "test_staff",
    ),
    fault(
        "an arbiter takes back what another did",
        "own = actor.device is not None and action.device_id == actor.device.pk",
        "own = actor.device is not None",
        "test_conduct", "test_eliminations", "test_undo_preview",
    ),
    fault(
        "a player may erase anybody",
        "own = rows.filter(person=person).first()",
        "own = rows.first()",
        "test_privacy",
    ),
    fault(
        "a fee is booked for a registration of another event",
        'rows = Registration.objects.select_related("person").filter(event=change.event)\n'
        "    row = rows.filter(pk=registration.pk).first()\n"
        "    if row is None:\n"
        '        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")',
        'rows = Registration.objects.select_related("person")\n'
        "    row = rows.filter(pk=registration.pk).first()\n"
        "    if row is None:\n"
        '        raise Refused(_("Diese Anmeldung gilt nicht mehr."), code="gone")',
        "test_fees",
    ),
    fault(
        "an action of another event is taken back",
        'Action.objects.select_related("text").filter(event=change.event, pk=action.pk).first()',
        'Action.objects.select_related("text").filter(pk=action.pk).first()',
        "test_fees", "test_events_log", "test_lifecycle",
    ),
    # Locks
    fault(
        "an event is not locked",
        'Event.objects.by_hand("id", command.event.pk, lock=True)',
        'Event.objects.by_hand("id", command.event.pk)',
        "test_races", "test_races_at_the_door", on="postgres",
    ),
    fault(
        "a club is not locked",
        "Club.objects.select_for_update(no_key=True).get(pk=command.club.pk)",
        "Club.objects.get(pk=command.club.pk)",
        "test_races_of_lists", "test_privacy", "test_races", on="postgres",
    ),
    fault(
        "two workers send the same mail",
        "due = Mail.objects.filter(pk=mail.pk, sent_at=None, due_at=mail.due_at)",
        "due = Mail.objects.filter(pk=mail.pk, sent_at=None)",
        "test_mail_sending",
    ),
    # Forgotten in a list
    fault(
        "released no-shows do not change the list",
        (
            'Platz frei: %(name)s"),\n    Group.PEOPLE,\n    frees_places=True,\n'
            "    places=Places.OF_THE_LIST,"
        ),
        'Platz frei: %(name)s"),\n    Group.PEOPLE,\n    frees_places=True,',
        "test_news",
    ),
    fault(
        "tables that blinds opened are taken away from those who sit there",
        'gesetzt: %(name)s"),\n    Group.PEOPLE,\n    brings_in=True,\n    opens_tables=True,',
        'gesetzt: %(name)s"),\n    Group.PEOPLE,\n    brings_in=True,',
        "test_places_at_start", "test_dependence",
    ),
    fault(
        "a disqualification is no out",
        (
            'lazy("Disqualifiziert: %(name)s"),\n    Group.OUTS,\n    frees_places=True,\n'
            "    puts_out=True,"
        ),
        'lazy("Disqualifiziert: %(name)s"),\n    Group.OUTS,\n    frees_places=True,',
        "test_dependence", "test_disqualifications", "test_sequences",
    ),
    fault(
        "more places are set, and nobody is asked",
        (
            '_("Höchstzahl"),\n        is_suggested=True,\n        is_asked_when_made=True,\n'
            "        frees_places=True,"
        ),
        '_("Höchstzahl"),\n        is_suggested=True,\n        is_asked_when_made=True,',
        "test_lifecycle", "test_waiting",
    ),
    fault(
        "reasons outlive the person",
        '"reason": Holds.WORDS,',
        '"reason": Holds.NOTHING,',
        "test_privacy",
    ),
    # What is written down
    fault(
        "another request under the same key is answered as the first",
        "if record.request_hash != request.hash():",
        "if not request.hash():",
        "test_audit", "test_actions",
    ),
    fault(
        "the chain does not say on which device",
        (
            '1000),\n        {**action.payload, "role": action.role, '
            '"device": action.device_id},\n    )'
        ),
        '1000),\n        {**action.payload, "role": action.role},\n    )',
        "test_audit",
    ),
    fault(
        "invented people get mail",
        "if row.email and not change.event.is_sample",
        "if row.email",
        "test_mail", "test_sample",
    ),
    fault(
        "a fee does not balance",
        "    cash = -sum(sides.values())",
        "    cash = sum(sides.values())",
        "test_desk_acts", "test_waiting",
    ),
    fault(
        "a stream that was left stays in its topic",
        "            stream.topic.streams.remove(stream)\n",
        "",
        "test_stream", "test_presence",
    ),
    # In the browser
    fault(
        "a page does not hear that it missed something",
        '    source.addEventListener("lost", onLost);\n',
        "",
        "test_desk_typing", on="browser",
    ),
    fault(
        "a trembling finger taps twice",
        "  if (isRepeated(tap)) {",
        "  if (isRepeated(tap) && !tap) {",
        "test_offline", on="browser",
    ),
    fault(
        "a search given up for the next takes an Enter back",
        '["htmx:sendError", "htmx:timeout", "htmx:responseError"].forEach((name) => {\n'
        "  document.body.addEventListener(name, ({ detail: { elt } }) => {",
        '["htmx:afterRequest"].forEach((name) => {\n'
        "  document.body.addEventListener(name, ({ detail: { elt } }) => {",
        "test_desk_typing", on="browser",
    ),
    fault(
        "a new press goes out under the key of the last",
        "if (xhr.status > 0 && xhr.status < 500) settle(requestConfig.krruSignature);",
        "if (xhr.status > 500) settle(requestConfig.krruSignature);",
        "test_page_scripts", on="browser",
    ),
)  # fmt: skip
