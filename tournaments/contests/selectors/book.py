"""The chapter of the rule book about the flights of a tournament. None stands in a rule book."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as lazy

from tournaments.contests.domain.carrying import Begins, Forward, Further, Terms
from tournaments.contests.domain.stopping import StopRule
from tournaments.contests.selectors.contests import stage_of, stages_of
from tournaments.event.selectors.labels import money
from tournaments.models import Event, Stage
from tournaments.prizes.domain.plans import Rounding
from tournaments.rules.selectors.book import Chapter, Part


def flight_chapters(event: Event) -> list[Chapter]:
    """Return the chapter about the flights of this event's contest; empty for any other event."""
    stage = stage_of(event)
    if stage is None:
        return []
    stages = stages_of(stage.contest)
    texts = (*_ends(stages), *_stacks(stages), *_goes_on(stage.contest.reckoning))
    part = Part(key="flights", title=_("Mehrere Flights"), texts=texts)
    return [Chapter(key="book-flights", title=lazy("Mehrere Flights"), parts=(part,))]


def _ends(stages: list[Stage]) -> Iterator[str]:
    for row in stages:
        words = ", ".join(_stop_in_words(row.rule))
        if words:
            yield _("%(label)s endet %(when)s.") % {"label": row.label, "when": words}
    yield _("Was zuerst eintritt, beendet den Tag. Die laufenden Hände werden fertig gespielt.")
    yield _("Gehen mehrere in einer Hand aus, sind es eben weniger: Niemand wird zurückgeholt.")


def _stop_in_words(rule: StopRule) -> Iterator[str]:
    if rule.players:
        yield _("bei %(n)s Spielern") % {"n": rule.players}
    if rule.percent:
        ways = {
            Rounding.NEAREST: _("gerundet"),
            Rounding.UP: _("aufgerundet"),
            Rounding.DOWN: _("abgerundet"),
        }
        share = f"{rule.percent / 100:g}".replace(".", ",")
        yield _("bei %(share)s %% der Einstiege, %(way)s") % {
            "share": share,
            "way": ways[rule.rounding],
        }
    if rule.level:
        yield _("nach Stufe %(n)s") % {"n": rule.level}
    if rule.time:
        yield _("um %(time)s Uhr") % {"time": rule.time}


def _stacks(stages: list[Stage]) -> Iterator[str]:
    stacks = {row.event.starting_stack for row in stages if row.order == stages[0].order}
    if len(stacks) > 1:
        yield _("Die Flights beginnen mit verschiedenen Stapeln.")


def _goes_on(terms: Terms) -> Iterator[str]:
    yield _("Deine Chips zählst du selbst, das Personal zählt nach. Sagen beide dasselbe, ist dein "
            "Sack versiegelt.")  # fmt: skip
    yield {
        Forward.BEST: _("Wer mehrmals weiterkommt, spielt mit dem größten Stapel. Die anderen "
                        "gehen aus dem Spiel."),
        Forward.SUM: _("Wer mehrmals weiterkommt, spielt mit allen Stapeln zusammen."),
        Forward.FIRST: _("Wer weiter ist, steigt in keinem anderen Flight mehr ein."),
    }[terms.forward]  # fmt: skip
    if terms.further is Further.BONUS and terms.further_cents:
        yield _("Jedes weitere Mal bringt %(amount)s aus dem Topf.") % {
            "amount": money(terms.further_cents)
        }
    if terms.further is Further.MIN_CASH:
        yield _("Jedes weitere Mal bringt einen der letzten Preise.")
    yield {
        Begins.REST: _("Der nächste Tag beginnt, wo der Flight aufhörte, der am wenigsten weit "
                       "kam."),
        Begins.WHOLE: _("Der nächste Tag beginnt mit der ganzen Stufe des Flights, der am "
                        "wenigsten weit kam."),
        Begins.OWN: _("Der nächste Tag hat einen eigenen Blindplan."),
    }[terms.begins]  # fmt: skip
