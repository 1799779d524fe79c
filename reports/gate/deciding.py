"""Whether a rule holds. Where it cannot be told, it does not: a gate that knows nothing stays shut."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from calibration.results import Figure
from calibration.sentences import counted
from calibration.trend import difference_of
from reports.gate.rules import FigureRule, NoneRule, Rule
from reports.shown.wording import decimal, interval_words

SHOWN = 10


class Exit(IntEnum):
    """The exit codes of the gate."""

    PASSED = 0
    FAILED = 1
    COULD_NOT_RUN = 2
    NO_CERTIFICATE = 3


class Outcome(StrEnum):
    PASSED = "passed"
    FAILED = "failed"
    NO_DATA = "no data"


@dataclass(frozen=True, slots=True)
class RuleResult:
    """What came of one rule.

    Attributes
    ----------
    words : str
        What was found and what was asked for.
    figure : Figure or None
        What was held against the bound: the figure itself, or its difference from the baseline.
    """

    rule: Rule
    outcome: Outcome
    words: str
    figure: Figure | None = None


def decide_figure(rule: FigureRule, now: Figure, before: Figure | None = None) -> RuleResult:
    """Hold a figure against the bound of a rule.

    Parameters
    ----------
    rule : FigureRule
        Asks for one bound.
    now : Figure
        The figure.
    before : Figure, optional
        The same figure of the baseline, where the rule has one.

    Examples
    --------
    >>> rule = FigureRule(name="few", figure="miscitation", at_most=0.1)
    >>> decide_figure(rule, Figure(0.08, 0.04, 0.13, n=200)).outcome
    <Outcome.FAILED: 'failed'>
    """
    limit, upper, asked = _bound(rule)
    figure = now
    if before is not None:
        figure = difference_of(before, now) if rule.rises_at_most is not None else difference_of(now, before)
    if figure.value is None:
        return RuleResult(rule, Outcome.NO_DATA, f"no data: {figure.reason}", figure)
    held = figure.value
    if rule.end == "safe":
        if figure.low is None or figure.high is None:
            why = figure.reason or "the figure has none"
            return RuleResult(
                rule, Outcome.NO_DATA, f"{decimal(held)} without an interval, so without a safe end: {why}", figure
            )
        held = figure.high if upper else figure.low
    # A bound that is met exactly is met, whatever the binary form of the numbers.
    passed = held <= limit + 1e-9 if upper else held >= limit - 1e-9
    between = interval_words(figure)
    moved = "" if before is None else f" (from {decimal(before.value)} to {decimal(now.value)})"
    found = f"{decimal(figure.value)}{f', {between}' if between else ''}, n = {figure.n}{moved}"
    where = f"{decimal(held, 3)} at the safe end" if rule.end == "safe" else f"the value {decimal(held, 3)}"
    return RuleResult(
        rule, Outcome.PASSED if passed else Outcome.FAILED, f"{found}; {where}, asked for {asked}", figure
    )


def _bound(rule: FigureRule) -> tuple[float, bool, str]:
    """The bound, whether it is an upper one, and how it is said."""
    if rule.at_least is not None:
        return rule.at_least, False, f"at least {rule.at_least:g}"
    if rule.at_most is not None:
        return rule.at_most, True, f"at most {rule.at_most:g}"
    if rule.falls_at_most is not None:
        return rule.falls_at_most, True, f"a fall of at most {rule.falls_at_most:g}"
    assert rule.rises_at_most is not None  # exactly one bound is given
    return rule.rises_at_most, True, f"a rise of at most {rule.rises_at_most:g}"


def decide_none(rule: NoneRule, found: Sequence[str], *, looked_at: int, unit: str) -> RuleResult:
    """Hold what was found against a rule that nothing may be; `unit` is what was looked at."""
    if looked_at == 0:
        return RuleResult(rule, Outcome.NO_DATA, f"no data: no {unit} of this system is there to look at")
    where = f"{len(found)} of {counted(looked_at, unit)}"
    if not found:
        return RuleResult(rule, Outcome.PASSED, where)
    named = ", ".join(found[:SHOWN]) + ("…" if len(found) > SHOWN else "")
    return RuleResult(rule, Outcome.FAILED, f"{where}: {named}")


def exit_of(results: Sequence[RuleResult]) -> Exit:
    """Failed where a rule is broken, else could not run where one could not be told."""
    outcomes = {result.outcome for result in results}
    if Outcome.FAILED in outcomes:
        return Exit.FAILED
    return Exit.COULD_NOT_RUN if Outcome.NO_DATA in outcomes or not results else Exit.PASSED


def missing(name: str, figures: Mapping[str, Figure]) -> Figure:
    """The figure of a name, or one that says that it is not there."""
    return figures.get(name) or Figure.undefined(f"no figure {name}")
