"""The club's means of payment beside cash."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from tournaments.changes.access import Permission
from tournaments.changes.club import club_get
from tournaments.changes.forms.parts import Refusable
from tournaments.changes.views.decorators import club_staff
from tournaments.changes.views.requests import StaffRequest, action_response, club_command_of
from tournaments.event.views.events import FORM_METHODS, WRONG, attempt
from tournaments.money.domain.accounts import Means
from tournaments.money.selectors.journal import USUAL_NAMES
from tournaments.money.services.drawers import LONGEST_MEANS, club_means_set


class MeansForm(Refusable):
    """The name of each means of payment; one without a name is not accepted."""

    field_of: ClassVar[Mapping[str, str]] = {"means_twice": Means.CARD.value}
    card = forms.CharField(label=_("Mit Karte"), required=False, max_length=LONGEST_MEANS)
    transfer = forms.CharField(label=_("Mit Überweisung"), required=False, max_length=LONGEST_MEANS)
    voucher = forms.CharField(label=_("Mit Gutschein"), required=False, max_length=LONGEST_MEANS)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            usual = str(USUAL_NAMES[Means(name)])
            field.widget.attrs.update(autocomplete="off", placeholder=usual)


@club_staff(Permission.MANAGE, methods=FORM_METHODS)
def means(request: StaffRequest) -> HttpResponse:
    """Show and set the means accepted beside cash."""
    form = MeansForm(request.POST or None, initial=club_get().payment_means)
    if request.method == "POST" and form.is_valid():
        command = club_command_of(request)
        action = attempt(form, lambda: club_means_set(command, names=form.cleaned_data))
        if action:
            return action_response(request, action, go_to=reverse("club-settings"))
    return render(request, "cash/means.html", {"form": form}, status=WRONG if form.errors else 200)
