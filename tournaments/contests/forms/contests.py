"""Forms for a contest, for its flights and days, and for bags."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.contests.domain.carrying import Begins, Forward, Further, Terms
from tournaments.contests.domain.stopping import MOST_LEVELS, StopRule
from tournaments.contests.services.contests import LONGEST_LABEL, LONGEST_NAME, MOST_ORDER
from tournaments.models import Contest, Stage
from tournaments.payouts.forms.prizes import ROUNDINGS, AmountField, hundredths_of, percent_typed
from tournaments.prizes.domain.plans import WHOLE, Rounding

FORWARD = {
    Forward.BEST: _("dem größten Stapel"),
    Forward.SUM: _("allen Stapeln zusammen"),
    Forward.FIRST: _("dem ersten; wer weiter ist, steigt nicht mehr ein"),
}
FURTHER = {
    Further.NOTHING: _("nichts"),
    Further.BONUS: _("ein Betrag aus dem Topf"),
    Further.MIN_CASH: _("der letzte Preis"),
}
BEGINS = {
    Begins.REST: _("wo der Flight aufhörte, der am wenigsten weit kam"),
    Begins.WHOLE: _("mit der ganzen Stufe dieses Flights"),
    Begins.OWN: _("mit der ersten Stufe des eigenen Blindplans"),
}
FIELD_OF = {
    "bad_name": "name",
    "bad_amount": "further_cents",
    "label_taken": "label",
    "bad_label": "label",
    "bad_percent": "percent",
    "bad_players": "players",
    "bad_level": "level",
    "bad_time": "time",
    "started": "order",
    "no_reason": "reason",
}


class PercentField(forms.CharField):
    """A percentage as typed, 12,5 or 12,5 %, in hundredths; empty means none."""

    def __init__(self, **own: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(required=False, max_length=10, widget=widget, **own)

    def clean(self, value: Any) -> Any:
        typed = super().clean(value).removesuffix("%").strip()
        wrong = _("Mehr als 0 und weniger als 100 Prozent, etwa 12,5.")
        try:
            share = hundredths_of(typed) if typed else 0
        except ValueError as no_share:
            raise forms.ValidationError(wrong) from no_share
        if typed and not 0 < share < WHOLE:
            raise forms.ValidationError(wrong)
        return share

    def prepare_value(self, value: Any) -> Any:
        return percent_typed(value) if isinstance(value, int) and value else value


class _OfContest(Refusable):
    field_of = FIELD_OF


class ContestForm(_OfContest):
    """The name and the terms of a contest."""

    name = forms.CharField(
        label=_("Name"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": _("Bitte einen Namen angeben, höchstens 120 Zeichen.")},
    )
    forward = forms.ChoiceField(
        label=_("Wer mehrmals weiterkommt, spielt mit"), choices=FORWARD.items()
    )
    further = forms.ChoiceField(label=_("Für jedes weitere Mal gibt es"), choices=FURTHER.items())
    further_cents = AmountField(label=_("So viel"))
    travel_cents = AmountField(
        label=_("Sofort für jeden, der weiterkommt"),
        help_text=_("Als Teil des Preises, etwa für die Reise. Leer: nichts."),
    )
    begins = forms.ChoiceField(label=_("Der nächste Tag beginnt"), choices=BEGINS.items())

    def __init__(self, *args: Any, contest: Contest | None, name: str = "", **own: Any) -> None:
        terms = contest.reckoning if contest else Terms()
        names = ("forward", "further", "further_cents", "travel_cents", "begins")
        initial = {each: getattr(terms, each) for each in names}
        initial["name"] = contest.name if contest else name
        super().__init__(*args, **{**own, "initial": initial})

    def terms(self) -> Terms:
        """Return the typed terms, of a valid form."""
        data = self.cleaned_data
        further = Further(data["further"])
        return Terms(
            forward=Forward(data["forward"]),
            further=further,
            further_cents=0 if further is Further.NOTHING else data["further_cents"],
            travel_cents=data["travel_cents"],
            begins=Begins(data["begins"]),
        )


class StageForm(_OfContest):
    """A flight or a day: its event, label, order and end."""

    event = forms.TypedChoiceField(label=_("Turnier"), coerce=int)
    label = forms.CharField(
        label=_("Bezeichnung"), max_length=LONGEST_LABEL, help_text=_("Etwa 1A oder Tag 2.")
    )
    order = WholeNumberField(
        label=_("Tag"),
        least=1,
        most=MOST_ORDER,
        help_text=_("1 für alle Flights, 2 für den Tag danach."),
    )
    players = WholeNumberField(
        label=_("Endet bei so vielen Spielern"), least=1, most=50_000, empty=0, required=False
    )
    percent = PercentField(label=_("oder bei Prozent der Einstiege"))
    rounding = forms.ChoiceField(label=_("Gerundet"), choices=ROUNDINGS.items())
    level = WholeNumberField(
        label=_("oder nach Stufe"), least=1, most=MOST_LEVELS, empty=0, required=False
    )
    time = forms.CharField(
        label=_("oder um"),
        max_length=5,
        required=False,
        help_text=_("Uhrzeit wie 23:30. Was zuerst eintritt, beendet den Tag."),
    )

    def __init__(
        self, *args: Any, events: list[tuple[int, str]], stage: Stage | None, **own: Any
    ) -> None:
        initial: dict[str, Any] = {"order": 1, "rounding": Rounding.NEAREST}
        if stage is not None:
            names = ("players", "percent", "rounding", "level", "time")
            initial = {each: getattr(stage.rule, each) or "" for each in names}
            initial |= {"event": stage.event_id, "label": stage.label, "order": stage.order}
        super().__init__(*args, **{**own, "initial": initial | own.get("initial", {})})
        field: Any = self.fields["event"]
        field.choices = events

    def stop(self) -> StopRule:
        """Return the typed end, of a valid form."""
        data = self.cleaned_data
        return StopRule(
            players=data["players"],
            percent=data["percent"],
            rounding=Rounding(data["rounding"]),
            level=data["level"],
            time=data["time"].strip(),
        )


class DayEndForm(_OfContest):
    """The end of a day with another sum than the chips in play."""

    is_sure = forms.BooleanField(label=_("Trotz der Differenz beenden"), required=False)
    reason = forms.CharField(label=_("Grund"), max_length=200, required=False)
