"""The rules of a tournament: set single rules, choose or save a preset."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from tournaments.changes.access import Permission
from tournaments.changes.domain.errors import Refused
from tournaments.changes.views.decorators import staff
from tournaments.changes.views.requests import StaffRequest, action_response, command_of
from tournaments.event.forms.settings import PresetNameForm
from tournaments.event.views.context import page_context
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.models import Event, RulePreset
from tournaments.rules.forms.rules import RulesForm
from tournaments.rules.selectors.rule import obstacles_to_rules
from tournaments.rules.selectors.rule_texts import differences, preset_of
from tournaments.rules.selectors.rules import rules_for
from tournaments.rules.services.rules import (
    event_preset_choose,
    event_preset_save,
    event_rules_change,
)


@never_cache
@staff(Permission.MANAGE, people=True, methods=FORM_METHODS)
def rules(request: StaffRequest) -> HttpResponse:
    """Show all rules with their effect; binding ones are grey, with the reason."""
    event = request.event
    sent = request.POST if request.method == "POST" else None
    form = _form(event, sent)
    if sent is not None and form.is_valid():
        changed = form.changes()
        action = attempt(form, lambda: event_rules_change(command_of(request), **changed))
        if action:
            return action_response(request, action, go_to=_here(event))
    return _page(request, form, PresetNameForm())


@never_cache
@staff(Permission.MANAGE, people=True, methods=("POST",))
def preset_choose(request: StaffRequest) -> HttpResponse:
    """Choose a preset, or restore the rules of the present one."""
    preset = RulePreset.objects.filter(key=request.POST.get("preset", "")).first()
    if preset is None:
        raise Refused(_("Diese Vorlage gibt es nicht mehr."), code="no_preset")
    action = event_preset_choose(command_of(request), preset=preset)
    return action_response(request, action, go_to=_here(request.event))


@never_cache
@staff(Permission.MANAGE, people=True, methods=("POST",))
def preset_save(request: StaffRequest) -> HttpResponse:
    """Save the rules under a name."""
    form = PresetNameForm(request.POST)
    if form.is_valid():
        name = form.cleaned_data["name"]
        action = attempt(form, lambda: event_preset_save(command_of(request), name=name))
        if action:
            return action_response(request, action, go_to=_here(request.event))
    return _page(request, _form(request.event, None), form)


def _form(event: Event, sent: Any) -> RulesForm:
    asked = rules_for(event)
    obstacles = obstacles_to_rules(event, asked)
    if event.is_over:
        over = _("Das Turnier ist beendet.")
        obstacles = {**dict.fromkeys([rule.name for rule in asked], over), "own_text": over}
    return RulesForm(sent, event=event, rules=asked, obstacles=obstacles)


def _page(request: StaffRequest, form: RulesForm, name_form: PresetNameForm) -> HttpResponse:
    event = request.event
    preset = preset_of(event)
    differing = differences(event, preset)
    context = page_context(request, event, request.actor) | {
        "form": form,
        "name_form": name_form,
        "groups": form.groups({one.rule.name: one.preset for one in differing}),
        "tab": "rules",
        "preset": preset,
        "rules_name": event.rules.get("name", ""),
        "differing": differing,
        "others": RulePreset.objects.exclude(key=event.rules.get("key", "")).order_by("pk"),
    }
    has_faults = form.errors or name_form.errors
    return render(request, "events/rules.html", context, status=WRONG if has_faults else 200)


def _here(event: Event) -> str:
    return reverse("event-rules", args=[event.slug])
