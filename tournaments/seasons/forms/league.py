"""The director's forms for a league and for a person in it."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.changes.forms.parts import Refusable, WholeNumberField
from tournaments.event.domain.prices import LONGEST_NAME as LONGEST_PART
from tournaments.models import League
from tournaments.seasons.domain.formula import LONGEST
from tournaments.seasons.domain.points import (
    MOST_EVENINGS,
    WHOLE,
    Counts,
    Terms,
    TieBreak,
    Ties,
    Way,
)
from tournaments.seasons.selectors.labels import COUNTS, TIE_BREAKS, TIES, WAYS, points_typed
from tournaments.seasons.services.leagues import LONGEST_NAME, Takes

YEAR = re.compile(r"(?<!\d)20\d\d(?!\d)|(?<=20\d\d/)\d\d(?!\d)", re.ASCII)
POINTS = re.compile(r"[-−]?\d{1,7}(?:[.,]\d{1,2})?", re.ASCII)
TIE_FIELDS = ("tie_1", "tie_2", "tie_3")
# The terms that are stored as their field gives them.
AS_TYPED = ("table", "each", "formula", "best", "attendance", "knockout", "team_best", "leader",
            "run", "run_bonus")  # fmt: skip
FIELD_OF: Mapping[str, str] = {
    "bad_formula": "formula",
    "no_table": "table",
    "long_table": "table",
    "over_100": "table",
    "bad_best": "best",
    "half_a_run": "run",
    "twice": "tie_2",
    "bad_days": "rule_until",
    "bad_points": "points",
    "no_reason": "reason",
}


class PointsField(forms.CharField):
    """Points as typed, "12,5", in hundredths. Empty means none."""

    def __init__(self, **own: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off"})
        super().__init__(max_length=12, widget=widget, **own)

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        return hundredths(typed) if typed else 0

    def prepare_value(self, value: Any) -> Any:
        return points_typed(value) if isinstance(value, int) else value


class PointsListField(forms.CharField):
    """Points from the first place on, separated by blanks or semicolons."""

    def __init__(self, **own: Any) -> None:
        widget = forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"})
        super().__init__(max_length=1200, widget=widget, **own)

    def clean(self, value: Any) -> Any:
        typed = super().clean(value)
        return tuple(hundredths(part) for part in re.split(r"[;\s]+", typed) if part)

    def prepare_value(self, value: Any) -> Any:
        return " ".join(map(points_typed, value)) if isinstance(value, tuple) else value


def hundredths(typed: str) -> int:
    """Return typed points in hundredths."""
    if not POINTS.fullmatch(typed):
        raise forms.ValidationError(_("Bitte Punkte als Zahl eingeben, etwa 12 oder 12,5."))
    return int(Decimal(typed.replace("−", "-").replace(",", ".")) * WHOLE)


class _OfLeague(Refusable):
    field_of = {**Refusable.field_of, **FIELD_OF}


class LeagueForm(_OfLeague):
    """A league's name, terms and events."""

    name = forms.CharField(
        label=_("Name der Liga"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={
            "required": _("Die Liga braucht einen Namen."),
            "max_length": _("Höchstens %(limit_value)d Zeichen."),
        },
    )
    way = forms.ChoiceField(
        label=_("Punkte für einen Platz"), choices=WAYS.items(), widget=forms.RadioSelect
    )
    table = PointsListField(
        label=_("Vom ersten Platz an"),
        required=False,
        help_text=_("Mit Leerzeichen getrennt. Bei Anteilen in Prozent, etwa 50 30 20."),
    )
    each = PointsField(label=_("Jeder bringt in den Topf"), required=False)
    formula = forms.CharField(
        label=_("Formel"),
        required=False,
        max_length=LONGEST,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        help_text=_(
            "Es gibt platz, spieler, einstiege, ko; als Beträge startgeld, ausgaben (die eigenen), "
            "preis, kopfgeld, topf und schnitt (Ausgaben je Einstieg); rebuys und addons. Dazu "
            "+ − * / ^, Klammern, wurzel, log (zur Basis 10), ln, hoch, runden, abrunden, "
            "aufrunden, min, max und wenn: etwa wenn(platz <= 3; 10; 5) + wurzel(spieler / platz)."
        ),
    )
    ties = forms.ChoiceField(label=_("Wer einen Platz teilt, bekommt"), choices=TIES.items())
    counts = forms.ChoiceField(label=_("Bei mehreren Einstiegen zählt"), choices=COUNTS.items())
    best = WholeNumberField(
        label=_("So viele Abende zählen"),
        least=0,
        most=MOST_EVENINGS,
        required=False,
        empty=0,
        help_text=_("Die besten jedes Spielers; leer: alle."),
    )
    attendance = PointsField(label=_("Punkte fürs Dabeisein"), required=False)
    knockout = PointsField(label=_("Punkte für jeden, den man ausscheiden lässt"), required=False)
    leader = PointsField(
        label=_("Punkte für einen Stapel dessen, der die Tabelle anführt"), required=False
    )
    run = WholeNumberField(
        label=_("Abende in Folge"), least=0, most=MOST_EVENINGS, required=False, empty=0
    )
    run_bonus = PointsField(label=_("bringen so viele Punkte"), required=False)
    purse = forms.CharField(
        label=_("Teil des Startgelds für den Saisontopf"),
        max_length=LONGEST_PART,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        help_text=_("Steht beim Startgeld „Saison 2“, dann hier „Saison“."),
    )
    tie_1 = forms.ChoiceField(label=_("Bei gleichen Punkten zuerst"), required=False)
    tie_2 = forms.ChoiceField(label=_("dann"), required=False)
    tie_3 = forms.ChoiceField(label=_("und dann"), required=False)
    team_best = WholeNumberField(
        label=_("So viele eines Teams zählen"),
        least=0,
        most=MOST_EVENINGS,
        required=False,
        empty=0,
        help_text=_("Die besten jedes Teams; leer: alle."),
    )
    by_rule = forms.BooleanField(label=_("Abende gehören von selbst dazu"), required=False)
    rule_name = forms.CharField(
        label=_("deren Name enthält"), required=False, max_length=LONGEST_NAME
    )
    rule_since = forms.DateField(
        label=_("vom"), required=False, widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    rule_until = forms.DateField(
        label=_("bis"), required=False, widget=forms.DateInput({"type": "date"}, "%Y-%m-%d")
    )
    is_public = forms.BooleanField(label=_("Alle dürfen die Tabelle sehen"), required=False)

    def __init__(
        self,
        *args: Any,
        league: League | None = None,
        like: League | None = None,
        **kwargs: Any,
    ) -> None:
        kwargs["initial"] = _initial(league or like) | (_next_season(like) if like else {})
        super().__init__(*args, **kwargs)
        for name in TIE_FIELDS:
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [("", _("nichts")), *TIE_BREAKS.items()]

    def terms(self) -> Terms:
        """Return the league's terms, of a valid form."""
        data = self.cleaned_data
        return Terms(
            way=Way(data["way"]),
            ties=Ties(data["ties"]),
            counts=Counts(data["counts"]),
            tie_breaks=tuple(TieBreak(data[name]) for name in TIE_FIELDS if data[name]),
            purse=" ".join(data["purse"].split()),
            **{name: data[name] for name in AS_TYPED},
        )

    def takes(self) -> Takes:
        """Return the rule for automatic events, of a valid form."""
        data = self.cleaned_data
        return Takes(
            by_rule=data["by_rule"],
            name=data["rule_name"],
            since=data["rule_since"],
            until=data["rule_until"],
        )


def _initial(league: League | None) -> dict[str, Any]:
    terms = league.reckoning if league else Terms()
    breaks = [*terms.tie_breaks, "", "", ""]
    about = ("name", "by_rule", "rule_name", "rule_since", "rule_until", "is_public")
    usual = {"by_rule": True, "is_public": True}
    return {
        **{name: getattr(league, name) if league else usual.get(name, "") for name in about},
        **{name: getattr(terms, name) for name in ("way", "ties", "counts", "purse", *AS_TYPED)},
        **{name: getattr(terms, name) or "" for name in ("best", "team_best", "run")},
        **dict(zip(TIE_FIELDS, breaks, strict=False)),
    }


def _next_season(like: League) -> dict[str, Any]:
    """Return the name and the days of a league's next season: a year later, from its last day on.

    Years in the name count on, "2025/26" becomes "2026/27".
    """
    since, until = like.rule_since, like.rule_until
    return {
        "name": YEAR.sub(lambda year: f"{int(year[0]) + 1:0{len(year[0])}}"[-len(year[0]) :],
                         like.name),
        "rule_since": until + timedelta(days=1) if until else a_year_later(since),
        "rule_until": a_year_later(until),
    }  # fmt: skip


def a_year_later(day: date | None) -> date | None:
    """Return the same day of the next year, the 28th for a leap day.

    >>> a_year_later(date(2028, 2, 29))
    datetime.date(2029, 2, 28)
    """
    if day is None:
        return None
    is_leap_day = (day.month, day.day) == (2, 29)
    return day.replace(year=day.year + 1, day=28 if is_leap_day else day.day)


class GuestForm(_OfLeague):
    """A person to leave out of the standings, chosen by number."""

    person = forms.TypedChoiceField(label=_("Wer"), coerce=int)
    # The forms of one page each have a field for the person.
    auto_ids = "guest_%s"

    def __init__(self, *args: Any, people: list[tuple[int, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.auto_id = self.auto_ids
        field = self.fields["person"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = people


class CorrectionForm(GuestForm):
    """Points by hand for a person, with a reason."""

    auto_ids = "id_%s"
    points = PointsField(label=_("Punkte, mit Minus für einen Abzug"))
    reason = forms.CharField(
        label=_("Grund"),
        max_length=200,
        error_messages={"required": _("Bitte einen Grund angeben.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )


class TeamForm(GuestForm):
    """A person's team; an empty name for none."""

    auto_ids = "team_%s"
    team = forms.CharField(
        label=_("Team"),
        max_length=LONGEST_NAME,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "list": "teams"}),
    )


class StacksForm(forms.Form):
    """The conversion of points to starting stacks in the final."""

    base = WholeNumberField(label=_("Jeder beginnt mit"), least=1, most=10_000_000)
    per_point = WholeNumberField(label=_("Chips für jeden Punkt"), least=0, most=1_000_000)
    unit = WholeNumberField(label=_("Gerundet auf"), least=1, most=1_000_000)
    first = WholeNumberField(label=_("Die ersten der Tabelle"), least=1, most=10_000)
